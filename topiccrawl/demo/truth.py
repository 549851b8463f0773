"""Ground truth about the pages of the demonstration web."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Truth:
    """Ground truth about one page."""

    url: str
    """Canonical: without session and tracking parameters."""
    kind: str
    """``home``, ``list``, ``article``, ``directory``, ``tunnel``, or the name of an oddity."""
    topics: frozenset[str]
    """Topic families; empty for mixed and odd pages."""
    charset: str
    """Actual encoding of the bytes, whatever is declared."""
    title: str = ""
    """Articles: title without the site's suffix, in the page's script."""
    paragraphs: tuple[str, ...] = ()
    """Articles: the body as printed."""
    published: datetime | None = None
    """Articles: naive, China Standard Time.  Pages may print only the day."""
    story: str | None = None
    """Articles: identity of the story; reprints share it."""

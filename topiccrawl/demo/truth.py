"""What is true about a page of the demonstration web, for tests and for recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Truth:
    """What a perfect crawler would know of one page."""

    url: str
    """Canonical: without session and tracking parameters."""
    kind: str
    """``home``, ``list``, ``article``, ``directory``, ``tunnel``, or the name of an oddity."""
    topics: frozenset[str]
    """Topic families; empty for mixed and odd pages."""
    charset: str
    """What the bytes are, whatever is declared."""
    title: str = ""
    """Articles: the title without the site's tail, in the page's script."""
    paragraphs: tuple[str, ...] = ()
    """Articles: the body as printed."""
    published: datetime | None = None
    """Articles: naive, China Standard Time.  Pages may print only the day."""
    story: str | None = None
    """Articles: identity of the story; reprints share it."""

"""What is compared of a page, and what the comparison of two pages finds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

#: What one page is to another.
#:
#: - ``same-page``: the same page under another address (mirror, print or mobile version).
#: - ``copy``: another publication of the same text, unchanged.
#: - ``edited``: another publication of the same text, changed.
#: - ``excerpt``: a part of the other text.
#: - ``gathers``: the page contains the other text, with texts of its own or of others.
#: - ``template``: they share nothing but the template of a site or a form.
#: - ``different``: anything else.
RelationKind = Literal["same-page", "copy", "edited", "excerpt", "gathers", "template", "different"]

#: Relations that make the page a copy of the other one: a member of its story, and not listed beside it.
#: An excerpt needs the evidence of its title or source (:mod:`topiccrawl.crawl.copies.comparing`).
COPIES: Final[frozenset[RelationKind]] = frozenset({"same-page", "copy", "edited", "excerpt"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPage:
    """What is compared of a page."""

    url: str
    """Canonical URL."""
    title: str
    """Title without the name of the site."""
    body: str
    site: str = ""
    """Host name."""
    source: str = ""
    """The medium that the page names as its origin."""
    published_at: datetime | None = None
    """Publish time that the page states, aware."""
    fetched_at: datetime | None = None
    first_seen: datetime | None = None
    """When the page was first fetched, whatever its text was then; None: at ``fetched_at``."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What one page is to another."""

    kind: RelationKind
    confidence: float
    """Probability that *kind* is right, in [0, 1]."""
    reasons: tuple[str, ...] = ()
    """Why, most important first: details for people, see :mod:`topiccrawl.details`."""

    @property
    def is_copy(self) -> bool:
        """Whether it makes the page a copy of the other one."""
        return self.kind in COPIES

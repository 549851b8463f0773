"""A new judgment of a page that was fetched before, and what applying such judgments has changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topiccrawl.store.contract import PageJudgment


@dataclass(frozen=True, slots=True)
class Rejudged:
    """A new judgment of a page that was fetched before."""

    url: str
    """Canonical URL."""
    judgment: PageJudgment | None
    """``None``: its numbers stay."""
    kept: bool
    detail: str = ""
    """The reason for people: values and thresholds."""
    by_user: bool = False
    """Whether it is the user's judgment, of this page or of its text on another one."""
    same_as: str = ""
    """URL of the other page."""


@dataclass(slots=True)
class RejudgingResult:
    """What one call of :meth:`~topiccrawl.crawl.judgments.rejudging.Rejudging.apply` changed, in pages.

    Copies of others count apart.
    """

    withdrawn: int = 0
    readmitted: int = 0
    admitted: int = 0
    """Near misses that entered the collection."""
    copies: int = 0
    """Copies of others that entered."""
    copies_withdrawn: int = 0
    listed: int = 0
    """Copies that are listed now, because the user judged them relevant."""
    same_text: dict[str, int] = field(default_factory=dict)
    """Pages that left because they have the text of a page that the user judged off topic, by its URL."""

    def statistics(self) -> dict[str, int]:
        """Return the numbers by the names of the crawl's statistics."""
        return {
            "pages/withdrawn": self.withdrawn,
            "pages/readmitted": self.readmitted,
            "pages/admitted": self.admitted,
            "pages/copies_withdrawn": self.copies_withdrawn,
            "pages/copies_entered": self.copies,
            "settled/freed": self.listed,
        }

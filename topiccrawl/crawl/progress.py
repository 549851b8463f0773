"""Running counts of one crawl; the identities between them are in docs/stats.md."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.scoring.harvest import harvest_rate


@dataclass(slots=True)
class CrawlProgress:
    """Numbers of pages fetched, kept and lost so far."""

    pages: int = 0
    """HTML pages fetched and analyzed."""
    relevant: int = 0
    """Pages that were kept by their first judgment."""
    stored: int = 0
    """Pages that are in the store, without copies."""
    copies: int = 0
    """Pages that are in the store as copies of others."""
    withdrawn: int = 0
    """Pages that left the collection after a new judgment, of earlier runs too; without copies."""
    entered: int = 0
    """Near misses and withdrawn pages that entered the collection after a new judgment; without copies."""
    joined: int = 0
    """Pages that became copies of others after they were stored, of earlier runs too."""
    freed: int = 0
    """Copies that are listed now, of earlier runs too."""
    parts_left_queue: int = 0
    """Links that the queue has dropped because their pages were joined to others."""
    dropped: int = 0
    failed: int = 0
    outcomes: int = 0

    @property
    def harvest_rate(self) -> float:
        """The harvest rate so far, by the first judgment of each page."""
        return harvest_rate(self.relevant, self.pages)

    def next_outcome(self) -> int:
        """Return the next position in the order of outcomes, from 1."""
        self.outcomes += 1
        return self.outcomes

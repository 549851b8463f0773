"""Links that fall behind in the queue because links like them lead to no page."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.urls.content import GONE
from topiccrawl.urls.deadlinks import DeadLinks
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from topiccrawl.frontier.contract import QueuedLink
    from topiccrawl.scoring.evidence import LinkEvidence
    from topiccrawl.urls.lessons import Lesson

__all__ = ["FallenLinks"]

#: Links whose scores are held down; beyond, the oldest gets its own score in the next round (a choice: some MB).
_MOST: Final = 100_000


class FallenLinks:
    """Holds down the scores of links to families that are dead, until one of them answers.

    A ranking round computes the scores of all queued links anew, by id: the URLs of those that have fallen
    are remembered here.
    """

    def __init__(self) -> None:
        self._dead = DeadLinks()
        self._urls: OrderedDict[int, str] = OrderedDict()

    def __bool__(self) -> bool:
        """Whether any links have ever fallen behind."""
        return bool(self._dead)

    def dead(self, canonical: str) -> bool:
        """Count a dead link; return whether others like it may wait in front of better ones."""
        held = self._urls.pop(link_id(canonical), None) is not None
        self._dead.dead(canonical)
        return bool(self._dead) and not held and self._dead.expected(canonical) < 1

    def answered(self, canonical: str) -> None:
        """Record a page: links like it have their own scores again from the next round on."""
        self._urls.pop(link_id(canonical), None)
        self._dead.answered(canonical)

    def receive(self, lesson: Lesson) -> None:
        """Record a page of another worker, or of an earlier run."""
        if lesson.content != GONE:
            self._dead.answered(lesson.url)

    def lowered(self, canonical: str, evidence: LinkEvidence) -> LinkEvidence:
        """Return *evidence* for a link, with a lower score if links like it are dead."""
        if not self._dead or (expected := self._dead.expected(canonical)) == 1:
            return evidence
        self._hold(link_id(canonical), canonical)
        return replace(evidence, score=_lower(evidence.score, expected))

    def to_lower(self, links: Iterable[QueuedLink]) -> list[QueuedLink]:
        """Return those of *links* that fall behind now."""
        found = []
        for link in links:
            if link.id not in self._urls and self._dead.expected(link.url) < 1:
                self._hold(link.id, link.url)
                found.append(link)
        return found

    def held_down(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the *scores* of the links *ids*, lower for those that have fallen behind."""
        if not self._urls:
            return scores
        lower = scores.copy()
        for at in np.flatnonzero(np.isin(ids, np.fromiter(self._urls, np.int64, len(self._urls)))):
            id = int(ids[at])
            if (expected := self._dead.expected(self._urls[id])) < 1:
                lower[at] = _lower(float(scores[at]), expected)
            else:
                del self._urls[id]
        return lower

    def _hold(self, id: int, url: str) -> None:
        self._urls[id] = url
        while len(self._urls) > _MOST:
            self._urls.popitem(last=False)


def _lower(score: float, expected: float) -> float:
    return score * expected if score > 0 else score / expected

"""Links that fall behind in the queue because links like them lead to no page."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.urls.content import GONE
from topiccrawl.urls.deadlinks import DeadLinks
from topiccrawl.urls.hosts import host_of
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
        #: URL, and the host whose link it is, by id.
        self._links: OrderedDict[int, tuple[str, str]] = OrderedDict()

    def __bool__(self) -> bool:
        """Whether any links have ever fallen behind."""
        return bool(self._dead)

    def dead(self, canonical: str, source: str = "") -> bool:
        """Count a dead link of the host *source*; return whether others like it may wait in front of better ones."""
        held = self._links.pop(link_id(canonical), None) is not None
        self._dead.dead(canonical, source)
        return bool(self._dead) and not held and self._dead.expected(canonical, source) < 1

    def answered(self, canonical: str, source: str = "") -> bool:
        """Record a page: links like it have their own scores again from the next round on.

        Return whether other workers have to be told that links of the host *source* answer.
        """
        self._links.pop(link_id(canonical), None)
        return self._dead.answered(canonical, source)

    def answers(self, source: str) -> None:
        """Record that a link of the host *source* to another one has led to a page."""
        self._dead.answers(source)

    def receive(self, lesson: Lesson) -> None:
        """Record a page of another worker, or of an earlier run."""
        if lesson.content != GONE:
            self._dead.answered(lesson.url)

    def lowered(self, canonical: str, evidence: LinkEvidence) -> LinkEvidence:
        """Return *evidence* for a link, with a lower score if links like it are dead."""
        source = source_of(evidence)
        if not self._dead or (expected := self._dead.expected(canonical, source)) == 1:
            return evidence
        self._hold(link_id(canonical), canonical, source)
        return replace(evidence, score=_lower(evidence.score, expected))

    def to_lower(self, links: Iterable[QueuedLink]) -> list[QueuedLink]:
        """Return those of *links* that fall behind now."""
        found = []
        for link in links:
            source = source_of(link.evidence)
            if link.id not in self._links and self._dead.expected(link.url, source) < 1:
                self._hold(link.id, link.url, source)
                found.append(link)
        return found

    def held_down(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the *scores* of the links *ids*, lower for those that have fallen behind."""
        if not self._links:
            return scores
        lower = scores.copy()
        for at in np.flatnonzero(
            np.isin(ids, np.fromiter(self._links, np.int64, len(self._links)))
        ):
            id = int(ids[at])
            if (expected := self._dead.expected(*self._links[id])) < 1:
                lower[at] = _lower(float(scores[at]), expected)
            else:
                del self._links[id]
        return lower

    def _hold(self, id: int, url: str, source: str) -> None:
        self._links[id] = (url, source)
        while len(self._links) > _MOST:
            self._links.popitem(last=False)


def source_of(evidence: LinkEvidence) -> str:
    """Return the host of the page with the link; empty if no page has it."""
    return "" if evidence.parent is None else host_of(evidence.parent)


def _lower(score: float, expected: float) -> float:
    return score * expected if score > 0 else score / expected

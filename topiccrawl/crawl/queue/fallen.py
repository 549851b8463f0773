"""Links that fall behind in the queue: links like them lead to no page, or only to further domains."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.bounded import BoundedDict
from topiccrawl.urls.content import GONE
from topiccrawl.urls.deadlinks import DeadLinks
from topiccrawl.urls.domains import NewDomains
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from topiccrawl.frontier.contract import QueuedLink
    from topiccrawl.scoring.evidence import LinkEvidence
    from topiccrawl.urls.lessons import Lesson

#: Factor of the scores of links to new domains while there are too many: behind all others (a choice).
_NEW_DOMAIN: Final = 0.01
#: Links whose scores are held down; beyond, the oldest gets its own score in the next round (a choice: some MB).
_MOST: Final = 100_000


class FallenLinks:
    """Holds down the scores of links to families that are dead, until one of them answers.

    Scores of links to new domains are held down, too, while a crawl contacts too many
    (:class:`~topiccrawl.urls.domains.NewDomains`). A ranking round computes the scores of all queued links
    anew, by id: the URLs of those that have fallen are remembered here.
    """

    def __init__(self) -> None:
        self._dead = DeadLinks()
        #: URL, and the host whose link it is, by id.
        self._links: BoundedDict[int, tuple[str, str]] = BoundedDict(_MOST)
        self._domains = NewDomains()
        self._crowded = False
        #: Host by id, of links to new domains.
        self._new: BoundedDict[int, str] = BoundedDict(_MOST)

    def __bool__(self) -> bool:
        """Whether any links of the queue may have to fall behind."""
        return bool(self._dead) or self._crowded

    def contact(self, host: str) -> bool:
        """Record that *host* is contacted; return whether its domain was not before."""
        return self._domains.contact(host)

    def crowded(self, pages: int) -> bool:
        """Return whether links to new domains fall behind: too many are contacted for *pages* fetched pages."""
        self._crowded = self._crowded or self._domains.too_many(pages)
        return self._crowded

    def is_crowd(self, canonical: str, source: str) -> bool:
        """Return whether a link of the host *source* leads to a new domain while too many are contacted."""
        return self._crowded and bool(source) and self._domains.is_new(host_of(canonical))

    def begin_round(self, pages: int) -> None:
        """Let links to new domains have their own scores again if *pages* fetched pages allow it by now."""
        self._crowded = self._domains.too_many(pages)
        if not self._crowded:
            self._new.clear()

    def is_behind(self, canonical: str) -> bool:
        """Return whether the link is held down."""
        id = link_id(canonical)
        return id in self._links or id in self._new

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
        self._domains.fetched(host_of(canonical))
        return self._dead.answered(canonical, source)

    def answers(self, source: str) -> None:
        """Record that a link of the host *source* to another one has led to a page."""
        self._dead.answers(source)

    def receive(self, lesson: Lesson) -> None:
        """Record a page of another worker, or of an earlier run."""
        self._domains.fetched(host_of(lesson.url))
        if lesson.content != GONE:
            self._dead.answered(lesson.url)

    def lowered(self, canonical: str, evidence: LinkEvidence) -> LinkEvidence:
        """Return *evidence* for a link, with a lower score if links like it are dead."""
        if not self:
            return evidence
        id, source = link_id(canonical), source_of(evidence)
        expected = self._dead.expected(canonical, source) if self._dead else 1.0
        if expected < 1:
            self._links[id] = (canonical, source)
        if self._hold_new(id, canonical, source):
            expected *= _NEW_DOMAIN
        if expected == 1:
            return evidence
        return replace(evidence, score=_lower(evidence.score, expected))

    def to_lower(self, links: Iterable[QueuedLink]) -> list[QueuedLink]:
        """Return those of *links* that fall behind now."""
        found = []
        for link in links:
            source = source_of(link.evidence)
            if link.id in self._links or link.id in self._new:
                continue
            is_dead = bool(self._dead) and self._dead.expected(link.url, source) < 1
            if is_dead:
                self._links[link.id] = (link.url, source)
            if self._hold_new(link.id, link.url, source) or is_dead:
                found.append(link)
        return found

    def held_down(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the *scores* of the links *ids*, lower for those that have fallen behind."""
        if not self._links and not self._new:
            return scores
        lower = scores.copy()
        for at in _found(ids, self._new):
            if self._domains.is_new(self._new[int(ids[at])]):
                lower[at] = _lower(float(scores[at]), _NEW_DOMAIN)
        for at in _found(ids, self._links):
            id = int(ids[at])
            if (expected := self._dead.expected(*self._links[id])) < 1:
                lower[at] = _lower(float(lower[at]), expected)
            else:
                del self._links[id]
        return lower

    def _hold_new(self, id: int, canonical: str, source: str) -> bool:
        """Hold a link of a page to a new domain while there are too many; return whether it is one."""
        if not self.is_crowd(canonical, source):
            return False
        self._new[id] = host_of(canonical)
        return True


def _found(ids: NDArray[np.int64], links: Mapping[int, object]) -> list[int]:
    """Return the places of *ids* that are among *links*, which may be many more."""
    return [at for at, id in enumerate(ids.tolist()) if id in links]


def source_of(evidence: LinkEvidence) -> str:
    """Return the host of the page with the link; empty if no page has it."""
    return "" if evidence.parent is None else host_of(evidence.parent)


def _lower(score: float, expected: float) -> float:
    return score * expected if score > 0 else score / expected

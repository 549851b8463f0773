"""When a lost session is renewed: once for all requests in flight, and never in a loop."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from topiccrawl.access.walls import Evidence
from topiccrawl.backoff import exponential_delay
from topiccrawl.bounded import BoundedDict

#: Useless renewals in a row after which there are no more (a guess: half an hour, with pauses that double
#: from a minute on).
MOST_USELESS: Final = 5
#: Renewals that one page may cause: more where sessions end after a few pages, of which others took all.
MOST_FOR_PAGE: Final = 3
#: Pages behind the wall that are remembered.
_REMEMBERED: Final = 10_000


class Decision(Enum):
    """What to do with an answer that looks as if nobody was logged in."""

    CONTENT = "content"
    """It is content: pages of this site look like that with a session, too."""
    REPEAT = "repeat"
    """The session was renewed since: request it again."""
    RENEW = "renew"
    LATER = "later"
    """A renewal has just been useless: try again after a pause."""
    DROP = "drop"


@dataclass(slots=True)
class _Walled:
    times: int
    generation: int


class RenewalRules:
    """Decides about the pages of one login.

    *pause* are the seconds until the next renewal after one that was useless; doubled each time.
    """

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._useless = 0
        self.not_before = 0.0
        """Time of the next renewal, at the earliest."""
        self._walled: BoundedDict[str, _Walled] = BoundedDict(_REMEMBERED)
        self._usual: set[Evidence] = set()
        self.exhausted = False
        """Whether there are no more renewals."""

    def behind_wall(
        self, key: str, evidence: Evidence, generation: int, current: int, now: float, *, used: bool
    ) -> Decision:
        """Decide about a page.

        *evidence* speaks for a lost session.  *generation* is the number of the session with which the page was
        requested, *current* that of the present one; *used*: the session had brought other pages when the
        request was sent.
        """
        if evidence in self._usual:
            return Decision.CONTENT
        seen = self._walled.get(key)
        if generation < current:
            self._remember(key, generation, 1 if seen is None else seen.times)
            return Decision.REPEAT
        if seen is not None and seen.generation < generation:
            if evidence.weak:
                # The same after a fresh login: pages of this site look so.
                self._usual.add(evidence)
                del self._walled[key]
                self._count_useless(now)
                return Decision.CONTENT
            if not used or seen.times >= MOST_FOR_PAGE:
                del self._walled[key]
                self._count_useless(now)
                return Decision.DROP
        if self.exhausted:
            return Decision.CONTENT if evidence.weak else Decision.DROP
        if now < self.not_before:
            return Decision.LATER
        self._remember(key, generation, 1 if seen is None else seen.times + 1)
        return Decision.RENEW

    def came_through(self, key: str) -> None:
        """Record that a page is content; one that was behind the wall shows that renewals help."""
        if self._walled.pop(key, None) is not None:
            self._useless = 0
            self.not_before = 0.0

    def _count_useless(self, now: float) -> None:
        self._useless += 1
        self.not_before = now + exponential_delay(self._useless, base=self._pause)
        self.exhausted = self._useless >= MOST_USELESS

    def _remember(self, key: str, generation: int, times: int) -> None:
        self._walled[key] = _Walled(times, generation)

"""A sequential test of whether two kinds of addresses lead to the same pages."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from topiccrawl.bounded import BoundedDict

#: Share of equal pages among those of a mirror: others were edited, or expired, between the two fetches (a
#: guess).
EQUAL_IN_MIRRORS: Final = 0.98
#: Share of equal pages, at most, among the addresses that two hosts share without being mirrors: channels of
#: a portal answer with the same articles and have fronts and lists of their own (a guess).
EQUAL_ELSEWHERE: Final = 0.5
#: Log of the likelihood ratio of an equal and of a different pair of pages [wald1945]: .67 and -3.2.
_EQUAL: Final = math.log(EQUAL_IN_MIRRORS / EQUAL_ELSEWHERE)
_DIFFERENT: Final = math.log((1 - EQUAL_IN_MIRRORS) / (1 - EQUAL_ELSEWHERE))
#: Log odds from which the addresses are the same pages: probability .99.  Seven equal pairs without a
#: difference, from even odds.
ACCEPT: Final = math.log(0.99 / 0.01)
#: Most log odds that evidence adds up to, as in a CUSUM chart [page1954]: however long two hosts were equal, two
#: differences end it.
MOST: Final = ACCEPT - _DIFFERENT
#: Log odds below which what was accepted is revoked: two differences, or the first one soon after.
REVOKE: Final = 2.0
#: Least log odds: twenty equal pages outweigh any number of differences before them (a choice).
LEAST: Final = -8.0
#: Contents of a pair that are remembered, so that each counts once (a choice: more than lead to acceptance).
_CONTENTS: Final = 64

#: Prior log odds that were measured nowhere (guesses): what looks like two names of one site nearly always is.
LIKELY: Final = math.log(0.95 / 0.05)
EVEN: Final = 0.0
UNLIKELY: Final = -LIKELY


@dataclass(slots=True)
class SequentialTest:
    """Wald's test for one pair of hosts or patterns; each content counts once."""

    odds: float
    """Log odds; the prior at first."""
    accepted: bool = False
    _gists: BoundedDict[int, None] = field(default_factory=lambda: BoundedDict(_CONTENTS))

    def equal(self, gist: int) -> bool:
        """Count a pair of equal pages with this gist; return whether the verdict has changed."""
        if gist in self._gists:
            return False  # "Please log in" at a hundred addresses proves nothing.
        self._gists[gist] = None
        self.odds = min(MOST, self.odds + _EQUAL)
        return self._judge()

    def different(self) -> bool:
        """Count a pair of different pages; return whether the verdict has changed."""
        self.odds = max(LEAST, self.odds + _DIFFERENT)
        return self._judge()

    def _judge(self) -> bool:
        before = self.accepted
        self.accepted = self.odds >= (REVOKE if before else ACCEPT)
        return self.accepted != before

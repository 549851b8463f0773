"""When to read a list page (a front page, a channel, a feed) again: before its new links have left it."""

from __future__ import annotations

from dataclasses import dataclass

#: Links that a list shows at a time, until they have been counted (a guess).
_LISTED = 20
#: Share of the list that new links may fill until the next visit: entries come in spells (a guess).
_FILL = 0.25
#: Days after which new links count half, and the days that the first visit's guess weighs (guesses).
_HALF_LIFE, _PRIOR_DAYS = 7.0, 0.1


@dataclass(slots=True)
class ListPage:
    """New links a day of one list page."""

    days: float = 0.0
    links: float = 0.0
    listed: int = 0

    def visited(self, days: float, new_links: int, listed: int) -> None:
        """Record a visit some days after the one before."""
        decay = 0.5 ** (days / _HALF_LIFE)
        self.days = self.days * decay + days
        self.links = self.links * decay + new_links
        self.listed = listed or self.listed

    def interval(self, least: float, most: float) -> float:
        """Return the days until the next visit, between two limits.

        One link more than were seen is expected: a new list is visited at the least interval.
        """
        rate = (self.links + 1) / (self.days + _PRIOR_DAYS)
        return min(max(_FILL * (self.listed or _LISTED) / rate, least), most)

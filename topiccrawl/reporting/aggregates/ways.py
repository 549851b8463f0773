"""How the pages of a report were found that no link led to: searched for, listed, imported."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from topiccrawl.details import message_of

if TYPE_CHECKING:
    from topiccrawl.store.contract import PageRecord

#: Ways that are counted (a choice); there are some ten messages, and others by their own text.
_MOST: Final = 50


@dataclass(frozen=True, slots=True)
class WayCount:
    """One way to find pages."""

    example: str
    """What the newest of its pages states in ``found_by``."""
    count: int


class WayTally:
    """Counts how pages were found."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, str] = {}

    def add(self, page: PageRecord) -> None:
        """Count the ways of *page*, each once."""
        for way, line in {message_of(line): line for line in page.found_by.splitlines()}.items():
            if way in self._counts or len(self._counts) < _MOST:
                self._counts[way] += 1
                self._examples[way] = line

    def result(self) -> list[WayCount]:
        """Return the ways, most frequent first."""
        return [WayCount(self._examples[way], count) for way, count in self._counts.most_common()]

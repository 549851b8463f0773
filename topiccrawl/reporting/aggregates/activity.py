"""What became new, changed and vanished in the collection, by day, since a moment."""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.reporting.aggregates.pages import URL_CHARS
from topiccrawl.reporting.markup import clean, is_web_link
from topiccrawl.reporting.scale import china_day

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.store.records import PageRecord

#: Pages of each kind that are listed, the latest ones.  A guess: more is not read.
MAX_ROWS: Final = 200

#: Days shown of a report about the whole collection (a choice).
RECENT_DAYS: Final = 14


@dataclass(frozen=True, slots=True)
class DayCount:
    """Pages of one day, in China."""

    day: date
    new: int = 0
    changed: int = 0
    """Pages of which a change was found."""
    gone: int = 0


@dataclass(frozen=True, slots=True)
class ActivityRow:
    """One page of a list."""

    at: datetime
    url: str
    """Empty if it is not a safe link."""
    title: str
    site: str


@dataclass(frozen=True, slots=True)
class Activity:
    """What happened since a moment, in bounded size."""

    since: datetime
    new: int = 0
    changed: int = 0
    """Pages of which a change was found, each counted once."""
    gone: int = 0
    """Pages that vanished and are still gone."""
    days: Sequence[DayCount] = ()
    """Oldest first, without days on which nothing happened."""
    new_pages: Sequence[ActivityRow] = ()
    """Latest first, like the next two."""
    changed_pages: Sequence[ActivityRow] = ()
    gone_pages: Sequence[ActivityRow] = ()

    @property
    def any(self) -> bool:
        """Whether anything happened."""
        return bool(self.days)


def recent(generated_at: datetime) -> datetime:
    """Return the moment since which a report about the whole collection shows what happened."""
    first = china_day(generated_at) - timedelta(days=RECENT_DAYS - 1)
    return datetime.combine(first, time(), CHINA_TIME)


class ActivityTally:
    """Counts pages one by one; memory grows with the changed pages only."""

    def __init__(self, since: datetime) -> None:
        self._since = since
        self._changes: dict[str, set[date]] = {}
        self._days: dict[str, Counter[date]] = {"new": Counter(), "changed": Counter()}
        self._days["gone"] = Counter()
        self._total: Counter[str] = Counter()
        self._rows: dict[str, list[tuple[datetime, int, ActivityRow]]] = {}
        self._added = 0

    def change(self, url: str, at: datetime) -> None:
        """Note a change of the page *url*, before the page itself is added."""
        if at >= self._since:
            self._changes.setdefault(url, set()).add(china_day(at))

    def add(self, page: PageRecord) -> None:
        """Count a page of the collection."""
        first = page.first_seen or page.fetched_at
        self._count("new", page, first, {china_day(first)})
        if page.changed_at is not None:
            # Without kept versions, the last change is known all the same.
            days = self._changes.pop(page.url, set()) | {china_day(page.changed_at)}
            self._count("changed", page, page.changed_at, days)
        if page.gone_at is not None:
            self._count("gone", page, page.gone_at, {china_day(page.gone_at)})

    def result(self) -> Activity:
        """Return what was counted."""
        rows = {
            kind: [row for _, _, row in sorted(found, reverse=True)]
            for kind, found in self._rows.items()
        }
        return Activity(
            since=self._since,
            new=self._total["new"],
            changed=self._total["changed"],
            gone=self._total["gone"],
            days=[
                DayCount(day, *(self._days[kind][day] for kind in ("new", "changed", "gone")))
                for day in sorted(set().union(*self._days.values()))
            ],
            new_pages=rows.get("new", ()),
            changed_pages=rows.get("changed", ()),
            gone_pages=rows.get("gone", ()),
        )

    def _count(self, kind: str, page: PageRecord, at: datetime, days: set[date]) -> None:
        if at < self._since:
            return
        first = china_day(self._since)
        self._total[kind] += 1
        self._days[kind].update(day for day in days if day >= first)
        self._added += 1
        row = ActivityRow(
            at=at,
            url=page.url if len(page.url) <= URL_CHARS and is_web_link(page.url) else "",
            title=clean(page.title, 200) or clean(page.url) or "—",
            site=clean(page.site, 80),
        )
        found = self._rows.setdefault(kind, [])
        push = heapq.heappush if len(found) < MAX_ROWS else heapq.heappushpop
        push(found, (at, self._added, row))

"""The stored pages of a report: the listed ones, their number by day, their most frequent keywords."""

from __future__ import annotations

import heapq
from collections import Counter, deque
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from topiccrawl.reporting.markup import clean, is_web_link
from topiccrawl.reporting.scale import china_day

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.store.records import PageRecord

#: Pages listed at most, the newest ones: the file then has 5 MB, and a letter typed into the filter
#: takes 0.03 s, the first one 0.14 s (10,000 copies of pages of the manuals' web, 2026-11-22).
MAX_LISTED = 10_000

#: Pages listed for their relevance, even if 10,000 others are newer.
BEST_LISTED = 1_000

#: Different keywords counted; beyond it, the rarer half is forgotten.  A guess: some 10 MB.
MAX_KEYWORDS = 50_000

#: Keywords shown of the whole collection, and of each page.
TOP_KEYWORDS, PAGE_KEYWORDS = 40, 6

#: Characters of a summary shown; three Chinese sentences have few more.
SUMMARY_CHARS = 160

#: Characters of a URL that is a link; browsers take 2 MB, but a longer one has no use in a list.
URL_CHARS = 1_000

#: Tolerance for a publish date later than the fetch: time zones differ by up to a day.
DATE_SLACK = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PageRow:
    """One stored page as the list shows it: short texts in one line each, dates in China time."""

    url: str
    """Empty if it is not a safe link."""
    title: str
    site: str
    source: str
    kind: str
    stored: str
    published: str
    """Empty without a possible publish date."""
    relevance: float
    probability: float | None
    summary: str
    keywords: Sequence[str]
    gone: str
    """Day since which it has been gone from its site; empty while it is there."""


@dataclass(frozen=True, slots=True)
class StoredPages:
    """The pages of the collection, for one report."""

    count: int
    today: int
    """Those stored on the day of the report, in China."""
    listed: Sequence[PageRow]
    """Latest day first, within a day the most relevant first."""
    days: Sequence[tuple[date, int]]
    """Number of pages by the day on which they were stored, oldest first, without empty days."""
    keywords: Sequence[tuple[str, int]]
    """Most frequent keywords, each with the number of its pages."""


def page_row(page: PageRecord) -> PageRow:
    """Return what the list shows of *page*."""
    published = page.published_at
    possible = published is not None and published <= page.fetched_at + DATE_SLACK
    return PageRow(
        url=page.url if len(page.url) <= URL_CHARS and is_web_link(page.url) else "",
        title=clean(page.title, 200) or clean(page.url) or "—",
        site=clean(page.site, 80),
        source=clean(page.source, 40),
        kind=clean(page.kind, 20),
        stored=str(china_day(page.first_seen or page.fetched_at)),
        published=str(china_day(published)) if published is not None and possible else "",
        relevance=page.relevance,
        probability=page.probability,
        summary=clean(page.summary, SUMMARY_CHARS),
        keywords=[word for it in page.keywords[:PAGE_KEYWORDS] if (word := clean(it, 40))],
        gone=str(china_day(page.gone_at)) if page.gone_at is not None else "",
    )


class PageTally:
    """Counts the pages of the collection and keeps those to list, in bounded memory."""

    def __init__(self, listed: int = MAX_LISTED, best: int = BEST_LISTED) -> None:
        self.count = 0
        self._best_size = best
        self._newest: deque[PageRow] = deque(maxlen=listed)
        self._best: list[tuple[float, int, PageRow]] = []
        self._days: Counter[date] = Counter()
        self._keywords: Counter[str] = Counter()

    def add(self, page: PageRecord) -> None:
        """Count one page; they must come oldest first."""
        self.count += 1
        row = page_row(page)
        self._newest.append(row)
        push = heapq.heappush if len(self._best) < self._best_size else heapq.heappushpop
        push(self._best, (row.relevance, self.count, row))
        self._days[china_day(page.first_seen or page.fetched_at)] += 1
        self._keywords.update(dict.fromkeys(row.keywords, 1))
        if len(self._keywords) > MAX_KEYWORDS:
            self._keywords = Counter(dict(self._keywords.most_common(MAX_KEYWORDS // 2)))

    def result(self, today: date) -> StoredPages:
        """Return the pages of a report of the day *today*."""
        rows = {id(row): row for row in (*self._newest, *(row for _, _, row in self._best))}
        return StoredPages(
            count=self.count,
            today=self._days[today],
            listed=sorted(rows.values(), key=_newest_first),
            days=sorted(self._days.items()),
            keywords=self._keywords.most_common(TOP_KEYWORDS),
        )


def _newest_first(row: PageRow) -> tuple[int, float, str]:
    return -int(row.stored.replace("-", "")), -row.relevance, row.url

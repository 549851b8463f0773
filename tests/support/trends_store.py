"""Pages of two topics with a planted burst, for tests of trends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from topiccrawl.store.records import PageRecord

#: Noon in China on 2026-03-02, a Monday: day 0.
NOON = datetime(2026, 3, 2, 4, tzinfo=UTC)

#: Days with pages.
DAYS = 100


def trend_page(
    number: int, day: int, keywords: tuple[str, ...], site: str, topic: str = "侨务"
) -> PageRecord:
    """Return a page published on a day."""
    url = f"http://{site}/{topic}/{number}.html"
    return PageRecord(
        topic=topic,
        url=url,
        final_url=url,
        site=site,
        title=f"标题{number}",
        keywords=keywords,
        published_at=NOON + timedelta(days=day),
        fetched_at=NOON + timedelta(days=day, hours=2),
        run_id="run",
    )


def trend_pages() -> list[PageRecord]:
    """Return 4 pages a day of 侨务, 40 more about 台风 on days 80 and 81, and one a day of 茶."""
    pages = [
        trend_page(day * 10 + n, day, ("侨务", "会议"), f"{'ab'[n % 2]}.example")
        for day in range(DAYS)
        for n in range(4)
    ]
    pages += [trend_page(5000 + n, 80 + n % 2, ("侨务", "台风"), "c.example") for n in range(40)]
    return pages + [trend_page(n, n, ("茶", "会议"), "t.example", "茶") for n in range(DAYS)]

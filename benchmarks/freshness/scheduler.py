"""``python -m benchmarks.freshness.scheduler``: a change history replayed through the real scheduler.

Each page of the history is a page of one site.  The site is crawled once; then ``scrapy refresh`` runs on a simulated
clock: spider, scheduler, frontier, pipelines, store and planner are the real ones.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

from scrapy import Request
from scrapy.http import HtmlResponse, Response

from benchmarks.freshness.replay import replay
from benchmarks.freshness.seven_days import TOPIC, crawl_settings, mean_age, run_spider
from benchmarks.freshness.simulated import CLOCK, DAY, START
from benchmarks.freshness.traces import HISTORIES, Trace, read_trace
from benchmarks.known_web import QIAOQING, page_html
from topiccrawl.freshness.config import Policy
from topiccrawl.spiders.refresh import RefreshSpider
from topiccrawl.spiders.topic import TopicSpider

SEED: Final = "http://www.history.example/"


class HistorySite:
    """A front page that lists all pages, and the pages, each with the text that it has at the time."""

    def __init__(self, trace: Trace) -> None:
        self.changes = {
            f"{SEED}d{page.directory.replace('/', '-')}/{number}.html": [
                START + (day + 0.5) * DAY for day in page.changes
            ]
            for number, page in enumerate(trace.pages)
        }
        self.times: dict[str, list[float]] = defaultdict(list)

    def respond(self, request: Request) -> Response:
        """Answer without validators."""
        url = request.url
        if url == SEED:
            links = [(it, f"侨务工作报道 {it[len(SEED) :]}") for it in self.changes]
            return _page(url, page_html("侨务工作", QIAOQING, links))
        if url not in self.changes:
            return Response(url, status=404)
        self.times[url].append(CLOCK())
        number = sum(at <= CLOCK() for at in self.changes[url])
        draw = Random(f"{url} {number}")
        text = [
            f"{''.join(draw.sample(QIAOQING, 3))}本文{url[len(SEED) :]}第{number}稿之{part}。"
            for part in range(4)
        ]
        return _page(url, page_html(f"侨务工作报道 {url[len(SEED) :]}", text, [(SEED, "首页")]))


def _page(url: str, html: str) -> Response:
    return HtmlResponse(url, body=html.encode(), encoding="utf-8")


async def age_of(trace: Trace, policy: Policy, per_day: int) -> tuple[float, int]:
    """Return the mean age in days and the number of visits."""
    CLOCK.now = START
    site = HistorySite(trace)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        await run_spider(crawl_settings(folder, site), TopicSpider, topic=TOPIC, seeds=SEED)
        settings = crawl_settings(
            folder,
            site,
            TOPICCRAWL_REFRESH_PER_DAY=per_day,
            TOPICCRAWL_REFRESH_HOURS=trace.days * 24,
            TOPICCRAWL_REFRESH_POLICY=policy,
            TOPICCRAWL_LIST_VISITS_PER_DAY=1,
        )
        await run_spider(settings, RefreshSpider, topic=TOPIC)
    end = START + trace.days * DAY
    ages = [
        mean_age(site.changes[url], times[0], [it for it in times[1:] if it < end], end)
        for url, times in site.times.items()
    ]
    return sum(ages) / len(ages), sum(len(it) - 1 for it in site.times.values())


def main() -> int:
    """Print the mean ages of the rota and of a policy, through the scheduler and through the planner alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("history", help="name of a stored history")
    parser.add_argument("--days", type=int, default=400)
    parser.add_argument("--divide", type=float, default=10.0, help="visits a day: one page in N")
    given = parser.parse_args()
    trace = read_trace(HISTORIES / f"{given.history}.json")
    # All pages are there from the first day: whether new ones are found is not the question here.
    pages = tuple(
        replace(page, born=0, changes=tuple(day for day in page.changes if day < given.days))
        for page in trace.pages
    )
    trace = replace(trace, days=given.days, pages=pages)
    per_day = max(1, round(len(pages) / given.divide))
    rota = replay(trace, "uniform", per_day).mean_age
    alone = replay(trace, "age-index", per_day).mean_age
    oracle = replay(trace, "age-index", per_day, known=True).mean_age
    sys.stdout.write(
        f"{trace.name}: {len(pages)} pages, {trace.changes} changes, {per_day} visits a day\n"
        f"planner alone: uniform {rota:.4f}, age-index {alone:.4f} ({alone / rota - 1:+.1%}), "
        f"true rates {oracle:.4f} ({oracle / rota - 1:+.1%})\n"
    )
    ages = {}
    for policy in ("uniform", "age-index"):
        ages[policy], visits = asyncio.run(age_of(trace, policy, per_day))
        change = ages[policy] / ages["uniform"] - 1
        sys.stdout.write(
            f"scheduler: {policy} {ages[policy]:.4f} ({change:+.1%}), {visits} visits\n"
        )
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())

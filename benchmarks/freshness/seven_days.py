"""``python -m benchmarks.freshness.seven_days``: a week of revisits on the changing demonstration web.

The real components run: spider, scheduler, frontier, middlewares, pipelines and store; only the download handler
and the clock are replaced.  The clock moves to the next due visit whenever nothing is left to do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from scrapy import Request
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes
from scrapy.settings import Settings

from benchmarks.freshness.changing_web import ChangingWeb
from benchmarks.freshness.simulated import CLOCK, DAY, START
from topiccrawl.crawl.refreshing.records import history_of
from topiccrawl.demo.sites import Site
from topiccrawl.spiders.refresh import RefreshSpider
from topiccrawl.spiders.topic import TopicSpider
from topiccrawl.store.factory import open_store
from topiccrawl.urls.canonical import canonical_url

TOPIC: Final = "侨情"


class Answering(Protocol):
    """A server in this process."""

    def respond(self, request: Request) -> Response:
        """Answer a request."""


@dataclass
class Served:
    """What was asked for, and when."""

    web: ChangingWeb
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    not_modified: int = 0
    requests: int = 0

    def respond(self, request: Request) -> Response:
        """Answer like a server that knows ETags."""
        url = request.url
        self.requests += 1
        self.times[canonical_url(url)].append(CLOCK())
        answer = self.web.answer(url)
        if answer is None:
            return Response(url, status=404)
        headers = Headers({"Content-Type": answer.content_type})
        if answer.location:
            headers["Location"] = answer.location
        etag = self.web.etag(url, answer)
        if etag:
            headers["ETag"] = etag
            if request.headers.get(b"If-None-Match") == etag.encode():
                self.not_modified += 1
                return Response(url, status=304, headers=headers)
        kind = responsetypes.from_args(headers=headers, url=url, body=answer.body)
        return kind(url, status=answer.status, headers=headers, body=answer.body)


@dataclass(frozen=True)
class Week:
    """What a week of revisits has brought."""

    days: float
    requests: int
    article_visits: int
    list_visits: int
    lists: int
    most_list_visits_a_day: int
    not_modified: int
    changes_found: int
    false_changes: int
    changes_missed: int
    """Visits of changed articles that found no change."""
    versions: int
    entries: int
    caught: int
    catch_rate: float
    mean_age_days: float
    """Mean over articles and time of the age of the stored text: time since it was outdated."""
    uniform_age_days: float
    """The same of a rota with as many visits of articles."""


def crawl_settings(folder: Path, served: Answering, **more: Any) -> Settings:
    """Return the project's settings for a simulated run."""

    class Handler(BaseDownloadHandler):
        lazy = True

        async def download_request(self, request: Request) -> Response:
            await asyncio.sleep(0)
            return served.respond(request)

    settings = Settings()
    settings.setmodule("topiccrawl.settings", priority="project")
    given: dict[str, Any] = {
        "TWISTED_REACTOR_ENABLED": False,
        "LOG_ENABLED": False,
        "DOWNLOAD_DELAY": 0.0,
        "AUTOTHROTTLE_ENABLED": False,
        "CONCURRENT_REQUESTS": 1,
        "MEMUSAGE_ENABLED": False,
        "RETRY_ENABLED": False,
        "TOPICCRAWL_BACKOFF_SECONDS": 0,
        "TOPICCRAWL_DUPLICATES": "off",
        "TOPICCRAWL_RESEED": False,
        # The drawn articles share sentences, which would count as lines that the host repeats.
        "TOPICCRAWL_HOST_LINES": False,
        "TOPICCRAWL_CRAWL_DELAY_MAX_SECONDS": 0,
        "TOPICCRAWL_STORE_URI": f"sqlite:///{folder}/pages.db",
        "TOPICCRAWL_STORE_SPOOL_DIR": str(folder / "spool"),
        "TOPICCRAWL_STORE_FLUSH_SECONDS": 0,
        "TOPICCRAWL_FRONTIER_BACKEND": "benchmarks.freshness.simulated.open_simulated",
        "TOPICCRAWL_FRONTIER_DIR": str(folder),
        "EXTENSIONS": {
            "topiccrawl.extensions.refreshing.RevisitFeeder": None,
            "benchmarks.freshness.simulated.SimulatedFeeder": 240,
        },
        "DOWNLOAD_HANDLERS": {"http": Handler, "https": Handler},
        **more,
    }
    settings.setdict(given, priority="cmdline")
    return settings


async def run_spider(settings: Settings, spider: Any, **arguments: str) -> None:
    """Run *spider* to its end."""
    await AsyncCrawlerRunner(settings).crawl(spider, **arguments)


async def simulate(
    folder: Path, *, size: int, days: float, pages: int, per_day: int, hosts: int = 5, seed: int = 7
) -> Week:
    """Crawl the sites that are mostly on the topic once, then visit them again for *days* days."""
    CLOCK.now = START
    web = ChangingWeb(seed, size, clock=CLOCK, start=START, days=days)
    served = Served(web)
    roots = [site.root for site in web.atlas.sites if site.region == 0 and _on_topic(site)][:hosts]
    allow = ",".join(root.split("/")[2] for root in roots)
    arguments = {"topic": TOPIC, "seeds": ",".join(roots), "allow": allow}
    settings = crawl_settings(folder, served, TOPICCRAWL_MAX_PAGES=pages)
    await run_spider(settings, TopicSpider, **arguments)
    served.times.clear()
    served.requests = 0
    settings = crawl_settings(
        folder, served, TOPICCRAWL_REFRESH_PER_DAY=per_day, TOPICCRAWL_REFRESH_HOURS=days * 24
    )
    await run_spider(settings, RefreshSpider, topic=TOPIC, allow=allow)
    return await judge(folder, web, served)


async def judge(folder: Path, web: ChangingWeb, served: Served) -> Week:
    """Compare what was found with what has happened."""
    store = open_store(f"sqlite:///{folder}/pages.db", read_only=True)
    await store.open()
    found = false = missed = articles = lists = versions = 0
    entries = caught = most = 0
    ages: list[float] = []
    rota: list[float] = []
    visited: list[tuple[Sequence[float], float, list[float]]] = []
    async for record in store.visits(TOPIC):
        history = history_of(record)
        at = web.atlas.parse(record.url)
        times = [it.at for it in history.visits]
        if record.kind != "article":
            asked = served.times.get(record.url, [])
            lists += 1
            most = max(most, _most_a_day(asked))
            for entry in web.listed_entries(record.url):
                if entry.since > web.start and (asked and entry.since < asked[-1]):
                    entries += 1
                    caught += any(entry.since <= it < entry.until for it in asked)
            continue
        if at is None or at.kind != "article":
            continue
        versions += len(await store.versions(TOPIC, record.url))
        true = web.changes(at.site, at.channel, at.number)
        last = history.first_seen
        for visit in history.visits:
            changed = _between(true, last, visit.at)
            articles += 1
            found += visit.changed and changed
            false += visit.changed and not changed
            missed += changed and not visit.changed
            last = visit.at
        visited.append((true, history.first_seen, times))
    await store.close()
    interval = (web.end - web.start) * len(visited) / max(articles, 1)
    for number, (true, first, times) in enumerate(visited):
        ages.append(mean_age(true, first, times, web.end))
        phase = interval * (number + 0.5) / len(visited)
        regular = []
        at_time = first + phase
        while at_time < web.end:
            regular.append(at_time)
            at_time += interval
        rota.append(mean_age(true, first, regular, web.end))
    return Week(
        days=(web.end - web.start) / DAY,
        requests=served.requests,
        article_visits=articles,
        list_visits=sum(len(served.times.get(u, ())) for u in served.times if _is_list(web, u)),
        lists=lists,
        most_list_visits_a_day=most,
        not_modified=served.not_modified,
        changes_found=found,
        false_changes=false,
        changes_missed=missed,
        versions=versions,
        entries=entries,
        caught=caught,
        catch_rate=round(caught / entries, 4) if entries else 1.0,
        mean_age_days=round(sum(ages) / max(len(ages), 1), 4),
        uniform_age_days=round(sum(rota) / max(len(rota), 1), 4),
    )


def mean_age(
    changes: Sequence[float], since: float, visits: Sequence[float], until: float
) -> float:
    """Return the mean age in days, from *since* to *until*, of a text that is fetched at *visits*."""
    total, last = 0.0, since
    for at in (*visits, until):
        index = bisect_left(changes, last)
        if index < len(changes) and changes[index] < at:
            total += (at - changes[index]) ** 2 / 2
        last = at
    return total / (until - since) / DAY if until > since else 0.0


def _on_topic(site: Site) -> bool:
    topics = [channel.topic for channel in site.channels]
    return topics.count("qiaoqing") * 2 > len(topics)


def _between(times: Sequence[float], since: float, until: float) -> bool:
    index = bisect_left(times, since)
    return index < len(times) and times[index] <= until


def _most_a_day(times: Sequence[float]) -> int:
    return max((bisect_left(times, at + DAY) - i for i, at in enumerate(times)), default=0)


def _is_list(web: ChangingWeb, url: str) -> bool:
    return web.kind_of(url) in ("list", "home")


def main() -> None:
    """Run the simulation and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000, help="articles of the web")
    parser.add_argument("--pages", type=int, default=1000, help="pages of the first crawl")
    parser.add_argument("--days", type=float, default=7.0)
    parser.add_argument("--per-day", type=int, default=100, help="visits of articles a day")
    parser.add_argument("--hosts", type=int, default=5, help="sites")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        week = asyncio.run(
            simulate(
                Path(folder),
                size=given.size,
                days=given.days,
                pages=given.pages,
                per_day=given.per_day,
                hosts=given.hosts,
                seed=given.seed,
            )
        )
    print(json.dumps(asdict(week), indent=2))


if __name__ == "__main__":
    main()

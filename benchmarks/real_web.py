"""Crawls of a stored real web: harvest of several strategies, and equal results in two stores.

    python -m benchmarks.real_web WEB [--topics calc,basic] [--seeds near,far]
           [--strategies ipagerank-rwb,breadth-first] [--pages 1000] [--mongodb URI]

WEB is an argument of ``scrapy evaluate`` (docs/webs.md).  Every run is the unmodified ``scrapy crawl
topic`` at one request at a time, with keywords and examples.  Pages are judged by the web's labels,
which the crawler does not see; harvest is labeled pages divided by pages fetched, AUC its mean over
all prefixes.  With ``--mongodb`` each crawl is repeated with that store and the stored pages are
compared field by field.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from topiccrawl.evaluation.experiment import Experiment
from topiccrawl.evaluation.replay.crawl import crawl
from topiccrawl.evaluation.topic_folder import folder_name
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.web import Web, WebTopic
from topiccrawl.store.contract import PageRecord
from topiccrawl.store.factory import open_store

#: Fields that differ between two runs of the same crawl.
CHANGING = {"fetched_at": None, "run_id": ""}


def run(web: Web, topic: WebTopic, experiment: Experiment, store: str) -> list[str]:
    """Crawl into *store* and return the URLs of the pages in order."""
    settings = {"TOPICCRAWL_STORE_URI": store}
    with tempfile.TemporaryDirectory() as folder:
        result = crawl(web, topic, experiment, folder=Path(folder), settings=settings)
    return [fetch.url for fetch in result.fetches]


def harvest(order: list[str], relevant: frozenset[str]) -> tuple[float, float]:
    """Return (harvest at the end, mean harvest over all prefixes)."""
    found, total = 0, 0.0
    for i, url in enumerate(order, start=1):
        found += url in relevant
        total += found / i
    return found / max(1, len(order)), total / max(1, len(order))


async def stored(uri: str, topic: str) -> dict[str, PageRecord]:
    """Return the pages of *topic* by URL, without the fields that differ between runs."""
    store = open_store(uri)
    await store.open()
    try:
        return {
            page.url: dataclasses.replace(page, **CHANGING)  # type: ignore[arg-type]
            async for page in store.pages(topic, copies=True)
        }
    finally:
        await store.close()


def compare(web: Web, topic: WebTopic, experiment: Experiment, mongodb: str) -> str:
    """Crawl once, or once into each store, and return the result as one line."""
    # Stores keep topics apart, so crawls do not see each other's pages.
    name = f"bench-{topic.name}-{experiment.seeds}-{experiment.strategy}"
    named = dataclasses.replace(topic, name=name)
    with tempfile.TemporaryDirectory() as folder:
        uri = f"sqlite:///{folder}/store.sqlite"
        order = run(web, named, experiment, uri)
        end, auc = harvest(order, topic.relevant)
        line = f"{topic.name:10} {experiment.seeds:4} {experiment.strategy:14}"
        line += f" {len(order):5} pages  harvest {end:.3f}  AUC {auc:.3f}"
        if mongodb:
            again = run(web, named, experiment, mongodb)
            stem = folder_name(name)
            first, second = (asyncio.run(stored(each, stem)) for each in (uri, mongodb))
            line += f"  order equal: {order == again}"
            line += f"  stores equal: {first == second} ({len(first)} pages)"
    return line


def main() -> None:
    """Run all crawls and print one line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("web")
    parser.add_argument("--topics", default="")
    parser.add_argument("--seeds", default="near,far")
    parser.add_argument("--strategies", default="ipagerank-rwb,breadth-first")
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--mongodb", default="")
    options = parser.parse_args()
    console = Console(width=140)
    web = open_web(options.web)
    wanted = [t for t in options.topics.split(",") if t] or [topic.name for topic in web.topics]
    crawls = [
        (topic, Experiment(topic.name, seeds, strategy, options.pages, define="both"))
        for topic in web.topics
        if topic.name in wanted
        for seeds in options.seeds.split(",")
        for strategy in options.strategies.split(",")
    ]
    with Progress(console=Console(stderr=True)) as progress:
        for topic, experiment in progress.track(crawls, description="crawls"):
            console.print(compare(web, topic, experiment, options.mongodb))


if __name__ == "__main__":
    main()

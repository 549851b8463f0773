"""Requests that re-seeding costs on a stored web, and the relevant pages that it finds.

    python -m benchmarks.reseeding WEB [--topics calc,basic] [--seeds near,far] [--pages 1000]
           [--define keywords] [--strategy adaptive]

WEB is an argument of ``scrapy evaluate`` (docs/webs.md), such as ``demo:3000:7``.  Each crawl is the
unmodified ``scrapy crawl topic``, with and without ``TOPICCRAWL_RESEED``.  A new seed counts as missing
if its address did not answer with a page.  Pages are judged by the web's labels.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from topiccrawl.evaluation.experiment import Experiment
from topiccrawl.evaluation.replay.crawl import crawl
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.web import Web, WebTopic
from topiccrawl.store.factory import open_store
from topiccrawl.urls.canonical import canonical_url


@dataclass(frozen=True, slots=True)
class Result:
    """Figures of one crawl."""

    pages: int
    relevant: int
    seeds: int
    """New seeds that were asked for."""
    missing: int
    """Those that did not answer with a page."""


def run(web: Web, topic: WebTopic, experiment: Experiment, *, reseed: bool) -> Result:
    """Crawl once and count."""
    with tempfile.TemporaryDirectory() as folder:
        uri = f"sqlite:///{folder}/store.sqlite"
        settings = {"TOPICCRAWL_RESEED": reseed, "TOPICCRAWL_STORE_URI": uri}
        result = crawl(web, topic, experiment, folder=Path(folder), settings=settings)
        given = {canonical_url(url) for url in topic.seeds[experiment.seeds]}
        asked = asyncio.run(_new_seeds(uri, given))
    missing = sum(reason.startswith(("http-", "download")) for reason in asked.values())
    relevant = sum(fetch.url in topic.relevant for fetch in result.fetches)
    return Result(len(result.fetches), relevant, len(asked), missing)


async def _new_seeds(uri: str, given: set[str]) -> dict[str, str]:
    """Return the reasons of the outcomes of all seeds but those in *given*, by URL."""
    store = open_store(uri, read_only=True)
    await store.open()
    try:
        (topic,) = await store.topics()
        return {
            outcome.url: outcome.reason
            async for outcome in store.outcomes(topic)
            if "seed" in outcome.link.parts and outcome.sequence and outcome.url not in given
        }
    finally:
        await store.close()


def main() -> None:
    """Run all crawls and print one line for each, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("web")
    parser.add_argument("--topics", default="")
    parser.add_argument("--seeds", default="near,far")
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--define", default="keywords")
    parser.add_argument("--strategy", default="adaptive")
    options = parser.parse_args()
    console = Console(width=140)
    web = open_web(options.web)
    wanted = [t for t in options.topics.split(",") if t] or [topic.name for topic in web.topics]
    total = [0] * 5
    for topic in (t for t in web.topics if t.name in wanted):
        for seeds in (s for s in options.seeds.split(",") if s in topic.seeds):
            experiment = Experiment(
                topic.name, seeds, options.strategy, options.pages, define=options.define
            )
            off = run(web, topic, experiment, reseed=False)
            on = run(web, topic, experiment, reseed=True)
            figures = [on.pages, on.seeds, on.missing, on.relevant, off.relevant]
            total = [a + b for a, b in zip(total, figures, strict=True)]
            console.print(_line(f"{topic.name} {seeds}", figures))
    console.print(_line("sum", total))


def _line(name: str, figures: list[int]) -> str:
    pages, seeds, missing, on, off = figures
    share = missing / max(1, pages + missing)
    return (
        f"{name:24} {pages:6} pages, {seeds:4} new seeds, {missing:4} missing ({share:.1%} of the "
        f"requests); relevant {on:5}, without re-seeding {off:5}"
    )


if __name__ == "__main__":
    main()

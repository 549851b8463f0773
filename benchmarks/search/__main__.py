"""From one word to its sources: a search with local engines, then a simulated crawl from what it found.

    python -m benchmarks.search WEB [--topics music,storms] [--seeds 1,2,3] [--poison titles]
    python -m benchmarks.search WEB --real    # the crawls of ``scrapy crawl topic``, minutes each

Three engines (JSON, HTML, RSS) rank the pages of a stored web by BM25 of title and snippet; a share of
their answers is captcha, 429, empty or garbled, and one of them may be poisoned.  They are asked over
HTTP by the crawler's own search, with its clock running as fast as it likes.  The crawls are those of
``scrapy evaluate``: the area under the harvest curve after 2,000 pages, as a share of what the web's near
seeds give with the same word.  With ``--real``, the crawler itself searches while it crawls, through the
replay proxy, and asks each engine once a second; rests after refusals take their time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import tomllib
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

import numpy as np
from scrapy import Request
from scrapy.http import Response

from benchmarks.search.engines import LocalEngine, running
from benchmarks.search.index import Hit, Index, stored_hits
from topiccrawl.crawl.journal.queries import SearchEntry, pack_entry, unpack_entry
from topiccrawl.crawl.search.asking import EngineRequests
from topiccrawl.crawl.search.factory import line_relevance
from topiccrawl.crawl.search.searching import SearchingCrawl, SourceSearch
from topiccrawl.evaluation.experiment import Experiment
from topiccrawl.evaluation.plan import Plan, Unit
from topiccrawl.evaluation.replay.crawl import crawl
from topiccrawl.evaluation.results.metrics import area, hits
from topiccrawl.evaluation.tasks import Message, RunFinished, RunsOf
from topiccrawl.evaluation.webs.web import Web, WebTopic
from topiccrawl.evaluation.worker import Worker
from topiccrawl.sources.descriptions import read_engine
from topiccrawl.topics.load import bare_definition
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.canonical import canonical_url

#: Engines of the benchmark: name, form, weight of the title.
_ENGINES = (("one", "json", 2), ("two", "html", 5), ("three", "rss", 1))


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: object) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirects)


async def _download(request: Request) -> Response:
    def fetch() -> Response:
        try:
            with _OPENER.open(request.url, timeout=10) as found:
                return Response(
                    request.url, found.status, dict(found.headers.items()), found.read()
                )
        except urllib.error.HTTPError as error:
            return Response(request.url, error.code, dict(error.headers.items()), error.read())

    return fetch()


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0

    async def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


async def search(
    topic: Topic, engines: Sequence[LocalEngine], budget: int, most: int
) -> SourceSearch:
    """Search to the end of the first round; what is shared goes through the journal's form."""
    clock = Clock()
    asking = EngineRequests(_download, language=topic.definition.language, clock=lambda: clock.now)

    def publish(entry: SearchEntry) -> None:
        found.receive(unpack_entry(pack_entry(entry)))

    found = SourceSearch(
        topic,
        [
            read_engine(it.name, tomllib.loads(it.description), where=it.name, own=True)
            for it in engines
        ],
        SearchingCrawl(publish=publish, clock=lambda: clock.now),
        relevance=line_relevance(topic),
        ask=asking.ask,
        budget=budget,
        most_sources=most,
        rest_seconds=60.0,
        sleep=clock.sleep,
    )
    async for _ in found.first_round():
        pass
    return found


def main() -> None:
    """Print a line for each topic and seed, and the means."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("web")
    parser.add_argument("--topics", default="")
    parser.add_argument("--seeds", default="1", help="seeds of the engines' faults")
    parser.add_argument("--poison", default="titles", choices=("none", "pages", "titles", "spam"))
    parser.add_argument("--bad", type=float, default=0.3)
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--sources", type=int, default=200)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--no-crawl", action="store_true", help="only search")
    parser.add_argument("--hits", type=Path, help="file that keeps what the engines index")
    parser.add_argument("--real", action="store_true", help="crawls of their own, with search")
    parser.add_argument("--concurrency", type=int, default=8, help="of the real crawls")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    worker = Worker(Plan(options.web, (Unit("", "", "adaptive"),), options.pages, define="word"))
    try:
        _compare(worker, options)
    finally:
        worker.close()


def _compare(worker: Worker, options: argparse.Namespace) -> None:
    found = _hits(worker, options.hits)
    indexes = {weight: Index(found, title_weight=weight) for _, _, weight in _ENGINES}
    wanted = [name for name in options.topics.split(",") if name]
    shares: list[float] = []
    precisions: list[float] = []
    for topic in worker.web.topics:
        if (wanted and topic.name not in wanted) or "near" not in topic.seeds:
            continue
        near = None
        if options.real:
            near = _real(worker.web, topic, "near", options)
        elif not options.no_crawl:
            near = _auc(worker, topic, topic.seeds["near"])
        for seed in map(int, options.seeds.split(",")):
            engines = [
                LocalEngine(name, indexes[weight], form, options.bad, seed=seed)  # type: ignore[arg-type]
                for name, form, weight in _ENGINES
            ]
            if options.poison != "none":
                bad = engines[seed % len(engines)]
                bad.poison = options.poison
                bad.poison_urls = [hit for hit in found if hit.url not in topic.relevant]
            auc, sources = None, ""
            with running(engines):
                if options.real:
                    auc = _real(worker.web, topic, "", options, engines)
                else:
                    auc, sources = _simulated(worker, topic, engines, options, precisions)
            sent = sum(len(engine.asked) for engine in engines)
            poisoned = sum(len(engine.asked) for engine in engines if engine.poison)
            captchas = sum(len(engine.captchas) for engine in engines)
            line = (
                f"{topic.name:14} {seed} queries {sent:2} ({poisoned} to the poisoned){sources}"
                f" captchas {captchas}"
            )
            if near is not None and auc is not None:
                shares.append(auc / near if near else 1.0)
                line += f" AUC {auc:.3f} near {near:.3f} share {shares[-1]:.2f}"
            print(line, flush=True)
    if precisions:
        print(f"mean precision {statistics.mean(precisions):.3f}")
    if shares:
        print(f"mean share {statistics.mean(shares):.3f} least {min(shares):.3f} of {len(shares)}")


def _simulated(
    worker: Worker,
    topic: WebTopic,
    engines: Sequence[LocalEngine],
    options: argparse.Namespace,
    precisions: list[float],
) -> tuple[float | None, str]:
    """Search; return the area of a simulated crawl and a description of the sources."""
    definition = bare_definition(topic.bare_word or topic.keywords[0])
    result = asyncio.run(search(Topic.learn(definition), engines, options.queries, options.sources))
    sources = result.released
    right = [
        canonical_url(source.url) in topic.relevant or source.written in topic.relevant
        for source in sources
    ]
    precisions.append(float(np.mean(right)) if right else 0.0)
    first = float(np.mean(right[:20])) if right else 0.0
    if options.verbose:
        _show(result)
    shown = f" sources {len(sources):3} right {precisions[-1]:.2f} first 20 {first:.2f}"
    if options.no_crawl:
        return None, shown
    return _auc(worker, topic, [source.written for source in sources]), shown


def _hits(worker: Worker, kept: Path | None) -> list[Hit]:
    """Return what the engines index; reading a web takes minutes."""
    if kept is not None and kept.exists():
        return [Hit(*line) for line in json.loads(kept.read_text("utf-8"))]
    found = stored_hits(worker.pages)
    if kept is not None:
        kept.write_text(json.dumps([astuple(hit) for hit in found]), "utf-8")
    return found


def _show(result: SourceSearch) -> None:
    for name in ("one", "two", "three"):
        print(
            f"    trust {name} {result.pool.trust(name):.2f} agreement {result.pool.agreement(name):.2f}"
        )
    for query in result.planner.queries:
        print(
            f"    {query.family:9} {query.prior:.2f} {query.question} {result.pool.relevance(str(query.question)):.2f}"
        )


def _real(
    web: Web,
    topic: WebTopic,
    seeds: str,
    options: argparse.Namespace,
    engines: Sequence[LocalEngine] = (),
) -> float:
    """Return the area under the harvest curve of a crawl from *seeds*, or from *engines*."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings: dict[str, object] = {"TOPICCRAWL_SEARCH_QUERIES": options.queries}
        if engines:
            own = folder / "engines"
            own.mkdir()
            for it in engines:
                text = it.description.replace("interval = 0", "interval = 1")
                (own / f"{it.name}.toml").write_text(text, "utf-8")
            settings["TOPICCRAWL_SEARCH_FOLDER"] = own
            settings["TOPICCRAWL_SEARCH_ENGINES"] = ",".join(it.name for it in engines)
        run = crawl(
            web,
            topic,
            Experiment(topic.name, seeds, "adaptive", options.pages, define="word"),
            folder=folder,
            concurrency=options.concurrency,
            settings=settings,
            arguments=["search=1"] if engines else [],
            direct="127.0.0.1",
        )
    return area(hits([fetch.url for fetch in run.fetches], topic.relevant), options.pages)


def _auc(worker: Worker, topic: WebTopic, seeds: Sequence[str]) -> float:
    """Return the area under the harvest curve of a simulated crawl from *seeds*."""
    if not seeds:
        return 0.0
    finished: list[RunFinished] = []

    def receive(message: Message) -> None:
        if isinstance(message, RunFinished):
            finished.append(message)

    worker.do(
        RunsOf(Unit(topic.name, "given", "adaptive"), tuple(seeds), frozenset(range(1, 99))),
        receive,
    )
    run = finished[0].run
    budget = worker.plan.max_pages
    return area(hits([fetch.url for fetch in run.fetches], topic.relevant), budget)


if __name__ == "__main__":
    main()

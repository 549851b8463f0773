"""Webs with an attacker who lures the order of links: what share of a crawl he gets, and what that costs.

    python -m benchmarks.lures portals:3000:9021 --topics food          # some seconds for each crawl
    python -m benchmarks.lures portals:3000:9021,portals:3000:9022 --attacks farm,domains --pages 500

Each web (``portals:…`` or ``fields:…``, docs/webs.md) is crawled as it is, and with each attacker, who has written
comments with links to his pages.  All of his anchors, on his pages, too, begin with a keyword of the topic and go on as
headlines on the topic; his pages have fluent text that is off topic, and 50 links, if the attack is not described
otherwise.  The share is that of the oracle's AUC on the web without him.  Nothing is recognized as an error page, no
host has a budget, and answers take no time, as in every simulated crawl.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev

import numpy as np

from benchmarks.lured_web import ATTACKS, Attack, LuredWeb, is_lure
from topiccrawl.crawl.judgments.deciding import crawl_reader
from topiccrawl.evaluation.experiment import Experiment, Run
from topiccrawl.evaluation.judging.graph import build_graph
from topiccrawl.evaluation.judging.oracle import oracle_order
from topiccrawl.evaluation.plan import Plan
from topiccrawl.evaluation.results.metrics import area, hits
from topiccrawl.evaluation.simulation.analyses import Analyses
from topiccrawl.evaluation.simulation.pages import Answer, StoredPages, read_links
from topiccrawl.evaluation.simulation.simulate import simulate
from topiccrawl.evaluation.topic_folder import define_topic
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.web import WebTopic
from topiccrawl.evaluation.worker import run_config
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.topics.topic import Topic


class CountedPages(StoredPages):
    """Stored pages that count the requests for the attacker's addresses."""

    asked = 0

    def get(self, url: str) -> Answer | None:
        """Return the answer to a request."""
        self.asked += is_lure(url)
        return super().get(url)


@dataclass(frozen=True, slots=True)
class Result:
    """Figures of one crawl."""

    share: float
    """Of the oracle's AUC on the genuine web."""
    right: int
    """Pages kept that are on the topic."""
    wrong: int
    """Other pages kept."""
    lured: float
    """Share of the fetched pages that are the attacker's."""
    asked: int
    """Requests for addresses of the attacker, with redirects and dead links."""
    seconds: float
    """Of processor time, with the analysis of pages that no earlier crawl of the same web has read."""


class GenuineWeb:
    """A web without attackers, and its link graph."""

    def __init__(self, name: str) -> None:
        self.web = open_web(name)
        self.pages = CountedPages(self.web)
        self._graph = build_graph(read_links(self.pages, list(self.web.urls())))

    def oracle(self, topic: WebTopic, seeds: Sequence[str], pages: int) -> float:
        """Return the oracle's AUC."""
        graph = self._graph
        relevant = np.array([url in topic.relevant for url in graph.urls], dtype=bool)
        return area(relevant[oracle_order(graph, graph.nodes(seeds), relevant, pages)], pages)


class Cell:
    """The crawls of one topic on a web, attacked or not; its pages are read once."""

    def __init__(
        self,
        genuine: GenuineWeb,
        topic: WebTopic,
        attack: Attack | None,
        strategies: Sequence[str],
        settings: dict[str, object],
    ) -> None:
        self._genuine, self._topic = genuine, topic
        self._plan = Plan(genuine.web.name, (), settings=settings)
        web = genuine.web if attack is None else LuredWeb(genuine.web, topic, attack)
        self._pages = genuine.pages if attack is None else CountedPages(web)
        seeds = next(iter(topic.seeds.values()))
        with tempfile.TemporaryDirectory() as root:
            defined = define_topic(Path(root), web, topic, seeds, "keywords")
        learned = Topic.learn(defined.definition)
        config = run_config(self._plan, Experiment(topic.name, "", strategies[0], 1))
        reader = crawl_reader(learned, list(map(make_strategy, strategies)), config)
        self._analyses = Analyses(self._pages, learned, reader=reader)

    def crawl(self, seeds: str, strategy: str, pages: int) -> Result:
        """Crawl once from a seed set of the topic."""
        experiment = Experiment(self._topic.name, seeds, strategy, pages)
        started, self._pages.asked = time.process_time(), 0
        urls = self._topic.seeds[seeds]
        run = simulate(self._analyses, urls, experiment, run_config(self._plan, experiment))
        seconds = time.process_time() - started
        return self._result(run, self._genuine.oracle(self._topic, urls, pages), seconds)

    def _result(self, run: Run, oracle: float, seconds: float) -> Result:
        urls = [fetch.url for fetch in run.fetches]
        found = hits(urls, self._topic.relevant)
        kept = np.array(run.checkpoints[-1].judgments.kept, dtype=bool)
        return Result(
            area(found, run.experiment.max_pages) / oracle,
            int((kept & found).sum()),
            int((kept & ~found).sum()),
            sum(map(is_lure, urls)) / max(1, len(urls)),
            self._pages.asked,
            seconds,
        )


def summary(results: Sequence[Result], alone: Sequence[Result]) -> str:
    """Return the means of *results*, and the difference to the same crawls without an attacker."""
    differences = [it.share - before.share for it, before in zip(results, alone, strict=True)]
    error = stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else 0.0
    return (
        f"share {mean(it.share for it in results):.3f} ({mean(differences):+.3f} ± {error:.3f}), "
        f"right {mean(it.right for it in results):.0f}, wrong {mean(it.wrong for it in results):.0f}, "
        f"lured {mean(it.lured for it in results):.2f}, asked {mean(it.asked for it in results):.0f}, "
        f"{mean(it.seconds for it in results):.1f} s"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures of each crawl, and their means for each attack."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lures", description=__doc__)
    parser.add_argument("webs", help="genuine webs, separated by commas")
    parser.add_argument("--attacks", default=",".join(ATTACKS))
    parser.add_argument("--topics", default="", help="default: all")
    parser.add_argument("--seeds", default="near,far")
    parser.add_argument("--strategies", default="adaptive")
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--meaning", action="store_true", help="compare meanings (default: no)")
    options = parser.parse_args(argv)
    strategies = options.strategies.split(",")
    attacks = {"none": None} | {name: ATTACKS[name] for name in options.attacks.split(",") if name}
    found: dict[tuple[str, str, str], list[Result]] = defaultdict(list)
    for name in options.webs.split(","):
        genuine = GenuineWeb(name)
        for topic in genuine.web.topics:
            if options.topics and topic.name not in options.topics.split(","):
                continue
            for attack in attacks:
                settings: dict[str, object] = {"TOPICCRAWL_MEANING": options.meaning}
                cell = Cell(genuine, topic, attacks[attack], strategies, settings)
                for seeds in options.seeds.split(","):
                    for strategy in strategies:
                        result = cell.crawl(seeds, strategy, options.pages)
                        found[strategy, seeds, attack].append(result)
                        print(name, topic.name, seeds, strategy, attack, result, flush=True)
    for (strategy, seeds, attack), results in found.items():
        alone = found[strategy, seeds, "none"]
        print(f"{strategy} {seeds} {attack}: {summary(results, alone)}")
    print(f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB at most")
    return 0


if __name__ == "__main__":
    sys.exit(main())

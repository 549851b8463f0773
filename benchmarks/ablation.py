"""Ablation of the strategy ``adaptive`` on stored webs, by simulation.

    python -m benchmarks.ablation WEB [WEB ...] [--parts full,no-smoothing] [--define keywords] [--json F]

Prints shares of the oracle's AUC over the pages of a run, one per topic and seed set, and their means.
With several topics it also prints leave-topics-out: the variant that is best on the other topics,
judged on the one left out.  WEB is given as for ``scrapy evaluate``.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from topiccrawl.crawl.judgments.deciding import crawl_reader
from topiccrawl.evaluation.experiment import Experiment
from topiccrawl.evaluation.judging.graph import WebGraph, build_graph
from topiccrawl.evaluation.judging.oracle import oracle_order
from topiccrawl.evaluation.plan import Plan
from topiccrawl.evaluation.results.metrics import area, hits
from topiccrawl.evaluation.simulation.analyses import Analyses
from topiccrawl.evaluation.simulation.pages import StoredPages, read_links
from topiccrawl.evaluation.simulation.simulate import simulate
from topiccrawl.evaluation.topic_folder import write_topic_folder
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.prune import pruner
from topiccrawl.evaluation.worker import run_config
from topiccrawl.scoring.arrays import FeatureIdArray, FloatArray, IdArray
from topiccrawl.scoring.strategies.adaptive import AdaptiveStrategy
from topiccrawl.scoring.strategies.adaptive.observations import NUMBERS
from topiccrawl.scoring.strategies.adaptive.strategy import LearnedPages
from topiccrawl.topics.folder import load_definition
from topiccrawl.topics.topic import Topic


class _WithoutLearning(AdaptiveStrategy):
    def learn(self, pages: LearnedPages) -> None:
        pass


class _WithoutHashed(AdaptiveStrategy):
    def feature_ids(self, nodes: IdArray) -> FeatureIdArray:
        return super().feature_ids(nodes)[:, :0]


def _with(**attributes: object) -> type[AdaptiveStrategy]:
    """Return the strategy with other class attributes."""
    return type("_Variant", (AdaptiveStrategy,), attributes)


def _without(*names: str) -> type[AdaptiveStrategy]:
    """Return the strategy with the named numbers of a link always 0."""
    columns = [NUMBERS.index(name) for name in names]

    class _WithoutNumbers(AdaptiveStrategy):
        def numbers(self, nodes: IdArray) -> FloatArray:
            numbers = super().numbers(nodes)
            numbers[:, columns] = 0.0
            return numbers

    return _WithoutNumbers


#: Each part removed, then other values of the numeric constants.
VARIANTS: Mapping[str, type[AdaptiveStrategy]] = {
    "full": AdaptiveStrategy,
    "no-smoothing": _with(smoothing=0.0),
    "no-exploration": _with(explores=False),
    "no-learning": _WithoutLearning,
    "no-hashed": _WithoutHashed,
    "no-graph": _without("ipagerank"),
    "no-text": _without("anchor", "context"),
    "no-words": _without("metadata", "url"),
    "no-parents": _without("mean", "best", "degree"),
    "no-early-rounds": _with(round_growth=None),
    "smoothing-.15": _with(smoothing=0.15),
    "smoothing-.6": _with(smoothing=0.6),
    "penalty-3": _with(feature_penalty=3.0),
    "penalty-20": _with(feature_penalty=20.0),
}

#: Share of the oracle's area by variant and (web, topic, seed set).
Shares = dict[str, dict[tuple[str, str, str], float]]


class StoredWeb:
    """One stored web whose pages are read once."""

    def __init__(self, spec: str, define: Any, pages: int) -> None:
        self.define, self.pages = define, pages
        self.web = open_web(spec)
        self.plan = Plan(spec, (), max_pages=pages, define=define)
        self.config = run_config(self.plan, Experiment("", "", "adaptive", pages))
        self.stored = StoredPages(
            self.web, extractor=self.config.body_extractor, serve=pruner(self.web)
        )
        self.graph: WebGraph = build_graph(read_links(self.stored, self.web.urls()))

    def run(self, wanted: Mapping[str, type[AdaptiveStrategy]], topics: set[str]) -> Shares:
        """Crawl each topic from each seed set with each variant."""
        shares: Shares = defaultdict(dict)
        for topic in self.web.topics:
            if topics and topic.name not in topics:
                continue
            analyses: Analyses | None = None
            for seeds, urls in topic.seeds.items():
                with TemporaryDirectory() as root:
                    folder = write_topic_folder(Path(root), self.web, topic, urls, self.define)
                    definition = load_definition(folder)
                if analyses is None:
                    learned = Topic.learn(definition)
                    variants = [variant() for variant in wanted.values()]
                    reader = crawl_reader(learned, variants, self.config)
                    analyses = Analyses(self.stored, learned, reader=reader)
                relevant = hits(self.graph.urls, topic.relevant)
                order = oracle_order(self.graph, self.graph.nodes(urls), relevant, self.pages)
                best = area(relevant[order], self.pages)
                for name, variant in wanted.items():
                    experiment = Experiment(topic.name, seeds, "adaptive", self.pages)
                    run = simulate(
                        analyses,
                        [seed.url for seed in definition.seeds],
                        experiment,
                        self.config,
                        strategy=variant(),
                    )
                    found = hits([fetch.url for fetch in run.fetches], topic.relevant)
                    share = area(found, self.pages) / best
                    shares[name][(self.web.name, topic.name, seeds)] = share
                    print(f"{self.web.name} {topic.name} {seeds} {name} {share:.3f}", flush=True)
        return shares


def leave_topics_out(shares: Shares) -> dict[str, tuple[str, float]]:
    """Return for each topic the variant that is best on all others, and its share on the topic."""
    found = {}
    for topic in sorted({key[:2] for cells in shares.values() for key in cells}):

        def mean(name: str, own: bool, topic: tuple[str, str] = topic) -> float:
            cells = shares[name].items()
            return statistics.fmean(v for k, v in cells if (k[:2] == topic) is own)

        if len({key[:2] for key in shares["full"]}) > 1:
            best = max(shares, key=lambda name: mean(name, False))
            found["/".join(topic)] = (best, mean(best, True))
    return found


def main() -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("webs", nargs="+")
    parser.add_argument("--parts", default=",".join(VARIANTS))
    parser.add_argument("--topics", default="")
    parser.add_argument("--define", default="keywords", choices=("keywords", "examples", "both"))
    parser.add_argument("--max-pages", type=int, default=2_000)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    wanted = {name: VARIANTS[name] for name in given.parts.split(",")}
    topics = {name for name in given.topics.split(",") if name}
    shares: Shares = defaultdict(dict)
    for spec in given.webs:
        for name, cells in (
            StoredWeb(spec, given.define, given.max_pages).run(wanted, topics).items()
        ):
            shares[name].update(cells)
    groups = sorted({(key[0], key[2]) for key in shares["full"]})
    print(f"\n{'':18}" + "".join(f"{web[:9]:>11}-{seeds:5}" for web, seeds in groups) + "   mean")
    for name, cells in shares.items():
        means = [
            statistics.fmean(v for k, v in cells.items() if (k[0], k[2]) == group)
            for group in groups
        ]
        print(
            f"{name:18}" + "".join(f"{m:17.3f}" for m in means) + f"{statistics.fmean(means):7.3f}"
        )
    for topic, (name, share) in leave_topics_out(shares).items():
        print(f"left out {topic}: {name} is best elsewhere, {share:.3f} here")
    if given.json:
        kept = {name: {"/".join(k): v for k, v in cells.items()} for name, cells in shares.items()}
        given.json.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

"""What each part of the strategy adaptive is worth: each taken out, on stored webs, by simulation.

    python -m benchmarks.ablation WEB [WEB ...] [--parts full,no-smoothing] [--define keywords] [--json F]

Figures are shares of the oracle's AUC over the pages of a run, one for each topic and seed set, and
their means; with several topics, also leave-topics-out: the variant that is best on the other topics,
judged on the one left out.  WEB is what ``scrapy evaluate`` takes.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from topiccrawl.evaluation.experiment import Experiment
from topiccrawl.evaluation.judging.graph import WebGraph, build_graph
from topiccrawl.evaluation.judging.oracle import oracle_order
from topiccrawl.evaluation.plan import Plan
from topiccrawl.evaluation.results.metrics import area, hits
from topiccrawl.evaluation.simulation.analyses import Analyses
from topiccrawl.evaluation.simulation.links import read_links
from topiccrawl.evaluation.simulation.pages import StoredPages
from topiccrawl.evaluation.simulation.simulate import simulate
from topiccrawl.evaluation.topic_folder import write_topic_folder
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.prune import pruner
from topiccrawl.evaluation.worker import run_config
from topiccrawl.scoring.adaptive.settings import AdaptiveSettings
from topiccrawl.scoring.strategies.adaptive import AdaptiveStrategy
from topiccrawl.topics.folder import load_definition
from topiccrawl.topics.topic import Topic

FULL = AdaptiveSettings()
VARIANTS: Mapping[str, AdaptiveSettings] = {
    "full": FULL,
    "no-smoothing": replace(FULL, smoothing=0.0),
    "no-learning": replace(FULL, learning=False),
    "no-hashed": replace(FULL, hashed=False),
    "no-graph": replace(FULL, without=frozenset({"votes"})),
    "no-text": replace(FULL, without=frozenset({"anchor", "context"})),
    "no-parents": replace(FULL, without=frozenset({"mean", "best", "degree"})),
    "no-early-rounds": replace(FULL, round_growth=None),
    "smoothing-.15": replace(FULL, smoothing=0.15),
    "smoothing-.6": replace(FULL, smoothing=0.6),
    "penalty-3": replace(FULL, slot_penalty=3.0),
    "penalty-20": replace(FULL, slot_penalty=20.0),
    "scale-.02": replace(FULL, least_scale=0.02),
    "scale-.1": replace(FULL, least_scale=0.1),
}
"""Each part out, then how much its number matters."""

Shares = dict[str, dict[tuple[str, str, str], float]]
"""Share of the oracle by variant and (web, topic, seed set)."""


class Bench:
    """One stored web, its pages read once."""

    def __init__(self, spec: str, define: Any, pages: int) -> None:
        self.define, self.pages = define, pages
        self.web = open_web(spec)
        self.plan = Plan(spec, (), max_pages=pages, define=define)
        self.config = run_config(self.plan, Experiment("", "", "adaptive", pages))
        self.stored = StoredPages(
            self.web, extractor=self.config.body_extractor, serve=pruner(self.web)
        )
        self.graph: WebGraph = build_graph(read_links(self.stored, self.web.urls()))

    def run(self, wanted: Mapping[str, AdaptiveSettings], topics: set[str]) -> Shares:
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
                    analyses = Analyses(self.stored, Topic.learn(definition))
                relevant = hits(self.graph.urls, topic.relevant)
                order = oracle_order(self.graph, self.graph.nodes(urls), relevant, self.pages)
                best = area(relevant[order], self.pages)
                for name, settings in wanted.items():
                    experiment = Experiment(topic.name, seeds, "adaptive", self.pages)
                    run = simulate(
                        analyses,
                        [seed.url for seed in definition.seeds],
                        experiment,
                        self.config,
                        strategy=AdaptiveStrategy(settings),
                    )
                    found = hits([fetch.url for fetch in run.fetches], topic.relevant)
                    share = area(found, self.pages) / best
                    shares[name][(self.web.name, topic.name, seeds)] = share
                    print(f"{self.web.name} {topic.name} {seeds} {name} {share:.3f}", flush=True)
        return shares


def leave_topics_out(shares: Shares) -> dict[str, tuple[str, float]]:
    """For each topic the variant that is best on all others, and its share there."""
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
    """See the module."""
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
        for name, cells in Bench(spec, given.define, given.max_pages).run(wanted, topics).items():
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

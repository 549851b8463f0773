"""The figures of a run: relevance judgments, reference orders and metrics put together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.judging.judge import Verdict, by_classifier, by_labels
from topiccrawl.evaluation.judging.oracle import oracle_order, random_order
from topiccrawl.evaluation.results.judged import Judged, judged_pages
from topiccrawl.evaluation.results.metrics import (
    area,
    curve_points,
    harvest,
    hits,
    measure,
    normalized,
    recall,
    windowed_harvest,
)
from topiccrawl.evaluation.results.records import Curves, Reference, Results, RunRecord
from topiccrawl.language import _
from topiccrawl.page.page import Page
from topiccrawl.scoring.arrays import BoolArray

if TYPE_CHECKING:
    from topiccrawl.evaluation.experiment import Run
    from topiccrawl.evaluation.judging.graph import WebGraph
    from topiccrawl.evaluation.plan import Plan
    from topiccrawl.evaluation.webs.web import Web

#: Number of random orders whose mean is the zero of the normalized AUC.
_RANDOM_ORDERS = 5


class Assessor:
    """Judges the pages of a web once per topic, then computes the figures of each run.

    *cells* contains the seed URLs by (topic, seed set); their references are stored in *results*.
    """

    def __init__(
        self,
        plan: Plan,
        web: Web,
        graph: WebGraph,
        results: Results,
        cells: Mapping[tuple[str, str], Sequence[str]],
    ) -> None:
        self._plan = plan
        self._web = web
        self._graph = graph
        self._results = results
        self._cells = cells
        self._topics = {topic.name: topic for topic in web.topics}
        names = dict.fromkeys(topic for topic, _ in cells)
        self._verdicts = {name: self._judge(name) for name in names}
        self._targets: dict[tuple[str, str], frozenset[str]] = {}
        for topic, seeds in cells:
            results.references[topic, seeds] = self._reference(topic, seeds)

    def record(self, run: Run, draws: bool) -> RunRecord:
        """Return the figures of a run; *draws* is whether its strategy uses the run seed."""
        experiment = run.experiment
        cell = experiment.topic, experiment.seeds
        reference, targets = self._results.references[cell], self._targets[cell]
        relevant = self._verdicts[experiment.topic].relevant
        metrics = measure(run.fetches, relevant, targets, reference.pages)
        urls = [fetch.url for fetch in run.fetches]
        oracle = reference.oracle_auc
        return RunRecord(
            topic=experiment.topic,
            seeds=experiment.seeds,
            strategy=experiment.strategy,
            repeat=experiment.repeat,
            draws=draws,
            metrics=metrics,
            share_of_oracle=metrics.auc / oracle if oracle else 0.0,
            normalised=normalized(metrics.auc, reference.random_auc, oracle),
            curves=self._curves(
                hits(urls, relevant), hits(urls, targets), len(targets), reference.pages
            ),
            seconds=run.seconds,
            note=run.note,
            judged=self._judged(run, urls, relevant),
            web=self._judged_web(run, relevant),
        )

    def _judged(self, run: Run, urls: Sequence[str], relevant: AbstractSet[str]) -> list[Judged]:
        """Return the figures of the run's judgments at its checkpoints."""
        # A page counts once, by its first fetch.
        counted = hits(urls, frozenset(urls) - self._not_judged(run))
        wanted = [url in relevant for url in urls]
        found = []
        for checkpoint in run.checkpoints:
            judgments = checkpoint.judgments
            n = len(judgments.kept)
            naive = {rule: each[:n] for rule, each in run.naive.items()}
            found.append(
                judged_pages(
                    checkpoint.at,
                    judgments.probability,
                    judgments.kept,
                    naive,
                    wanted[:n],
                    counted[:n].tolist(),
                )
            )
        return found

    def _judged_web(self, run: Run, relevant: AbstractSet[str]) -> Judged | None:
        if run.web is None:
            return None
        left_out = self._not_judged(run)
        return judged_pages(
            run.experiment.max_pages,
            run.web.judgments.probability,
            run.web.judgments.kept,
            run.web.naive,
            [url in relevant for url in run.web.urls],
            [url not in left_out for url in run.web.urls],
        )

    def _not_judged(self, run: Run) -> frozenset[str]:
        experiment = run.experiment
        seeds = self._cells[experiment.topic, experiment.seeds]
        return self._topics[experiment.topic].not_judged.union(seeds)

    def _judge(self, topic: str) -> Verdict:
        if self._plan.judge == "labels":
            return by_labels(self._topics[topic])
        return by_classifier(self._topics[topic], self._graph.urls, self._text)

    def _text(self, url: str) -> str:
        page = self._web.get(url)
        return "" if page is None else Page(url, page.body, None, page.content_type).visible_text

    def _reference(self, topic: str, seeds: str) -> Reference:
        graph, verdict = self._graph, self._verdicts[topic]
        start = graph.nodes(self._cells[topic, seeds])
        if not start:
            raise ConfigurationError(
                _("{name}, topic {topic!r}: no page of the seed set {seeds!r} is stored").format(
                    name=self._web.name, topic=topic, seeds=seeds
                )
            )
        relevant = np.array([url in verdict.relevant for url in graph.urls], dtype=bool)
        reachable = graph.reachable(self._cells[topic, seeds])
        hidden = relevant & reachable
        hidden[start] = False
        count = int(hidden.sum())
        pages = min(self._plan.max_pages, int(reachable.sum()))
        self._targets[topic, seeds] = frozenset(
            graph.urls[i] for i in np.flatnonzero(hidden).tolist()
        )
        oracle = np.array(oracle_order(graph, start, relevant, pages), dtype=np.int64)
        chance = [
            np.array(random_order(graph, start, pages, k), dtype=np.int64)
            for k in range(_RANDOM_ORDERS)
        ]
        random = [self._curves(relevant[o], hidden[o], count, pages) for o in chance]
        return Reference(
            topic=topic,
            seeds=seeds,
            seed_pages=len(start),
            relevant=int(relevant.sum()),
            reachable=int(reachable.sum()),
            targets=count,
            pages=pages,
            oracle_auc=area(relevant[oracle], pages),
            random_auc=math.fsum(area(relevant[o], pages) for o in chance) / len(chance),
            oracle=self._curves(relevant[oracle], hidden[oracle], count, pages),
            random=Curves(
                random[0].pages,
                np.mean([c.harvest for c in random], axis=0).tolist(),
                np.mean([c.windowed for c in random], axis=0).tolist(),
                np.mean([c.recall for c in random], axis=0).tolist(),
            ),
            judge_precision=verdict.precision,
            judge_recall=verdict.recall,
        )

    def _curves(self, found: BoolArray, hidden: BoolArray, targets: int, pages: int) -> Curves:
        points = curve_points(pages)
        at = np.array(points, dtype=np.int64) - 1
        window = windowed_harvest(_padded(found, pages), self._results.window)
        return Curves(
            points,
            harvest(found, pages)[at].tolist(),
            window[at].tolist(),
            recall(hidden, targets, pages)[at].tolist(),
        )


def _padded(found: BoolArray, pages: int) -> BoolArray:
    """Return exactly *pages* values; a run that ended earlier found nothing more."""
    return np.concatenate((found[:pages], np.zeros(max(0, pages - len(found)), dtype=bool)))

"""An evaluation from beginning to end: read the links, make the runs, judge them, keep the results."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.experiment import Experiment, Run
from topiccrawl.evaluation.judge import Verdict, by_classifier, by_labels
from topiccrawl.evaluation.pool import Pool
from topiccrawl.evaluation.results.metrics import (
    BoolArray,
    area,
    curve_points,
    harvest,
    hits,
    measure,
    normalised,
    recall,
    windowed_harvest,
)
from topiccrawl.evaluation.results.records import (
    Curves,
    Reference,
    Results,
    RunRecord,
    read_results,
)
from topiccrawl.evaluation.simulation.graph import WebGraph, build_graph
from topiccrawl.evaluation.simulation.oracle import oracle_order, random_order
from topiccrawl.evaluation.worker import (
    LinksOf,
    Message,
    PagesFetched,
    ReadLinks,
    RunFinished,
    RunsOf,
    run_config,
)
from topiccrawl.page.page import Page
from topiccrawl.scoring.strategies import make_strategy

if TYPE_CHECKING:
    from topiccrawl.evaluation.plan import Plan, Unit
    from topiccrawl.evaluation.webs.web import Web

__all__ = ["Progress", "conditions_of", "evaluate", "start_results"]

#: Random orders whose mean is the zero of the normalised AUC.
_RANDOM_ORDERS = 5
#: Addresses that one task reads the links of: a second or two.
_LINKS_TASK = 100
#: The windowed harvest rate looks back this far, and never more than a tenth of the budget.
_WINDOW = 100


class Progress(Protocol):
    """Where the evaluation says how far it is."""

    def begin(self, what: str, total: int) -> None:
        """A stage of *total* steps begins."""

    def advance(self, steps: int) -> None:
        """Steps of the present stage are done."""


def conditions_of(plan: Plan, web: Web) -> dict[str, Any]:
    """Return all that the figures of *plan* depend on, the strategies and topics excepted."""
    config = run_config(plan, Experiment("", "", "", 0))
    return {
        "web": web.name,
        "web_pages": len(web),
        "language": web.language,
        "mode": plan.mode,
        "define": plan.define,
        "max_pages": plan.max_pages,
        "concurrency": plan.concurrency,
        "judge": plan.judge,
        "per_host_cap": config.host_budget,
        "per_host_growth": config.host_budget_growth,
        "politeness": "none: stored pages, no delay between requests",
        "rank_every_pages": config.rank_every_pages,
        "settings": {name: str(value) for name, value in sorted(plan.settings.items())},
    }


def start_results(plan: Plan, web: Web, path: Path | None, *, fresh: bool = False) -> Results:
    """Return what *path* holds of this evaluation, or new results.

    Raises:
        ConfigurationError: the file holds an evaluation under other conditions.
    """
    conditions = conditions_of(plan, web)
    window = max(1, min(_WINDOW, plan.max_pages // 10))
    if path is None or fresh or not path.exists():
        return Results(conditions, window)
    results = read_results(path)
    for name, value in conditions.items():
        if results.conditions.get(name) != value:
            raise ConfigurationError(
                f"{path}: holds an evaluation with {name} = {results.conditions.get(name)!r}, not "
                f"{value!r}; name another file, or start over with --fresh"
            )
    return results


def evaluate(
    plan: Plan,
    web: Web,
    results: Results,
    *,
    jobs: int = 1,
    path: Path | None = None,
    orders: Path | None = None,
    progress: Progress,
) -> None:
    """Make the runs of *plan* that *results* lacks, and write them to *path* one by one.

    *orders* is a folder for the addresses fetched, a file a run, one a line.
    """
    tasks = [task for unit in plan.units if (task := _task(plan, unit, results)) is not None]
    if not tasks:
        return
    with Pool(plan, min(jobs, len(tasks))) as pool:
        judging = _Judging(plan, web, results)
        cells = list(dict.fromkeys((task.unit.topic, task.unit.seeds) for task in tasks))
        judging.prepare(cells, lambda: _graph(web, pool, progress))
        progress.begin("runs", sum(_pages_left(plan, task) for task in tasks))

        def heard(message: Message) -> None:
            if isinstance(message, PagesFetched):
                progress.advance(message.pages)
            elif isinstance(message, RunFinished):
                record = judging.record(message.run, message.draws)
                results.add(record)
                if orders is not None:
                    _write_order(orders, message.run)
                if path is not None:
                    results.write(path)

        pool.run(tasks, heard)


def _task(plan: Plan, unit: Unit, results: Results) -> RunsOf | None:
    """What is left to do of a unit; ``None`` if nothing is."""
    done = frozenset(
        run.repeat
        for run in results.runs.values()
        if (run.topic, run.seeds, run.strategy) == (unit.topic, unit.seeds, unit.strategy)
    )
    return RunsOf(unit, done) if _repeats(plan, unit) - done else None


def _repeats(plan: Plan, unit: Unit) -> set[int]:
    """Return the repeats of a unit: one unless the strategy draws."""
    return set(range(plan.repeats)) if make_strategy(unit.strategy).draws else {0}


def _pages_left(plan: Plan, task: RunsOf) -> int:
    return len(_repeats(plan, task.unit) - task.done) * plan.max_pages


def _graph(web: Web, pool: Pool, progress: Progress) -> WebGraph:
    urls = list(web.urls())
    progress.begin("links", len(urls))
    found: dict[str, tuple[int, list[str]]] = {}

    def heard(message: Message) -> None:
        if isinstance(message, ReadLinks):
            found.update(message.links)
            progress.advance(_LINKS_TASK)

    starts = range(0, len(urls), _LINKS_TASK)
    pool.run([LinksOf(tuple(urls[i : i + _LINKS_TASK])) for i in starts], heard)
    return build_graph({url: found[url] for url in urls if url in found})


def _write_order(folder: Path, run: Run) -> None:
    experiment = run.experiment
    parts = (experiment.topic, experiment.seeds, experiment.strategy, str(experiment.repeat))
    name = ".".join(parts).replace("/", "_")
    text = "".join(f"{fetch.url}\n" for fetch in run.fetches)
    (folder / f"{name}.txt").write_text(text, encoding="utf-8")


class _Judging:
    """Knows what is relevant and what can be reached."""

    def __init__(self, plan: Plan, web: Web, results: Results) -> None:
        self._plan = plan
        self._web = web
        self._results = results
        self._topics = {topic.name: topic for topic in web.topics}
        self._verdicts: dict[str, Verdict] = {}
        self._targets: dict[tuple[str, str], frozenset[str]] = {}

    def prepare(self, cells: Sequence[tuple[str, str]], graph_of: Callable[[], WebGraph]) -> None:
        """Judge the web's pages for the topics, and find references for (topic, seeds)."""
        graph = graph_of()
        for topic, seeds in cells:
            if topic not in self._verdicts:
                self._verdicts[topic] = self._judge(topic, graph)
            self._results.references[topic, seeds] = self._reference(topic, seeds, graph)

    def record(self, run: Run, draws: bool) -> RunRecord:
        """Return the figures of a run."""
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
            normalised=normalised(metrics.auc, reference.random_auc, oracle),
            curves=self._curves(
                hits(urls, relevant), hits(urls, targets), len(targets), reference.pages
            ),
            seconds=run.seconds,
            note=run.note,
        )

    def _judge(self, topic: str, graph: WebGraph) -> Verdict:
        if self._plan.judge == "labels":
            return by_labels(self._topics[topic])
        return by_classifier(self._topics[topic], graph.urls, self._text)

    def _text(self, url: str) -> str:
        page = self._web.get(url)
        return "" if page is None else Page(url, page.body, None, page.content_type).visible_text

    def _reference(self, topic: str, seeds: str, graph: WebGraph) -> Reference:
        verdict = self._verdicts[topic]
        start = graph.nodes(self._topics[topic].seeds[seeds])
        if not start:
            raise ConfigurationError(
                f"{self._web.name}, topic {topic!r}: no page of the seed set {seeds!r} is stored"
            )
        relevant = np.array([url in verdict.relevant for url in graph.urls], dtype=bool)
        reachable = graph.reachable(self._topics[topic].seeds[seeds])
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
    """The first *pages*; a run that ended before found nothing more."""
    return np.concatenate((found[:pages], np.zeros(max(0, pages - len(found)), dtype=bool)))

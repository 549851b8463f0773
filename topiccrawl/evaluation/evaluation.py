"""A whole evaluation: read the links, run the crawls, judge them, store the results."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from topiccrawl import __version__
from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.experiment import Experiment, Run
from topiccrawl.evaluation.judging.assessor import Assessor
from topiccrawl.evaluation.judging.graph import WebGraph, build_graph
from topiccrawl.evaluation.judging.seeds import draw_seeds
from topiccrawl.evaluation.plan import Plan, Unit
from topiccrawl.evaluation.pool import Pool
from topiccrawl.evaluation.results.records import Results, read_results
from topiccrawl.evaluation.tasks import (
    LinksOf,
    Message,
    PagesFetched,
    ReadLinks,
    RunFinished,
    RunsOf,
)
from topiccrawl.evaluation.webs.web import Web
from topiccrawl.evaluation.worker import run_config
from topiccrawl.language import N_, _

logger = logging.getLogger(__name__)

#: URLs whose links one task reads: one to two seconds of work.
_URLS_PER_TASK = 100
#: Window of the windowed harvest rate in pages; at most a tenth of the budget.
_WINDOW = 100


class Progress(Protocol):
    """Receives the progress of an evaluation."""

    def begin(self, what: str, total: int) -> None:
        """Start a stage of *total* steps."""

    def advance(self, steps: int) -> None:
        """Add completed steps to the current stage."""


def conditions_of(plan: Plan, web: Web) -> dict[str, Any]:
    """Return everything that the figures of *plan* depend on, except strategies and topics."""
    config = run_config(plan, Experiment("", "", "", 0))
    return {
        "topiccrawl": __version__,
        "web": web.name,
        "web_pages": len(web),
        "language": web.language,
        "mode": plan.mode,
        "define": plan.define,
        "max_pages": plan.max_pages,
        "concurrency": plan.concurrency,
        "judge": plan.judge,
        "whole_web": plan.whole_web,
        "per_host_cap": config.host_budget,
        "per_host_growth": config.host_budget_growth,
        "politeness": N_("none: stored pages, no delay between requests"),
        "rank_every_pages": config.rank_every_pages,
        "settings": {name: str(value) for name, value in sorted(plan.settings.items())},
    }


def start_results(plan: Plan, web: Web, path: Path | None, *, fresh: bool = False) -> Results:
    """Return the results stored at *path*, or new ones.

    Raises:
        ConfigurationError: the file contains an evaluation under other conditions.
    """
    conditions = conditions_of(plan, web)
    window = max(1, min(_WINDOW, plan.max_pages // 10))
    if path is None or fresh or not path.exists():
        return Results(conditions, window)
    results = read_results(path)
    for name, value in conditions.items():
        if results.conditions.get(name) != value:
            raise ConfigurationError(
                _(
                    "{path}: contains an evaluation with {name} = {found!r}, not {value!r}; "
                    "name another file, or start over with --fresh"
                ).format(path=path, name=name, found=results.conditions.get(name), value=value)
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
    """Run the crawls of *plan* that *results* lacks; write *path* after each one.

    With *orders*, the fetched URLs of each run are written to a file in that folder, one per line.
    """
    tasks = [task for unit in plan.units if (task := _task(plan, unit, results)) is not None]
    if not tasks:
        return
    with Pool(plan, min(jobs, len(tasks))) as pool:
        graph = _read_graph(web, pool, progress)
        tasks = _with_seeds(web, graph, tasks)
        cells = {(task.unit.topic, task.unit.seeds): task.seeds for task in tasks}
        assessor = Assessor(plan, web, graph, results, cells)
        progress.begin("runs", sum(_pages_left(plan, task) for task in tasks))

        def receive(message: Message) -> None:
            if isinstance(message, PagesFetched):
                progress.advance(message.pages)
            elif isinstance(message, RunFinished):
                results.add(assessor.record(message.run, message.draws))
                if orders is not None:
                    _write_order(orders, message.run)
                if path is not None:
                    results.write(path)

        pool.run(tasks, receive)


def _with_seeds(web: Web, graph: WebGraph, tasks: Sequence[RunsOf]) -> list[RunsOf]:
    """Return the tasks with their seeds, without those for which no seeds can be drawn."""
    topics = {topic.name: topic for topic in web.topics}
    drawn: dict[tuple[str, str], tuple[str, ...]] = {}
    found = []
    for task in tasks:
        topic, name = topics[task.unit.topic], task.unit.seeds
        cell = topic.name, name
        if cell not in drawn:
            drawn[cell] = topic.seeds.get(name) or draw_seeds(graph, topic, name)
            if not drawn[cell]:
                logger.warning(
                    _("%(web)s, topic %(topic)s: no page can be drawn for the seed set %(seeds)s"),
                    {"web": web.name, "topic": topic.name, "seeds": name},
                )
        if drawn[cell]:
            found.append(replace(task, seeds=drawn[cell]))
    return found


def _task(plan: Plan, unit: Unit, results: Results) -> RunsOf | None:
    """Return the remaining work of a unit; ``None`` if there is none."""
    done = frozenset(
        run.repeat
        for run in results.runs.values()
        if (run.topic, run.seeds, run.strategy) == (unit.topic, unit.seeds, unit.strategy)
    )
    return RunsOf(unit, (), done) if _repeats(plan, unit) - done else None


def _repeats(plan: Plan, unit: Unit) -> set[int]:
    return set(range(plan.repeats_of(unit.strategy)))


def _pages_left(plan: Plan, task: RunsOf) -> int:
    return len(_repeats(plan, task.unit) - task.done) * plan.max_pages


def _read_graph(web: Web, pool: Pool, progress: Progress) -> WebGraph:
    urls = list(web.urls())
    progress.begin("links", len(urls))
    links: dict[str, tuple[int, list[str]]] = {}

    def receive(message: Message) -> None:
        if isinstance(message, ReadLinks):
            links.update(message.links)
            progress.advance(_URLS_PER_TASK)

    starts = range(0, len(urls), _URLS_PER_TASK)
    pool.run([LinksOf(tuple(urls[i : i + _URLS_PER_TASK])) for i in starts], receive)
    return build_graph({url: links[url] for url in urls if url in links})


def _write_order(folder: Path, run: Run) -> None:
    experiment = run.experiment
    parts = (experiment.topic, experiment.seeds, experiment.strategy, str(experiment.repeat))
    name = ".".join(parts).replace("/", "_")
    text = "".join(f"{fetch.url}\n" for fetch in run.fetches)
    (folder / f"{name}.txt").write_text(text, encoding="utf-8")

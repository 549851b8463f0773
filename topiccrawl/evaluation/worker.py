"""One process's share of an evaluation: makes the runs of a unit, and reads links."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.settings import Settings

from topiccrawl.analysis.reader import make_reader
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.experiment import Experiment, Run
from topiccrawl.evaluation.plan import Plan, Unit
from topiccrawl.evaluation.replay.crawl import crawl
from topiccrawl.evaluation.replay.proxy import pruner
from topiccrawl.evaluation.simulation.analyses import Analyses
from topiccrawl.evaluation.simulation.conditions import CONDITIONS
from topiccrawl.evaluation.simulation.graph import read_links
from topiccrawl.evaluation.simulation.pages import StoredPages
from topiccrawl.evaluation.simulation.simulate import simulate
from topiccrawl.evaluation.topic_folder import write_topic_folder
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.topics.folder import load_definition
from topiccrawl.topics.topic import Topic

if TYPE_CHECKING:
    from topiccrawl.evaluation.webs.web import Web, WebTopic
    from topiccrawl.topics.definition import TopicDefinition

__all__ = ["LinksOf", "PagesFetched", "ReadLinks", "RunFinished", "RunsOf", "Worker", "run_config"]

_TICK_PAGES = 25


@dataclass(frozen=True, slots=True)
class LinksOf:
    """Task: read the links of these stored addresses."""

    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunsOf:
    """Task: make the runs of a unit, but those repeats that are *done*."""

    unit: Unit
    done: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ReadLinks:
    """Answer to :class:`LinksOf`: status and targets by address."""

    links: dict[str, tuple[int, list[str]]]


@dataclass(frozen=True, slots=True)
class PagesFetched:
    """Pages fetched since the last such message."""

    pages: int


@dataclass(frozen=True, slots=True)
class RunFinished:
    """A run is over."""

    run: Run
    draws: bool
    """Whether the strategy depends on the run seed, so that repeats differ."""


Task = LinksOf | RunsOf
Message = ReadLinks | PagesFetched | RunFinished


def run_config(plan: Plan, experiment: Experiment) -> CrawlSettings:
    """Return the crawl's configuration: the project's settings, the plan's, the experiment's."""
    settings = Settings()
    settings.setmodule("topiccrawl.settings", "project")
    settings.setdict({**CONDITIONS, **plan.settings}, "cmdline")
    own = {"TOPICCRAWL_SEED": experiment.repeat, "TOPICCRAWL_STRATEGY": experiment.strategy}
    settings.setdict(own, "cmdline")
    return CrawlSettings.from_settings(settings)


@dataclass(slots=True)
class Worker:
    """A web that is open, its pages as far as they were read, and the topic looked at last."""

    plan: Plan
    web: Web = field(init=False)
    pages: StoredPages = field(init=False)
    _analyses: dict[str, Analyses] = field(default_factory=dict)
    _folders: tempfile.TemporaryDirectory[str] = field(init=False)

    def __post_init__(self) -> None:
        self.web = open_web(self.plan.web)
        config = run_config(self.plan, Experiment("", "", "", 0))
        self.pages = StoredPages(self.web, extractor=config.body_extractor, serve=pruner(self.web))
        self._folders = tempfile.TemporaryDirectory(prefix="topiccrawl-evaluate-")

    def close(self) -> None:
        """Give everything back."""
        self.web.close()
        self._folders.cleanup()

    def do(self, task: Task, send: Callable[[Message], object]) -> None:
        """Do a task; *send* hears of what is found as it is found."""
        if isinstance(task, LinksOf):
            send(ReadLinks(read_links(self.pages, task.urls)))
            return
        draws = make_strategy(task.unit.strategy).draws
        for repeat in range(self.plan.repeats if draws else 1):
            if repeat not in task.done:
                make = self._crawl if self.plan.mode == "crawl" else self._simulate
                send(RunFinished(make(self._experiment(task.unit, repeat), send), draws))

    def _experiment(self, unit: Unit, repeat: int) -> Experiment:
        return Experiment(
            topic=unit.topic,
            seeds=unit.seeds,
            strategy=unit.strategy,
            max_pages=self.plan.max_pages,
            repeat=repeat,
            define=self.plan.define,
        )

    def _simulate(self, experiment: Experiment, send: Callable[[Message], object]) -> Run:
        topic = _topic(self.web, experiment.topic)
        definition = self._definition(topic, topic.seeds[experiment.seeds])
        analyses = self._of(topic.name, definition)
        config = run_config(self.plan, experiment)

        def tick(fetched: int) -> None:
            if fetched % _TICK_PAGES == 0:
                send(PagesFetched(_TICK_PAGES))

        run = simulate(
            analyses,
            [seed.url for seed in definition.seeds],
            experiment,
            config,
            tick,
        )
        send(PagesFetched(len(run.fetches) % _TICK_PAGES))
        return run

    def _crawl(self, experiment: Experiment, send: Callable[[Message], object]) -> Run:
        told = 0

        def tick(fetched: int) -> None:
            nonlocal told
            if fetched > told:
                send(PagesFetched(fetched - told))
                told = fetched

        with tempfile.TemporaryDirectory(dir=self._folders.name) as folder:
            run = crawl(
                self.web,
                _topic(self.web, experiment.topic),
                experiment,
                concurrency=self.plan.concurrency,
                folder=Path(folder),
                settings=self.plan.settings,
                tick=tick,
            )
        tick(len(run.fetches))
        return run

    def _definition(self, topic: WebTopic, seeds: Sequence[str]) -> TopicDefinition:
        with tempfile.TemporaryDirectory(dir=self._folders.name) as root:
            folder = write_topic_folder(Path(root), self.web, topic, seeds, self.plan.define)
            return load_definition(folder)

    def _of(self, name: str, definition: TopicDefinition) -> Analyses:
        """The analyses for a topic; those of the topic before are given up."""
        if name not in self._analyses:
            config = run_config(self.plan, Experiment("", "", "", 0))
            topic = Topic.learn(definition)
            strategies = [make_strategy(strategy) for strategy in self.plan.strategies]
            self._analyses = {
                name: Analyses(
                    self.pages,
                    topic,
                    follow_nofollow=config.follow_nofollow,
                    reader=make_reader(
                        topic,
                        strategies,
                        wordnet=config.semantic_wordnet,
                        vectors_file=config.semantic_vectors,
                    ),
                )
            }
        return self._analyses[name]


def _topic(web: Web, name: str) -> WebTopic:
    for topic in web.topics:
        if topic.name == name:
            return topic
    raise ConfigurationError(f"{web.name}: there is no topic {name!r}")

"""The work of one process of an evaluation: run the crawls of a unit, read links."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from scrapy.settings import Settings

from topiccrawl.crawl.judgments.deciding import crawl_reader
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.conditions import CONDITIONS
from topiccrawl.evaluation.experiment import HOME_MADE, Experiment, Run
from topiccrawl.evaluation.plan import Plan, Unit
from topiccrawl.evaluation.replay.crawl import crawl
from topiccrawl.evaluation.simulation.analyses import Analyses
from topiccrawl.evaluation.simulation.home_made import HomeMadePages, crawl_home_made
from topiccrawl.evaluation.simulation.naive import NaiveRules
from topiccrawl.evaluation.simulation.pages import StoredPages, read_links
from topiccrawl.evaluation.simulation.simulate import simulate
from topiccrawl.evaluation.tasks import LinksOf, Message, PagesFetched, ReadLinks, RunFinished, Task
from topiccrawl.evaluation.topic_folder import DefinedTopic, define_topic
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.prune import pruner
from topiccrawl.evaluation.webs.web import Web, WebTopic
from topiccrawl.language import _
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.topics.definition import TopicDefinition
from topiccrawl.topics.topic import Topic

#: Pages between two progress messages.
_TICK_PAGES = 25


def run_config(plan: Plan, experiment: Experiment) -> CrawlSettings:
    """Return the crawl settings: the project's, overridden by the plan's and the experiment's."""
    settings = Settings()
    settings.setmodule("topiccrawl.settings", "project")
    settings.setdict({**CONDITIONS, **plan.settings}, "cmdline")
    own = {"TOPICCRAWL_SEED": experiment.repeat, "TOPICCRAWL_STRATEGY": experiment.strategy}
    settings.setdict(own, "cmdline")
    return CrawlSettings.from_settings(settings)


@dataclass(slots=True)
class Worker:
    """An open web with caches of the pages read so far and of the last topic's analyses."""

    plan: Plan
    web: Web = field(init=False)
    pages: StoredPages = field(init=False)
    _naive: NaiveRules = field(init=False)
    _home_made: HomeMadePages = field(init=False)
    _analyses: dict[str, Analyses] = field(default_factory=dict)
    _folders: tempfile.TemporaryDirectory[str] = field(init=False)

    def __post_init__(self) -> None:
        self.web = open_web(self.plan.web)
        config = run_config(self.plan, Experiment("", "", "", 0))
        self.pages = StoredPages(self.web, extractor=config.body_extractor, serve=pruner(self.web))
        self._naive = NaiveRules(self.pages)
        self._home_made = HomeMadePages(self.pages)
        self._folders = tempfile.TemporaryDirectory(prefix="topiccrawl-evaluate-")

    def close(self) -> None:
        """Close the web and remove temporary files."""
        self.web.close()
        self._folders.cleanup()

    def do(self, task: Task, send: Callable[[Message], object]) -> None:
        """Run a task; *send* is called with each result as soon as it is available."""
        if isinstance(task, LinksOf):
            send(ReadLinks(read_links(self.pages, task.urls)))
            return
        strategy = task.unit.strategy
        for repeat in range(self.plan.repeats_of(strategy)):
            if repeat not in task.done:
                run = self._run(self._experiment(task.unit, repeat), task.seeds, send)
                send(RunFinished(run, self.plan.draws(strategy)))

    def _run(
        self, experiment: Experiment, seeds: Sequence[str], send: Callable[[Message], object]
    ) -> Run:
        """Run an experiment, and judge its pages by the naive rules."""
        topic = _topic(self.web, experiment.topic)
        topic = replace(topic, seeds={experiment.seeds: tuple(seeds)})
        with tempfile.TemporaryDirectory(dir=self._folders.name) as root:
            defined = define_topic(Path(root), self.web, topic, seeds, self.plan.define)
        if experiment.strategy == HOME_MADE:
            run = self._crawl_home_made(experiment, defined, send)
        elif self.plan.mode == "crawl":
            run = self._crawl(topic, experiment, send)
        else:
            run = self._simulate(experiment, defined, send)
        naive = self._naive.judge(defined.keywords, [fetch.url for fetch in run.fetches])
        web = run.web
        if web is not None:
            web = replace(web, naive=self._naive.judge(defined.keywords, web.urls))
        return replace(run, naive=naive, web=web)

    def _experiment(self, unit: Unit, repeat: int) -> Experiment:
        return Experiment(
            topic=unit.topic,
            seeds=unit.seeds,
            strategy=unit.strategy,
            max_pages=self.plan.max_pages,
            repeat=repeat,
            define=self.plan.define,
        )

    def _simulate(
        self, experiment: Experiment, defined: DefinedTopic, send: Callable[[Message], object]
    ) -> Run:
        return _with_progress(
            lambda tick: simulate(
                self._analyses_of(experiment.topic, defined.definition),
                [seed.url for seed in defined.definition.seeds],
                experiment,
                run_config(self.plan, experiment),
                tick,
                concurrency=self.plan.concurrency,
                whole_web=self.plan.whole_web,
            ),
            send,
        )

    def _crawl_home_made(
        self, experiment: Experiment, defined: DefinedTopic, send: Callable[[Message], object]
    ) -> Run:
        seeds = [seed.url for seed in defined.definition.seeds]
        run = _with_progress(
            lambda tick: crawl_home_made(
                self._home_made, defined.keywords, seeds, experiment, tick
            ),
            send,
        )
        if not self.plan.whole_web:
            return run
        return replace(run, web=self._home_made.web(defined.keywords))

    def _crawl(
        self, topic: WebTopic, experiment: Experiment, send: Callable[[Message], object]
    ) -> Run:
        sent = 0

        def tick(fetched: int) -> None:
            nonlocal sent
            if fetched > sent:
                send(PagesFetched(fetched - sent))
                sent = fetched

        with tempfile.TemporaryDirectory(dir=self._folders.name) as folder:
            run = crawl(
                self.web,
                topic,
                experiment,
                concurrency=self.plan.concurrency,
                folder=Path(folder),
                settings=self.plan.settings,
                tick=tick,
            )
        tick(len(run.fetches))
        return run

    def _analyses_of(self, name: str, definition: TopicDefinition) -> Analyses:
        """Return the analyses for a topic; those of the previous topic are discarded."""
        if name not in self._analyses:
            config = run_config(self.plan, Experiment("", "", "", 0))
            topic = Topic.learn(definition)
            strategies = [make_strategy(strategy) for strategy in self.plan.strategies]
            self._analyses = {
                name: Analyses(
                    self.pages,
                    topic,
                    follow_nofollow=config.follow_nofollow,
                    reader=crawl_reader(topic, strategies, config),
                )
            }
        return self._analyses[name]


def _with_progress(
    run: Callable[[Callable[[int], object]], Run], send: Callable[[Message], object]
) -> Run:
    """Call *run* with a function that sends the number of pages fetched."""

    def tick(fetched: int) -> None:
        if fetched % _TICK_PAGES == 0:
            send(PagesFetched(_TICK_PAGES))

    finished = run(tick)
    send(PagesFetched(len(finished.fetches) % _TICK_PAGES))
    return finished


def _topic(web: Web, name: str) -> WebTopic:
    for topic in web.topics:
        if topic.name == name:
            return topic
    raise ConfigurationError(
        _("{name}: there is no topic {topic!r}").format(name=web.name, topic=name)
    )

"""The crawls of a console: which run, on this machine and on scrapyd; starts of further ones."""

from __future__ import annotations

import asyncio
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from topiccrawl import __version__
from topiccrawl.crawl.runs.folder import FoundRun, crawls_folder, find_run, find_runs
from topiccrawl.crawl.runs.options import checked_options
from topiccrawl.crawl.runs.starting import FoundStart, crawl_words, find_starts, start_process
from topiccrawl.crawl.scrapyd import Scrapyd, ScrapydError, ScrapydJob, servers
from topiccrawl.crawl.settings.frontier import FrontierSettings
from topiccrawl.crawl.settings.operation import OperationSettings
from topiccrawl.crawl.settings.store import StoreSettings
from topiccrawl.errors import ConfigurationError, system_reason
from topiccrawl.insight.metrics import SystemFigures, TopicFigures
from topiccrawl.language import _
from topiccrawl.text.numerals import natural_key
from topiccrawl.topics.load import topic_folders

if TYPE_CHECKING:
    from topiccrawl.console.desk import Desk

#: Processes that one form starts at most (a guess: twice the cores of a large machine).
MOST_WORKERS: Final = 16
#: Pages of a run at most, for the form.
_MOST_PAGES: Final = 10**9


@dataclass(frozen=True, slots=True)
class StartForm:
    """What a user wants to start."""

    topic: str
    pages: int = 0
    workers: int = 1
    refresh: bool = False
    settings: str = ""
    server: int = 0
    """0: this machine; else the number of the scrapyd server."""


@dataclass(frozen=True, slots=True)
class ScrapydState:
    """What a scrapyd server answers."""

    server: Scrapyd
    jobs: Sequence[ScrapydJob]
    problem: str = ""


class CrawlDesk:
    """Reads and controls the crawls of one store."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        operation = OperationSettings.from_settings(desk.settings)
        frontier_dir = FrontierSettings.from_settings(desk.settings).frontier_dir
        self.cwd = Path(desk.config.folder).absolute()
        uri = desk.config.store_uri
        self.folder = self.cwd / crawls_folder(uri, frontier_dir, operation.control_dir)
        self.servers = servers(operation.scrapyd)

    def runs(self) -> list[FoundRun]:
        """Return the runs on this machine, the living ones first."""
        return find_runs(self.folder)

    def run(self, run: str) -> FoundRun | None:
        """Return one run, ``None`` if there is none."""
        return find_run(self.folder, run)

    def failed_starts(self, runs: Sequence[FoundRun]) -> list[FoundStart]:
        """Return the starts that have ended without a run, and those that have none yet."""
        begun = {it.state.launch for it in runs}
        return [it for it in find_starts(self.folder) if it.id not in begun]

    def known_topics(self, stored: Mapping[str, int]) -> list[str]:
        """Return the topics that can be crawled: those with a folder, and those in the store."""
        return sorted({*(it.name for it in topic_folders()), *stored}, key=natural_key)

    async def start(self, form: StartForm, stored: Mapping[str, int]) -> list[str]:
        """Start what *form* asks for; return the identities of the starts or jobs.

        Raises ``ConfigurationError`` if something in the form is wrong, or the process cannot be started.
        Raises ``ScrapydError`` if the server refuses.
        """
        if form.topic not in self.known_topics(stored):
            raise ConfigurationError(_("the topic {topic!r} is not known").format(topic=form.topic))
        if not 1 <= form.workers <= MOST_WORKERS:
            raise ConfigurationError(
                _("processes must be 1 … {most}, got {workers}").format(
                    most=MOST_WORKERS, workers=form.workers
                )
            )
        if not 0 <= form.pages <= _MOST_PAGES:
            raise ConfigurationError(_("pages must be >= 1, or empty for no limit"))
        settings = checked_options(form.settings)
        if form.server:
            return await self._schedule(form, settings)
        uri = self._desk.config.store_uri
        if uri != StoreSettings.from_settings(self._desk.settings).store_uri:
            if "@" in uri and not uri.startswith("sqlite:"):
                raise ConfigurationError(
                    _(
                        "the store's address has a password, which every user of the machine could read "
                        "in the list of processes: set TOPICCRAWL_STORE_URI in the settings"
                    )
                )
            settings = {"TOPICCRAWL_STORE_URI": uri, **settings}
        words = crawl_words(form.topic, pages=form.pages, refresh=form.refresh, settings=settings)
        try:
            return [
                await asyncio.to_thread(start_process, self.folder, form.topic, words, cwd=self.cwd)
                for __ in range(form.workers)
            ]
        except OSError as error:
            raise ConfigurationError(
                _("the crawl cannot be started: {error}").format(error=system_reason(error))
            ) from None

    async def _schedule(self, form: StartForm, settings: Mapping[str, str]) -> list[str]:
        if not 1 <= form.server <= len(self.servers):
            raise ConfigurationError(_("there is no such scrapyd server"))
        if form.refresh:
            raise ConfigurationError(
                _("stored pages can be visited again on this machine only, not by scrapyd")
            )
        server = self.servers[form.server - 1]
        return [
            await asyncio.to_thread(
                server.schedule, form.topic, pages=form.pages, settings=settings
            )
            for __ in range(form.workers)
        ]

    async def scrapyd(self) -> list[ScrapydState]:
        """Return what all scrapyd servers answer, asked at the same time."""
        return await asyncio.gather(*(asyncio.to_thread(_jobs, it) for it in self.servers))

    async def cancel(self, server: int, job: str) -> None:
        """Ask a scrapyd server, by its number from 1, to stop a job; raises :class:`ScrapydError`."""
        if not 1 <= server <= len(self.servers):
            raise ScrapydError(_("there is no such scrapyd server"))
        await asyncio.to_thread(self.servers[server - 1].cancel, job)

    def figures(self, stored: Mapping[str, int]) -> dict[str, TopicFigures]:
        """Return the figures of all topics for monitoring."""
        by_topic: dict[str, list[FoundRun]] = defaultdict(list)
        for run in self.runs():
            by_topic[run.state.topic].append(run)
        return {
            topic: _figures(stored.get(topic, 0), by_topic.get(topic, []))
            for topic in {*stored, *by_topic}
        }

    def system(self, topics: int, *, store_up: bool) -> SystemFigures:
        """Return the figures of the machine."""
        free: int | None = None
        for folder in (self.folder, *self.folder.parents):
            if folder.exists():
                free = shutil.disk_usage(folder).free
                break
        return SystemFigures(store_up, free, __version__, topics)


def crawl_desk(desk: Desk) -> CrawlDesk:
    """Return the crawls of *desk*, made at the first call."""
    return desk.shared("crawls", lambda: CrawlDesk(desk))


def _jobs(server: Scrapyd) -> ScrapydState:
    try:
        return ScrapydState(server, server.jobs())
    except ScrapydError as error:
        return ScrapydState(server, (), str(error))


def _figures(pages: int, runs: Sequence[FoundRun]) -> TopicFigures:
    alive = [it.state for it in runs if it.alive]
    return TopicFigures(
        pages=pages,
        crawls=len(alive),
        paused=sum(it.phase == "paused" for it in alive),
        silent=sum(it.health == "silent" for it in runs),
        fetched=sum(it.pages for it in alive),
        relevant=sum(it.relevant for it in alive),
        stored=sum(it.stored for it in alive),
        failed=sum(it.failed for it in alive),
        speed=sum(it.speed for it in alive),
        queued=max((it.queued for it in alive), default=0),
        delayed=max((it.delayed for it in alive), default=0),
        errors=sum(it.error_lines for it in alive),
        warnings=sum(it.warning_lines for it in alive),
        updated_at=max((it.updated_at for it in alive), default=0.0),
        killed=sum(it.health == "killed" for it in runs),
    )

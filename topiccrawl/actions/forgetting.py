"""What ``scrapy forget`` deletes of a topic: in store, queue, spool, files of runs and of the user."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import astuple, dataclass
from pathlib import Path

from topiccrawl.crawl.judgments.given import decisions_file, judgments_file
from topiccrawl.crawl.judgments.recording import has_store
from topiccrawl.crawl.runs.folder import RunFiles, crawls_folder, find_runs
from topiccrawl.crawl.runs.starting import find_starts, remove_start
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.crawl.storing.writer import crawl_spool
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.backend import Connect
from topiccrawl.frontier.contract import FrontierSize
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.language import _, listed
from topiccrawl.store.contract import RecordRejected, Store, TopicSize
from topiccrawl.store.factory import opened_store
from topiccrawl.text.normalize import normalize
from topiccrawl.topics.decisions import load_decisions
from topiccrawl.topics.definition import TopicDefinition
from topiccrawl.topics.judgments import load_judgments
from topiccrawl.topics.load import bare_definition, find_definition


@dataclass(frozen=True, slots=True)
class Holdings:
    """What there is of one topic; ``None`` or empty where there is nothing."""

    store: TopicSize | None
    queue: FrontierSize | None
    queue_error: str
    """Why the queue cannot be counted."""
    spool: tuple[Path, ...]
    runs: int
    """Runs, and starts in the background, whose states and log lines are in ``crawls``."""
    runs_folder: Path
    judgments: int
    judgments_file: Path
    decisions: int
    """Decisions about words."""
    decisions_file: Path

    @property
    def anything(self) -> bool:
        """Whether there is something that is deleted without ``--judgments``."""
        return bool(self.store or self.queue or self.queue_error or self.spool or self.runs)


@dataclass(frozen=True, slots=True)
class _Runs:
    """What runs of a topic that are over have left in the folder of running crawls."""

    folder: Path
    states: tuple[RunFiles, ...]
    starts: tuple[str, ...]

    @classmethod
    def of(cls, topic: str, config: CrawlSettings) -> _Runs:
        """Find them."""
        folder = crawls_folder(config.store_uri, config.frontier_dir, config.operation.control_dir)
        over = [it for it in find_runs(folder) if it.state.topic == topic and not it.alive]
        starts = [it.id for it in find_starts(folder) if it.topic == topic and not it.alive]
        return cls(folder, tuple(it.files for it in over), tuple(starts))

    def remove(self) -> None:
        """Delete them."""
        for state in self.states:
            state.remove()
        for start in self.starts:
            remove_start(self.folder, start)


async def holdings(topic: str, config: CrawlSettings, connect: Connect) -> Holdings:
    """Count what there is of *topic*; raise ConfigurationError while a crawl of it is running."""
    backend = frontier_backend(config, connect)
    backend.refuse_running(topic)
    queue, error = None, ""
    try:
        queue = backend.size(topic)
    except ConfigurationError as damage:
        error = str(damage)
    size = None
    if has_store(config):
        async with opened_store(config.store_uri) as store:
            found = await store.size(topic)
            size = found if any(astuple(found)) else None
    definition = _definition(topic)
    judgments, decisions = judgments_file(definition, config), decisions_file(definition, config)
    runs = _Runs.of(topic, config)
    return Holdings(
        store=size,
        queue=queue,
        queue_error=error,
        spool=tuple(crawl_spool(topic, config).files()),
        runs=len(runs.states) + len(runs.starts),
        runs_folder=runs.folder,
        judgments=len(load_judgments(judgments)),
        judgments_file=judgments,
        decisions=len(load_decisions(decisions)),
        decisions_file=decisions,
    )


async def forget(topic: str, config: CrawlSettings, connect: Connect, *, judgments: bool) -> None:
    """Delete what there is of *topic*; *judgments* and decisions about words only if that is wanted.

    Nothing is deleted unless the store can be opened for writing.  The queue goes first, whose
    workers' locks refuse it while a crawl is running.  What was deleted when a call fails half-way does
    not stop the next one.  Raises ``ConfigurationError`` if a crawl of the topic is running, or something
    cannot be deleted; the message names what was deleted before. Raises ``StoreUnavailable`` if the store
    does not answer; nothing was deleted.
    """
    async with AsyncExitStack() as stack:
        store: Store | None = None
        if has_store(config):
            store = await stack.enter_async_context(opened_store(config.store_uri, read_only=False))
        deleted: list[str] = []
        try:
            frontier_backend(config, connect).forget(topic)
            deleted.append(_("the queue"))
            _erase_spool(topic, config)
            deleted.append(_("the spool"))
            if store is not None:
                await store.forget(topic)
                deleted.append(_("the topic's records in the store"))
            _Runs.of(topic, config).remove()
            if judgments:
                definition = _definition(topic)
                judgments_file(definition, config).unlink(missing_ok=True)
                decisions_file(definition, config).unlink(missing_ok=True)
        except (ConfigurationError, RecordRejected, OSError) as error:
            if not deleted:
                raise
            raise ConfigurationError(
                _(
                    "{error}. Deleted before that: {deleted}. The same command deletes the rest"
                ).format(error=str(error).rstrip("."), deleted=listed(deleted))
            ) from error


def _erase_spool(topic: str, config: CrawlSettings) -> None:
    spool = crawl_spool(topic, config)
    try:
        spool.erase()
    finally:
        spool.close()


def _definition(topic: str) -> TopicDefinition:
    """Return the definition whose files belong to *topic*: not that of a topic which has it as an alias."""
    try:
        found = find_definition(topic)
    except ConfigurationError:
        return bare_definition(topic)
    return found if normalize(found.name) == normalize(topic) else bare_definition(topic)

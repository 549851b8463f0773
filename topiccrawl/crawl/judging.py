"""Recording judgments of the user outside a crawl: in the file, the journal and the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from topiccrawl import details
from topiccrawl.crawl.copies.factory import rejected_texts
from topiccrawl.crawl.copies.rejected import withdrawn_with
from topiccrawl.crawl.journal import CrawlJournal
from topiccrawl.crawl.judgments import Judgments, file_name, judgments_file
from topiccrawl.crawl.records import kept_verdict
from topiccrawl.crawl.rejudging import Rejudging
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.factory import frontier_path, open_frontier
from topiccrawl.language import _
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.store.factory import open_store, opened_store
from topiccrawl.store.spool import Spool
from topiccrawl.store.uri import sqlite_path
from topiccrawl.store.writer import StoreWriter
from topiccrawl.topics.judgments import delete_judgments, save_judgments

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.frontier.factory import Connect
    from topiccrawl.store.contract import Standing, Store
    from topiccrawl.topics.definition import Judgment, TopicDefinition


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """One judgment with what the store had of its page before; ``None``: nothing."""

    judgment: Judgment
    before: Standing | None
    same_text: int = 0
    """Pages with the same text that left the collection with it."""


class _NoJournal:
    """The journal of a topic that has no frontier."""

    def append(self, entries: Sequence[bytes]) -> None:
        """Drop the entries: the next crawl publishes what is in the file."""

    def read_new(self, limit: int = 500) -> list[bytes]:
        """Return nothing."""
        return []


async def record_judgments(
    definition: TopicDefinition,
    judgments: Sequence[Judgment],
    settings: CrawlSettings,
    connect: Connect,
    warn: Callable[[str], object],
) -> list[JudgedPage]:
    """Write *judgments* to the topic's file, publish them to running crawls and apply them.

    When frontier or store cannot be used, *warn* receives the reason; the next crawl reads the file
    and does the rest.

    Raises
    ------
    ConfigurationError
        If the file cannot be read or written.
    """
    file = judgments_file(definition, settings)
    save_judgments(file, judgments)
    named = [replace(judgment, file=file_name(file)) for judgment in judgments]
    try:
        found = await _publish_and_apply(definition.name, named, settings, connect)
    except (ConfigurationError, StoreUnavailable) as error:
        warn(str(error))
        found = {}
    return [found.get(it.url) or JudgedPage(it, None) for it in judgments]


def take_back_judgments(
    definition: TopicDefinition,
    urls: Sequence[str],
    settings: CrawlSettings,
    connect: Connect,
    warn: Callable[[str], object],
) -> None:
    """Delete the judgments of *urls* from the topic's file, and publish that to running crawls.

    The store is left as it is.  When the frontier cannot be used, *warn* receives the reason; the
    next crawl reads the file.

    Raises
    ------
    ConfigurationError
        If the file cannot be read or written.
    """
    delete_judgments(judgments_file(definition, settings), urls)
    if not has_frontier(definition.name, settings):
        return
    try:
        opened = open_frontier(definition.name, settings, connect)
        try:
            journal = CrawlJournal(opened.frontier.journal)
            for url in urls:
                journal.publish_judgment_forgotten(url)
        except opened.failures as error:
            raise ConfigurationError(
                _("the frontier cannot be used: {error}").format(error=error)
            ) from error
        finally:
            opened.frontier.close()
    except ConfigurationError as error:
        warn(str(error))


async def _publish_and_apply(
    topic: str, judgments: Sequence[Judgment], settings: CrawlSettings, connect: Connect
) -> Mapping[str, JudgedPage]:
    if not has_frontier(topic, settings):
        journal = CrawlJournal(_NoJournal())
        return await _apply(topic, judgments, settings, journal)
    opened = open_frontier(topic, settings, connect)
    try:
        journal = CrawlJournal(opened.frontier.journal)
        for judgment in judgments:
            journal.publish_judgment(judgment)
        return await _apply(topic, judgments, settings, journal)
    except opened.failures as error:
        raise ConfigurationError(
            _("the frontier cannot be used: {error}").format(error=error)
        ) from error
    finally:
        opened.frontier.close()


async def _apply(
    topic: str, judgments: Sequence[Judgment], settings: CrawlSettings, journal: CrawlJournal
) -> dict[str, JudgedPage]:
    """Apply *judgments* to the store; return what became of their pages there, by URL."""
    if not has_store(settings):
        return {}
    # Read first: a store in which none of the pages is needs no writer.
    async with opened_store(settings.store_uri) as store:
        before = await _standings(store, topic, {judgment.url for judgment in judgments})
    same_text: Mapping[str, int] = {}
    if before:
        spool = Spool(Path(settings.spool_dir), topic, settings.store_uri)
        async with StoreWriter(open_store(settings.store_uri), spool, flush_seconds=0) as writer:
            given = Judgments(judgments)
            rejected = rejected_texts(topic, settings, writer, given)
            result = await Rejudging(topic, writer, journal, given, rejected=rejected).apply()
            same_text = result.same_text
    return {
        it.url: JudgedPage(it, before[it.url], same_text.get(it.url, 0))
        for it in judgments
        if it.url in before
    }


async def _standings(store: Store, topic: str, urls: set[str]) -> dict[str, Standing]:
    return {it.url: it.standing async for it in store.standings(topic) if it.url in urls}


def has_frontier(topic: str, settings: CrawlSettings) -> bool:
    """Return whether a crawl of *topic* may have left a frontier, or may be using one."""
    if settings.frontier_backend == "memory":
        return False
    if settings.frontier_backend == "sqlite":
        stored = bool(settings.store_uri or settings.frontier_dir)
        return stored and frontier_path(topic, settings).is_file()
    return True


def has_store(settings: CrawlSettings) -> bool:
    """Return whether there is a store; a missing SQLite file is not created."""
    if settings.store_uri.startswith("sqlite:"):
        return sqlite_path(settings.store_uri).is_file()
    return bool(settings.store_uri)


async def return_same_text(store: Store, topic: str, url: str) -> int:
    """Bring back the pages that left the collection because they have the text of the page *url*.

    To be called when the judgment of that page was taken back.  Returns their number.
    """
    standings = [it.url async for it in store.standings(topic) if it.standing == "withdrawn"]
    pages, outcomes = [], []
    for copy in await withdrawn_with(store, topic, url, standings):
        page, outcome = await store.page(topic, copy), await store.outcome(topic, copy)
        if page is None or outcome is None:
            continue
        detail = details.NO_LONGER_REJECTED(url=url)
        verdict, reason, detail = kept_verdict(page, "readmitted", detail)
        pages.append(replace(page, withdrawn_at=None))
        outcomes.append(replace(outcome, verdict=verdict, reason=reason, detail=detail))
    await store.write(pages, outcomes)
    return len(pages)

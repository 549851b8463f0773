"""Recording judgments of the user outside a crawl: in the file, the journal and the store."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from topiccrawl.crawl.copies.factory import rejected_texts
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.journal.kinds import JUDGMENT, JUDGMENT_FORGOTTEN
from topiccrawl.crawl.judgments.given import Judgments, file_name, judgments_file
from topiccrawl.crawl.judgments.rejudged import RejudgingResult
from topiccrawl.crawl.judgments.rejudging import Rejudging
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.crawl.storing.writer import writer_at_once
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.backend import Connect
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.frontier.memory.frontier import MemoryJournal
from topiccrawl.language import _
from topiccrawl.store.contract import Standing, Store, StoreUnavailable
from topiccrawl.store.factory import opened_store
from topiccrawl.store.uri import sqlite_path
from topiccrawl.topics.definition import Judgment, TopicDefinition
from topiccrawl.topics.judgments import delete_judgments, save_judgments


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """One judgment with what the store had of its page before; ``None``: nothing."""

    judgment: Judgment
    before: Standing | None
    same_text: int = 0
    """Pages with the same text that left the collection with it."""


async def record_judgments(
    definition: TopicDefinition,
    judgments: Sequence[Judgment],
    settings: CrawlSettings,
    connect: Connect,
    warn: Callable[[str], object],
) -> list[JudgedPage]:
    """Write *judgments* to the topic's file, publish them to running crawls and apply them.

    When frontier or store cannot be used, *warn* receives the reason; the next crawl reads the file
    and does the rest. Raises ``ConfigurationError`` if the file cannot be read or written.
    """
    file = judgments_file(definition, settings)
    save_judgments(file, judgments)
    named = [replace(judgment, file=file_name(file)) for judgment in judgments]
    try:
        with _published(definition.name, settings, connect) as journal:
            for judgment in named:
                journal.publish(JUDGMENT, judgment)
            found = await _apply(definition.name, named, settings, journal)
    except (ConfigurationError, StoreUnavailable) as error:
        warn(str(error))
        found = {}
    return [found.get(it.url) or JudgedPage(it, None) for it in judgments]


async def take_back_judgments(
    definition: TopicDefinition,
    judgments: Sequence[Judgment],
    settings: CrawlSettings,
    connect: Connect,
    warn: Callable[[str], object],
) -> None:
    """Delete *judgments* from the topic's file, and publish that to running crawls.

    Pages that left the collection because they have the text of a page judged off topic return; the
    judged pages are left as they are.  When frontier or store cannot be used, *warn* receives the reason.  Raises
    ``ConfigurationError`` if the file cannot be read or written.
    """
    delete_judgments(judgments_file(definition, settings), {it.url for it in judgments})
    off_topic = [it.url for it in judgments if not it.relevant]
    try:
        with _published(definition.name, settings, connect) as journal:
            for judgment in judgments:
                journal.publish(JUDGMENT_FORGOTTEN, judgment.url)
            if off_topic and has_store(settings):
                await _rejudge(definition.name, settings, journal, (), off_topic)
    except (ConfigurationError, StoreUnavailable) as error:
        warn(str(error))


@contextmanager
def _published(topic: str, settings: CrawlSettings, connect: Connect) -> Iterator[CrawlJournal]:
    """Open the journal of *topic*, through which running crawls learn what changes."""
    backend = frontier_backend(settings, connect)
    if not backend.may_have_queue(topic):
        yield CrawlJournal(MemoryJournal())  # the next crawl publishes what is in the file
        return
    opened = backend.open(topic)
    try:
        yield CrawlJournal(opened.frontier.journal)
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
    if not before:
        return {}
    same_text = (await _rejudge(topic, settings, journal, judgments)).same_text
    return {
        it.url: JudgedPage(it, before[it.url], same_text.get(it.url, 0))
        for it in judgments
        if it.url in before
    }


async def _rejudge(
    topic: str,
    settings: CrawlSettings,
    journal: CrawlJournal,
    judgments: Sequence[Judgment],
    taken_back: Collection[str] = (),
) -> RejudgingResult:
    """Bring the store to *judgments*, and to those of the pages *taken_back* that hold no longer."""
    async with writer_at_once(topic, settings) as writer:
        given = Judgments(judgments)
        rejected = rejected_texts(settings, writer, given)
        rejudging = Rejudging(writer, journal, given, rejected=rejected)
        return await rejudging.apply(taken_back=taken_back)


async def _standings(store: Store, topic: str, urls: set[str]) -> dict[str, Standing]:
    return {it.url: it.standing async for it in store.standings(topic) if it.url in urls}


def has_store(settings: CrawlSettings) -> bool:
    """Return whether there is a store; a missing SQLite file is not created."""
    if settings.store_uri.startswith("sqlite:"):
        return sqlite_path(settings.store_uri).is_file()
    return bool(settings.store_uri)

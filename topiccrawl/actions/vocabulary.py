"""``scrapy vocabulary TOPIC``: words that may belong to a topic, and the user's decisions about them."""

from __future__ import annotations

import math
import re
import sys
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from topiccrawl.actions.deciding import decide
from topiccrawl.commandline.errors import CommandError, fail
from topiccrawl.commandline.options import check_limit
from topiccrawl.commandline.store import choose_topic, missing_topic, one_argument, opened_store
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.journal.kinds import PAGE
from topiccrawl.crawl.journal.terms import CrawledTerms
from topiccrawl.crawl.judgments.given import decided, decisions_file, folder_problem
from topiccrawl.crawl.judgments.recording import has_store
from topiccrawl.crawl.queue.redis_client import redis_client
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.language import N_, _, ngettext
from topiccrawl.reporting.markup import clean
from topiccrawl.store.near_misses import unpack_near_miss
from topiccrawl.text.normalize import normalize
from topiccrawl.topics.decisions import (
    DEFAULT_VALUE,
    Decision,
    checked_value,
    checked_word,
    load_decisions,
    save_decisions,
)
from topiccrawl.topics.load import UnknownTopicError, bare_definition, find_definition
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.identity import link_id
from topiccrawl.vocabulary.candidates import Candidates, find_candidates
from topiccrawl.vocabulary.files import read_texts
from topiccrawl.vocabulary.new_words import new_words
from topiccrawl.vocabulary.ranking import RankedWord, rank

if TYPE_CHECKING:
    import argparse
    from collections.abc import Container, Sequence

    from scrapy.settings import Settings

    from topiccrawl.store.contract import Store
    from topiccrawl.topics.definition import TopicDefinition

#: Pages of the collection whose texts are read, and of those that have left it: more of them take time and memory
#: without need (a choice; 18,000 pages of 500 characters took 98 s of CPU time and 735 MB, 2026-11).
MOST_PAGES: Final = 10_000

#: Where decisions on the command line come from, for error messages.
_WHERE = "scrapy vocabulary"


@dataclass(frozen=True, slots=True)
class _Texts:
    about: list[str] = field(default_factory=list)
    against: list[str] = field(default_factory=list)
    crawled: CrawledTerms | None = None
    """What the journal of the crawl has of all pages."""


async def vocabulary(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Record decisions, or list words; return the exit code."""
    name = one_argument(args, N_("topic"))
    check_limit(opts)
    changes = _changes(opts)
    config = CrawlSettings.from_settings(settings)
    config = replace(config, store_uri=opts.store or config.store_uri)
    if opts.new_words and opts.texts:
        return _show_new(read_texts(Path(opts.texts)), opts.limit)
    needed = not (changes or opts.listing)
    definition, texts = await _read(name, opts, config, settings, needed=needed)
    file = decisions_file(definition, config)
    if changes:
        save_decisions(file, changes)
        text = ngettext("{count} decision: {file}", "{count} decisions: {file}", len(changes))
        print(text.format(count=len(changes), file=file))
        if problem := folder_problem(definition):
            fail(problem)
        return 0
    if opts.listing:
        return _list(load_decisions(file))
    if not texts.about:
        raise CommandError(
            _("there are no texts of {topic!r}: crawl it first, or use --texts PATH").format(
                topic=definition.name
            )
        )
    if opts.new_words:
        return _show_new(texts.about, opts.limit)
    topic = Topic.learn(decided(definition, config))
    crawled = texts.crawled.counts if texts.crawled is not None else None
    found = find_candidates(topic, texts.about, texts.against, crawled)
    if opts.decide:
        return decide(found, file)
    proposed = proposals(found, load_decisions(file))[: opts.limit]
    if not proposed:
        count = len(texts.about)
        text = ngettext(
            "no word is proposed: there is {count} text, and a word must be in two",
            "no word is proposed: there are {count} texts, and an undecided word must be in two of them",
            count,
        )
        print(text.format(count=count), file=sys.stderr)
    _show(proposed)
    return 0


def proposals(found: Candidates, decisions: Sequence[Decision]) -> list[RankedWord]:
    """Return the words that were not decided, best first, ranked by what was decided."""
    by_word = {it.word: it.accepted for it in decisions}
    return rank(
        found, {word: by_word[key] for word in found.words if (key := normalize(word)) in by_word}
    )


def _words(given: list[str]) -> list[str]:
    """Return the words of an option, of which several may be in one value, with commas between."""
    return [word.strip() for it in given for word in re.split("[,，、]", it) if word.strip()]


def _changes(opts: argparse.Namespace) -> list[Decision]:
    now = datetime.now(UTC).replace(microsecond=0)
    changes = []
    for given in _words(opts.accept):
        word, equals, value = given.replace("＝", "=").rpartition("=")
        if not equals:
            word, value = given, f"{DEFAULT_VALUE}"
        changes.append(
            Decision(checked_word(word, _WHERE), True, checked_value(value, _WHERE), now, opts.note)
        )
    accepted = {normalize(it.word) for it in changes}
    for given in _words(opts.refuse):
        word = checked_word(given, _WHERE)
        if normalize(word) in accepted:
            raise CommandError(_("{word!r} is both accepted and refused").format(word=word))
        changes.append(Decision(word, False, at=now, note=opts.note))
    return changes


async def _read(
    name: str | None,
    opts: argparse.Namespace,
    config: CrawlSettings,
    settings: Settings,
    *,
    needed: bool,
) -> tuple[TopicDefinition, _Texts]:
    """Return the topic, and the texts if they are *needed*."""
    against = read_texts(Path(opts.against)) if opts.against and needed else []
    given = _Texts(read_texts(Path(opts.texts)), against) if opts.texts and needed else None
    if not has_store(config):
        if name is None:
            raise missing_topic("vocabulary")
        return _definition(name, opts, config), given or _Texts(against=against)
    async with opened_store(config.store_uri) as store:
        crawled = await store.topics()
        definition = _definition(name or await choose_topic(store, None), opts, config, crawled)
        if given is not None or not needed:
            return definition, given or _Texts()
        texts = await _stored(store, definition.name)
        if against:
            return definition, replace(texts, against=texts.against + against)
        return definition, replace(
            texts, crawled=await _crawled(store, definition.name, config, settings)
        )


def _definition(
    name: str, opts: argparse.Namespace, config: CrawlSettings, crawled: Container[str] = ()
) -> TopicDefinition:
    """Return the topic: one with a folder, or a word that was crawled, has texts, or decisions."""
    try:
        return find_definition(name)
    except UnknownTopicError:
        bare = bare_definition(name)
        if opts.texts or name in crawled or decisions_file(bare, config).is_file():
            return bare
        raise


async def _stored(store: Store, topic: str) -> _Texts:
    """Return the texts of the kept pages, and those of pages that were not kept.

    Of more than :data:`MOST_PAGES` every second, third … one, as they were fetched.
    """
    texts = _Texts()
    kept = await store.count(topic)
    withdrawn = (await store.size(topic)).pages - kept
    for number, withdrew, found in ((kept, False, texts.about), (withdrawn, True, texts.against)):
        step, at = max(1, math.ceil(number / MOST_PAGES)), 0
        async for page in store.pages(topic, withdrawn=withdrew):
            if at % step == 0:
                found.append(f"{page.title}\n{page.body}")
            at += 1
    async for miss in store.near_misses(topic):
        if (unpacked := unpack_near_miss(miss)) is not None:
            texts.against.append(f"{unpacked.title}\n{unpacked.body}")
    return texts


async def _crawled(
    store: Store, topic: str, config: CrawlSettings, settings: Settings
) -> CrawledTerms | None:
    """Return the terms in the journal of the topic's crawl; ``None`` without one, or with few pages."""
    try:
        backend = frontier_backend(config, lambda: redis_client(settings))
        if not backend.has_queue(topic):
            return None
        opened = backend.open(topic)
    except ConfigurationError:
        return None  # the queue is damaged, or its server away: the texts alone must do
    kept = {link_id(it.url) async for it in store.standings(topic) if it.standing == "kept"}
    terms = CrawledTerms(kept)
    try:
        journal = CrawlJournal(opened.frontier.journal)
        journal.subscribe(PAGE, terms.receive)
        while journal.replay():
            pass
    except opened.failures:
        return None
    finally:
        opened.frontier.close()
    return terms if terms.enough else None


def _show(words: Sequence[RankedWord]) -> None:
    for it in words:
        print(f"{clean(it.word)}\t{it.value:.2f}\t{it.texts}\t{it.probability:.3f}")


def _show_new(texts: Sequence[str], limit: int) -> int:
    for it in new_words(texts, limit):
        print(f"{it.word}\t{it.count}\t{it.probability:.3f}")
    return 0


def _list(decisions: Sequence[Decision]) -> int:
    for it in decisions:
        word = "accept" if it.accepted else "refuse"
        value = f"{it.value:g}" if it.accepted else ""
        at = "" if it.at is None else it.at.isoformat(timespec="seconds")
        print("\t".join([clean(it.word), word, value, at, clean(it.note)]).rstrip())
    accepted = sum(it.accepted for it in decisions)
    print(
        _("{accepted} accepted, {refused} refused").format(
            accepted=accepted, refused=len(decisions) - accepted
        ),
        file=sys.stderr,
    )
    return 0

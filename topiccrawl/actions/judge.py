"""``scrapy judge URL yes|no``: the user's judgment of pages, which outweighs the crawler's."""

from __future__ import annotations

import re
import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from topiccrawl.commandline.errors import CommandError, WrongUsageError, as_given, fail
from topiccrawl.commandline.store import choose_topic
from topiccrawl.crawl.judgments.given import folder_problem, given_judgments, judgments_file
from topiccrawl.crawl.judgments.recording import JudgedPage, has_store, record_judgments
from topiccrawl.crawl.queue.redis_client import redis_client
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import N_, _, ngettext
from topiccrawl.reporting.explain import find
from topiccrawl.reporting.markup import clean
from topiccrawl.store.contract import Store, StoreUnavailable
from topiccrawl.store.deletion.marks import marked_ids
from topiccrawl.store.factory import open_store
from topiccrawl.store.ids import record_id
from topiccrawl.topics.addresses import check_page_url
from topiccrawl.topics.definition import Judgment, TopicDefinition
from topiccrawl.topics.judgments import judgment_of
from topiccrawl.topics.load import UnknownTopicError, bare_definition, find_definition
from topiccrawl.urls.canonical import canonical_url

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator

    from scrapy.settings import Settings

_USAGE = N_("usage: scrapy judge URL [URL …] yes|no [--topic TOPIC], or scrapy judge --list")

#: Words of the command line for ``yes`` and ``no``.
_CHINESE_WORDS = {"是": "yes", "切题": "yes", "否": "no", "不切题": "no"}

#: Between URLs that were pasted as one argument, and after the last one.
_BETWEEN = re.compile(r"[\s，、；。]+(?=https?://|$)|[,;]\s*(?=https?://)", re.IGNORECASE)

#: What becomes of a page, by the judgment and by what the store had of it before.
_EFFECTS = {
    (True, "kept"): N_("stays in the collection"),
    (True, "withdrawn"): N_("is in the collection again"),
    (True, "near-miss"): N_("is in the collection now"),
    (True, None): N_("is not stored; the next crawl fetches it"),
    (False, "kept"): N_("was withdrawn from the collection"),
    (False, "withdrawn"): N_("stays withdrawn"),
    (False, "near-miss"): N_("will not enter the collection"),
    (False, None): N_("will not enter the collection"),
}


async def judge(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Record the judgments, or list them."""
    relevant = _judgment(args, listing=opts.listing)
    config = CrawlSettings.from_settings(settings)
    config = replace(config, store_uri=opts.store or config.store_uri)
    async with _reading(config.store_uri if has_store(config) else "", opts) as store:
        definition = await _definition(store, _topic_name(opts) or config.topic)
        urls = [await _address(store, definition.name, url) for url in _written_urls(args[:-1])]
        deleted = await _deleted(store, definition.name)
    file = judgments_file(definition, config)
    if opts.listing:
        return _list(definition.name, str(file), given_judgments(definition, config))
    now = datetime.now(UTC).replace(microsecond=0)
    away: list[str] = []
    judged = await record_judgments(
        definition,
        [Judgment(url, relevant, now, opts.note) for url in dict.fromkeys(urls)],
        config,
        lambda: redis_client(settings),
        away.append,
    )
    for page in judged:
        gone = record_id(definition.name, page.judgment.url) in deleted
        _show(page, applied=not away, deleted=gone)
    for host in dict.fromkeys(_host_of_front_page(page.judgment.url) for page in judged):
        if host and not relevant:
            text = _(
                "{host}: only its front page was judged; -a deny={host} leaves out all of the site"
            )
            print(text.format(host=clean(host)))
    print(_("{name}: {value}").format(name=definition.name, value=file))
    if problem := folder_problem(definition):
        fail(problem)
    return max([0, *(_warn(as_given(message, opts)) for message in away)])


def _judgment(args: list[str], *, listing: bool) -> bool:
    """Return whether the last argument is ``yes``; check the number of arguments."""
    if listing:
        if args:
            raise WrongUsageError(_("--list takes no URL"))
        return False
    if len(args) < 2:
        raise WrongUsageError(_(_USAGE))
    relevant = judgment_of(_CHINESE_WORDS.get(args[-1].strip(), args[-1]))
    if relevant is None:
        raise WrongUsageError(
            _("the last word must be yes or no, got {word!r}").format(word=args[-1][:200])
        )
    return relevant


def _written_urls(args: list[str]) -> list[str]:
    return [url for arg in args for url in _BETWEEN.split(arg) if url]


def _topic_name(opts: argparse.Namespace) -> str | None:
    name: str | None = opts.topic
    for argument in opts.spargs:
        key, equals, value = argument.partition("=")
        if key != "topic" or not equals or (name is not None and name != value):
            raise WrongUsageError(
                _("-a {argument}: only one topic=TOPIC is known").format(argument=argument)
            )
        name = value
    return name


@asynccontextmanager
async def _reading(uri: str, opts: argparse.Namespace) -> AsyncIterator[Store | None]:
    """Yield the open store, ``None`` if there is none or it is away."""
    store = open_store(uri, read_only=True) if uri else None
    try:
        if store is not None:
            await store.open()
    except (ConfigurationError, StoreUnavailable) as error:
        fail(as_given(str(error), opts))
        store = None
    if store is None:
        yield None
        return
    try:
        yield store
    finally:
        await store.close()


async def _definition(store: Store | None, name: str | None) -> TopicDefinition:
    """Return the topic called *name*: one with a folder, or a word that was crawled before."""
    if not name:
        if store is None:
            raise CommandError(_("which topic? there is no store yet: use --topic TOPIC"))
        name = await choose_topic(store, None)
    try:
        return find_definition(name)
    except UnknownTopicError:
        if store is None or name not in await store.topics():
            raise
        return bare_definition(name)


async def _address(store: Store | None, topic: str, url: str) -> str:
    """Return the canonical URL that is meant: a known spelling of *url*, the target of a redirect."""
    outcome = None if store is None else await find(store, topic, url)
    if outcome is None:
        return canonical_url(check_page_url("scrapy judge", url))
    if not outcome.redirected_to:
        return outcome.url
    print(f"{clean(outcome.url)} → {clean(outcome.redirected_to)}")
    return canonical_url(outcome.redirected_to)


async def _deleted(store: Store | None, topic: str) -> set[str]:
    """Return the ids of the pages that ``scrapy forget`` has deleted."""
    try:
        return set() if store is None else await marked_ids(store, topic)
    except StoreUnavailable:
        return set()


def _host_of_front_page(url: str) -> str:
    """Return the host of a URL without path and query, ``""`` for any other page."""
    parts = urlsplit(url)
    return parts.netloc if parts.path in ("", "/") and not parts.query else ""


def _show(page: JudgedPage, *, applied: bool, deleted: bool) -> None:
    effect = _(_EFFECTS[page.judgment.relevant, page.before]) if applied else _("saved")
    if deleted and page.judgment.relevant and page.before is None:
        effect = _(
            "was deleted, and is fetched again only after scrapy forget TOPIC --allow-again URL"
        )
    if page.same_text:
        effect = ngettext(
            "{effect}, with {n} other page of the same text",
            "{effect}, with {n} other pages of the same text",
            page.same_text,
        ).format(effect=effect, n=page.same_text)
    word = "yes" if page.judgment.relevant else "no"
    print(f"{clean(page.judgment.url)}\t{word}\t{effect}")


def _list(topic: str, file: str, judgments: list[Judgment]) -> int:
    for it in judgments:
        at = "" if it.at is None else it.at.isoformat(timespec="seconds")
        print(
            "\t".join([clean(it.url), "yes" if it.relevant else "no", at, clean(it.note)]).rstrip()
        )
    relevant = sum(it.relevant for it in judgments)
    print(
        _("{topic}: {yes} relevant, {no} not relevant ({file})").format(
            topic=topic, yes=relevant, no=len(judgments) - relevant, file=file
        ),
        file=sys.stderr,
    )
    return 0


def _warn(message: str) -> int:
    return fail(
        _("the judgment is saved and takes effect with the next crawl: {error}").format(
            error=message
        )
    )

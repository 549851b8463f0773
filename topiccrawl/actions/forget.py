"""``scrapy forget``: count the data of a topic, ask, and delete them."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from topiccrawl.actions.forget_pages import forget_pages, selects_pages
from topiccrawl.actions.forgetting import Holdings, forget, holdings
from topiccrawl.commandline.asking import is_confirmed
from topiccrawl.commandline.errors import CommandError
from topiccrawl.commandline.options import set_store
from topiccrawl.commandline.store import (
    choose_topic,
    defined_name,
    is_defined,
    opened_store,
    topic_argument,
)
from topiccrawl.crawl.judgments.recording import has_store
from topiccrawl.crawl.queue.redis_client import redis_client
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.language import _, listed, ngettext
from topiccrawl.reporting.markup import clean
from topiccrawl.store.uri import shown

if TYPE_CHECKING:
    import argparse

    import redis
    from scrapy.settings import Settings

    from topiccrawl.store.contract import TopicSize


async def forget_topic(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Show what would be deleted, ask on a terminal, delete it and return the exit code."""
    name = topic_argument(args, "forget")
    set_store(opts, settings)
    config = CrawlSettings.from_settings(settings)

    def connect() -> redis.Redis:
        return redis_client(settings)

    topic, unknown = await _topic(name, config)
    if selects_pages(opts):
        if unknown is not None:
            raise unknown
        return await forget_pages(topic, config, connect, opts, _confirm)
    found = await holdings(topic, config, connect)
    doomed = found if opts.judgments else replace(found, judgments=0, decisions=0)
    if not (doomed.anything or doomed.judgments or doomed.decisions):
        # After a call that was killed at its last step; a name that nothing defines may be a wrong one.
        if is_defined(name):
            print(
                _("{topic}: nothing is left ({store})").format(
                    topic=clean(topic), store=shown(config.store_uri)
                )
            )
            return 0
        raise unknown or CommandError(_("there is nothing of {topic!r}").format(topic=topic))
    print(_("{topic} ({store}):").format(topic=clean(topic), store=shown(config.store_uri)))
    for line in _lines(doomed):
        print(f"  {line}")
    if found.judgments and not opts.judgments:
        text = ngettext(
            "stays: {count} judgment ({file}); --judgments deletes it",
            "stays: {count} judgments ({file}); --judgments deletes them",
            found.judgments,
        )
        print("  " + text.format(count=found.judgments, file=found.judgments_file))
    if found.decisions and not opts.judgments:
        text = ngettext(
            "stays: {count} decision about a word ({file}); --judgments deletes it",
            "stays: {count} decisions about words ({file}); --judgments deletes them",
            found.decisions,
        )
        print("  " + text.format(count=found.decisions, file=found.decisions_file))
    _confirm(yes=opts.yes)
    await forget(topic, config, connect, judgments=opts.judgments)
    print(_("{topic}: deleted").format(topic=clean(topic)))
    return 0


async def _topic(name: str, config: CrawlSettings) -> tuple[str, CommandError | None]:
    """Return the name of the topic in the store, else of its queue, with the store's complaint."""
    if not has_store(config):
        return defined_name(name), None
    async with opened_store(config.store_uri) as store:
        try:
            return await choose_topic(store, name), None
        except CommandError as error:
            return defined_name(name), error


def _lines(found: Holdings) -> list[str]:
    lines = [] if found.store is None else _store_lines(found.store)
    if found.queue is not None:
        size = found.queue
        lines.append(
            ngettext(
                "queue: {waiting} link to fetch, {done} done",
                "queue: {waiting} links to fetch, {done} done",
                size.queued + size.delayed + size.leased,
            ).format(
                waiting=size.queued + size.delayed + size.leased, done=size.done + size.given_up
            )
        )
    if found.queue_error:
        lines.append(_("queue: cannot be counted ({error})").format(error=found.queue_error))
    if found.spool:
        lines.append(
            ngettext(
                "spool: {count} file in {folder}",
                "spool: {count} files in {folder}",
                len(found.spool),
            ).format(count=len(found.spool), folder=found.spool[0].parent)
        )
    if found.runs:
        lines.append(
            _("runs: files of {count} in {folder}").format(
                count=found.runs, folder=found.runs_folder
            )
        )
    if found.judgments:
        lines.append(
            _("judgments: {count} ({file})").format(
                count=found.judgments, file=found.judgments_file
            )
        )
    if found.decisions:
        lines.append(
            _("decisions about words: {count} ({file})").format(
                count=found.decisions, file=found.decisions_file
            )
        )
    return lines


def _store_lines(store: TopicSize) -> list[str]:
    pages = store.pages + store.copies
    lines = [
        _("store: {counts}").format(
            counts=listed(
                [
                    ngettext("{n} page", "{n} pages", pages).format(n=pages),
                    ngettext("{n} near miss", "{n} near misses", store.near_misses).format(
                        n=store.near_misses
                    ),
                    ngettext("{n} outcome", "{n} outcomes", store.outcomes).format(
                        n=store.outcomes
                    ),
                    ngettext("{n} run", "{n} runs", store.runs).format(n=store.runs),
                ]
            )
        )
    ]
    if store.versions:
        lines.append(
            ngettext(
                "store: {count} former version of a page",
                "store: {count} former versions of pages",
                store.versions,
            ).format(count=store.versions)
        )
    if store.desk:
        lines.append(
            ngettext(
                "store: {count} note, tag, saved search, briefing or other",
                "store: {count} notes, tags, saved searches, briefings and others",
                store.desk,
            ).format(count=store.desk)
        )
    return lines


def _confirm(*, yes: bool) -> None:
    """Ask on a terminal; raise CommandError if the answer, or --yes, is missing."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise CommandError(_("nothing was deleted; confirm it with --yes"))
    if not is_confirmed(_("Delete? [y/N] ")):
        raise CommandError(_("nothing was deleted"))

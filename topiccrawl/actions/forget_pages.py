"""``scrapy forget TOPIC --url … --site … --person … --before …``: delete some pages of a topic."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from topiccrawl.commandline.console import progress
from topiccrawl.commandline.errors import CommandError, fail
from topiccrawl.crawl.queue.links import topic_link
from topiccrawl.crawl.storing.retention import expired_pages
from topiccrawl.errors import ConfigurationError
from topiccrawl.export.selection import parse_sites
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.language import _, ngettext
from topiccrawl.reporting.explain import spellings
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.when import parse_when
from topiccrawl.scoring.evidence import SEED_SCORE, LinkEvidence
from topiccrawl.store.deletion.choosing import (
    Condition,
    Doomed,
    doomed_pages,
    naming_outcomes,
    person_pattern,
)
from topiccrawl.store.deletion.leftovers import erase_leftovers
from topiccrawl.store.deletion.marks import Reason, allow_again, delete_marked, marked_ids
from topiccrawl.store.factory import opened_store
from topiccrawl.store.ids import record_id

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.frontier.backend import Connect, FrontierBackend
    from topiccrawl.store.contract import OutcomeRecord, Store

#: Pages that are listed before the question.
_LISTED: Final = 20


@dataclass(slots=True)
class _Found:
    """What the options chose."""

    pages: list[Doomed] = field(default_factory=list)
    outcomes: list[OutcomeRecord] = field(default_factory=list)
    """Outcomes of other pages that name a person, without that."""


def selects_pages(opts: argparse.Namespace) -> bool:
    """Whether the options ask for some pages, not for the whole topic."""
    return bool(
        opts.url
        or opts.site is not None
        or opts.person
        or opts.before
        or opts.published_before
        or opts.expired
        or opts.allow_again
    )


async def forget_pages(
    topic: str,
    config: CrawlSettings,
    connect: Connect,
    opts: argparse.Namespace,
    confirm: Callable[..., None],
) -> int:
    """Show which pages would be deleted, ask, and delete them."""
    now = datetime.now(UTC)
    condition = _condition(opts, now)
    if opts.judgments:
        raise CommandError(_("--judgments is for the whole topic, not for some of its pages"))
    backend = frontier_backend(config, connect)
    backend.refuse_running(topic)
    if opts.allow_again:
        await _allow_again(topic, config.store_uri, backend, opts.allow_again)
        return 0
    async with opened_store(config.store_uri) as store:
        found = await _find(store, topic, condition, config, opts, now)
    if not (found.pages or found.outcomes):
        raise CommandError(_("no page of {topic!r} is like that").format(topic=topic))
    _show(topic, found)
    confirm(yes=opts.yes)
    reason: Reason = "retention" if opts.expired else "request"
    urls = [it.url for it in found.pages]
    async with opened_store(config.store_uri, read_only=False) as store:
        with progress(_("pages"), len(urls)) as tick:
            deleted = await delete_marked(
                store,
                topic,
                urls,
                reason,
                now,
                lambda count: _tick_times(tick, count),
                persons=opts.person or (),
            )
        await store.write(outcomes=found.outcomes)
    line = ngettext("{topic}: {count} page deleted", "{topic}: {count} pages deleted", deleted)
    print(line.format(topic=clean(topic), count=deleted))
    if config.store_uri.startswith("sqlite:") and not erase_leftovers(config.store_uri):
        return fail(
            _(
                "the file of the store still holds text of what was deleted, because another program uses it "
                "or the disk is full: when neither is so, rewrite it with sqlite3 FILE VACUUM"
            )
        )
    return 0


async def _allow_again(
    topic: str, store_uri: str, backend: FrontierBackend, written: Sequence[str]
) -> None:
    """Queue deleted pages for the next crawl, and remove their marks."""
    async with opened_store(store_uri) as store:
        marked = await marked_ids(store, topic)
    forms = dict.fromkeys(form for url in written for form in spellings(url))
    urls = [url for url in forms if record_id(topic, url) in marked]
    if not urls:
        raise CommandError(_("no page of {topic!r} is like that").format(topic=topic))
    # First: an interrupted call finds the marks again.
    if backend.has_queue(topic):
        evidence = LinkEvidence(SEED_SCORE, {"seed": 1.0})
        opened = backend.open(topic)
        try:
            opened.frontier.push(
                [topic_link(url, evidence) for url in urls if url.startswith("http")],
                again=True,
            )
        except opened.failures as error:
            raise ConfigurationError(str(error)) from error
        finally:
            opened.frontier.close()
    async with opened_store(store_uri, read_only=False) as store:
        await allow_again(store, topic, urls)
    line = ngettext(
        "{count} page may be fetched again", "{count} pages may be fetched again", len(urls)
    )
    print(line.format(count=len(urls)))


def _condition(opts: argparse.Namespace, now: datetime) -> Condition:
    """Return the conditions of the options; raise ConfigurationError for wrong ones."""
    for name in opts.person or ():
        try:
            person_pattern(name)
        except ValueError:
            raise ConfigurationError(
                _("--person must be a name, got {text!r}").format(text=name)
            ) from None
    sites = parse_sites(opts.site)
    others = (opts.url, sites, opts.person, opts.before, opts.published_before)
    if opts.expired and any(others):
        raise CommandError(_("--expired stands alone"))
    return Condition(
        urls=frozenset(form for url in opts.url or () for form in spellings(url)),
        sites=sites,
        persons=tuple(opts.person or ()),
        before=parse_when("--before", opts.before, now) if opts.before else None,
        published_before=parse_when("--published-before", opts.published_before, now)
        if opts.published_before
        else None,
    )


async def _find(
    store: Store,
    topic: str,
    condition: Condition,
    config: CrawlSettings,
    opts: argparse.Namespace,
    now: datetime,
) -> _Found:
    """Return what the options choose."""
    if opts.expired:
        days = config.privacy.retention_days
        if not days:
            raise CommandError(_("TOPICCRAWL_RETENTION_DAYS is 0: no page is ever too old"))
        expired = await expired_pages(store, topic, days, now)
        if expired.doubtful:
            print(expired.doubt(topic), file=sys.stderr)
        return _Found([Doomed(url, "") for url in expired.urls])
    found = _Found()
    with progress(_("pages")) as tick:
        pages = {it.url: it async for it in doomed_pages(store, topic, condition, tick)}
        found.pages = list(pages.values())
        if condition.persons and condition == Condition(persons=condition.persons):
            found.outcomes = [
                it
                async for it in naming_outcomes(store, topic, condition.persons, tick)
                if it.url not in pages
            ]
    return found


def _show(topic: str, found: _Found) -> None:
    """Print what would be deleted."""
    count = len(found.pages)
    line = ngettext(
        "{topic}: {count} page would be deleted", "{topic}: {count} pages would be deleted", count
    )
    print(line.format(topic=clean(topic), count=count))
    for it in found.pages[:_LISTED]:
        print(f"  {clean(it.url, 200)}")
        about = clean(it.where or it.title, 100)
        if about:
            print(f"    {about}")
    if count > _LISTED:
        print("  " + _("and {count} more").format(count=count - _LISTED))
    if found.outcomes:
        print(
            "  "
            + ngettext(
                "{count} outcome of another page would lose its title",
                "{count} outcomes of other pages would lose their titles",
                len(found.outcomes),
            ).format(count=len(found.outcomes))
        )


def _tick_times(tick: Callable[[], None], count: int) -> None:
    for _n in range(count):
        tick()

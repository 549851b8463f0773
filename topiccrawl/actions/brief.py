"""``scrapy brief``: propose a briefing of a period, or take a kept one, and write it to files."""

from __future__ import annotations

import sys
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, cast

from topiccrawl.briefing.categories import topic_categories
from topiccrawl.briefing.files import choose_format, content
from topiccrawl.briefing.making import make_briefing
from topiccrawl.briefing.masking import masked_briefing
from topiccrawl.briefing.proposal import Limits
from topiccrawl.briefing.reading import Period, told_at
from topiccrawl.briefing.storing import needed_briefing, saved_briefings, store_briefing
from topiccrawl.briefing.wording import Wording
from topiccrawl.commandline.console import progress
from topiccrawl.commandline.export_log import log_export
from topiccrawl.commandline.store import choose_topic, one_argument, opened_store, store_uri
from topiccrawl.errors import OptionError
from topiccrawl.export.atomic import output_stream
from topiccrawl.export.selection import parse_span
from topiccrawl.language import N_, Language, _, user_language
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.scale import china_day

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

    from topiccrawl.briefing.model import Briefing
    from topiccrawl.store.contract import Store

#: Most entries of a section: a file of more is not a briefing (a choice).
_MOST_ENTRIES: Final = 500


async def brief(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Check the options, then propose the briefing and write it."""
    now = datetime.now(UTC)
    if not 1 <= opts.entries <= _MOST_ENTRIES:
        raise OptionError(
            _("--entries must be 1 to {most}, got {n}").format(most=_MOST_ENTRIES, n=opts.entries)
        )
    if not (opts.out or opts.save or opts.list):
        raise OptionError(_("--out FILE, --save or --list is needed; files: docx, html, md"))
    if opts.list and (opts.out or opts.save):
        raise OptionError(_("--list writes nothing: not with --out or --save"))
    formats = {out: choose_format(out, opts.format) for out in opts.out or ()}
    uri = store_uri(opts, settings)
    async with opened_store(uri) as store:
        topic = await choose_topic(store, one_argument(args, N_("topic")))
        if opts.list:
            return await _list(store, topic)
        if opts.saved:
            saved = await needed_briefing(store, topic, opts.saved)
            briefing = replace(
                saved,
                title=saved.title if opts.title is None else opts.title,
                organization=(
                    saved.organization if opts.organization is None else opts.organization
                ),
            )
        else:
            briefing = await _proposal(store, topic, opts, now)
            if not briefing.stories:
                await _point_to_newest(store, topic)
    # A briefing on standard output stands there alone.
    lines = sys.stderr if "-" in formats else sys.stdout
    if opts.save:
        await _save(uri, briefing, now)
        print(_("kept as {id}").format(id=briefing.id), file=lines)
    shown = briefing if opts.unmasked else masked_briefing(briefing)
    count = sum(1 for _entry in briefing.entries())
    for path, format_ in formats.items():
        data = content(shown, format_, cast("Language", opts.lang))
        with output_stream(path) as stream:
            stream.write(data)
        await log_export(uri, "brief", topic, path, format_=format_, count=count, opts=opts)
        if path != "-":
            print(
                _("{path}: {count} of {stories} stories").format(
                    path=path, count=count, stories=briefing.stories
                ),
                file=lines,
            )
    return 0


async def _list(store: Store, topic: str) -> int:
    """Print the kept briefings, newest first."""
    found = [it async for it in saved_briefings(store, topic)]
    words = Wording(user_language())
    for briefing in reversed(found):
        count = sum(1 for _entry in briefing.entries())
        print(f"{clean(briefing.id, 60)}  {words.title(briefing)}  ({count})")
    if not found:
        print(_("{topic}: no briefing is kept").format(topic=clean(topic)))
    return 0


async def _save(uri: str, briefing: Briefing, now: datetime) -> None:
    """Keep *briefing* in the store."""
    async with opened_store(uri, read_only=False) as store:
        await store_briefing(store, briefing, now)


async def _point_to_newest(store: Store, topic: str) -> None:
    """Print of which day the newest page is, to standard error: the period has none."""
    async with aclosing(store.pages(topic, order="published", limit=1)) as pages:  # type: ignore[type-var]
        async for page in pages:
            text = _("{topic}: no stories in this period; the newest page is of {day}")
            day = china_day(told_at(page))
            print(text.format(topic=clean(topic), day=day), file=sys.stderr)


async def _proposal(store: Store, topic: str, opts: argparse.Namespace, now: datetime) -> Briefing:
    """Return the proposal that the options ask for."""
    span = parse_span("", opts.since, opts.until, now)
    limits = Limits(opts.entries, opts.entries, min(opts.entries, Limits().category))
    with progress(_("pages")) as tick:
        briefing = await make_briefing(
            store,
            topic,
            Period(span.since, span.until),
            now=now,
            limits=limits,
            categories=topic_categories(topic),
            tick=tick,
        )
    return replace(briefing, title=opts.title or "", organization=opts.organization or "")

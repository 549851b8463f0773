"""``scrapy export``: stored pages as CSV, JSON Lines or Excel."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from topiccrawl.commandline.console import progress
from topiccrawl.commandline.export_log import log_export, print_history
from topiccrawl.commandline.store import (
    choose_run,
    choose_topic,
    one_argument,
    opened_store,
    store_uri,
)
from topiccrawl.errors import OptionError
from topiccrawl.export.atomic import output_stream
from topiccrawl.export.fields import Headings, choose_columns
from topiccrawl.export.masking import masked_columns
from topiccrawl.export.pages import export_pages
from topiccrawl.export.selection import (
    Conditions,
    Selection,
    parse_names,
    parse_sites,
    parse_span,
)
from topiccrawl.export.story_columns import EXPORT_COLUMNS, ON_REQUEST, bound
from topiccrawl.export.writers import WRITERS, choose_format
from topiccrawl.language import N_, _, listed, ngettext
from topiccrawl.store.contract import PageOrder, Standing
from topiccrawl.text.searching import KINDS, VALUES

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

#: Largest number that the databases take: a larger limit is none.
_MOST_PAGES = 2**63 - 1


async def export(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Check the options, then write the pages to the file."""
    if opts.history:
        return await print_history(store_uri(opts, settings), one_argument(args, N_("topic")))
    if not opts.out:
        raise OptionError(
            _("--out FILE is needed; extensions: {writers}").format(writers=listed(WRITERS))
        )
    format_ = choose_format(opts.out, opts.format)
    columns = choose_columns(opts.fields, known=EXPORT_COLUMNS, on_request=ON_REQUEST)
    selection = _selection(opts)
    uri = store_uri(opts, settings)
    async with opened_store(uri) as store:
        topic = await choose_topic(store, one_argument(args, N_("topic")))
        run_id = await choose_run(store, topic, opts.run)
        total = await store.count(topic) if opts.standing == "kept" else None
        if total is not None and opts.copies:
            total += sum((await store.copies(topic)).values())
        with progress(_("stories")) as tick:
            columns = await bound(columns, store, topic, tick)
        if not opts.unmasked:
            columns = masked_columns(columns)
        with output_stream(opts.out) as stream, progress(_("pages"), total) as tick:
            written = await export_pages(
                store,
                topic,
                replace(selection, conditions=replace(selection.conditions, run_id=run_id)),
                columns,
                WRITERS[format_](stream, columns, cast("Headings", opts.lang)),
                tick,
            )
    await log_export(uri, "export", topic, opts.out, format_=format_, count=written, opts=opts)
    if opts.out != "-":
        text = ngettext("{path}: {count} page", "{path}: {count} pages", written)
        print(text.format(path=opts.out, count=written))
    return 0


def _selection(opts: argparse.Namespace) -> Selection:
    """Return the selection of the options, except for the run."""
    now = datetime.now(UTC)
    words = tuple(word.strip() for word in opts.word or ())
    if not all(words):
        raise OptionError(_("--word must not be empty"))
    conditions = Conditions(
        words=words,
        sites=parse_sites(opts.site),
        kinds=parse_names("--kind", opts.kind, KINDS, VALUES["kind"]),
        fetched=parse_span("", opts.since, opts.until, now),
        published=parse_span("published-", opts.published_since, opts.published_until, now),
        new_since=parse_span("new-", opts.new_since, None, now).since,
        changed_since=parse_span("changed-", opts.changed_since, None, now).since,
    )
    return Selection(
        conditions,
        cast("Standing", opts.standing),
        cast("PageOrder", opts.order),
        _limit(opts.limit),
        opts.copies,
    )


def _limit(text: str | None) -> int | None:
    """Return the value of ``--limit``, which must be a whole number >= 1."""
    if text is None:
        return None
    try:
        limit = int(text)
    except ValueError:
        limit = 0
    if limit < 1:
        raise OptionError(_("--limit must be a whole number >= 1, got {text!r}").format(text=text))
    return min(limit, _MOST_PAGES)

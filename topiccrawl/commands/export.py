"""``scrapy export``: stored pages as CSV, JSON Lines or Excel."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast, get_args

from topiccrawl.commandline.console import progress
from topiccrawl.commandline.errors import CommandError
from topiccrawl.commandline.store import (
    StoreCommand,
    choose_run,
    choose_topic,
    one_argument,
    opened_store,
)
from topiccrawl.export.atomic import output_stream
from topiccrawl.export.fields import HEADINGS, choose_columns
from topiccrawl.export.pages import export_pages
from topiccrawl.export.selection import KINDS, Selection, parse_names, parse_sites, parse_span
from topiccrawl.export.writers import WRITERS, choose_format
from topiccrawl.language import N_, _, user_language
from topiccrawl.store.columns import COLUMNS
from topiccrawl.store.contract import PageOrder, Standing

if TYPE_CHECKING:
    import argparse

    from topiccrawl.export.fields import Headings

#: Values of ``--order``.
ORDERS: tuple[str, ...] = get_args(PageOrder)

#: Values of ``--standing``.
STANDINGS: tuple[str, ...] = get_args(Standing)


class Command(StoreCommand):
    """Writes the pages of one topic to a file or to standard output."""

    def syntax(self) -> str:
        """Return the arguments after the command's name."""
        return "[TOPIC] --out FILE.{csv,jsonl,xlsx} [options]"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return _("Export stored pages to CSV, JSON Lines or Excel")

    def long_desc(self) -> str:
        """Return the text of ``scrapy export -h``."""
        return _(
            "Write the stored pages of TOPIC to FILE; its extension names the format. CSV "
            "is UTF-8 with a byte order mark for Excel, and text that looks like a formula "
            "gets an apostrophe. Fields: {columns}."
        ).format(columns=", ".join(COLUMNS))

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add this command's options."""
        super().add_options(parser)
        parser.add_argument("--out", metavar="FILE", help=_("file to write, - for standard output"))
        parser.add_argument(
            "--format",
            metavar="FORMAT",
            help=_("{writers} (default: from FILE)").format(writers=", ".join(WRITERS)),
        )
        parser.add_argument("--fields", metavar="A,B,…", help=_("columns (default: all)"))
        parser.add_argument("--limit", metavar="N", help=_("at most N pages"))
        parser.add_argument(
            "--order",
            choices=ORDERS,
            default="fetched",
            help=_("fetched: oldest first; relevance: best first; published: newest first"),
        )
        parser.add_argument(
            "--lang",
            choices=HEADINGS,
            default=user_language(),
            help=_("headings of tables: Chinese, English or names of fields (default: by locale)"),
        )
        parser.add_argument(
            "--standing",
            choices=STANDINGS,
            default="kept",
            help=_("pages of the collection (default), withdrawn ones, or near misses"),
        )
        parser.add_argument(
            "--word",
            metavar="WORD",
            action="append",
            help=_("only pages that contain WORD, simplified or traditional; may be repeated"),
        )
        parser.add_argument(
            "--site", metavar="A,B,…", help=_("only pages of these hosts and the hosts below them")
        )
        parser.add_argument(
            "--kind",
            metavar="A,B,…",
            help=_("only pages of these kinds: {kinds}").format(kinds=", ".join(KINDS)),
        )
        parser.add_argument(
            "--run", metavar="ID", help=_("only pages of this run; 'last' for the newest")
        )
        spans = {
            "--since": _("only pages fetched on or after DATE (China time)"),
            "--until": _("only pages fetched on or before DATE (China time)"),
            "--published-since": _("only pages published on or after DATE (China time)"),
            "--published-until": _("only pages published on or before DATE (China time)"),
        }
        for option, help_ in spans.items():
            parser.add_argument(option, metavar="DATE", help=help_)

    async def work(self, args: list[str], opts: argparse.Namespace) -> int:
        """Check the options, then write the pages to the file."""
        if not opts.out:
            raise CommandError(
                _("--out FILE is needed; extensions: {writers}").format(writers=", ".join(WRITERS))
            )
        format_ = choose_format(opts.out, opts.format)
        columns = choose_columns(opts.fields)
        limit, selection = _limit(opts.limit), _selection(opts)
        async with opened_store(self.store_uri(opts)) as store:
            topic = await choose_topic(store, one_argument(args, N_("topic")))
            run_id = await choose_run(store, topic, opts.run)
            total = await store.count(topic) if opts.standing == "kept" else None
            with output_stream(opts.out) as stream, progress(_("pages"), total) as tick:
                written = await export_pages(
                    store,
                    topic,
                    WRITERS[format_](stream, columns, cast("Headings", opts.lang)),
                    columns,
                    replace(selection, run_id=run_id),
                    standing=cast("Standing", opts.standing),
                    order=cast("PageOrder", opts.order),
                    limit=limit,
                    tick=tick,
                )
        if opts.out != "-":
            print(_("{path}: {count} pages").format(path=opts.out, count=written))
        return 0


def _selection(opts: argparse.Namespace) -> Selection:
    """Return the conditions of the options, except for the run."""
    words = tuple(word.strip() for word in opts.word or ())
    if not all(words):
        raise CommandError(_("--word must not be empty"))
    return Selection(
        words=words,
        sites=parse_sites(opts.site),
        kinds=parse_names("--kind", opts.kind, KINDS),
        fetched=parse_span("", opts.since, opts.until),
        published=parse_span("published-", opts.published_since, opts.published_until),
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
        raise CommandError(_("--limit must be a whole number >= 1, got {text!r}").format(text=text))
    return limit

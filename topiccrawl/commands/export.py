"""``scrapy export``: stored pages as CSV, JSON Lines or Excel."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast, get_args

from topiccrawl.commandline.console import progress
from topiccrawl.commandline.errors import CommandError
from topiccrawl.commandline.store import StoreCommand, choose_topic, one_argument, opened_store
from topiccrawl.export.atomic import output_stream
from topiccrawl.export.fields import choose_fields
from topiccrawl.export.pages import export_pages, parse_since
from topiccrawl.export.writers import WRITERS, choose_format
from topiccrawl.language import N_, _
from topiccrawl.store.columns import COLUMNS
from topiccrawl.store.contract import PageOrder

if TYPE_CHECKING:
    import argparse

#: Values of ``--order``.
ORDERS: tuple[str, ...] = get_args(PageOrder)


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
            "is UTF-8 with a byte order mark for Excel, and cells that look like formulas "
            "begin with an apostrophe. Fields: {columns}."
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
            "--since", metavar="DATE", help=_("only pages fetched on or after DATE (UTC)")
        )

        parser.add_argument(
            "--withdrawn",
            action="store_true",
            help=_("the pages that were withdrawn from the collection"),
        )

    async def work(self, args: list[str], opts: argparse.Namespace) -> int:
        """Check the options, then write the pages to the file."""
        if not opts.out:
            raise CommandError(
                _("--out FILE is needed; extensions: {writers}").format(writers=", ".join(WRITERS))
            )
        format_ = choose_format(opts.out, opts.format)
        names = choose_fields(opts.fields)
        limit, since = _limit(opts.limit), parse_since(opts.since)
        async with opened_store(self.store_uri(opts)) as store:
            topic = await choose_topic(store, one_argument(args, N_("topic")))
            total = None
            if since is None and not opts.withdrawn:
                count = await store.count(topic)
                total = count if limit is None else min(limit, count)
            with output_stream(opts.out) as stream, progress(_("pages"), total) as tick:
                written = await export_pages(
                    store,
                    topic,
                    WRITERS[format_](stream, names),
                    names,
                    order=cast("PageOrder", opts.order),
                    limit=limit,
                    since=since,
                    withdrawn=opts.withdrawn,
                    tick=tick,
                )
        if opts.out != "-":
            print(_("{path}: {count} pages").format(path=opts.out, count=written))
        return 0


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

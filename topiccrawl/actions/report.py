"""``scrapy report``: what a crawl has found, as one self-contained HTML file, as text or as JSON."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, cast, get_args

from topiccrawl.commandline.console import progress
from topiccrawl.commandline.export_log import log_export
from topiccrawl.commandline.options import output_path
from topiccrawl.commandline.store import (
    choose_run,
    choose_topic,
    one_argument,
    opened_store,
    store_uri,
)
from topiccrawl.errors import OptionError
from topiccrawl.export.atomic import output_stream
from topiccrawl.language import N_, _, listed
from topiccrawl.reporting.aggregates.collect import collect
from topiccrawl.reporting.html.document import render
from topiccrawl.reporting.masking import masked_reads
from topiccrawl.reporting.text.activity import report_json, report_text
from topiccrawl.reporting.when import parse_when
from topiccrawl.reporting.words.labels import Language
from topiccrawl.store.uri import sqlite_path

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

    from topiccrawl.reporting.aggregates.report_data import ReportData
    from topiccrawl.store.contract import Store

Format = Literal["html", "text", "json"]

#: Formats by the extension of the file.
REPORT_FILES: Final[dict[str, Format]] = {
    ".html": "html",
    ".htm": "html",
    ".txt": "text",
    ".text": "text",
    ".json": "json",
}

#: Characters that some file system does not allow in file names.
_UNSAFE = re.compile(r'[\x00-\x1f\\/:*?"<>|]+')


async def report(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Collect the data, write the report and print its path."""
    uri = store_uri(opts, settings)
    now = datetime.now(UTC)
    since = None if opts.since is None else parse_when("--since", opts.since, now)
    if since is not None and opts.run:
        raise OptionError(_("--since and --run exclude each other"))
    format_ = report_format(opts.out, opts.format)
    async with opened_store(uri) as store:
        topic = await choose_topic(store, one_argument(args, N_("topic")))
        run_id = await choose_run(store, topic, opts.run)
        out = opts.out or ("-" if format_ != "html" else str(default_path(uri, topic)))
        data = await write_report(
            store,
            topic,
            out,
            since=since,
            run_id=run_id,
            format_=format_,
            language=cast("Language", opts.lang),
            now=now,
            unmasked=opts.unmasked,
        )
    await log_export(uri, "report", topic, out, format_=format_, count=data.collection, opts=opts)
    if out != "-":
        print(_absolute(out))
    return 0


async def write_report(
    store: Store,
    topic: str,
    out: str,
    *,
    since: datetime | None = None,
    run_id: str | None = None,
    format_: Format | None = None,
    language: Language = "both",
    now: datetime | None = None,
    unmasked: bool = False,
) -> ReportData:
    """Write the report of *topic*, or of what happened *since* a moment, to *out*; return its data.

    *out* is a file, whose extension names the format unless it is given, or ``-`` for standard output;
    ``{date}`` in it is the day in China, ``~`` the home folder.  Personal data are masked unless *unmasked*.
    *store* is open.  Raises OSError if *out* cannot be written.
    """
    generated_at = now or datetime.now(UTC)
    out = output_path(out, generated_at)
    chosen = format_ or report_format(out, None)
    with progress(_("records")) as tick:
        data = await collect(
            store if unmasked else masked_reads(store),
            topic,
            run_id=run_id,
            since=since,
            generated_at=generated_at,
            with_stories=chosen == "html",
            tick=tick,
        )
    if chosen == "html":
        content = render(data, language)
    else:
        content = report_text(data) if chosen == "text" else report_json(data)
    encoding, errors = "utf-8", "replace"
    if out == "-" and chosen == "text":  # on a terminal, which may have another encoding
        encoding, errors = sys.stdout.encoding, "backslashreplace"
    with output_stream(out) as stream:
        stream.write(content.encode(encoding, errors))
    return data


def report_format(out: str | None, given: str | None) -> Format:
    """Return the format: the *given* one, that of the extension of *out*, or HTML without both."""
    if given is not None:
        if given not in get_args(Format):
            raise OptionError(
                _("{what} must be one of {choices}, got {name!r}").format(
                    what="--format", choices=listed(get_args(Format)), name=given
                )
            )
        return cast("Format", given)
    if out is None:
        return "html"
    if out == "-":
        raise OptionError(_("--out - needs --format html, text or json"))
    found = format_of_file(out)
    if found is None:
        raise OptionError(
            _("a report is a file that ends with {choices}, or give --format; got {out!r}").format(
                choices=listed(REPORT_FILES), out=out
            )
        )
    return found


def format_of_file(name: str) -> Format | None:
    """Return the format that the extension of the file *name* stands for; ``None`` for another one."""
    return REPORT_FILES.get(Path(name).suffix.lower())


def _absolute(path: str) -> str:
    return str(Path(path).resolve())


def default_path(uri: str, topic: str) -> Path:
    """Return ``TOPIC-report.html`` next to the SQLite file, else in the working folder."""
    name = f"{_UNSAFE.sub('_', topic).strip('. ') or 'topic'}-report.html"
    return sqlite_path(uri).parent / name if uri.startswith("sqlite:") else Path(name)

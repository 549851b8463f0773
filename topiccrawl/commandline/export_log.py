"""Notes of exports in the store: every command that writes data of a topic to a file makes one."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from topiccrawl.commandline.errors import as_given
from topiccrawl.commandline.store import choose_topic, opened_store
from topiccrawl.errors import ConfigurationError, StoreUnavailable, printable
from topiccrawl.export.log import Export, export_record, logged_exports, user_name
from topiccrawl.language import _, ngettext
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.scale import moment
from topiccrawl.store.contract import RecordRejected

#: Options that do not choose pages.
_OTHER = frozenset(
    {"out", "format", "store", "unmasked", "lang", "logfile", "loglevel", "nolog", "profile", "pidfile"}
    | {"set", "pdb", "json"}
)  # fmt: skip


async def log_export(
    uri: str,
    what: str,
    topic: str,
    out: str,
    *,
    format_: str,
    count: int,
    opts: argparse.Namespace,
) -> None:
    """Note in the store at *uri* that the command *what* has written *count* rows to *out* now."""
    export = Export(
        topic=topic,
        at=datetime.now(UTC),
        who=user_name(),
        what=what,
        out=_absolute(out),
        format=format_,
        count=count,
        unmasked=bool(opts.unmasked),
        selection=selection_text(opts),
    )
    await add_to_log(uri, export, opts)


def _absolute(out: str) -> str:
    return out if out == "-" else str(Path(out).resolve())


def selection_text(opts: argparse.Namespace) -> str:
    """Return the options that chose the pages: ``--since 7d --word 华侨``."""
    given = {
        name: value
        for name, value in sorted(vars(opts).items())
        if name not in _OTHER and value not in (None, False, [], "")
    }
    words = []
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        for each in value if isinstance(value, list) else [value]:
            words += [option] if each is True else [option, str(each)]
    return " ".join(words)


async def add_to_log(uri: str, export: Export, opts: argparse.Namespace) -> None:
    """Write *export* to the log in the store at *uri*; the file, which is written already, stays.

    A store that cannot be written is named by what the user gave: ``--store``, or the setting.
    """
    try:
        async with opened_store(uri, read_only=False) as store:
            await store.write(desk=[export_record(export)])
    except (ConfigurationError, StoreUnavailable, RecordRejected, OSError) as error:
        message = _("the export was not noted in the store: {error}").format(
            error=as_given(str(error), opts)
        )
        print(f"topiccrawl: {printable(message)}", file=sys.stderr)


async def print_history(uri: str, named: str | None) -> int:
    """Print the log of exports of a topic, newest first."""
    async with opened_store(uri) as store:
        topic = await choose_topic(store, named)
        found = [it async for it in logged_exports(store, topic)]
    for it in reversed(found):
        what = ngettext("{what}, {count} row", "{what}, {count} rows", it.count)
        what = what.format(what=clean(it.what, 40), count=it.count)
        masks = _("unmasked") if it.unmasked else _("masked")
        print(f"{moment(it.at)}  {clean(it.who, 80)}  {what}, {masks}")
        print(f"    {clean(it.out, 300)}")
        if it.selection:
            print(f"    {clean(it.selection, 300)}")
    if not found:
        print(_("{topic}: nothing was exported").format(topic=clean(topic)))
    return 0

"""Notes of exports in the store: every command that writes data of a topic to a file makes one."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from topiccrawl.errors import ConfigurationError, StoreUnavailable, printable
from topiccrawl.export.log import Export, export_record, user_name
from topiccrawl.language import _
from topiccrawl.store.contract import RecordRejected
from topiccrawl.store.factory import open_store

if TYPE_CHECKING:
    import argparse

__all__ = ["export_of", "log_exports", "selection_text"]

#: Options that are no choice of pages.
_OTHER = frozenset(
    {"out", "format", "store", "unmasked", "lang", "logfile", "loglevel", "nolog", "profile", "pidfile"}
    | {"set", "pdb", "json"}
)  # fmt: skip


def export_of(
    what: str, topic: str, out: str, *, format_: str, count: int, opts: argparse.Namespace
) -> Export:
    """Return the export that this process made now."""
    return Export(
        topic=topic,
        at=datetime.now(UTC),
        who=user_name(),
        what=what,
        out=out if out == "-" else str(Path(out).resolve()),
        format=format_,
        count=count,
        unmasked=bool(opts.unmasked),
        selection=selection_text(opts),
    )


def selection_text(opts: argparse.Namespace) -> str:
    """Return the options that chose the pages: ``--since 7d --word 华侨``."""
    given = {
        name: value
        for name, value in sorted(vars(opts).items())
        if name not in _OTHER and value not in (None, False, [], "")
    }
    return " ".join(f"--{name.replace('_', '-')} {value}" for name, value in given.items())


async def log_exports(uri: str, *exports: Export) -> None:
    """Write *exports* to the log in the store at *uri*; a store that cannot be written is named.

    The files stay: they have been written already.
    """
    try:
        store = open_store(uri)
        await store.open()
        try:
            await store.write(desk=[export_record(it) for it in exports])
        finally:
            await store.close()
    except (ConfigurationError, StoreUnavailable, RecordRejected, OSError) as error:
        message = _("the export was not noted in the store: {error}").format(error=error)
        print(f"topiccrawl: {printable(message)}", file=sys.stderr)

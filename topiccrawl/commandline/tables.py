"""Tables that commands write to files: rows under headings, masked, and noted in the store."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterable, Sequence
from typing import cast

from topiccrawl.commandline.export_log import log_export
from topiccrawl.export.atomic import output_stream
from topiccrawl.export.fields import Headings
from topiccrawl.export.masking import masked_row
from topiccrawl.export.writers import WRITERS, choose_format
from topiccrawl.language import ngettext
from topiccrawl.store.columns import Column, Value


async def write_table(
    uri: str,
    what: str,
    topic: str,
    columns: Sequence[Column],
    rows: AsyncIterable[Sequence[Value]],
    opts: argparse.Namespace,
) -> int:
    """Write *rows* to the file that the options name, and note that in the store; return 0.

    *what* is the name of the command.
    """
    format_ = choose_format(opts.out, opts.format)
    written = 0
    with output_stream(opts.out) as stream:
        writer = WRITERS[format_](stream, columns, cast("Headings", opts.lang))
        async for cells in rows:
            writer.row(cells if opts.unmasked else masked_row(columns, cells))
            written += 1
        writer.finish()
    await log_export(uri, what, topic, opts.out, format_=format_, count=written, opts=opts)
    if opts.out != "-":
        text = ngettext("{path}: {count} row", "{path}: {count} rows", written)
        print(text.format(path=opts.out, count=written))
    return 0

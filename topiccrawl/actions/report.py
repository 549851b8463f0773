"""``scrapy report``: one self-contained HTML file about the results of a crawl."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from topiccrawl.commandline.console import progress
from topiccrawl.commandline.store import (
    choose_run,
    choose_topic,
    one_argument,
    opened_store,
    store_uri,
)
from topiccrawl.export.atomic import atomic_file
from topiccrawl.language import N_, _
from topiccrawl.reporting.collect import collect
from topiccrawl.reporting.page import render
from topiccrawl.reporting.words import Language
from topiccrawl.store.uri import sqlite_path

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings
#: Characters that some file system does not allow in file names.
_UNSAFE = re.compile(r'[\x00-\x1f\\/:*?"<>|]+')


async def report(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Collect the data, write the report and print its path."""
    uri = store_uri(opts, settings)
    async with opened_store(uri) as store:
        topic = await choose_topic(store, one_argument(args, N_("topic")))
        run_id = await choose_run(store, topic, opts.run)
        with progress(_("records")) as tick:
            data = await collect(
                store, topic, run_id=run_id, generated_at=datetime.now(UTC), tick=tick
            )
    out = Path(opts.out) if opts.out else default_path(uri, topic)
    page = render(data, cast("Language", opts.lang))
    with atomic_file(out) as stream:
        stream.write(page.encode())
    print(f"{out.resolve()}")
    return 0


def default_path(uri: str, topic: str) -> Path:
    """Return ``TOPIC-report.html`` next to the SQLite file, else in the working folder."""
    name = f"{_UNSAFE.sub('_', topic).strip('. ') or 'topic'}-report.html"
    return sqlite_path(uri).parent / name if uri.startswith("sqlite:") else Path(name)

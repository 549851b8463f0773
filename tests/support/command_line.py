"""Run a Scrapy command in this process, as the command line does, on a SQLite store."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from scrapy.cmdline import ScrapyArgumentParser
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from tests.support.stored import in_store
from topiccrawl.commandline.command import ActionCommand
from topiccrawl.store.contract import (
    NearMissRecord,
    OutcomeRecord,
    PageRecord,
    RunRecord,
    Store,
    VersionRecord,
    VisitRecord,
)


def run_command(command: ActionCommand, argv: Sequence[str], store: str = "") -> int:
    """Return the exit code of *command*; 2 for a usage error, as ``scrapy`` does."""
    command.settings = Settings({"TOPICCRAWL_STORE_URI": store})
    parser = ScrapyArgumentParser(prog="scrapy", conflict_handler="resolve")
    command.add_options(parser)
    opts: argparse.Namespace
    opts, args = parser.parse_known_args(list(argv))
    try:
        command.process_options(args, opts)
        command.run(args, opts)
    except UsageError:
        return 2
    return command.exitcode


def sqlite_store(
    folder: Path,
    pages: Sequence[PageRecord] = (),
    outcomes: Sequence[OutcomeRecord] = (),
    runs: Sequence[RunRecord] = (),
    near_misses: Sequence[NearMissRecord] = (),
    visits: Sequence[VisitRecord] = (),
    versions: Sequence[VersionRecord] = (),
) -> str:
    """Write the records to a new SQLite store in *folder* and return its URI."""
    uri = f"sqlite:///{folder / 'crawl.sqlite'}"

    async def fill(store: Store) -> None:
        await store.write(pages, outcomes, runs, near_misses, visits=visits, versions=versions)

    in_store(uri, fill)
    return uri

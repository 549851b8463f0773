"""``python -m benchmarks.desk``: see ``-h``."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path
from random import Random

from benchmarks.desk.generator import Collection
from benchmarks.desk.searching import compare, drawn_queries, summary, texts_of
from benchmarks.desk.views import (
    Arguments,
    arguments_of,
    find_links,
    measure,
    routes,
    running_console,
    table,
    wait,
)
from topiccrawl.store.factory import open_store


def main() -> int:
    """Run the command that was named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.desk", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    generate = commands.add_parser("generate", help="write a store of generated pages")
    generate.add_argument("--pages", type=int, default=100_000)
    generate.add_argument("--seed", type=int, default=0)
    generate.add_argument("--store", default="sqlite:///desk.sqlite", help="address of the store")
    search = commands.add_parser("search", help="recall against LIKE, and latency")
    search.add_argument("--queries", type=int, default=400)
    search.add_argument("--longest", type=int, default=6, help="characters of the longest queries")
    search.add_argument("--seed", type=int, default=0)
    search.add_argument("--store", default="sqlite:///desk.sqlite", help="address of the store")
    looking = commands.add_parser("views", help="latency and size of every view of the console")
    looking.add_argument("store", help="address of the store, or path of a SQLite file")
    looking.add_argument("--requests", type=int, default=40, help="requests to each view")
    looking.add_argument("--only", default="", help="only the routes that contain this text")
    looking.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.command == "views":
        _views(options.store, options.requests, options.only, options.seed)
        return 0
    if options.command == "search":
        asyncio.run(_search(options.store, options.queries, options.longest, options.seed))
        return 0
    if options.store.startswith("sqlite:///"):
        Path(options.store.removeprefix("sqlite:///")).unlink(missing_ok=True)
    asyncio.run(_generate(options.store, options.pages, options.seed))
    return 0


async def _generate(address: str, pages: int, seed: int) -> None:
    collection = Collection(pages, seed)
    store = open_store(address)
    await store.open()
    try:
        await store.write(runs=collection.runs())
        written, writing = 0, 0.0
        for batch in collection.batches():
            started = time.perf_counter()
            await store.write(batch.pages, batch.outcomes, desk=batch.desk)
            writing += time.perf_counter() - started
            written += len(batch.pages)
            if written // 10_000 != (written - len(batch.pages)) // 10_000:
                sys.stdout.write(f"{written:,} pages, {1000 * writing / written:.2f} ms each\n")
                sys.stdout.flush()
    finally:
        await store.close()


async def _search(address: str, queries: int, longest: int, seed: int) -> None:
    store = open_store(address, read_only=True)
    await store.open()
    try:
        texts = await texts_of(store, list(await store.topics()))
        drawn = drawn_queries(list(texts.values()), queries, longest, Random(seed))
        sys.stdout.write(summary(await compare(store, texts, drawn)) + "\n")
    finally:
        await store.close()


def _views(address: str, requests: int, only: str, seed: int) -> None:
    address = address if "://" in address else f"sqlite:///{Path(address).resolve()}"
    arguments = asyncio.run(_arguments(address, seed))
    with running_console(address) as (port, pid):
        wait(port, arguments)
        find_links(port, arguments)
        measured = (measure(port, arguments, it, requests, pid) for it in routes() if only in it)
        found = [one for one in measured if one is not None]
        sys.stdout.write(table(found) + "\n")


async def _arguments(address: str, seed: int) -> Arguments:
    store = open_store(address, read_only=True)
    await store.open()
    try:
        return await arguments_of(store, seed)
    finally:
        await store.close()


if __name__ == "__main__":
    sys.exit(main())

"""Compute the events of a topic in a process of its own: ``python -m topiccrawl.console.event_worker``.

Reads a line of JSON with the store's address and the topic, because an address can hold a password, and writes the
table as JSON.  A console must answer while this runs for minutes.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from datetime import UTC, datetime

from topiccrawl.reporting.event_table import compute_events, dump
from topiccrawl.store.factory import open_store


async def _compute(uri: str, topic: str) -> str:
    at = datetime.now(UTC)
    store = open_store(uri, read_only=True)
    await store.open()
    try:
        return dump(await compute_events(store, topic, at))
    finally:
        await store.close()


def main() -> int:
    """Answer the one request on the standard input."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(10)
    asked = json.loads(sys.stdin.readline())
    sys.stdout.write(asyncio.run(_compute(asked["uri"], asked["topic"])))
    return 0


if __name__ == "__main__":
    sys.exit(main())

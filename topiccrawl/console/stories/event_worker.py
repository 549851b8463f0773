"""Compute the events of a topic in a process of its own: ``python -m topiccrawl.console.stories.event_worker``.

A console must answer while this runs for minutes.  The process reads a line of JSON with the store's address
and the topic, because an address can hold a password, and writes the table as JSON.  It ends when its standard
input does, so that it does not outlive a console that was killed.  Of one user on one machine, at most one such
process works on a store: another one ends with the exit code :data:`BUSY`.  One that cannot read the store
writes the reason in place of the table, and ends with :data:`UNREADABLE`.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from topiccrawl.errors import ConfigurationError, StoreUnavailable, system_reason
from topiccrawl.reporting.event_table import compute_events, dump
from topiccrawl.sharedfiles import HeldLock
from topiccrawl.store.factory import opened_store
from topiccrawl.store.uri import sqlite_path
from topiccrawl.userfiles import cache_folder

#: Exit code while another process computes events of the store: EX_TEMPFAIL of sysexits.h.
BUSY: Final = 75
#: Exit code if the store cannot be read: EX_NOINPUT of sysexits.h.
UNREADABLE: Final = 66
#: Exit code of a process whose console has ended (a choice, which no program reads).
_ALONE: Final = 1


def lock_file(uri: str) -> Path:
    """Return the file that the process holds which computes events of the store at *uri*.

    It is the same for all spellings of the path of a SQLite file, and whatever the user and the options of
    another address are.
    """
    scheme, _separator, rest = uri.partition("://")
    place = rest.rpartition("@")[2].partition("?")[0]
    if scheme == "sqlite":
        place = str(sqlite_path(uri).resolve())
    name = hashlib.sha256(f"{scheme}://{place}".encode()).hexdigest()[:24]
    return cache_folder() / f"events-{name}.lock"


async def _compute(uri: str, topic: str) -> str:
    at = datetime.now(UTC)
    async with opened_store(uri) as store:
        return dump(await compute_events(store, topic, at))


def _end_with_input() -> None:
    """Wait for the end of the standard input, then end the process at once."""
    # Not by sys.stdin: its lock would be held when the interpreter ends.
    while os.read(0, 1):
        pass
    os._exit(_ALONE)


def main() -> int:
    """Answer the one request on the standard input."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(10)
    line = sys.stdin.readline()
    if not line:
        return _ALONE
    asked = json.loads(line)
    threading.Thread(target=_end_with_input, daemon=True).start()
    path = lock_file(asked["uri"])
    held = None
    try:
        # Held until the process ends, whatever ends it.
        held = HeldLock(path)
    except BlockingIOError:
        return BUSY
    except OSError as error:
        # Such as a home without a right to write: events without a lock are better than none.
        print(f"topiccrawl: {path}: {system_reason(error)}", file=sys.stderr)
    try:
        sys.stdout.write(asyncio.run(_compute(asked["uri"], asked["topic"])))
    except (ConfigurationError, StoreUnavailable) as error:
        sys.stdout.write(str(error))
        return UNREADABLE
    finally:
        if held is not None:
            # Who has just opened this file and who makes the next one may compute the same: rare, harmless.
            path.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

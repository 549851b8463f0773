"""Store writers that try again at once, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.store_fakes import FlakyStore
from tests.support.store_records import TOPIC
from topiccrawl.backoff import JitteredBackoff
from topiccrawl.store.spool import Spool
from topiccrawl.store.writer import StoreWriter

#: Attempts follow each other at once.
AT_ONCE = 1e-6
#: No attempt within a test.
NEVER = 1e6


def writer(store: Any, folder: Path, *, retry: float = NEVER, **options: Any) -> StoreWriter:
    options.setdefault("flush_seconds", 0)
    backoff = JitteredBackoff(initial_seconds=retry, max_seconds=retry)
    return StoreWriter(store, Spool(folder, TOPIC), backoff=backoff, **options)


def numbers(store: FlakyStore) -> list[int]:
    return [int(url.rsplit("/", 1)[1].partition(".")[0]) for url in store.urls()]

"""Packing of near misses: a page's record as one compressed blob, and back."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from dataclasses import fields, replace
from typing import Protocol

from topiccrawl.store.records import NearMissRecord, PageRecord
from topiccrawl.store.spool_format import from_json, to_json
from topiccrawl.store.values import DAMAGE

#: Bytes of an unpacked near miss: a page's 150,000 characters of text as escaped JSON take 2 MB.
_MOST_BYTES = 16 * 1024 * 1024


def pack_near_miss(page: PageRecord, probability: float) -> NearMissRecord:
    """Return *page* as a near miss with this *probability*; its HTML is left out.

    Raises:
        ValueError: a value of the page cannot be stored.
    """
    values = {field.name: getattr(page, field.name) for field in fields(PageRecord)}
    bare = PageRecord(**{**values, "html": None, "probability": probability})
    packed = zlib.compress(to_json(bare).encode("ascii"))
    return NearMissRecord(topic=page.topic, url=page.url, probability=probability, packed=packed)


def unpack_near_miss(near_miss: NearMissRecord) -> PageRecord | None:
    """Return the page of *near_miss* with the probability of the last judgment; ``None`` if damaged."""
    inflater = zlib.decompressobj()
    try:
        page = from_json(inflater.decompress(near_miss.packed, _MOST_BYTES))
    except (zlib.error, *DAMAGE):
        return None
    if not isinstance(page, PageRecord):
        return None
    return replace(page, probability=near_miss.probability)


class NearMissStore(Protocol):
    """What a store does for near misses."""

    async def near_miss(self, topic: str, url: str) -> NearMissRecord | None:
        """Return the near miss with this canonical URL."""

    def near_misses(self, topic: str) -> AsyncIterator[NearMissRecord]:
        """Yield the near misses of *topic*, highest probability first, then by id."""

    async def trim_near_misses(self, topic: str, most: int) -> int:
        """Delete all near misses of *topic* but the *most* probable ones; return how many."""

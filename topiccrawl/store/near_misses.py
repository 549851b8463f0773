"""Packing of near misses: a page's record as one compressed blob, and back."""

from __future__ import annotations

import zlib
from dataclasses import fields, replace

from topiccrawl.store.records import NearMissRecord, PageRecord
from topiccrawl.store.spool_format import from_json, to_json


def pack_near_miss(page: PageRecord, probability: float) -> NearMissRecord:
    """Return *page* as a near miss with this *probability*; its HTML is left out.

    Raises:
        ValueError: a value of the page cannot be stored.
    """
    values = {field.name: getattr(page, field.name) for field in fields(PageRecord)}
    bare = PageRecord(**{**values, "html": None, "probability": probability})
    packed = zlib.compress(to_json(bare).encode("ascii"))
    return NearMissRecord(topic=page.topic, url=page.url, probability=probability, packed=packed)


def unpack_near_miss(near_miss: NearMissRecord) -> PageRecord:
    """Return the page of *near_miss*, with the probability of the last judgment."""
    page = from_json(zlib.decompress(near_miss.packed))
    if not isinstance(page, PageRecord):
        raise ValueError(f"the near miss {near_miss.url} does not contain a page")
    return replace(page, probability=near_miss.probability)

"""A scored page as bytes and back: what one worker tells the others, and a run its continuation.

Whoever replays the pages of a crawl in their order has the same link graph and the same evidence, to
the last bit: floats are kept as they are.
"""

from __future__ import annotations

import json
import math
import zlib
from dataclasses import fields
from typing import Any

import numpy as np

from topiccrawl.scoring.strategy import LinkBatch, PageView

_FEATURES = "features"
#: Arrays that only some strategies want, each with its type; packed only where they hold something.
_OF_LINKS = {"semantic": "<f8"}
_OF_PAGE = {"term_slots": "<i4", "term_weights": "<f8", "semantic": "<f8"}
_COLUMNS = {
    field.name: field.type
    for field in fields(LinkBatch)
    if field.name not in (_FEATURES, *_OF_LINKS)
}
_SLOT = np.dtype("<i4")
_DTYPES = {"IdArray": "<i8", "FloatArray": "<f8", "BoolArray": "|b1"}
_SCALARS = tuple(f.name for f in fields(PageView) if f.name not in ("links", *_OF_PAGE))
#: zlib's fastest: most features of most links are zero, so that it saves two thirds all the same.
_LEVEL = 1


def pack_page(page: PageView) -> bytes:
    """Return *page* as bytes, about 15 for each link; with hashed features some 50."""
    head = {name: getattr(page, name) for name in _SCALARS}
    columns = [
        np.ascontiguousarray(getattr(page.links, name), dtype=_DTYPES[str(kind)])
        for name, kind in _COLUMNS.items()
    ]
    slots = page.links.features
    kept: dict[str, Any] = {"page": head, "links": len(page.links), "columns": list(_COLUMNS)}
    if slots.size:
        kept[_FEATURES] = slots.shape[1]
        columns.append(np.ascontiguousarray(slots, dtype=_SLOT))
    for owner, arrays in (("links", _OF_LINKS), ("page", _OF_PAGE)):
        given = page.links if owner == "links" else page
        shapes: dict[str, tuple[int, ...]] = {}
        for name, kind in arrays.items():
            array = getattr(given, name)
            if array.size:
                shapes[name] = array.shape
                columns.append(np.ascontiguousarray(array, dtype=kind))
        if shapes:
            kept[f"arrays of {owner}"] = shapes
    first = json.dumps(kept).encode()
    raw = b"".join((len(first).to_bytes(4, "little"), first, *(c.tobytes() for c in columns)))
    return zlib.compress(raw, _LEVEL)


def unpack_page(data: bytes) -> PageView:
    """Return the page that :func:`pack_page` made *data* of.

    A column that a later version has added is all zero in older data; one that this version does not
    know ends the reading.  Raises ``ValueError`` for anything else.
    """
    try:
        raw = zlib.decompress(data)
        size = int.from_bytes(raw[:4], "little")
        kept: dict[str, Any] = json.loads(raw[4 : 4 + size])
        count, at = int(kept["links"]), 4 + size
        columns: dict[str, Any] = {}
        for name in kept["columns"]:
            dtype = np.dtype(_DTYPES[str(_COLUMNS[name])])
            columns[name] = np.frombuffer(raw, dtype, count, at).astype(dtype.newbyteorder("="))
            at += count * dtype.itemsize
        for name, kind in _COLUMNS.items():
            if name not in columns:
                columns[name] = np.zeros(count, dtype=_DTYPES[str(kind)])
        if width := int(kept.get(_FEATURES, 0)):
            slots = np.frombuffer(raw, _SLOT, count * width, at).reshape(count, width)
            columns[_FEATURES] = slots.astype(_SLOT.newbyteorder("="))
            at += slots.nbytes
        parts: dict[str, Any] = {}
        for owner, known, into in (("links", _OF_LINKS, columns), ("page", _OF_PAGE, parts)):
            for name, shape in kept.get(f"arrays of {owner}", {}).items():
                dtype = np.dtype(known[name])
                array = np.frombuffer(raw, dtype, math.prod(shape), at).reshape(shape)
                into[name] = array.astype(dtype.newbyteorder("="))
                at += array.nbytes
        return PageView(**kept["page"], links=LinkBatch(**columns), **parts)
    except (zlib.error, KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"this is no packed page: {error!r}") from error

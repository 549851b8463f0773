"""Scored pages as bytes, for other workers and for a continued run.

Replaying the pages of a crawl in their order rebuilds the same link graph and the same evidence to the
last bit: floats are stored as they are.
"""

from __future__ import annotations

import json
import math
import zlib
from dataclasses import MISSING, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.strategy import (
    ANCHOR_CHARACTERS,
    LEAD_CHARACTERS,
    N_FEATURES,
    NAMED_FRONT,
    LinkBatch,
    PageView,
)

_FEATURES = "features"
#: Texts, stored only if there are any.
_ANCHORS = "anchors"
#: Arrays that only some strategies want or some pages have: stored name, attribute and type; stored only if not
#: empty.
_OF_LINKS = {
    "semantic": ("semantic", "<f8"),
    "places": ("places", "<i4"),
    "fronts": ("fronts", "<i8"),
    "channels": ("channels", "<i4"),
    "menus": ("menus", "<i8"),
}
#: ``term_slots`` is the name that ``term_ids`` had when the format was defined.
_OF_PAGE = {
    "term_slots": ("term_ids", "<i4"),
    "term_weights": ("term_weights", "<f8"),
    "semantic": ("semantic", "<f8"),
    "place": ("place", "<i4"),
    "folders": ("folders", "<i4"),
    "channels": ("channels", "<i4"),
    "borrowed_ids": ("borrowed_ids", "<i4"),
    "borrowed_weights": ("borrowed_weights", "<f8"),
}
_COLUMNS = {
    field.name: field.type
    for field in fields(LinkBatch)
    if field.name not in (_FEATURES, _ANCHORS, *(name for name, _ in _OF_LINKS.values()))
}
_FEATURE_ID = np.dtype("<i4")
_DTYPES = {"IdArray": "<i8", "FloatArray": "<f8", "BoolArray": "|b1"}
#: Arrays of feature ids.
_FEATURES_OF_PAGE = ("term_ids", "folders", "channels", "borrowed_ids")
_ARRAYS_OF_PAGE = tuple(name for name, _ in _OF_PAGE.values())
_SCALARS = tuple(f.name for f in fields(PageView) if f.name not in ("links", *_ARRAYS_OF_PAGE))
#: Scalars that were added after the format was defined, with their defaults; stored only if they differ.
_ADDED = {f.name: f.default for f in fields(PageView) if f.default is not MISSING}
#: zlib's fastest level: most columns are mostly zero, so that it still saves two thirds.
_LEVEL = 1
#: A page of 100,000 links with all features has 30 MB; more is a bomb.
_MOST_BYTES = 64 * 1024 * 1024
#: Largest absolute value of a feature; all are similarities, probabilities and scores.  A guess.
_LARGEST = 1e6


def pack_page(page: PageView) -> bytes:
    """Return *page* as bytes: about 15 per link, some 50 with hashed features."""
    head = {name: getattr(page, name) for name in _SCALARS}
    for name, default in _ADDED.items():
        # nan is the only value that differs from itself.
        if head[name] == default or head[name] != head[name]:
            del head[name]
    columns = [
        np.ascontiguousarray(getattr(page.links, name), dtype=_DTYPES[str(kind)])
        for name, kind in _COLUMNS.items()
    ]
    feature_ids = page.links.features
    kept: dict[str, Any] = {"page": head, "links": len(page.links), "columns": list(_COLUMNS)}
    if feature_ids.size:
        kept[_FEATURES] = feature_ids.shape[1]
        columns.append(np.ascontiguousarray(feature_ids, dtype=_FEATURE_ID))
    if page.links.anchors.size:
        kept[_ANCHORS] = page.links.anchors[:, 0].tolist()
    for owner, arrays in (("links", _OF_LINKS), ("page", _OF_PAGE)):
        source = page.links if owner == "links" else page
        shapes: dict[str, tuple[int, ...]] = {}
        for stored, (name, kind) in arrays.items():
            array = getattr(source, name)
            if array.size:
                shapes[stored] = array.shape
                columns.append(np.ascontiguousarray(array, dtype=kind))
        if shapes:
            kept[f"arrays of {owner}"] = shapes
    first = json.dumps(kept).encode()
    raw = b"".join((len(first).to_bytes(4, "little"), first, *(c.tobytes() for c in columns)))
    return zlib.compress(raw, _LEVEL)


def unpack_page(data: bytes) -> PageView:
    """Return the page that :func:`pack_page` packed into *data*.

    A column that the data lack, because a later version added it, is all zero.

    Raises
    ------
    ValueError
        *data* is not a packed page, or has a column that this version does not define.
    """
    try:
        raw = _decompressed(data)
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
            table = np.frombuffer(raw, _FEATURE_ID, count * width, at).reshape(count, width)
            columns[_FEATURES] = table.astype(_FEATURE_ID.newbyteorder("="))
            at += table.nbytes
        if anchors := kept.get(_ANCHORS):
            columns[_ANCHORS] = np.empty((count, 1), dtype=np.object_)
            columns[_ANCHORS][:, 0] = anchors
        parts: dict[str, Any] = {}
        for owner, arrays, into in (("links", _OF_LINKS, columns), ("page", _OF_PAGE, parts)):
            for stored, shape in kept.get(f"arrays of {owner}", {}).items():
                name, array_type = arrays[stored]
                dtype = np.dtype(array_type)
                array = np.frombuffer(raw, dtype, math.prod(shape), at).reshape(shape)
                into[name] = array.astype(dtype.newbyteorder("="))
                at += array.nbytes
        return PageView(**kept["page"], links=LinkBatch(**columns), **parts)
    except (
        *(zlib.error, LookupError, TypeError, AttributeError, OverflowError),
        *(MemoryError, RecursionError, json.JSONDecodeError),
    ) as error:
        raise ValueError(f"this is no packed page: {error!r}") from error


def _decompressed(data: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    raw = unpacking.decompress(data, _MOST_BYTES)
    if not unpacking.eof:
        raise ValueError(f"this is no packed page, or one of more than {_MOST_BYTES:,} bytes")
    return raw


def check_page(page: PageView) -> PageView:
    """Return *page*; raise ``ValueError`` for values with which no strategy could calculate.

    For pages that anyone may have packed.
    """
    numbers = (page.relevance, page.background, page.inherited, page.term_norm)
    flags = (page.relevant, page.title_hit, page.channel_hit, page.little_text)
    pairs = ((page.term_ids, page.term_weights), (page.borrowed_ids, page.borrowed_weights))
    sound = (
        all(
            isinstance(it, int) and -(2**63) <= it < 2**63
            for it in (page.id, page.depth, page.order, page.asked)
        )
        and all(isinstance(it, int | float) and abs(it) <= _LARGEST for it in numbers)
        and isinstance(page.probability, int | float)
        and not abs(page.probability) > 1
        and all(isinstance(it, bool) for it in flags)
        and _is_text(page.lead, LEAD_CHARACTERS)
        and all(ids.shape == weights.shape for ids, weights in pairs)
        and all(_is_sound(getattr(page.links, name)) for name in _COLUMNS)
        and _are_features(page.links.features, least=-1)
        and _are_features(page.links.channels, below=NAMED_FRONT + 1)
        and all(_are_features(getattr(page, name)) for name in _FEATURES_OF_PAGE)
        and all(getattr(page, name).ndim == 1 for name in _ARRAYS_OF_PAGE)
        and all(_is_text(it, ANCHOR_CHARACTERS) for it in page.links.anchors.ravel().tolist())
        and _is_sound(page.links.semantic, nan=True)
        and _is_sound(page.semantic, nan=True)
        and _is_sound(page.term_weights)
        and _is_sound(page.borrowed_weights)
    )
    if not sound:
        raise ValueError("a packed page has values out of range")
    return page


def _is_sound(array: NDArray[Any], *, nan: bool = False) -> bool:
    """Whether all numbers are finite and moderate, with *nan* also not given; integers always are."""
    if array.dtype.kind != "f":
        return True
    with np.errstate(invalid="ignore"):
        far = np.abs(array) > _LARGEST
    return not far.any() and (nan or not np.isnan(array).any())


def _is_text(value: object, most: int) -> bool:
    return isinstance(value, str) and len(value) <= most


def _are_features(ids: NDArray[Any], least: int = 0, below: int = N_FEATURES) -> bool:
    return not ids.size or (int(ids.min()) >= least and int(ids.max()) < below)

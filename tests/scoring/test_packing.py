"""Scored pages survive packing to the last bit, and other versions of the data are read or refused."""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from topiccrawl.scoring.packing import check_page, pack_page, unpack_page
from topiccrawl.scoring.strategy import ANCHOR_CHARACTERS, NAMED_FRONT, LinkBatch, PageView

floats = st.floats(-1e300, 1e300)


@st.composite
def pages(draw: st.DrawFn) -> PageView:
    n = draw(st.integers(0, 40))

    def column(dtype: type, elements: st.SearchStrategy) -> np.ndarray:
        return draw(arrays.arrays(dtype, n, elements=elements))

    ids = st.integers(-(2**63), 2**63 - 1)
    links = LinkBatch(
        targets=column(np.int64, ids),
        rw_relevance=column(np.float64, floats),
        url_hit=column(np.bool_, st.booleans()),
        text_hit=column(np.bool_, st.booleans()),
        title_hit=column(np.bool_, st.booleans()),
        anchor_similarity=column(np.float64, floats),
        context_similarity=column(np.float64, floats),
        features=draw(
            arrays.arrays(
                np.int32, (n, draw(st.sampled_from([0, 3]))), elements=st.integers(-1, 2**18 - 1)
            )
        ),
        semantic=draw(arrays.arrays(np.float64, (n, draw(st.sampled_from([0, 2]))))),
        fronts=draw(arrays.arrays(np.int64, (n, draw(st.sampled_from([0, 1]))), elements=ids)),
        channels=draw(
            arrays.arrays(np.int32, (n, draw(st.sampled_from([0, 1]))), elements=st.integers(0, 3))
        ),
        menus=draw(arrays.arrays(np.int64, (n, draw(st.sampled_from([0, 2]))), elements=ids)),
        anchors=draw(
            arrays.arrays(np.object_, (n, draw(st.sampled_from([0, 1]))), elements=st.text())
        ),
    )
    terms = draw(st.integers(0, 5))
    return PageView(
        id=draw(ids),
        relevance=draw(floats),
        background=draw(floats),
        relevant=draw(st.booleans()),
        depth=draw(st.integers(0, 50)),
        order=draw(st.integers(0, 10**9)),
        inherited=draw(floats),
        links=links,
        term_ids=np.arange(terms, dtype=np.int32),
        term_weights=draw(arrays.arrays(np.float64, terms, elements=floats)),
        semantic=draw(arrays.arrays(np.float64, draw(st.sampled_from([0, 2])))),
        title_hit=draw(st.booleans()),
        channel_hit=draw(st.booleans()),
        probability=draw(st.just(math.nan) | st.floats(0, 1)),
        folders=np.arange(draw(st.integers(0, 6)), dtype=np.int32),
        channels=np.arange(draw(st.integers(0, 6)), dtype=np.int32),
        little_text=draw(st.booleans()),
        no_body=draw(st.booleans()),
        term_norm=draw(floats),
        borrowed_ids=np.arange(terms, 2 * terms, dtype=np.int32),
        borrowed_weights=draw(arrays.arrays(np.float64, terms, elements=floats)),
    )


def same(a: PageView, b: PageView) -> bool:
    scalars = (
        "id",
        "relevance",
        "background",
        "relevant",
        "depth",
        "order",
        "inherited",
        "title_hit",
        "channel_hit",
        "little_text",
        "no_body",
        "term_norm",
    )
    names = ("term_ids", "term_weights", "semantic", "folders", "channels")
    arrays_of = [(a, b, n) for n in (*names, "borrowed_ids", "borrowed_weights")]
    if repr(a.probability) != repr(b.probability):
        return False
    arrays_of += [(a.links, b.links, n) for n in LinkBatch.__slots__ if n != "anchors"]
    if a.links.anchors.tolist() != b.links.anchors.tolist():
        return False
    return all(getattr(a, name) == getattr(b, name) for name in scalars) and all(
        getattr(x, name).tobytes() == getattr(y, name).tobytes()
        and getattr(x, name).dtype == getattr(y, name).dtype
        for x, y, name in arrays_of
    )


@given(pages())
def test_a_page_comes_back_to_the_last_bit(page: PageView) -> None:
    assert same(unpack_page(pack_page(page)), page)


def a_page(n: int = 3) -> PageView:
    zero, no = np.zeros(n), np.zeros(n, dtype=np.bool_)
    batch = LinkBatch(np.arange(n), zero + 0.5, no, no, ~no, zero, zero)
    return PageView(7, 0.25, 0.5, True, 2, 9, 0.125, batch)


COLUMNS = [
    name
    for name in LinkBatch.__slots__
    if name not in ("features", "semantic", "places", "anchors", "fronts", "channels", "menus")
]


def changed(columns: list[str]) -> bytes:
    """A packed page whose head names other columns."""
    raw = zlib.decompress(pack_page(a_page()))
    size = int.from_bytes(raw[:4], "little")
    head = json.loads(raw[4 : 4 + size]) | {"columns": columns}
    first = json.dumps(head).encode()
    return zlib.compress(len(first).to_bytes(4, "little") + first + raw[4 + size :])


def test_a_column_that_older_data_do_not_have_is_zero() -> None:
    found = unpack_page(changed(COLUMNS[:-1]))
    assert found.links.context_similarity.tolist() == [0.0, 0.0, 0.0]
    assert found.links.rw_relevance.tolist() == [0.5, 0.5, 0.5]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"not compressed", id="not compressed"),
        pytest.param(zlib.compress(b"\x02\x00\x00\x00{}"), id="no page in it"),
        pytest.param(zlib.compress(b"\x02\x00\x00\x00[["), id="no JSON in it"),
        pytest.param(pack_page(a_page())[:-9], id="cut off"),
        pytest.param(changed([*COLUMNS, "of_a_later_version"]), id="later version"),
    ],
)
def test_what_is_no_page_of_this_version_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match="packed page"):
        unpack_page(data)


def test_a_packed_page_with_a_long_anchor_or_one_that_is_no_text_is_refused() -> None:
    def with_anchors(anchor: object) -> PageView:
        sound = a_page()
        anchors = np.array([["水獭"], [""], [anchor]], dtype=np.object_)
        return replace(sound, links=replace(sound.links, anchors=anchors))

    longest = with_anchors("x" * ANCHOR_CHARACTERS)
    assert check_page(unpack_page(pack_page(longest))).links.anchors[0, 0] == "水獭"
    for bad in ("x" * (ANCHOR_CHARACTERS + 1), 7):
        with pytest.raises(ValueError, match="out of range"):
            check_page(unpack_page(pack_page(with_anchors(bad))))


def test_a_packed_page_with_an_unknown_kind_of_channel_is_refused() -> None:
    def with_channel(kind: int) -> PageView:
        sound = a_page()
        channels = np.array([[0], [kind], [0]], dtype=np.int32)
        return replace(sound, links=replace(sound.links, channels=channels))

    known = check_page(unpack_page(pack_page(with_channel(NAMED_FRONT))))
    assert known.links.channels.ravel().tolist() == [0, NAMED_FRONT, 0]
    for bad in (-1, NAMED_FRONT + 1):
        with pytest.raises(ValueError, match="out of range"):
            check_page(unpack_page(pack_page(with_channel(bad))))


def test_a_page_with_many_links_takes_few_bytes_for_each() -> None:
    assert len(pack_page(a_page(200))) < 200 * 15


def test_the_format_of_stored_pages_does_not_change() -> None:
    page = PageView(
        7, 0.25, 0.5, True, 2, 9, 0.125,
        LinkBatch(
            targets=np.array([-5, 7]),
            rw_relevance=np.array([0.5, 0.25]),
            url_hit=np.array([True, False]),
            text_hit=np.array([False, False]),
            title_hit=np.array([False, True]),
            anchor_similarity=np.array([0.125, 0.0]),
            context_similarity=np.array([0.0, 1.0]),
            features=np.array([[3, -1], [9, 262143]], dtype=np.int32),
            semantic=np.array([[0.5, np.nan], [0.0, 1.0]]),
        ),
        term_ids=np.array([11, 12], dtype=np.int32),
        term_weights=np.array([0.8, 0.6]),
        semantic=np.array([0.5, 0.75]),
    )  # fmt: skip
    raw = zlib.decompress(pack_page(page))
    head = raw[4 : 4 + int.from_bytes(raw[:4], "little")]
    assert b'"arrays of page": {"term_slots": [2], "term_weights": [2], "semantic": [2]}' in head
    # Of the bytes written by the version that introduced the format.
    assert hashlib.sha256(raw).hexdigest() == (
        "7056e72083f1b75413e0b861ae6ac04e6c7d86108b33248dc1c49e472cd106a1"
    )

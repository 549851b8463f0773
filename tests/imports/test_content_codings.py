"""Content codings of recorded answers: unpacked within a limit, or found to be damaged."""

from __future__ import annotations

import gzip
import sys
import zlib

import brotli  # type: ignore[import-untyped]
import pytest

from topiccrawl.imports.content_codings import DamagedBody, decoded

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PAGE = "<html><title>侨乡</title><p>侨乡文化，侨批档案</p>".encode() * 20
MOST = 1 << 20
RAW_DEFLATE = zlib.compress(PAGE)[2:-4]
PACKED = {
    "gzip": gzip.compress(PAGE),
    "x-gzip": gzip.compress(PAGE),
    "deflate": zlib.compress(PAGE),
    "Deflate": RAW_DEFLATE,
    "br": brotli.compress(PAGE),
    "zstd": zstd.compress(PAGE),
    "gzip, br": brotli.compress(gzip.compress(PAGE)),
    "identity": PAGE,
    "": PAGE,
}


@pytest.mark.parametrize("coding", PACKED)
def test_a_packed_body_is_unpacked(coding: str) -> None:
    assert decoded(PACKED[coding], coding, MOST) == PAGE


def test_members_of_gzip_are_joined_and_what_is_behind_them_is_ignored() -> None:
    assert decoded(gzip.compress(PAGE) * 3 + b"\0\0", "gzip", MOST) == PAGE * 3


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "unknown"])
def test_a_body_that_was_recorded_unpacked_is_taken_as_it_is(coding: str) -> None:
    assert decoded(PAGE, coding, MOST) == PAGE


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_body_that_is_cut_off_is_damaged_and_its_beginning_is_known(coding: str) -> None:
    with pytest.raises(DamagedBody) as damaged:
        decoded(PACKED[coding][:-9], coding, MOST)
    assert PAGE.startswith(damaged.value.partial)


@pytest.mark.parametrize(
    ("body", "codings"),
    [
        (PACKED["gzip"][:30] + b"\xff" * 20, "gzip"),
        (b"\x28\xb5\x2f\xfdbad", "zstd"),
        (PAGE, "gzip, " * 9 + "gzip"),
        (gzip.compress(b"") * 2_000, "gzip"),
        (bytes(range(256)), "unknown"),
    ],
    ids=["garbled", "no frame", "too many codings", "too many members", "unknown coding"],
)
def test_what_cannot_be_unpacked_is_damaged(body: bytes, codings: str) -> None:
    with pytest.raises(DamagedBody):
        decoded(body, codings, MOST)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_is_unpacked_to_little_more_than_the_limit(coding: str) -> None:
    bomb = b" " * (64 << 20)
    packed = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "br": brotli.compress,
        "zstd": zstd.compress,
    }[coding](bomb)
    assert MOST <= len(decoded(packed, coding, MOST)) < 2 * MOST

"""Compressed bodies: bombs in every coding and place, frames and windows that lie."""

from __future__ import annotations

import gzip
import struct
import zlib
from functools import cache

import brotli  # type: ignore[import-untyped]

from benchmarks.hostile.answers import HTML, chunk, head, http, on_topic
from benchmarks.hostile.behavior import Asked, behavior, raw
from benchmarks.hostile.coding import (
    BOMB_BYTES,
    brotli_zeros,
    deflated_zeros,
    encoded,
    nested,
    zstd_zeros,
)
from benchmarks.hostile.transfer import endless

BODY = on_topic("packing").encode()
_MAGIC = b"\x28\xb5\x2f\xfd"


def zstd_raw(data: bytes, window: int = 0x68) -> bytes:
    """Return *data*, at most 128 KB, as a Zstandard frame of one raw block (RFC 8878, 3.1.1)."""
    return _MAGIC + bytes([0, window]) + struct.pack("<I", len(data) << 3 | 1)[:3] + data


@cache
def zeros_many_members() -> bytes:
    """Return 1,000 gzip members of a megabyte of zeros each."""
    return gzip.compress(bytes(1_000_000)) * 1_000


encoded(
    "packed-brotli-twice",
    "brotli in brotli",
    lambda: brotli.compress(brotli_zeros(BOMB_BYTES)),
    "br, br",
)
encoded("packed-gzip-in-brotli", "a gzip bomb in brotli",
        lambda: brotli.compress(nested(1)), "gzip, br")  # fmt: skip
encoded("packed-brotli-in-gzip", "a brotli bomb in gzip",
        lambda: gzip.compress(brotli_zeros(BOMB_BYTES)), "br, gzip")  # fmt: skip
encoded("packed-zstd-in-gzip", "a Zstandard bomb in gzip",
        lambda: gzip.compress(zstd_zeros(BOMB_BYTES)), "zstd, gzip")  # fmt: skip
encoded("packed-deflate-in-deflate", "deflate in deflate",
        lambda: zlib.compress(deflated_zeros(BOMB_BYTES, 15)), "deflate, deflate")  # fmt: skip
encoded("packed-brotli-cut", "brotli that breaks off", lambda: brotli.compress(BODY)[:-9], "br")
encoded("packed-zstd-cut", "Zstandard that breaks off", lambda: zstd_raw(BODY)[:-9], "zstd")
encoded("packed-zstd", "a sound page in Zstandard", lambda: zstd_raw(BODY), "zstd")
encoded(
    "packed-zstd-frames", "100,000 frames of Zstandard", lambda: zstd_raw(b"x") * 100_000, "zstd"
)
encoded("packed-zstd-skippable", "skippable frames without a frame",
        lambda: b"\x50\x2a\x4d\x18\x00\x00\x00\x00" * 300_000, "zstd")  # fmt: skip
encoded("packed-zstd-window", "a window of 3.75 TB", lambda: zstd_raw(BODY, 0xFF), "zstd")
encoded("packed-zstd-window-2-gb", "a window of 2 GB", lambda: zstd_raw(BODY, 0xA8), "zstd")
encoded("packed-zstd-dictionary", "a dictionary that nobody has",
        lambda: _MAGIC + b"\x03\x68\xff\xff\xff\x7f\x01\0\0", "zstd")  # fmt: skip
encoded("packed-zstd-size", "a stated size of 16 EB",
        lambda: _MAGIC + b"\xe0" + b"\xff" * 8 + b"\x01\0\0", "zstd")  # fmt: skip
encoded("packed-gzip-members", "1,000 gzip members of a megabyte", zeros_many_members, "gzip")
encoded("packed-gzip-stored", "gzip that compresses nothing",
        lambda: gzip.compress(BODY * 200, 0), "gzip")  # fmt: skip
encoded("packed-gzip-crc", "gzip with a false checksum",
        lambda: gzip.compress(BODY)[:-8] + bytes(8), "gzip")  # fmt: skip
encoded("packed-gzip-page-and-bomb", "a page, then a bomb in the same stream",
        lambda: gzip.compress(BODY) + nested(1), "gzip")  # fmt: skip
encoded("packed-odd-case", "GZip in odd case", lambda: gzip.compress(BODY), "GZip")
encoded("packed-x-gzip", "x-gzip", lambda: gzip.compress(BODY), "x-gzip")
encoded("packed-blanks", "blanks and commas", lambda: gzip.compress(BODY), ", ,gzip,,")
encoded("packed-compress", "Unix compress", lambda: b"\x1f\x9d\x90" + bytes(1000), "compress")
encoded("packed-control", "a coding with control characters", lambda: BODY, "gz\0ip\x1b")
encoded(
    "packed-bomb-as-text", "a gzip bomb of type text/plain", lambda: nested(1), "gzip", "text/plain"
)
encoded(
    "packed-bomb-as-image", "a gzip bomb of type image/png", lambda: nested(1), "gzip", "image/png"
)


@raw("packed-headers", "two Content-Encoding headers around a bomb")
def _headers(asked: Asked) -> bytes:
    return http(nested(2), "200 OK", "Content-Encoding: gzip", "Content-Encoding: gzip")


@raw("packed-redirect", "a bomb as the body of a redirect")
def _redirect(asked: Asked) -> bytes:
    if asked.path == "/landed":
        return http(on_topic("landed"))
    return http(nested(1), "302 Found", "Content-Encoding: gzip", "Location: /landed")


@raw("packed-error", "a bomb as the body of a 404")
def _error(asked: Asked) -> bytes:
    return http(nested(1), "404 Not Found", "Content-Encoding: gzip")


@raw("packed-refusal", "a bomb as the body of a 503")
def _refusal(asked: Asked) -> bytes:
    return http(nested(1), "503 Later", "Content-Encoding: gzip", "Retry-After: 1")


@raw("packed-chunks", "a bomb in 10,000 chunks")
def _chunks(asked: Asked) -> bytes:
    bomb = nested(1)
    step = len(bomb) // 10_000 + 1
    pieces = b"".join(chunk(bomb[i : i + step]) for i in range(0, len(bomb), step))
    coding = ("Transfer-Encoding: chunked", "Content-Encoding: gzip")
    return head("200 OK", f"Content-Type: {HTML}", *coding) + pieces + b"0\r\n\r\n"


_PACKER = zlib.compressobj(9, zlib.DEFLATED, 31)
_START = _PACKER.compress(BODY) + _PACKER.flush(zlib.Z_FULL_FLUSH)
_ON = _PACKER.compress(bytes(10_000_000)) + _PACKER.flush(zlib.Z_FULL_FLUSH)
behavior("packed-endless", "gzip without end, 10 MB in 10 KB")(
    endless(
        head("200 OK", f"Content-Type: {HTML}", "Content-Encoding: gzip") + _START,
        lambda number: _ON,
    )
)

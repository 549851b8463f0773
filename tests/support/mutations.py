"""Seeded damage to files: bytes that flip, vanish, repeat, move, and words that parsers stumble over."""

from __future__ import annotations

import os
import random

#: Cases of each fuzz test; CI runs few, TOPICCRAWL_FUZZ_CASES=10000 many.
CASES = int(os.environ.get("TOPICCRAWL_FUZZ_CASES", "150"))

_WORDS = [
    b"nan", b"inf", b"-1", b"1e999", b"9" * 400, b"true", b"null", b'"', b"'''", b"[", b"[[", b"{" * 300,
    b"[" * 3000, b"\x00", b"\xff\xfe", b"\xed\xa0\x80", "\u202e\U000e0001".encode(), b"\\ud800", b"\t",
    b"\r\n", b"\n\n", b"=", b"http://", b"http://[::1/", b"http://a:99999/", b"file:///etc/passwd", b"re:(",
    b"9999-99-99T99:99:99", b"0001-01-01T00:00:00+23:59", b"%", b"{0.__class__}", b"WARC/1.0", b"HTTP/1.1",
    b"Content-Length: -5", b"Content-Length: 99999999999999999999", b"chunked", b"\x1f\x8b\x08",
]  # fmt: skip


def mutated(data: bytes, seed: int) -> bytes:
    """Return *data* with one to four faults that depend on *seed* alone."""
    drawn = random.Random(seed)
    for _ in range(drawn.randint(1, 4)):
        at, to = sorted((drawn.randint(0, len(data)), drawn.randint(0, len(data))))
        piece = data[at : min(to, at + 40)]
        kind = drawn.randrange(8)
        if kind == 0:
            data = data[:at] + bytes([drawn.randrange(256)]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + data[at + len(piece) :]
        elif kind == 2:
            data = data[:at] + piece * drawn.randint(2, 5) + data[at:]
        elif kind == 3:
            data = data[: drawn.choice([at, to])]
        elif kind == 4:
            data = data[:at] + data[at + len(piece) : to] + piece + data[to:]
        elif kind == 5:
            data = data[:at] + drawn.randbytes(drawn.randint(1, 64)) + data[at:]
        else:
            data = data[:at] + drawn.choice(_WORDS) + data[at + drawn.choice([0, 1, 8]) :]
    return data

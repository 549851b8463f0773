"""Compression, charsets and content types that lie, explode or do not exist."""

from __future__ import annotations

import gzip
import io
import random
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from typing import Final

import brotli  # type: ignore[import-untyped]

from benchmarks.hostile.answers import HTML, http, on_topic, sentences
from benchmarks.hostile.behavior import Asked, raw

BODY = on_topic("coding").encode()
#: Size of the bombs when they have exploded.
BOMB_BYTES: Final = 1_000_000_000


def encoded(
    name: str, about: str, make: Callable[[], bytes], encoding: str, kind: str = HTML
) -> None:
    """Declare a body with this Content-Encoding; *make* is called for each request."""
    raw(name, about)(
        lambda asked: http(make(), "200 OK", f"Content-Encoding: {encoding}", kind=kind)
    )


@cache
def deflated_zeros(size: int, wbits: int) -> bytes:
    """Return *size* zero bytes compressed; the end with its checksum is missing."""
    packer = zlib.compressobj(9, zlib.DEFLATED, wbits)
    start = packer.compress(b"<p>") + packer.flush(zlib.Z_FULL_FLUSH)
    # After a full flush every block is independent: the same bytes again give the same zeros.
    block = packer.compress(bytes(10_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    return start + block * (size // 10_000_000)


@cache
def brotli_zeros(size: int) -> bytes:
    """Return *size* zero bytes compressed by brotli."""
    packer = brotli.Compressor(quality=1, lgwin=24)
    piece = bytes(1_000_000)
    packed: bytes = packer.process(bytes(0))
    for _ in range(size // len(piece)):
        packed += packer.process(piece)
    return packed + bytes(packer.finish())


@cache
def zstd_zeros(size: int) -> bytes:
    """Return *size* zero bytes as a Zstandard frame of repeated bytes (RFC 8878, 3.1.1)."""
    most = 128 * 1024
    # Magic number; no single segment, no checksum; a window of 8 MB; then blocks of type RLE (1).
    block = struct.pack("<I", most << 3 | 1 << 1)[:3] + b"\0"
    last = struct.pack("<I", most << 3 | 1 << 1 | 1)[:3] + b"\0"
    return b"\x28\xb5\x2f\xfd\x00\x68" + block * (size // most) + last


@cache
def nested(times: int) -> bytes:
    """Return a gzip bomb that was compressed *times* times in all."""
    data = deflated_zeros(BOMB_BYTES, 31)
    for _ in range(times - 1):
        data = gzip.compress(data)
    return data


encoded("gzip-bomb", "1 GB of zeros in 1 MB of gzip", lambda: nested(1), "gzip")
encoded("gzip-bomb-twice", "gzip in gzip", lambda: nested(2), "gzip, gzip")
encoded("gzip-bomb-thrice", "gzip in gzip in gzip", lambda: nested(3), "gzip, gzip, gzip")
encoded("gzip-bomb-undeclared", "a gzip bomb called text/html", lambda: nested(1), "identity")
encoded("gzip-bomb-as-gzip", "a gzip bomb of type application/gzip", lambda: nested(1), "identity",
        "application/gzip")  # fmt: skip
encoded("deflate-bomb", "1 GB of deflate", lambda: deflated_zeros(BOMB_BYTES, 15), "deflate")
encoded(
    "raw-deflate-bomb", "without its header", lambda: deflated_zeros(BOMB_BYTES, -15), "deflate"
)
encoded("brotli-bomb", "1 GB of brotli", lambda: brotli_zeros(BOMB_BYTES), "br")
encoded("zstd-bomb", "1 GB of Zstandard", lambda: zstd_zeros(BOMB_BYTES), "zstd")
encoded(
    "gzip-many-members", "100,000 empty gzip members", lambda: gzip.compress(b"") * 100_000, "gzip"
)
encoded("gzip-long-name", "a gzip header with a name of 5 MB",
        lambda: b"\x1f\x8b\x08\x08\0\0\0\0\0\xff" + b"n" * 5_000_000 + b"\0" + zlib.compress(BODY)[2:],
        "gzip")  # fmt: skip
encoded("gzip-cut", "gzip that breaks off", lambda: gzip.compress(BODY)[:-12], "gzip")
encoded("gzip-garbage", "gzip with garbage in the middle",
        lambda: gzip.compress(BODY)[:60] + b"garbage" * 20, "gzip")  # fmt: skip
encoded(
    "gzip-trailing", "garbage behind gzip", lambda: gzip.compress(BODY) + b"\0" * 1_000_000, "gzip"
)
encoded("gzip-claimed", "plain text called gzip", lambda: BODY, "gzip")
encoded("brotli-claimed", "plain text called br", lambda: BODY, "br")
encoded("zstd-claimed", "plain text called zstd", lambda: BODY, "zstd")
encoded("encoding-unknown", "an unknown Content-Encoding", lambda: BODY, "zebra")
encoded(
    "encoding-10000",
    "gzip 10,000 times in the header",
    lambda: gzip.compress(BODY),
    "gzip," * 10_000,
)
encoded(
    "encoding-all",
    "every known encoding at once",
    lambda: gzip.compress(BODY),
    "br, deflate, zstd, gzip",
)

# -- charsets ------------------------------------------------------------------------------------
#: Codecs of Python that are no charsets, and names that are none at all.
CHARSETS = (
    "hex", "zlib", "bz2", "base64", "rot13", "idna", "punycode", "unicode_escape",
    "raw_unicode_escape", "undefined", "mbcs", "utf-7", "utf-16", "utf-32", "utf-8-sig", "cp65001",
    "hz", "iso-2022-jp", "x-user-defined", "../../etc/passwd", "charmap", "quopri", "uu", "none",
)  # fmt: skip
for _charset in CHARSETS:
    _name = "".join(c if c.isalnum() else "-" for c in _charset).strip("-")
    raw(f"charset-{_name}", f"charset={_charset} in header and meta")(
        lambda asked, charset=_charset: http(  # type: ignore[misc]
            BODY.replace(b"<head>", f'<head><meta charset="{charset}">'.encode()),
            kind=f"text/html; charset={charset}",
        )
    )
_TEXT = on_topic("charset")
#: Bytes of pages in encodings that are not declared, or not what is declared.
ENCODED: dict[str, Callable[[], bytes]] = {
    "utf-16-no-bom": lambda: _TEXT.encode("utf-16-le"),
    "utf-16-be": lambda: _TEXT.encode("utf-16-be"),
    "utf-32": lambda: _TEXT.encode("utf-32"),
    "gb18030": lambda: _TEXT.encode("gb18030"),
    "hz-escapes": lambda: _TEXT.encode("hz"),
    "iso-2022": lambda: b"\x1b$B" * 200_000 + BODY,
    "false-bom": lambda: b"\xff\xfe" + BODY,
    "many-boms": lambda: b"\xef\xbb\xbf" * 300_000 + BODY,
    "surrogates": lambda: BODY.replace("侨".encode(), b"\xed\xa0\x80"),
    "overlong": lambda: BODY.replace(b"<p>", b"\xc0\xbcp>"),
    "cut-characters": lambda: BODY.replace(b"</p>", b"\xe4\xbe</p>"),
    "alternating": lambda: b"".join(
        s.encode(("utf-8", "gb18030", "big5hkscs")[i % 3], "replace")
        for i, s in enumerate(sentences("alternating", 600))
    ),
    "nuls": lambda: b"\0".join(BODY[i : i + 1] for i in range(len(BODY))),
    "nul-megabytes": lambda: BODY + bytes(10_000_000),
    "binary": lambda: random.Random(1).randbytes(3_000_000),
    "high-bytes": lambda: b"\xff" * 5_000_000,
    "meta-charset-1-mb": lambda: b'<meta charset="' + b"x" * 1_000_000 + b'">' + BODY,
    "meta-charset-10000": lambda: b"".join(b'<meta charset="x%d">' % i for i in range(10_000)) + BODY,
    "meta-late": lambda: b"<!--" + b"x" * 2_000_000 + b"--><meta charset=gbk>" + _TEXT.encode("gbk"),
}  # fmt: skip
for _name, _make in ENCODED.items():
    raw(f"bytes-{_name}", f"a page of undeclared bytes: {_name}")(
        lambda asked, make=_make: http(make(), kind="text/html")  # type: ignore[misc]
    )


# -- content types -------------------------------------------------------------------------------
def _zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(10_000_000))
    return file.getvalue()


_PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + random.Random(2).randbytes(100_000)
#: Content-Type and body that do not belong together, and kinds that are no pages.
FALSE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "zip-as-html": (HTML, _zip),
    "png-as-html": (HTML, lambda: _PNG),
    "pdf-as-html": (HTML, lambda: b"%PDF-1.7\n" + random.Random(3).randbytes(1_000_000)),
    "exe-as-html": (HTML, lambda: b"MZ\x90\0" + random.Random(4).randbytes(1_000_000)),
    "html-as-png": ("image/png", lambda: BODY),
    "html-as-zip": ("application/zip", lambda: BODY),
    "html-as-video": ("video/mp4", lambda: BODY),
    "html-as-script": ("text/javascript", lambda: BODY),
    "html-behind-png": (HTML, lambda: _PNG[:33] + BODY),
    "json": ("application/json", lambda: b'{"a":' * 200_000),
    "json-as-html": (HTML, lambda: b"[" * 3_000_000),
    "rss": ("application/rss+xml", lambda: b"<rss><channel>" + b"<item>" * 300_000),
    "svg": ("image/svg+xml", lambda: b"<svg><script>alert(1)</script>" + BODY),
    "text": ("text/plain", lambda: "侨务".encode() * 1_000_000),
    "wasm": ("application/wasm", lambda: b"\0asm\1\0\0\0" * 100_000),
    "no-type": ("", lambda: BODY),
}
for _name, (_kind, _make) in FALSE.items():
    raw(f"kind-{_name}", f"content and type: {_name}")(
        lambda asked, make=_make, kind=_kind: http(make(), kind=kind)  # type: ignore[misc]
    )


@raw("attachment", "a page as an attachment with a name that climbs out of its folder")
def _attachment(asked: Asked) -> bytes:
    return http(BODY, "200 OK", 'Content-Disposition: attachment; filename="../../../etc/cron.d/x"')

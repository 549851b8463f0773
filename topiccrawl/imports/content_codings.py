"""Content codings of recorded responses (RFC 9110, 8.4.1): gzip, deflate, Brotli and Zstandard."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any, Final, Protocol

import brotli  # type: ignore[import-untyped]

from topiccrawl.page.decoding.codings import (
    GZIP_BEGINNING,
    MAX_CODINGS,
    MAX_MEMBERS,
    ZSTD_BEGINNING,
)
from topiccrawl.page.decoding.content_sniffing import looks_like_html

# As Scrapy does, which requires the packages.
if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

#: How bodies begin that are surely packed.
_PACKED: Final = (GZIP_BEGINNING, ZSTD_BEGINNING)
#: Bytes that are looked at to see whether a body is packed at all.
_HEAD_BYTES: Final = 4_096


class DamagedBody(ValueError):  # noqa: N818 - a finding
    """A body that does not unpack to its end; what was unpacked is in *partial*."""

    def __init__(self, partial: bytes = b"") -> None:
        super().__init__("damaged body")
        self.partial = partial


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Brotli:
    unused_data = b""

    def __init__(self) -> None:
        self._inner: Any = brotli.Decompressor()

    @property
    def eof(self) -> bool:
        return bool(self._inner.is_finished())

    def decompress(self, data: bytes, most: int) -> bytes:
        return bytes(self._inner.process(data, output_buffer_limit=most))


_CODINGS: Final[dict[str, tuple[Callable[[], _Decompressor], ...]]] = {
    # Some servers leave out the header of zlib.
    "deflate": (zlib.decompressobj, partial(zlib.decompressobj, -zlib.MAX_WBITS)),
    **dict.fromkeys(("gzip", "x-gzip"), (partial(zlib.decompressobj, 16 + zlib.MAX_WBITS),)),
    "br": (_Brotli,),
    "zstd": (zstd.ZstdDecompressor,),
}


def decoded(body: bytes, codings: str, most: int) -> bytes:
    """Return *body* without its content *codings* (a header), about *most* bytes of it.

    Many programs record the header of a body that they have unpacked; such a body is returned as it is.

    Raises
    ------
    DamagedBody
        It is cut off, wrong, or packed in an unknown way or too often.

    >>> decoded(zlib.compress(b"<p>"), "deflate", 100)
    b'<p>'
    """
    stated = [it for it in (coding.strip().lower() for coding in codings.split(",")) if it]
    if len(stated) > MAX_CODINGS:
        raise DamagedBody
    for coding in reversed(stated):
        if coding == "identity" or not body:
            continue
        damage = DamagedBody()
        for new in _CODINGS.get(coding, ()):
            try:
                body = _unpacked(new, body, most)
                break
            except DamagedBody as error:
                damage = max(damage, error, key=lambda it: len(it.partial))
        else:
            if body.startswith(_PACKED) or not looks_like_html(body[:_HEAD_BYTES]):
                raise damage
    return body


def _unpacked(new: Callable[[], _Decompressor], packed: bytes, most: int) -> bytes:
    found = bytearray()
    for __ in range(MAX_MEMBERS):
        member = new()
        try:
            found += member.decompress(packed, most - len(found))
        except Exception as error:  # zlib.error, brotli.error, ZstdError have no common base
            if found:
                return bytes(found)  # not a member, but something behind the last one
            raise DamagedBody from error
        if len(found) >= most:
            return bytes(found)
        if not member.eof:
            raise DamagedBody(bytes(found))
        packed = member.unused_data
        if not packed:
            return bytes(found)
    raise DamagedBody(bytes(found))

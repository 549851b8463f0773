"""BoundedCompressionMiddleware: Scrapy's, with bounds on what ``DOWNLOAD_MAXSIZE`` does not count.

Each layer of compression and each member within a layer takes time, however little it unpacks to: 4 MiB of
empty Zstandard frames take 4 s of CPU, and a page that is packed 2,500 times, 15 s (own measurements,
2026-11-22), on the event loop.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from topiccrawl import details
from topiccrawl.crawl.requests.meta import ATTEMPT
from topiccrawl.crawl.requests.refused import DamagedCompression, PackedTooOften
from topiccrawl.errors import described
from topiccrawl.page.decoding.codings import (
    GZIP_BEGINNING,
    MAX_CODINGS,
    MAX_MEMBERS,
    ZSTD_BEGINNING,
)

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

#: Bytes with which each member begins, each frame, and each skippable frame but for its first byte (RFC 8878,
#: 3.1).  In other data they are as rare as any three or four bytes.
_BEGINNINGS: Final = {
    b"gzip": (GZIP_BEGINNING,),
    b"x-gzip": (GZIP_BEGINNING,),
    b"zstd": (ZSTD_BEGINNING, b"\x2a\x4d\x18"),
}


#: Attempt at which a body with a wrong checksum is taken as it is, or the last one if that comes before (a choice).
BELIEVED_ATTEMPT: Final = 3


class BoundedCompressionMiddleware(HttpCompressionMiddleware):
    """Unpacks at most :data:`MAX_CODINGS` layers of at most :data:`MAX_MEMBERS` members each."""

    def __init__(self, *, crawler: Crawler) -> None:
        super().__init__(crawler=crawler)
        attempts = crawler.settings.getint("TOPICCRAWL_RETRY_MAX_ATTEMPTS", BELIEVED_ATTEMPT)
        self._believed = min(attempts, BELIEVED_ATTEMPT)

    def process_response(  # type: ignore[override]  # no spider: deprecated
        self, request: Request, response: Response
    ) -> Request | Response:
        """Unpack the body; raises :class:`PackedTooOften`."""
        if b"Content-Encoding" not in response.headers:
            return response
        stated = b",".join(response.headers.getlist("Content-Encoding"))
        if stated.count(b",") >= MAX_CODINGS:
            layers = sum(1 for coding in stated.split(b",") if coding.strip())
            if layers > MAX_CODINGS:
                raise PackedTooOften(details.PACKED_LAYERS(n=layers, least=MAX_CODINGS))
        # As bytes: of a text, Scrapy would look for the encoding of the packed body.
        packed = Response(**{name: getattr(response, name) for name in Response.attributes})
        try:
            unpacked = super().process_response(request, packed)
        except (IgnoreRequest, OSError):
            raise
        except Exception as error:  # zlib.error, brotli.error, ZstdError have no common base
            raise DamagedCompression(described(error)) from error
        if unpacked is packed:
            return response
        # Some servers state a wrong checksum each time: then the page is taken as it is.
        if (
            isinstance(unpacked, Response)
            and request.meta.get(ATTEMPT, self._believed) < self._believed
            and stated.strip().lower() in (b"gzip", b"x-gzip")
            and not _checks(response.body, unpacked.body)
        ):
            raise DamagedCompression(details.CHECKSUM())
        return unpacked

    @staticmethod
    def _decode(body: bytes, encoding: bytes, max_size: int) -> bytes:
        members = sum(map(body.count, _BEGINNINGS.get(encoding, ())))
        if members > MAX_MEMBERS:
            raise PackedTooOften(details.PACKED_PARTS(n=members, least=MAX_MEMBERS))
        return HttpCompressionMiddleware._decode(body, encoding, max_size)


def _checks(packed: bytes, unpacked: bytes) -> bool:
    """Return False if *packed* is a whole gzip file with another checksum than that of *unpacked*.

    A file that was cut off before its checksum passes: what was unpacked of it is a part of the page.
    """
    # The cheap way for all sound answers (RFC 1952, 2.3.1): CRC and size are the last eight bytes.
    if packed[-8:-4] == zlib.crc32(unpacked).to_bytes(4, "little"):
        return True
    reader = zlib.decompressobj(wbits=31)
    try:
        # At most what was unpacked before, which is bounded by DOWNLOAD_MAXSIZE.
        reader.decompress(packed, len(unpacked) + 1)
    except zlib.error:
        return False
    return True

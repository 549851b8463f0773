"""Bounds on what surrounds the body of a response: header lines and chunks, and bytes after its end.

``DOWNLOAD_MAXSIZE`` limits the body only. Headers or chunks of a byte without end would take all of the
crawler's CPU time, and headers its memory too, until ``DOWNLOAD_TIMEOUT``.  A body that goes on after its
``Content-Length`` is cut there by every client: it counts as one that ended too early.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scrapy.core.downloader.handlers.http11 import (
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
    _LenientHTTPClientParser,
)
from twisted.web.http import _IdentityTransferDecoder

#: Lines before the body, those of "100 Continue" and the like included.  Python's http.client refuses
#: more than 100 headers; real responses have some 30.
MAX_LINES = 1_000
#: Bytes of these lines.  Chrome refuses more (``kMaxHeaderBufSize``, net/http/http_stream_parser.h); Twisted alone
#: reads 16 KiB a line, which is 16 MB for each of the connections.
MAX_LINE_BYTES = 256 * 1024
#: Pieces of a chunked body: chunks, and parts of those that arrive in several reads.  20,000 are
#: a guess: a page of 4 MiB has 200 bytes in each.
MAX_PIECES = 20_000


class FramingError(Exception):
    """A response has more header lines or chunks than are read, or goes on after its end."""


class BoundedParser(_LenientHTTPClientParser):
    """Gives a response up after :data:`MAX_LINES` lines, their bytes, or :data:`MAX_PIECES` pieces."""

    _lines = 0
    _bytes = 0
    _pieces = 0

    def lineReceived(self, line: bytes) -> None:  # noqa: N802
        """Read a line before the body."""
        self._lines += 1
        if self._lines > MAX_LINES:
            raise FramingError(f"more than {MAX_LINES} header lines")
        self._bytes += len(line)
        if self._bytes > MAX_LINE_BYTES:
            raise FramingError(f"more than {MAX_LINE_BYTES} bytes of headers")
        super().lineReceived(line)

    def switchToBodyMode(self, decoder: Any) -> None:  # noqa: N802
        """Read the body from now on."""
        decoder.dataCallback = self._counted(decoder.dataCallback)
        if isinstance(decoder, _IdentityTransferDecoder):
            decoder.finishCallback = _ended(decoder)
        super().switchToBodyMode(decoder)  # type: ignore[no-untyped-call]

    def _counted(self, callback: Callable[[bytes], None]) -> Callable[[bytes], None]:
        def piece(data: bytes) -> None:
            self._pieces += 1
            if self._pieces > MAX_PIECES:
                raise FramingError(f"a body in more than {MAX_PIECES} pieces")
            callback(data)

        return piece


def _ended(decoder: _IdentityTransferDecoder) -> Callable[[bytes], None]:
    """Return what is called at the end of a body with the bytes that arrived behind it."""
    finish = decoder.finishCallback

    def ended(rest: bytes) -> None:
        if rest.strip():  # some servers send line ends
            # What is not received yet: the loss of the connection is a loss of data then.
            decoder.contentLength = len(rest)
            raise FramingError("more bytes than Content-Length states")
        finish(rest)

    return ended


class _BoundedProtocol(_LenientHTTP11ClientProtocol):
    def request(self, request: Any) -> Any:
        responded = super().request(request)
        # As Scrapy does: Twisted names the class of the parser in its code.
        assert self._parser is not None
        self._parser.__class__ = BoundedParser
        return responded


class BoundedFactory(_LenientHTTP11ClientFactory):
    """Makes connections whose responses are read by :class:`BoundedParser`."""

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802
        """Return the protocol of a new connection."""
        return _BoundedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]

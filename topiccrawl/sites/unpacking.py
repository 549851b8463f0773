"""Unpack gzip files piece by piece, so that the unpacked file is never in memory as a whole."""

from __future__ import annotations

import zlib
from collections.abc import Generator, Iterator
from typing import Final

#: First bytes of a gzip file (RFC 1952, 2.3.1).
GZIP: Final = b"\x1f\x8b"
#: Bytes that are unpacked, and parsed, between two turns of the event loop (a choice: some 5 ms of parsing).
PIECE: Final = 64 * 1024
#: Members of a gzip file.  A guess: servers send one; each costs time, however little it unpacks to.
MAX_MEMBERS: Final = 1_000
#: Window size of zlib with the header of gzip (zlib's manual, inflateInit2).
_GZIP_WINDOW: Final = 16 + zlib.MAX_WBITS


class DamagedFileError(ValueError):
    """The rest of the file cannot be unpacked."""


def pieces(body: bytes) -> Iterator[bytes]:
    """Yield the content of *body*, a gzip file or plain, at most :data:`PIECE` bytes at a time.

    Raises ``DamagedFileError`` if the rest of a gzip file is damaged, or cut off, or has too many members.
    """
    if not body.startswith(GZIP):
        view = memoryview(body)
        yield from (bytes(view[at : at + PIECE]) for at in range(0, len(body), PIECE))
        return
    packed, members = memoryview(body), 0
    while len(packed):
        members += 1
        if members > MAX_MEMBERS:
            raise DamagedFileError("too many members")
        rest = yield from _member(packed)
        # What follows the last member is padding.
        packed = packed[len(packed) - rest :]
        if bytes(packed[:2]) != GZIP:
            return


def _member(packed: memoryview) -> Generator[bytes, None, int]:
    """Yield the content of the first gzip member; return the number of bytes behind it."""
    unpacker = zlib.decompressobj(_GZIP_WINDOW)
    at = 0
    while not unpacker.eof:
        given = unpacker.unconsumed_tail
        if not given:
            if at >= len(packed):
                raise DamagedFileError("cut off")
            given = bytes(packed[at : at + PIECE])
            at += len(given)
        try:
            found = unpacker.decompress(given, PIECE)
        except zlib.error as error:
            raise DamagedFileError(str(error)) from error
        if found:
            yield found
    return len(packed) - at + len(unpacker.unused_data)

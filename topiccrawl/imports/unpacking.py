"""Unpack bzip2 and LZMA piece by piece, in limited memory."""

from __future__ import annotations

import bz2
import lzma
from collections.abc import Callable
from io import RawIOBase
from typing import Any, BinaryIO, Final, Protocol

#: Most memory for the dictionary of LZMA, in bytes.  ``xz -9`` needs 65 MiB (xz(1)); a file may ask for 4 GiB.
MEMORY: Final = 256 * 2**20
#: Packed bytes that are read at a time.
_PIECE: Final = 65_536
#: Bytes of the properties of LZMA: a byte, and the size of the dictionary.
_PROPERTIES: Final = 5
#: Size of the content in the header of a ``.lzma`` file that ends with a mark.
_UNKNOWN: Final = 2**64 - 1


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class Unpacker(RawIOBase):
    """What *stream* unpacks to, one packed stream after the other; what else is behind them is ignored.

    No read unpacks more than was asked for.

    Parameters
    ----------
    new
        Returns a decompressor of :mod:`bz2` or :mod:`lzma`; may read the beginning of the stream.
    """

    def __init__(self, stream: BinaryIO, new: Callable[[BinaryIO], _Decompressor]) -> None:
        self._stream = stream
        self._new = new
        self._member = new(stream)
        self._ended = False

    def readable(self) -> bool:
        """Return ``True``."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Read the next bytes.

        Raises :class:`EOFError`, :class:`OSError` or :class:`lzma.LZMAError` for damaged data, and the last
        one also if the dictionary takes more than :data:`MEMORY`.
        """
        found = b""
        while not found and not self._ended:
            packed, behind = b"", self._member.eof
            if behind:
                packed = self._member.unused_data
                self._member = self._new(self._stream)
            if not packed and self._member.needs_input:
                packed = self._stream.read(_PIECE)
                if not packed and not behind:
                    raise EOFError("the packed data end early")
            try:
                found = self._member.decompress(packed, len(buffer))
            except (OSError, lzma.LZMAError):
                if not behind:
                    raise
                packed = b""  # something else
            self._ended = behind and not packed
        buffer[: len(found)] = found
        return len(found)

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()
        super().close()


def new_bzip2(stream: BinaryIO) -> bz2.BZ2Decompressor:
    """Return a decompressor of bzip2."""
    return bz2.BZ2Decompressor()


def new_xz(stream: BinaryIO) -> lzma.LZMADecompressor:
    """Return a decompressor of xz."""
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)


def new_lzma(size: int | None, stream: BinaryIO) -> lzma.LZMADecompressor:
    """Return a decompressor of LZMA1 data of *size* bytes, ``None`` if their end is marked.

    Raw data have no limit of memory in :mod:`lzma`, hence they get the header of a ``.lzma`` file.
    """
    member = lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=MEMORY)
    stated = (_UNKNOWN if size is None else size).to_bytes(8, "little")
    member.decompress(stream.read(_PROPERTIES) + stated, 0)
    return member

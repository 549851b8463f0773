"""Texts of copies as differences to a base text.

A difference is empty for an equal text.  Otherwise it holds the lengths of what both texts begin and
end with, a checksum of the whole text, and the rest compressed with the base as dictionary.  Bases are
stored whole, so that there are no chains, under a key of their content, so that they are never rewritten.

In SQLite, an equal copy of a text of 7 KB takes 170 bytes, one in which a tenth of the sentences was
replaced 710, its indexes included (300 texts of words, 2026-11-22).
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from typing import Final

from topiccrawl.store.values import storable
from topiccrawl.text.changes import common_length

#: Lengths of the common beginning and end in bytes, and CRC-32 of the whole text.
_HEADER: Final = struct.Struct("<III")

#: Window of deflate, and thereby the part of the base that serves as dictionary: RFC 1951.
_WINDOW: Final = 32 * 1024

#: Bytes of a text that are not worth a difference: its side rows take some 170 bytes in SQLite.
_SHORT: Final = 400

#: Largest difference, as a share of the whole text.  A guess: above it, the texts have little in common.
_MOST_SHARE: Final = 0.5

#: Bytes of a restored text.  Bodies have at most 150,000 characters; a damaged difference could expand
#: to a thousand times its size.
_MOST_BYTES: Final = 16 * 1024 * 1024


def text_key(topic: str, text: str) -> bytes:
    """Return the key of a base text within *topic*: 128 bits of BLAKE2b."""
    content = f"{storable(topic)}\x00{text}"
    return hashlib.blake2b(content.encode(), digest_size=16).digest()


def difference(text: str, base: str) -> bytes | None:
    """Return *text* as its difference to *base*; ``None`` where storing it whole is better."""
    data, known = text.encode(), base.encode()
    if len(data) < _SHORT:
        return None
    if data == known:
        return b""
    begin = common_length(data, known)
    rest, known_rest = data[begin:], known[begin:]
    end = common_length(rest[::-1], known_rest[::-1])
    middle = rest[: len(rest) - end]
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=_dictionary(known))
    found = (
        _HEADER.pack(begin, end, zlib.crc32(data)) + deflater.compress(middle) + deflater.flush()
    )
    return found if len(found) <= _MOST_SHARE * len(data) else None


def restored(found: bytes, base: str | None) -> str:
    """Return the text of which *found* is the :func:`difference` to *base*.

    Raises ``ValueError`` if the base is missing, or not the one that was compared; or the difference is
    damaged.
    """
    if base is None:
        raise ValueError("the text of which this one is a copy is missing")
    if not found:
        return base
    try:
        begin, end, checksum = _HEADER.unpack_from(found)
        known = base.encode()
        inflater = zlib.decompressobj(-15, zdict=_dictionary(known))
        middle = inflater.decompress(found[_HEADER.size :], _MOST_BYTES)
    except (struct.error, zlib.error, UnicodeEncodeError) as error:
        raise ValueError(f"the text of a copy is damaged: {error}") from error
    data = known[:begin] + middle + known[len(known) - end :]
    if zlib.crc32(data) != checksum:
        raise ValueError("the text of a copy is damaged: its checksum is another one")
    return data.decode()


def _dictionary(base: bytes) -> bytes:
    return base[-_WINDOW:]

"""Pages whose parts are in two encodings: a GBK page with a UTF-8 insert, or the other way.

Such pages are put together on the server from files of different age. One encoding is right for
most of the page; the pieces for which the other one is plainly better are read in that one.
Pieces are what stands between tags and line ends: those bytes mean the same in all encodings
in question.
"""

from __future__ import annotations

import codecs
import re

from topiccrawl.page.decoding.encodings import read
from topiccrawl.page.decoding.plausibility import evidence

_THREE_BYTES = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}")
_PIECE = re.compile(rb"[^<>\r\n\"]+")
# Two or more UTF-8 characters of the blocks that Chinese text uses.
_UTF8_RUN = re.compile(rb"(?:[\xe3-\xe9\xef][\x80-\xbf]{2}){2,}")
# The same on the bytes turned to classes: a search for a constant is thirty times as fast.
_CLASSES = bytes(
    ord("L") if 0xE3 <= b <= 0xE9 or b == 0xEF else ord("T") if 0x80 <= b <= 0xBF else ord(".")
    for b in range(256)
)
# How plausible the other reading must be, and by how much more than the first one (guesses).
# Valid UTF-8 is evidence in itself, valid GB18030 is not.
_THRESHOLDS = {"utf-8": (0.25, 0.1), "gb18030": (0.5, 0.3), "big5hkscs": (0.5, 0.3)}


def repair(body: bytes, text: str, encoding: str, other: str | None = None) -> str:
    """``text`` = ``body`` read in ``encoding``, with pieces in another encoding read in that one.

    For a page in UTF-8 the other encoding is ``other`` (default GB18030); for a page in GB18030
    or Big5 it is UTF-8. Returns ``text`` itself when nothing is to be repaired.
    """
    if encoding == "utf-8":
        if "\ufffd" not in text:
            return text
        second = other if other in {"gb18030", "big5hkscs"} else "gb18030"
    elif encoding in {"gb18030", "big5hkscs"}:
        if b"LTTLTT" not in body.translate(_CLASSES):
            return text
        second = "utf-8"
    else:
        return text
    out: list[str] = []
    done = 0
    for match in _PIECE.finditer(body):
        piece = match.group()
        if piece.isascii() or not _suspicious(piece, second):
            continue
        better = _better(piece, encoding, second)
        if better is not None:
            out.append(read(body[done : match.start()], encoding))
            out.append(better)
            done = match.end()
    if not out:
        return text
    out.append(read(body[done:], encoding))
    return "".join(out)


def split(body: bytes, limit: int) -> tuple[bytes, bytes]:
    """Pieces that are UTF-8 beyond accident, and pieces that are not UTF-8; each about ``limit``.

    The rest of the pieces is ASCII or too short to tell. A piece cut off within a character counts
    as what it is before the cut.
    """
    good: list[bytes] = []
    bad: list[bytes] = []
    sizes = [0, 0]
    for match in _PIECE.finditer(body):
        piece = match.group()
        if piece.isascii():
            continue
        try:
            codecs.utf_8_decode(piece, "strict", False)
        except UnicodeDecodeError:
            if sizes[1] < limit:
                bad.append(piece)
                sizes[1] += len(piece)
        else:
            if sizes[0] < limit and _UTF8_RUN.search(piece) is not None:
                good.append(piece)
                sizes[0] += len(piece)
        if min(sizes) >= limit:
            break
    return b"\n".join(good), b"\n".join(bad)


def _suspicious(piece: bytes, second: str) -> bool:
    if second == "utf-8":
        return _UTF8_RUN.search(piece) is not None
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        return True
    # Two bytes that happen to be UTF-8, as those of some pairs of Chinese characters in GBK.
    return _THREE_BYTES.search(piece) is None


def _better(piece: bytes, first: str, second: str) -> str | None:
    """The piece in the second encoding if that is plainly the right one."""
    reading = read(piece, second)
    if "\ufffd" in reading:
        return None
    total, count = evidence(reading)
    now_total, now_count = evidence(read(piece, first))
    least, better_by = _THRESHOLDS[second]
    if not count or total / count < least:
        return None
    if now_count and total / count < now_total / now_count + better_by:
        return None
    return reading

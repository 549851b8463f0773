"""Pages that mix two encodings: a GBK page with a UTF-8 insert, or the reverse.

Servers assemble such pages from files of different age. One encoding is right for most of the
page; pieces for which the other one is clearly better are decoded in that one. Pieces are delimited
by tags, quotes and line ends, whose bytes are the same in all encodings in question.
"""

from __future__ import annotations

import codecs
import re

from topiccrawl.page.decoding.encodings import decode_as
from topiccrawl.page.decoding.plausibility import weigh_characters

THREE_BYTES = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}")
_PIECE = re.compile(rb"[^<>\r\n\"]+")
# Two or more UTF-8 characters of the Unicode blocks that Chinese text uses.
_UTF8_RUN = re.compile(rb"(?:[\xe3-\xe9\xef][\x80-\xbf]{2}){2,}")
# The same pattern after mapping bytes to classes: searching for a constant is 30 times as fast.
_BYTE_CLASSES = bytes(
    ord("L") if 0xE3 <= b <= 0xE9 or b == 0xEF else ord("T") if 0x80 <= b <= 0xBF else ord(".")
    for b in range(256)
)
# Least plausibility of the text in the second encoding, and least margin over the first (guesses).
# Being valid UTF-8 is evidence in itself, being valid GB18030 is not.
_THRESHOLDS = {"utf-8": (0.25, 0.1), "gb18030": (0.5, 0.3), "big5hkscs": (0.5, 0.3)}


def repair_mixed(body: bytes, text: str, encoding: str, other: str | None = None) -> str:
    """Decode the pieces of a page that are in a second encoding.

    Parameters
    ----------
    body : bytes
        The page.
    text : str
        ``body`` decoded in ``encoding``.
    encoding : str
        The main encoding of the page.
    other : str, optional
        The second encoding of a page in UTF-8 (default GB18030). For a page in GB18030 or Big5 the
        second encoding is always UTF-8.

    Returns
    -------
    str
        The repaired text, or ``text`` itself if there is nothing to repair.
    """
    if encoding == "utf-8":
        if "\ufffd" not in text:
            return text
        second = other if other in {"gb18030", "big5hkscs"} else "gb18030"
    elif encoding in {"gb18030", "big5hkscs"}:
        if b"LTTLTT" not in body.translate(_BYTE_CLASSES):
            return text
        second = "utf-8"
    else:
        return text
    out: list[str] = []
    done = 0
    for match in _PIECE.finditer(body):
        piece = match.group()
        if piece.isascii() or not _may_be(piece, second):
            continue
        better = _better_text(piece, encoding, second)
        if better is not None:
            out.append(decode_as(body[done : match.start()], encoding))
            out.append(better)
            done = match.end()
    if not out:
        return text
    out.append(decode_as(body[done:], encoding))
    return "".join(out)


def split_utf8(body: bytes, limit: int) -> tuple[bytes, bytes]:
    """Separate pieces that are surely UTF-8 from pieces that are not.

    Parameters
    ----------
    body : bytes
        The page.
    limit : int
        Bytes after which no more pieces of a sort are collected.

    Returns
    -------
    utf8, other : bytes
        The pieces of each sort, joined by line ends. ASCII pieces, and pieces too short to decide,
        are in neither. A piece cut off within a character is judged by what precedes the cut.
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


def _may_be(piece: bytes, second: str) -> bool:
    """Whether a piece is worth decoding in the second encoding."""
    if second == "utf-8":
        return _UTF8_RUN.search(piece) is not None
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        return True
    # Two bytes can be valid UTF-8 by accident, as some Chinese characters in GBK are.
    return THREE_BYTES.search(piece) is None


def _better_text(piece: bytes, first: str, second: str) -> str | None:
    """Return the piece decoded in the second encoding if that is clearly right, else None."""
    text = decode_as(piece, second)
    if "\ufffd" in text:
        return None
    total, count = weigh_characters(text)
    first_total, first_count = weigh_characters(decode_as(piece, first))
    minimum, margin = _THRESHOLDS[second]
    if not count or total / count < minimum:
        return None
    if first_count and total / count < first_total / first_count + margin:
        return None
    return text

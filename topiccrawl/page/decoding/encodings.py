"""The encodings of the web: their labels and how their bytes become text.

Labels are mapped as browsers do (WHATWG Encoding Standard): ``gb2312`` and ``gbk`` are read as
GB18030, ``iso-8859-1`` as windows-1252, ``big5`` with the Hong Kong supplement. Names are the
ones w3lib and Scrapy use.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

from w3lib.encoding import resolve_encoding

# Labels that pages use and that neither Python nor w3lib knows, in lower case.
_LABELS = {
    "x-gbk": "gb18030",
    "gbk2312": "gb18030",
    "gb-2312": "gb18030",
    "gb2132": "gb18030",
    "gb18030-2000": "gb18030",
    "cp936": "gb18030",
    "ms936": "gb18030",
    "cn-big5": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "cp950": "big5hkscs",
    "ms950": "big5hkscs",
    "big5-eten": "big5hkscs",
    "big5hk": "big5hkscs",
    "utf8mb4": "utf-8",
    "utf-8-sig": "utf-8",
    "utf_8_sig": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
}
# Python knows many codecs that are not encodings of pages ("base64", "idna", "unicode_escape").
_OF_THE_WEB = re.compile(
    r"utf-8|utf-16(-[lb]e)?|utf-32(-[lb]e)?|gb18030|big5hkscs|hz|euc_jp|cp932|iso2022_jp|euc_kr"
    r"|cp949|cp125\d|cp866|cp874|iso8859-\d+|koi8-[ru]|mac-roman"
)
SEVEN_BIT = frozenset({"hz", "iso2022_jp"})
"""Encodings whose bytes are all ASCII, so only a declaration can reveal them."""


@lru_cache(maxsize=512)
def resolve(label: str | None) -> str | None:
    """Name of the encoding that a page's label means, or None if it means none.

    >>> resolve("GB2312"), resolve("ISO-8859-1"), resolve("base64")
    ('gb18030', 'cp1252', None)
    """
    if not label:
        return None
    plain = label.strip().strip("\"'").strip().lower()
    if plain.startswith("charset="):
        plain = plain[8:].strip("\"' ")
    if not plain or len(plain) > 40 or not plain.isascii() or "\0" in plain:
        return None
    name = _LABELS.get(plain) or resolve_encoding(plain)
    if name in {"utf-16", "utf-32"}:
        name += "-le"  # as browsers read it; Python's codecs of these names insist on a mark
    return name if name and _OF_THE_WEB.fullmatch(name) else None


# Signs for which Python's big5hkscs keeps the mapping of 1984 and browsers that of Windows.
_BIG5_AS_BROWSERS = str.maketrans("•､‾∼♁☉¥¢£￭", "‧﹑¯～⊕⊙￥￠￡▓")
_BIG5_CHANGED = re.compile("[•､‾∼♁☉¥¢£￭]")


def _gb18030_error(error: UnicodeError) -> tuple[str, int]:
    """Windows' euro sign 0x80, which browsers read in GBK and Python does not."""
    assert isinstance(error, UnicodeDecodeError)
    if error.object[error.start] == 0x80:
        return "€", error.start + 1
    return "\ufffd", error.end


def _big5_error(error: UnicodeError) -> tuple[str, int]:
    """The few pairs that code page 950 has and big5hkscs has not (the euro sign)."""
    assert isinstance(error, UnicodeDecodeError)
    pair = error.object[error.start : error.start + 2]
    try:
        return pair.decode("cp950"), error.start + len(pair)
    except UnicodeDecodeError:
        return "\ufffd", error.end


codecs.register_error("topiccrawl.gb18030", _gb18030_error)
codecs.register_error("topiccrawl.big5", _big5_error)
_ERRORS = {"gb18030": "topiccrawl.gb18030", "big5hkscs": "topiccrawl.big5"}


def read(body: bytes, encoding: str) -> str:
    """Text of ``body`` in ``encoding`` (a result of :func:`resolve`), as a browser would read it.

    A character cut off at the end is dropped, other undecodable bytes become U+FFFD.
    """
    decoder = codecs.getincrementaldecoder(encoding)(_ERRORS.get(encoding, "replace"))
    text = decoder.decode(body)
    if encoding == "big5hkscs" and _BIG5_CHANGED.search(text):
        text = text.translate(_BIG5_AS_BROWSERS)
    return text

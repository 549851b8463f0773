"""Encodings of the web: labels, and decoding as browsers do it.

Labels are mapped as in browsers (WHATWG Encoding Standard): ``gb2312`` and ``gbk`` mean GB18030,
``iso-8859-1`` means windows-1252, ``big5`` includes the Hong Kong supplement. Encoding names are
those of w3lib and Scrapy.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

from w3lib.encoding import http_content_type_encoding, resolve_encoding

# Labels found on pages that neither Python nor w3lib supports, in lower case.
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
# Python also has codecs that are not encodings of pages ("base64", "idna", "unicode_escape").
_WEB_ENCODING = re.compile(
    r"utf-8|utf-16(-[lb]e)?|utf-32(-[lb]e)?|gb18030|big5hkscs|hz|euc_jp|cp932|iso2022_jp|euc_kr"
    r"|cp949|cp125\d|cp866|cp874|iso8859-\d+|koi8-[ru]|mac-roman"
)
#: Longest label that is looked at, with quotes and spaces (the longest that exists has 19 characters).
_MAX_LABEL = 100
#: Characters of a Content-Type header that are looked at: Python keeps every label it was asked for.
_MAX_HEADER = 200
#: Encodings that use only ASCII bytes, so that only a declaration can reveal them.
SEVEN_BIT = frozenset({"hz", "iso2022_jp"})


def charset_of_header(content_type: str) -> str | None:
    """Return the charset of a Content-Type header, None for none; at most its start is read."""
    return http_content_type_encoding(content_type[:_MAX_HEADER])


def encoding_of_label(label: str | None) -> str | None:
    """Return the encoding that a charset label denotes.

    Parameters
    ----------
    label : str or None
        Charset as written in a header or meta tag; case, quotes and spaces do not matter.

    Returns
    -------
    str or None
        Name of a Python codec, or None for an unknown or unsafe label.

    References
    ----------
    WHATWG Encoding Standard, section 4.2 (names and labels).

    Examples
    --------
    >>> encoding_of_label("GB2312"), encoding_of_label("ISO-8859-1"), encoding_of_label("base64")
    ('gb18030', 'cp1252', None)
    """
    if not label or len(label) > _MAX_LABEL:
        return None
    return _encoding_of_label(label)


@lru_cache(maxsize=512)
def _encoding_of_label(label: str) -> str | None:
    plain = label.strip().strip("\"'").strip().lower()
    if plain.startswith("charset="):
        plain = plain[8:].strip("\"' ")
    if not plain or len(plain) > 40 or not plain.isascii() or "\0" in plain:
        return None
    name = _LABELS.get(plain) or resolve_encoding(plain)
    if name in {"utf-16", "utf-32"}:
        name += "-le"  # as in browsers; Python's codecs of these names require a byte order mark
    return name if name and _WEB_ENCODING.fullmatch(name) else None


# Characters for which Python's big5hkscs has the mapping of 1984 and browsers have that of Windows.
_BIG5_AS_BROWSERS = str.maketrans("•､‾∼♁☉¥¢£￭", "‧﹑¯～⊕⊙￥￠￡▓")
_BIG5_CHANGED = re.compile("[•､‾∼♁☉¥¢£￭]")


def _gb18030_error(error: UnicodeError) -> tuple[str, int]:
    """Decode 0x80 as the euro sign of Windows, as browsers do in GBK."""
    assert isinstance(error, UnicodeDecodeError)
    if error.object[error.start] == 0x80:
        return "€", error.start + 1
    return "\ufffd", error.end


def _big5_error(error: UnicodeError) -> tuple[str, int]:
    """Decode the few byte pairs that only code page 950 has (the euro sign)."""
    assert isinstance(error, UnicodeDecodeError)
    pair = error.object[error.start : error.start + 2]
    try:
        return pair.decode("cp950"), error.start + len(pair)
    except UnicodeDecodeError:
        return "\ufffd", error.end


codecs.register_error("topiccrawl.gb18030", _gb18030_error)
codecs.register_error("topiccrawl.big5", _big5_error)
_ERRORS = {"gb18030": "topiccrawl.gb18030", "big5hkscs": "topiccrawl.big5"}


def decode_as(body: bytes, encoding: str) -> str:
    """Decode bytes in a given encoding, as a browser would.

    Parameters
    ----------
    body : bytes
        The bytes, possibly cut off within a character.
    encoding : str
        A result of :func:`encoding_of_label`.

    Returns
    -------
    str
        The text. A character cut off at the end is dropped; other undecodable bytes become U+FFFD.
    """
    decoder = codecs.getincrementaldecoder(encoding)(_ERRORS.get(encoding, "replace"))
    text = decoder.decode(body)
    if encoding == "big5hkscs" and _BIG5_CHANGED.search(text):
        text = text.translate(_BIG5_AS_BROWSERS)
    return text

"""Texts in scripts without the escapes of JavaScript, JSON and HTML."""

from __future__ import annotations

import re
from html import unescape

_CODE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))")
_MARK = re.compile(r"\\([\"'/])")


def unescaped(text: str) -> str:
    r"""Return a text between the quotation marks of a script as a reader sees it.

    Half of a surrogate pair, which JSON can spell, becomes U+FFFD.

    >>> unescaped(r"\u4fa8\u4e61\x26amp;\/"), unescaped(r"\ud83c\udfee \"\u706f\u4f1a\"")
    ('侨乡&/', '🏮 "灯会"')
    """
    if "\\" in text:
        text = _MARK.sub(r"\1", _CODE.sub(lambda code: chr(int(code[1] or code[2], 16)), text))
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return unescape(unescape(text))

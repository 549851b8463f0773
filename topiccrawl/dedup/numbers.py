"""Numbers in titles and texts: those that name an edition, and those that state a quantity.

第1期 and 第2期, version 1.4.11 and 1.4.12, the weather of March 3 and of March 4 are different things
under one form of title.  新增80例 and 新增6例 are, too, unless one text corrects the other.
"""

from __future__ import annotations

import re
from collections import Counter

from topiccrawl.text.normalize import normalize

_HAN_DIGITS = "〇零一二三四五六七八九十百千两"
#: Numbers of a title in digits, with the parts of dates, times and versions together (3.2.1, 2024-03-05),
#: and numbers in Han characters before a counter of editions or of time.
_NUMBER = re.compile(
    r"\d+(?:[.\-/:]\d+)*"
    rf"|(?<=第)[{_HAN_DIGITS}]+"
    rf"|[{_HAN_DIGITS}]+(?=[期届次批号季章节回部集卷版年月日讲篇课辑])"
    r"|(?<=[(（])[一二三四五六七八九十]+(?=[)）])"
    r"|[上中下](?=[)）]?$)|(?<=[(（])[上中下](?=[)）])"
)
_ROMAN = re.compile(r"\b(?=[ivx])(?:x{0,3})(?:ix|iv|v?i{0,3})\b")
_VALUES = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}


def identifiers(title: str) -> frozenset[str]:
    """Return the numbers of a title, dates and versions whole, Han numbers in digits.

    >>> sorted(identifiers("2015年第三期 Django 1.4.11"))
    ['1.4.11', '2015', '3']
    """
    return frozenset(_digits(n) for n in _NUMBER.findall(normalize(title)))


def quantities(text: str) -> Counter[str]:
    """Return the numbers of a text in digits, with their counts; thousands separators are ignored."""
    return Counter(re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d),(?=\d{3})", "", normalize(text))))


def _digits(number: str) -> str:
    """Return a Han number below 10,000 in digits; other numbers without leading zeros."""
    if number[0] not in _HAN_DIGITS:
        return re.sub(r"\d+", lambda n: str(int(n[0][:300])), number)
    if not any(unit in number for unit in "十百千"):
        return str(int("".join(str(_VALUES[c]) for c in number[:300])))
    total, digit = 0, 1 if number[0] == "十" else 0
    for c in number:
        if c in _VALUES:
            digit = _VALUES[c]
        else:
            total, digit = total + digit * {"十": 10, "百": 100, "千": 1000}[c], 0
    return str(total + digit)

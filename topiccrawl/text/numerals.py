"""Numbers in digits and in Han numerals."""

from __future__ import annotations

import re
from typing import Final

_DIGITS: Final = {c: n for n, c in enumerate("零一二三四五六七八九")} | {
    "〇": 0, "○": 0, "两": 2, "兩": 2,
}  # fmt: skip
_UNITS: Final = {"十": 10, "百": 100, "千": 1000}
#: A number in a name; a longer row of digits is several.
_NUMBER: Final = re.compile(r"(\d{1,18})")


def natural_key(name: str) -> tuple[str | int, ...]:
    """Return a sort key of *name* that compares the numbers in it by their values.

    >>> sorted(["监测10", "监测2", "监测1"], key=natural_key)
    ['监测1', '监测2', '监测10']
    """
    parts = _NUMBER.split(name)
    return tuple(int(part) if i % 2 else part for i, part in enumerate(parts))


def han_number(word: str) -> int | None:
    """Return the value of a number below 10,000 or of a row of digits, ``None`` if *word* is neither.

    >>> [han_number(word) for word in ("12", "十二", "廿三", "二〇二四", "三百零五", "昨")]
    [12, 12, 23, 2024, 305, None]
    """
    if word.isdecimal():
        return int(word)
    word = word.replace("廿", "二十").replace("卅", "三十")
    in_units = any(character in _UNITS for character in word)
    total = digit = 0
    for character in word:
        if character in _DIGITS:
            digit = _DIGITS[character] + (0 if in_units else 10 * digit)
        elif character in _UNITS:
            # 十 stands for 一十.
            total, digit = total + (digit or 1) * _UNITS[character], 0
        else:
            return None
    return total + digit if word else None

"""Numbers in titles and texts: those that name an edition, and those that state an amount.

第1期 and 第2期, version 1.4.11 and 1.4.12, the weather of March 3 and of March 4 are different things
under one form of title.  新增80例 and 新增6例 are, too, unless one text corrects the other.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from topiccrawl.text.normalize import normalize
from topiccrawl.text.numerals import han_number

_HAN_DIGITS: Final = "〇零一二三四五六七八九十百千两"
#: Numbers in digits, with the parts of dates, times and versions together (3.2.1, 2024-03-05); numbers in
#: Han characters before a counter of editions or of time or after 第; parts (上), (中), (下).
_NUMBER: Final = re.compile(
    r"\d+(?:[.\-/:]\d+)*"
    rf"|(?<=第)[{_HAN_DIGITS}]+"
    rf"|(?<=星期)[一二三四五六日]|(?<=周)[一二三四五六日](?!年)"
    rf"|[{_HAN_DIGITS}]+(?=[期届次批号季章节回部集卷版年月日讲篇课辑])"
    r"|(?<=[(（])[一二三四五六七八九十]+(?=[)）])"
    r"|(?<=[(（])[上中下](?=[)）])"
)
#: Separators of thousands.
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
#: Dates in digits: 2024-03-05, 2024/3/5, 20240305.
_NUMERIC_DATE: Final = re.compile(
    r"(?<![\d.\-/])((?:19|20)\d\d)(?:([-./])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])"
    r"|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01]))(?![\d.\-/])"
)
#: Month and day.
_DAY: Final = re.compile(
    rf"(\d{{1,2}}|[{_HAN_DIGITS}]{{1,3}})月(\d{{1,2}}|[{_HAN_DIGITS}]{{1,3}})日"
)
#: What follows a number that states an amount.
_AMOUNT: Final = re.compile(
    r"\s*(?:%|个百分点|[多余]?[万亿千百]|人|名|例|元|美元|吨|米|公里|岁|倍|度|户|家|个|件|亩|辆|台|套|条|项|成|只|头)"
)


@dataclass(frozen=True, slots=True)
class TitleNumbers:
    """The numbers of a title, in digits."""

    editions: frozenset[str]
    """Issues, versions, dates, years, chapters: what tells one of a series from another."""
    amounts: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        """All numbers."""
        return self.editions | self.amounts

    def other_edition(self, other: TitleNumbers) -> bool:
        """Whether each of the titles names an edition by a number that the other one lacks."""
        return bool(self.editions - other.all and other.editions - self.all)

    def other_amount(self, other: TitleNumbers) -> bool:
        """Whether each of the titles states an amount that the other one lacks."""
        return bool(self.amounts - other.all and other.amounts - self.all)

    def only(self, other: TitleNumbers) -> list[str]:
        """Return the numbers that *other* does not have, sorted."""
        return sorted(self.all - other.all)


def title_numbers(title: str) -> TitleNumbers:
    """Return the numbers of a title, versions whole, Han numbers in digits.

    A date has its parts, because others state it without the year, and month and day together: May 3 is not March 5.
    How it is written makes no difference (星期天 is 星期日), nor do separators of thousands and zeros at the end
    of an amount.

    >>> sorted(title_numbers("2015年第三期 Django 1.4.11").editions)
    ['1.4.11', '2015', '3']
    >>> title_numbers("新增病例80例").amounts
    frozenset({'80'})
    >>> title_numbers("2024-03-05 投资1,200万元") == title_numbers("2024年3月5日投资1200万元")
    True
    """
    text = _THOUSANDS.sub("", normalize(title)).replace("星期天", "星期日")
    text = _NUMERIC_DATE.sub(lambda it: f"{it[1]}年{it[3] or it[5]}月{it[4] or it[6]}日", text)
    editions = {f"{_digits(it[1])}/{_digits(it[2])}" for it in _DAY.finditer(text)}
    amounts: set[str] = set()
    for found in _NUMBER.finditer(text):
        if _AMOUNT.match(text, found.end()):
            amounts.add(_shortest(_digits(found[0])))
        else:
            editions.add(_digits(found[0]))
    return TitleNumbers(frozenset(editions), frozenset(amounts))


def quantities(text: str) -> Counter[str]:
    """Return the numbers of a normalized text in digits, with their counts; 1,000 is 1000."""
    return Counter(re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d),(?=\d{3})", "", text)))


def _shortest(amount: str) -> str:
    """Return an amount without zeros at the end of its fraction: 5.0 % is 5 %, but version 1.10 is not 1.1."""
    whole, point, fraction = amount.partition(".")
    fraction = fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction.isdecimal() else whole if point else amount


def _digits(number: str) -> str:
    """Return a Han number below 10,000 in digits; other numbers without leading zeros."""
    if number[0] not in _HAN_DIGITS:
        return re.sub(r"\d+", lambda n: n[0].lstrip("0") or "0", number)
    return str(han_number(number))

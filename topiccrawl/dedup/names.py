"""Titles that are the name of a thing: of a function, a command, an operator.

A manual has hundreds of pages of one form, each under the name of its thing, whose texts are equal for the
most part: DAY, EDATE and MONTH name all other functions of dates, too.
"""

from __future__ import annotations

import re
from typing import Final

from topiccrawl.text.normalize import normalize

#: One word in Latin letters, or operators, and what sort of thing it is in up to three Han characters: 函数,
#: 语句, 运算符 (a choice).  A headline has more.
_NAME: Final = re.compile(
    r"[\W_]*?(?P<name>[a-z][a-z0-9_.]*[+#]*|[+\-*/\\^&<>=#]{1,2})[^\w\s]*\s*[\u4e00-\u9fff]{0,3}[\W_]*"
)


#: Longest title that is a name, in characters (a choice).
_LONGEST: Final = 60


def title_name(title: str) -> str:
    """Return the name that a title is, normalized; empty if it says anything else.

    >>> title_name("NETWORKDAYS.INTL 函数"), title_name('"*" 运算符'), title_name("使用 DAY 函数")
    ('networkdays.intl', '*', '')
    """
    found = _NAME.fullmatch(normalize(title)) if len(title) <= _LONGEST else None
    return found["name"].rstrip(".") if found else ""

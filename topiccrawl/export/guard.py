"""Text of foreign pages that a spreadsheet could take for a formula (OWASP, "CSV Injection").

A CSV file has no types: a program that opens it may run what begins with one of :data:`TRIGGERS`.  It may
also trim what stands before it, and split at another separator than the comma, in spite of the quotes: a
title ``a;=cmd()`` then is a cell ``=cmd()``.
"""

from __future__ import annotations

import re

#: First characters of formulas; Excel in East Asian locales also accepts the full-width and small forms.
TRIGGERS = "=+-@＝＋－＠﹦﹢﹣﹫"

#: Characters where another program may begin a new cell: the separator of Excel in most of Europe, the
#: separator of pasted tables, and the ends of lines.
SEPARATORS = ";\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029"

#: Characters that are not seen, or that a program may trim: blanks, control and format characters, fillers,
#: variation selectors, and quotation marks.  A test compares them with the Unicode database.
INVISIBLE = (
    r"\s\x00-\x20\x22\x7f-\xa0\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    r"\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800"
    r"\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)

#: Prefix with which Excel and LibreOffice treat a cell as text.
NEUTRALIZER = "'"

_WHOLE = re.compile(rf"[{INVISIBLE}]*[{re.escape(TRIGGERS)}]")
# What is not seen, up to a separator: where one follows another, each is a beginning of its own, so
# that no character is looked at twice.
_FORMULA = re.compile(rf"(?:(?![{SEPARATORS}])[{INVISIBLE}])*[{re.escape(TRIGGERS)}]")
_BEGINNING = re.compile(
    rf"(^(?=[\t\r\n])|^(?={_FORMULA.pattern})|[{SEPARATORS}](?={_FORMULA.pattern}))"
)


def looks_like_formula(text: str) -> bool:
    """Return whether a spreadsheet could take *text* as a whole for a formula."""
    return _WHOLE.match(text) is not None


def neutral(text: str) -> str:
    """Return *text* with an apostrophe wherever a cell that looks like a formula could begin.

    Takes time linear in the length of *text*.
    """
    return _BEGINNING.sub(rf"\1{NEUTRALIZER}", text)

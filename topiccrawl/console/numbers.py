"""Whole numbers in the parameters of a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: Digits at most (a choice: more than any list has pages).
_MOST_DIGITS: Final = 8


def whole_number(text: str, default: int) -> int:
    """Return the number that *text* is, *default* if it is none of ASCII digits or a very long one."""
    return (
        int(text) if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else default
    )


def page_number(parameters: Mapping[str, str], pages: int) -> int:
    """Return the page of a list that is asked for, from 1 to *pages*."""
    return max(1, min(whole_number(parameters.get("page", ""), 1), pages))

"""Whole numbers in the parameters of a request, and the parts of long lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class ListPart:
    """One part of a long list."""

    number: int
    """From 1."""
    count: int
    """Parts of the list."""
    items: slice
    """Which items it has."""

    @classmethod
    def asked(
        cls, parameters: Mapping[str, str], items: int, size: int, most: int | None = None
    ) -> ListPart:
        """Return the part that is asked for, of *most* at most with *size* of the *items* each."""
        count = max(1, -(-items // size))
        count = count if most is None else min(count, most)
        number = page_number(parameters, count)
        return cls(number, count, slice((number - 1) * size, number * size))

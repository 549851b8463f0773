"""Acronyms that are stop words in lower case: US and us, WHO and who, IT and it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topiccrawl.text.words import stop_words

if TYPE_CHECKING:
    from collections.abc import Iterable

_CAPITALS = re.compile(r"(?<![A-Za-z0-9.])(?:[A-Z]\.?){2,5}(?![A-Za-z0-9])")
#: First of the letters that stand for acronyms: Vai syllables, which no compatibility form, case or script
#: conversion changes.
_FIRST = 0xA500


class Acronyms:
    """Finds the acronyms of a topic's words in texts before they are converted to lower case.

    Parameters
    ----------
    words
        Words as the user wrote them.  Acronyms are words in capitals, with or without periods, whose lower
        case is a stop word.
    """

    def __init__(self, words: Iterable[str]) -> None:
        found = {m.replace(".", "") for word in words for m in _CAPITALS.findall(word)}
        names = sorted(name for name in found if name.lower() in stop_words())
        self._marks = {name: chr(_FIRST + i) for i, name in enumerate(names)}
        self.names: dict[str, str] = {mark: name for name, mark in self._marks.items()}
        """Acronyms by the letter that :meth:`mark` puts in their place."""

    def mark(self, text: str) -> str:
        """Return *text* with a letter in place of each of the acronyms."""
        if not self._marks:
            return text
        return _CAPITALS.sub(lambda m: self._marks.get(m[0].replace(".", ""), m[0]), text)

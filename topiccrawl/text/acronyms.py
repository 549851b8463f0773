"""Words that are none without their form: acronyms that are stop words (US, WHO, IT), letters with signs (C++, C#)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from topiccrawl.text.words import stop_words

_CAPITALS = re.compile(r"(?<![A-Za-z0-9.])(?:[A-Z]\.?){2,5}(?![A-Za-z0-9])")
#: A letter with signs; digits may follow, as in C++20.
_SIGNED = re.compile(r"(?<![A-Za-z0-9])[A-Za-zＡ-Ｚａ-ｚ](?:[+＋]{1,2}|[#＃])(?![A-Za-z+＋#＃])")
#: First of the letters that stand for these words: Vai syllables, which no compatibility form, case or script
#: conversion changes.
_FIRST = 0xA500


class Acronyms:
    """Finds such words of a topic in texts before they are converted to lower case and split.

    Parameters
    ----------
    words
        Words as the user wrote them.  Acronyms are words in capitals, with or without periods, whose lower
        case is a stop word.  Letters with signs are the same in both cases.
    """

    def __init__(self, words: Iterable[str]) -> None:
        words = list(words)
        found = {m.replace(".", "") for word in words for m in _CAPITALS.findall(word)}
        names = {name for name in found if name.lower() in stop_words()}
        signed = {_signed_name(m) for word in words for m in _SIGNED.findall(word)}
        self._any_signed = bool(signed)
        self._marks = {
            name: chr(_FIRST + i) for i, name in enumerate((*sorted(names), *sorted(signed)))
        }
        self.names: dict[str, str] = {mark: name for name, mark in self._marks.items()}
        """Words by the letter that :meth:`mark` puts in their place."""

    def mark(self, text: str) -> str:
        """Return *text* with a letter in place of each of the words."""
        if not self._marks:
            return text
        marks = self._marks
        text = _CAPITALS.sub(lambda m: marks.get(m[0].replace(".", ""), m[0]), text)
        if not self._any_signed:
            return text
        # Apart from digits that follow.
        return _SIGNED.sub(
            lambda m: f" {mark} " if (mark := marks.get(_signed_name(m[0]))) else m[0], text
        )


def _signed_name(word: str) -> str:
    return unicodedata.normalize("NFKC", word).lower()

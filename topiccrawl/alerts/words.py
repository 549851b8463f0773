"""Conditions on words, independent of traditional and simplified characters, width and case."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from topiccrawl.text.normalize import normalize

if TYPE_CHECKING:
    from topiccrawl.alerts.rules import Words

#: What belongs to a word of Latin letters or digits.
_WORD = re.compile(r"[a-z0-9]")


class Matcher:
    """Finds the words of a condition in texts."""

    def __init__(self, words: Words, least: int = 1) -> None:
        self._any = [(word, _finder(word)) for word in words.any]
        self._all = [(word, _finder(word)) for word in words.all]
        self._none = [_finder(word) for word in words.none]
        self._least = least

    def __call__(self, text: str) -> tuple[str, ...] | None:
        """Return the words that *text* has, as the rule writes them; ``None`` if it does not hold."""
        plain = _plain(text)
        if any(find(plain) for find in self._none):
            return None
        found = {word: find(plain) for word, find in (*self._any, *self._all)}
        if not all(found[word] for word, _find in self._all):
            return None
        if self._any and not any(found[word] for word, _find in self._any):
            return None
        if found and sum(found.values()) < self._least:
            return None
        return tuple(word for word, count in found.items() if count)


def _plain(text: str) -> str:
    """Return *text* as words are compared: normalized, with single blanks."""
    return " ".join(normalize(text).split())


@lru_cache(maxsize=1_000)
def _finder(word: str) -> Callable[[str], int]:
    """Return what counts the occurrences of *word* in a plain text.

    A word that begins or ends with a Latin letter or a digit does so at the border of a word of the text:
    ``AI`` does not occur in ``said``.  Blanks between Han characters are ignored by neither.
    """
    plain = _plain(word)
    before = r"(?<![a-z0-9])" if _WORD.match(plain[:1]) else ""
    after = r"(?![a-z0-9])" if _WORD.match(plain[-1:]) else ""
    if not before and not after:
        return lambda text: text.count(plain)
    pattern: Sequence[str] = [before, re.escape(plain), after]
    expression = re.compile("".join(pattern))
    return lambda text: sum(1 for _ in expression.finditer(text))

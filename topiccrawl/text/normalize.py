"""Normalize text: compatibility forms, traditional characters and upper case."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import opencc

#: Joins short strings for a single conversion call (ASCII record separator; OpenCC does not change it).
_SEPARATOR = "\x1e"
#: Upper bound of repeating a step until nothing changes; two rounds are enough for real text.
_ROUNDS = 8
#: The characters of Chinese texts that NFKC changes most often, and their forms: 98 of 100 such characters
#: in the 122 pages of the development set (2026-11-23).
_FREQUENT = tuple((char, unicodedata.normalize("NFKC", char)) for char in "，\u3000：（）；？！…")
#: Runs of characters that NFKC may change by themselves: not ASCII, Han, and the common punctuation.
_CHANGEABLE = re.compile("[^\x00-\x7f㐀-䶿一-鿿。、“”‘’《》【】「」·—]+")
#: Combining marks in a row that are kept, the limit of Unicode's Stream-Safe Text Format (UAX #15,
#: section 13). Normalization sorts the marks of a row in quadratic time: 40,000 take 2 seconds.
_MARKS = 30
#: Where there may be more of them.
_ROW = re.compile(f"[^\x00-\x7f㐀-䶿一-鿿]{{{_MARKS + 1},}}")
#: Characters of a text that is remembered for the next step (a choice: most articles are shorter).
_MOST_REMEMBERED = 10_000
#: Half of a pair in UTF-16: no character, and nothing that OpenCC takes.
SURROGATE = re.compile("[\ud800-\udfff]")
#: Characters that are not marks and become marks in NFKC.
_BECOME_MARKS = frozenset("\u0f73\u0f75\u0f81\uff9e\uff9f")


@lru_cache(maxsize=1)
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


def normalize(text: str) -> str:
    """Return *text* in NFKC, simplified Chinese and lower case.

    Full-width ASCII becomes ASCII, 僑情 becomes 侨情, ``ABC`` becomes ``abc``.  The result is a fixed point:
    ``normalize(normalize(x)) == normalize(x)``.  For characters whose simplified form depends on the word
    (乾隆, 著名), OpenCC's phrase table decides.  Lone surrogates become U+FFFD.  The length may change.
    Never raises.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        text = SURROGATE.sub("\ufffd", text)
    for _ in range(_ROUNDS):
        done = _once(text)
        # Another round is needed if lower case changes a letter to one that composes differently.  ASCII
        # and Han do not, so nearly every page is finished after the first round.
        if done.isascii() or (unicodedata.is_normalized("NFKC", done) and done == done.lower()):
            return done
        text = done
    return text


def simplified(text: str) -> str:
    """Return *text* in simplified Chinese, and otherwise as it is."""
    return text if text.isascii() else _converter().convert(SURROGATE.sub("\ufffd", text))


def normalize_text(text: str) -> str:
    """Return :func:`normalize` of a text or title of a page, which several steps need soon after each other.

    The last few results are cached, but not those of long texts.
    """
    return _remembered(text) if len(text) <= _MOST_REMEMBERED else normalize(text)


@lru_cache(maxsize=16)
def _remembered(text: str) -> str:
    return normalize(text)


def _once(text: str) -> str:
    if text.isascii():
        return text.lower()
    text = _nfkc(text)
    convert = _converter().convert
    for _ in range(_ROUNDS):
        # A converted phrase can complete another phrase: repeat until nothing changes.
        simplified: str = convert(text)
        if simplified == text:
            break
        text = simplified
    return text.lower()


def _without_long_rows(run: re.Match[str]) -> str:
    """Return a run of characters with at most :data:`_MARKS` combining marks in a row."""
    kept: list[str] = []
    row = 0
    for char in run[0]:
        row = row + 1 if unicodedata.combining(char) or char in _BECOME_MARKS else 0
        if row <= _MARKS:
            kept.append(char)
    return "".join(kept)


def _nfkc(text: str) -> str:
    """Return the NFKC form of *text*, much faster than ``unicodedata`` for Chinese pages.

    A character and its form have the same NFKC form in any text, so the frequent ones are replaced first.
    ASCII, unified Han characters and some punctuation do not change by themselves, so only the runs of
    others are normalized.  If a run combines with its neighbors (e and an accent), the check
    fails and the whole text is normalized again.
    """
    text = _ROW.sub(_without_long_rows, text)
    if unicodedata.is_normalized("NFKC", text):
        return text
    for char, form in _FREQUENT:
        text = text.replace(char, form)
    quick = _CHANGEABLE.sub(lambda run: unicodedata.normalize("NFKC", run[0]), text)
    # A text has one NFKC form: if quick is normalized, it is that form.
    if unicodedata.is_normalized("NFKC", quick):
        return quick
    return unicodedata.normalize("NFKC", text)


def normalize_all(texts: Sequence[str]) -> list[str]:
    """Return ``[normalize(t) for t in texts]`` with one OpenCC call for all of them.

    For the anchors of a page: a call of OpenCC costs more than converting a short string.  If a string
    contains the internal separator, the strings are normalized one by one.
    """
    if any(_SEPARATOR in text for text in texts):
        return [normalize(text) for text in texts]
    parts = normalize(_SEPARATOR.join(texts)).split(_SEPARATOR)
    return parts if texts else []

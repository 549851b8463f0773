"""One spelling for one word: compatibility forms, traditional characters and case folded away."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

import opencc

if TYPE_CHECKING:
    from collections.abc import Sequence

_SEPARATOR = "\x1e"
"""Joins short strings for one conversion call (ASCII record separator; OpenCC leaves it alone)."""

_ROUNDS = 8
"""Upper bound for repeating a step until nothing changes; two are enough for real text."""


_CHANGEABLE = re.compile("[^\x00-\x7f㐀-䶿一-鿿]+")


@lru_cache(maxsize=1)
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


def normalize(text: str) -> str:
    """Return `text` in NFKC, simplified Chinese, lower case.

    Full-width ASCII becomes ASCII, 僑情 becomes 侨情, ``ABC`` becomes ``abc``. The result is a
    fixed point: ``normalize(normalize(x)) == normalize(x)``. Characters that belong to no script
    pair (乾隆, 著名) are decided by OpenCC's phrase table. Length may change; never raises.
    """
    for _ in range(_ROUNDS):
        done = _once(text)
        # Lower case, when it changes a letter to one that composes differently, needs a new
        # round; ASCII and Han cannot, so nearly every page is finished after the first.
        if done.isascii() or (unicodedata.is_normalized("NFKC", done) and done == done.lower()):
            return done
        text = done
    return text


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


def _nfkc(text: str) -> str:
    """Return the NFKC form of `text`, four times faster than `unicodedata` for Chinese pages.

    ASCII and unified Han characters do not change by themselves, so only the runs of others
    (full-width punctuation, mostly) are normalised. Where a run combines with its neighbours
    (e and an accent), the check fails and everything is done again.
    """
    if unicodedata.is_normalized("NFKC", text):
        return text
    quick = _CHANGEABLE.sub(lambda run: unicodedata.normalize("NFKC", run[0]), text)
    # Both are forms of one text, and a text has one NFKC form: if quick is normalised, it is it.
    if unicodedata.is_normalized("NFKC", quick):
        return quick
    return unicodedata.normalize("NFKC", text)


def normalize_all(texts: Sequence[str]) -> list[str]:
    """Return ``[normalize(t) for t in texts]`` with one OpenCC call for all of them.

    Made for the anchors of a page: the call into OpenCC costs more than converting a short
    string. Strings that hold the internal separator are done one by one.
    """
    if any(_SEPARATOR in text for text in texts):
        return [normalize(text) for text in texts]
    parts = normalize(_SEPARATOR.join(texts)).split(_SEPARATOR)
    return parts if texts else []

"""Pinyin of Chinese words, without tones, as sites spell their folders."""

from __future__ import annotations

import re

_PART = re.compile(r"[a-z]+|\d+")


def syllables(word: str) -> list[str]:
    """Return the syllables of a normalized word; letters and digits in it stay as they are.

    ``ü`` is written ``v``, as on keyboards and in URLs.  Words of several readings are read as a whole.
    A character without a reading is left out.

    Examples
    --------
    >>> syllables("滤镜"), syllables("银行"), syllables("ai绘画")
    (['lv', 'jing'], ['yin', 'hang'], ['ai', 'hui', 'hua'])
    """
    # Heavy, and only needed for a new topic: its table of words takes .5 s and 55 MB.
    from pypinyin import lazy_pinyin

    return [part for text in lazy_pinyin(word) for part in _PART.findall(text.lower())]

"""A rough answer to: which language is this text in?"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

import opencc

from topiccrawl.text.segment import HAN
from topiccrawl.text.words import stop_words

Language = Literal["zh-Hans", "zh-Hant", "en", "und"]
Script = Literal["simplified", "traditional", ""]

SAMPLE_CHARACTERS = 3000
"""How much of the text is looked at, from its beginning."""

_HAN_ONE = re.compile(f"[{HAN}]")
_KANA_OR_HANGUL = re.compile("[぀-ヿ가-힯]")
_LETTER = re.compile(r"[^\W\d_]")
_ASCII_WORD = re.compile(r"[a-z]+")


@lru_cache(maxsize=2)
def _converter(config: str) -> opencc.OpenCC:
    return opencc.OpenCC(config)


def detect_language(text: str) -> Language:
    """Return the language of `text` by its characters.

    Chinese when Han characters are at least a fifth of the letters (a word of Chinese takes two
    characters where English takes six, and menus are often English) and kana and Hangul are less
    than a tenth of them; traditional when converting to simplified changes more characters than
    converting to traditional does. English when four fifths of the letters are ASCII and, in a
    text of more than four words, at least one word in twelve is an English function word.
    Otherwise, and without letters, ``und``.
    """
    text = text[:SAMPLE_CHARACTERS]
    letters = len(_LETTER.findall(text))
    if not letters:
        return "und"
    han = _HAN_ONE.findall(text)
    foreign = len(_KANA_OR_HANGUL.findall(text))
    if len(han) >= letters / 5 and foreign < letters / 10:
        return "zh-Hant" if _is_traditional("".join(han)) else "zh-Hans"
    words = _ASCII_WORD.findall(text.lower())
    if sum(map(len, words)) < letters * 4 / 5:
        return "und"
    function_words = sum(word in stop_words() for word in words)
    return "en" if len(words) <= 4 or function_words * 12 >= len(words) else "und"


def script_of(language: str) -> Script:
    """Return the script of Chinese in ``language``, as `detect_language` names it, else ``""``.

    >>> script_of("zh-Hant"), script_of("zh-Hans"), script_of("en")
    ('traditional', 'simplified', '')
    """
    if language == "zh-Hant":
        return "traditional"
    return "simplified" if language == "zh-Hans" else ""


def _is_traditional(han: str) -> bool:
    traditional = _differences(han, _converter("t2s").convert(han))
    # The conversion to traditional is the slow one, and most pages never need it.
    return bool(traditional) and traditional > _differences(han, _converter("s2t").convert(han))


def _differences(a: str, b: str) -> int:
    return sum(x != y for x, y in zip(a, b, strict=False))

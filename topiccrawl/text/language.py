"""Detect the language of a text by its characters."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

import opencc

from topiccrawl.text.segment import HAN
from topiccrawl.text.words import stop_words

Language = Literal["zh-Hans", "zh-Hant", "en", "und"]
Script = Literal["simplified", "traditional", ""]

#: Number of characters read, from the beginning of the text (a choice).
SAMPLE_CHARACTERS = 3000

_HAN = re.compile(f"[{HAN}]+")
_KANA_OR_HANGUL = re.compile("[぀-ヿ가-힯]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_ASCII_WORD = re.compile(r"[a-z]+")


@lru_cache(maxsize=2)
def _converter(config: str) -> opencc.OpenCC:
    return opencc.OpenCC(config)


def detect_language(text: str) -> Language:
    """Return the language of *text* by its characters.

    - Chinese if at least a fifth of the letters are Han characters (a word takes two characters in
      Chinese and six in English, and menus are often English) and less than a tenth are kana or Hangul;
      traditional if conversion to simplified changes more characters than conversion to traditional.
    - English if four fifths of the letters are ASCII and, in a text of more than four words, at least one
      word in twelve is an English function word.
    - ``und`` otherwise, and without letters.
    """
    text = text[:SAMPLE_CHARACTERS]
    letters = sum(map(len, _LETTERS.findall(text)))
    if not letters:
        return "und"
    han = "".join(_HAN.findall(text))
    foreign = sum(map(len, _KANA_OR_HANGUL.findall(text)))
    if len(han) >= letters / 5 and foreign < letters / 10:
        return "zh-Hant" if _is_traditional(han) else "zh-Hans"
    words = _ASCII_WORD.findall(text.lower())
    if sum(map(len, words)) < letters * 4 / 5:
        return "und"
    function_words = sum(word in stop_words() for word in words)
    return "en" if len(words) <= 4 or function_words * 12 >= len(words) else "und"


def script_of(language: str) -> Script:
    """Return the script of a Chinese *language* from :func:`detect_language`, else ``""``.

    Examples
    --------
    >>> script_of("zh-Hant"), script_of("zh-Hans"), script_of("en")
    ('traditional', 'simplified', '')
    """
    if language == "zh-Hant":
        return "traditional"
    return "simplified" if language == "zh-Hans" else ""


def _is_traditional(han: str) -> bool:
    traditional = _differences(han, _converter("t2s").convert(han))
    # The conversion to traditional is slow, and most pages do not need it.
    return bool(traditional) and traditional > _differences(han, _converter("s2t").convert(han))


def _differences(a: str, b: str) -> int:
    return sum(x != y for x, y in zip(a, b, strict=False))

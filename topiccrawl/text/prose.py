"""Measures of running text: how many function words a text has, and whether they stand where sentences have them.

Both are counts of patterns in the text as it is: nothing is segmented.  Chinese and English count together, because
pages mix them; each by what its running text has.
"""

from __future__ import annotations

import re
from typing import Final

from topiccrawl.text.segment import HAN

#: Shares of function characters in Han characters and of function words in English words of running text: the medians
#: of 1,828 pages that are mostly Chinese, and of 6,199 English ones (articles, manuals, an encyclopedia; 2026-11).
_HAN_SHARE: Final = 0.14
_ENGLISH_SHARE: Final = 0.35
#: Share of the letters that are Chinese or English, below which function words are not looked for (a guess).
_KNOWN_LETTERS: Final = 0.9

_LETTER: Final = re.compile(r"[^\W\d_]")
_HAN: Final = re.compile(f"[{HAN}]")
# Characters that are function words by themselves and rare in nouns, simplified and traditional.
_FUNCTION_HAN: Final = re.compile(
    "[的了着著们們在是和与與及或也而于於将將把被就都但还還这這那吗嗎呢吧很我你他她它其之为為以对對不有]"
)
_WORD: Final = re.compile(r"[a-z]+(?:'[a-z]+)?")
_FUNCTION_WORD: Final = re.compile(
    r"\b(?:the|an?|of|and|to|into?|is|are|was|were|be|been|for|with|by|from|as|at|on|or|but|not|th(?:is|at|ese|ose)|its?|"
    r"his|her|their|they|we|you|s?he|i|which|have|has|had|can|will|if|than|when|also|do|does)\b"
)
_ENGLISH: Final = (
    "the|a|an|of|and|to|in|is|are|was|were|for|with|by|from|as|that|this|on|at|or|but|it|which"
)
# "a" is left out as the first word: "vitamin A is", "A of".
_MISPLACED_ENGLISH: Final = re.compile(
    rf"\b(?:(?:the|an) (?:{_ENGLISH})"
    r"|(?:of|with|from|by|for) (?:of|and|or|but|to|is|are|was|were|in|for|with|by|from|on|at|as)"
    r"|(?:is|are|was|were|in|to|as|on) (?:of|is|are|was|were|and|or))\b"
    r"|\b(?:the|an|of|and|with|from) ?[.!?;,]"
)
_MARKS: Final = "，。！？；、,!?;\n"
_MISPLACED_HAN: Final = re.compile(
    rf"(?:^|[{_MARKS}])(?:[的着著们們与與及]|了(?![解结結却卻]))|[和与與及把被从從][ \t]*[{_MARKS}]"
    "|的[的了及与與]|了[了和及与與]|[和与與](?:[的了和与與及是在为為对對])|及[的了和与與及是在为為对對]"
    "|[在对對][的和与與及在]|是[了是]|[为為][的和与與及为為对對]|[们們]{2}"
)


def _function_words(lower: str) -> int:
    return len(_FUNCTION_WORD.findall(lower)) + len(_FUNCTION_HAN.findall(lower))


def function_share(text: str) -> float:
    """Return the share of function words in a text, relative to that of running text.

    ::

        (function characters + function words) / (.14 · Han characters + .35 · English words)

    About 1 for running text, 0 for lists of keywords; 1 for a text that is neither Chinese nor English.
    """
    lower = text.lower()
    han = len(_HAN.findall(lower))
    words = _WORD.findall(lower)
    letters = len(_LETTER.findall(lower))
    if han + sum(map(len, words)) < _KNOWN_LETTERS * letters or not letters:
        return 1.0
    return _function_words(lower) / (_HAN_SHARE * han + _ENGLISH_SHARE * len(words))


def misplaced(text: str) -> tuple[int, int]:
    """Return how many function words stand where hardly any sentence has them, and the number of all.

    For example 的 after a comma, 和 before one, "the of", "for is", "and.".

    Examples
    --------
    >>> misplaced("了侨乡与，的寻根。"), misplaced("the of library and.")
    ((3, 3), (2, 3))
    """
    lower = text.lower()
    wrong = len(_MISPLACED_ENGLISH.findall(lower)) + len(_MISPLACED_HAN.findall(lower))
    return wrong, _function_words(lower)

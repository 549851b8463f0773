"""Text folded for search: one form for what a reader takes as the same characters, with offsets.

Every character is folded by itself, so that a piece of a text always folds to a piece of the folded text.
A phrase table, as in :mod:`topiccrawl.text.normalize`, would depend on what stands around the piece.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

import opencc

#: Traditional characters whose simplified form depends on the word (沿著, 著名), and which OpenCC therefore
#: leaves as they are where they stand alone: both forms are one for search.  From the entries of OpenCC's
#: ``TSPhrases`` and ``TSCharacters`` with several forms.
_AMBIGUOUS: Final = dict(zip("著瞭藉覆夥噹祇", "着了借复伙当只", strict=True))

#: What ends a sentence or a line; one token, which no phrase without it crosses.
BREAK: Final = "。"
_BREAKS: Final = frozenset("。！？!?…\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")

#: Zeros among Han digits: the character for it, the circle that is typed in its place, and the word.
_ZEROS: Final = "〇○零"
#: A row of Han digits: a year (二〇二六), a document's number.
_HAN_DIGITS: Final = re.compile(rf"[{_ZEROS}一二三四五六七八九]{{3,}}")

#: Blocks whose letters are searched without their accents: Latin with its extensions, Greek, Cyrillic.
_ACCENTED: Final = ((0x00C0, 0x052F), (0x1E00, 0x1FFF))

#: ASCII punctuation as tokens: its full-width form, which the tokenizers of the stores keep.
_WIDE: Final = 0xFEE0


class _Table(dict[int, str]):
    """A table for ``str.translate`` that computes the form of each character once."""

    def __missing__(self, code: int) -> str:
        form = self[code] = _folded_character(chr(code))
        return form


class _Marks(dict[int, str]):
    """The same for punctuation: its tokens, empty for all other characters."""

    def __missing__(self, code: int) -> str:
        form = self[code] = _mark(chr(code))
        return form


@lru_cache(maxsize=1)
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


def _folded_character(char: str) -> str:
    """Return the form of one character: a token or several, or empty for what is not searched."""
    if char in _BREAKS:
        return BREAK
    if "\ud800" <= char <= "\udfff":
        return "\ufffd"
    if char == "\ufffd":
        return char
    parts = []
    for it in unicodedata.normalize("NFKC", char).casefold():
        if any(first <= ord(it) <= last for first, last in _ACCENTED):
            it = unicodedata.normalize("NFKD", it)[0]
        if it in _BREAKS:
            parts.append(BREAK)
        elif _is_searched(it):
            simplified: str = _converter().convert(it)
            parts.append(_AMBIGUOUS.get(simplified, simplified))
    return "".join(parts)


def _is_searched(char: str) -> bool:
    """Return whether *char* is a token by itself: a letter, a digit or a pictogram."""
    category = unicodedata.category(char)
    # Unassigned: a newer Unicode may have a Han character there.
    return category[0] in "LN" or category in ("So", "Co", "Cn")


def _mark(char: str) -> str:
    """Return the tokens of one character of punctuation; empty for any other character."""
    if char in _BREAKS or char.isspace():
        return ""
    return "".join(
        chr(ord(it) + _WIDE) if it.isascii() else it
        for it in unicodedata.normalize("NFKC", char)
        if unicodedata.category(it)[0] in "PS" and not _is_searched(it)
    )


_TABLE: Final = _Table()
_MARKS: Final = _Marks()


def fold(text: str) -> str:
    """Return the tokens of *text*, a character each, without white space and punctuation.

    Traditional characters become simplified, full-width and other compatibility forms plain, letters
    lower case and without accents.  Ends of sentences and lines become :data:`BREAK`, never two in a
    row.  For every piece of a text, ``fold(piece)`` is a piece of ``fold(text)``.
    """
    folded = text.translate(_TABLE)
    while BREAK * 2 in folded:
        folded = folded.replace(BREAK * 2, BREAK)
    return folded


def with_zeros(folded: str) -> list[str]:
    """Return a folded phrase with the zeros of its Han digits written in each way, first as it is.

    >>> with_zeros("二○二六年")
    ['二○二六年', '二〇二六年', '二零二六年']
    """

    def written(zero: str) -> str:
        forms = dict.fromkeys(map(ord, _ZEROS), zero)
        return _HAN_DIGITS.sub(lambda row: row[0].translate(forms), folded)

    return list(dict.fromkeys((folded, *map(written, _ZEROS))))


def fold_with_offsets(text: str) -> tuple[str, list[int]]:
    """Return ``fold(text)`` and, of each of its tokens, the index of its character in *text*."""
    tokens: list[str] = []
    offsets: list[int] = []
    for at, char in enumerate(text):
        for token in _TABLE[ord(char)]:
            if token == BREAK and tokens and tokens[-1] == BREAK:
                continue
            tokens.append(token)
            offsets.append(at)
    return "".join(tokens), offsets


def marks(text: str) -> str:
    """Return each character of punctuation in *text* once, as tokens, sorted."""
    return "".join(sorted(set("".join(set(text)).translate(_MARKS))))


def spaced(folded: str) -> str:
    """Return the tokens of a folded text as words, a space between each two."""
    return " ".join(folded)

"""What is known about each frequent n-gram of a text that the dictionary lacks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from topiccrawl.vocabulary import dictionary as columns
from topiccrawl.vocabulary.ngrams import CodedText, Grams, frequent_grams, neighbors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from topiccrawl.scoring.arrays import BoolArray, FloatArray, IdArray
    from topiccrawl.text.segment import Segmenter
    from topiccrawl.vocabulary.dictionary import Dictionary

#: Longest new word, in characters (a choice: of the words of the People's Daily of January 1998 that jieba's
#: dictionary lacks and that occur twice, 1 % are longer).
LONGEST: Final = 6
#: Characters that are segmented at a time: the tokens of more would not fit in memory (a choice).
_PIECE = 1_000_000
#: Han numerals, and the words that follow them (measure words, parts of dates).
_NUMERALS = "〇零一二三四五六七八九十百千万亿两第几多数廿卅"
_UNITS = "年月日时分秒点号元角个名人位家项次条件届岁度倍成米里亩吨斤克纪"

#: Names of the columns of :attr:`Candidates.features`.
FEATURES: Final = (
    "log_count", "once", "cohesion", "cohesion_share", "least_entropy",
    "left_largest", "right_largest", "starts_token", "ends_token", "both", "whole_token",
    "inner_starts", "singles", "prefix_known", "suffix_known", "two_words", "word_inside",
    "first_begin", "first_single", "last_end", "last_single", "middle", "least_single", "surname",
    "given", "place_end", "name_end", "numerals", "numeral_first", "unit_last", "length_2", "length_3",
    "length_4", "person", "name_2", "name_3", "left_surname", "left_single", "right_single", "left_border",
    "right_border",
)  # fmt: skip
#: Columns by the names of :data:`FEATURES`.
_Features: TypeAlias = "dict[str, NDArray[Any]]"
#: A string that occurs once may be a name from this share of names among its characters on (a guess).
_PERSON = 0.02


@dataclass(frozen=True, slots=True)
class Candidates:
    """Strings that may be words, with what is known about each."""

    words: list[str]
    counts: IdArray
    features: FloatArray
    """Shape (n, len(FEATURES))."""
    entropy: FloatArray
    """The smaller boundary entropy, in nats: what the textbook looks at."""
    cohesion: FloatArray
    """The smallest pointwise mutual information of a split, in nats: the same."""


@dataclass(frozen=True, slots=True)
class _Tokens:
    """Where the segmenter's tokens are; one value for each place of the text."""

    start: NDArray[np.int8]
    """1 where a token starts."""
    end: NDArray[np.int8]
    """1 at its last character."""
    single: NDArray[np.int8]
    """1 at tokens of one character."""


def find_candidates(
    text: CodedText, segmenter: Segmenter, dictionary: Dictionary, least: int
) -> Iterator[Candidates]:
    """Yield the n-grams of Han characters that the dictionary lacks, by length, from 2 to ``LONGEST``.

    Parameters
    ----------
    text
        Normalized text.
    segmenter
        Its tokens are looked at, those that it guesses, too.
    dictionary
        Words that are known.
    least
        Least number of occurrences.  Of strings that occur once, only those are yielded that the segmenter
        takes for one word, or that may be names.
    """
    tokens = _tokens(text, segmenter)
    about = dictionary.characters(text)
    total = float(np.count_nonzero(text.codes))
    levels: list[Grams] = []
    known: list[BoolArray] = []
    for grams in frequent_grams(text, LONGEST, least):
        words = text.strings(grams.first, grams.length)
        known.append(np.fromiter((w in dictionary for w in words), dtype=bool, count=len(words)))
        levels.append(grams)
        if len(levels) > 1 and not known[-1].all():
            # The places of shorter n-grams are not needed any more, only their counts.
            levels[-2] = replace(levels[-2], at=levels[-2].at[:0])
            yield _candidates(text, tokens, about, levels, known, words, total)


def _tokens(text: CodedText, segmenter: Segmenter) -> _Tokens:
    start, end, single = (np.zeros(len(text.codes), dtype=np.int8) for _ in range(3))
    first = 0
    while first < len(text.codes):
        last = min(first + _PIECE, len(text.codes))
        while text.codes[last - 1]:  # not inside a run; the text ends with a boundary
            last += 1
        piece = text.codes[first:last]
        han = first + np.flatnonzero(piece)
        words = segmenter.cut("".join(map(chr, text.alphabet[piece].tolist())))
        lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
        ends = np.cumsum(lengths)
        start[han[ends - lengths]] = 1
        single[han[ends - lengths]] = lengths == 1
        end[han[ends - 1]] = 1
        first = last
    return _Tokens(start, end, single)


def _candidates(
    coded: CodedText,
    tokens: _Tokens,
    about: FloatArray,
    levels: list[Grams],
    known: list[BoolArray],
    words: list[str],
    total: float,
) -> Candidates:
    """Return the strings of the last of *levels* that may be new words, with their features."""
    grams = levels[-1]
    counts = grams.counts.astype(np.float64)
    cohesion = _cohesion(levels, total)
    values, entropy = _neighbor_features(coded, about, grams)
    values |= _counted_features(levels, known, counts, cohesion, total)
    values |= _token_features(tokens, grams)
    values |= _character_features(coded, about, grams)
    features = np.column_stack([values[name] for name in FEATURES])
    seldom = (counts < 2) & (values["whole_token"] == 0)
    seldom &= (values["person"] < _PERSON) | ~(values["both"] > 0)
    new = ~(known[-1] | seldom)
    return Candidates(
        [word for word, is_new in zip(words, new.tolist(), strict=True) if is_new],
        grams.counts[new],
        features[new],
        entropy[new],
        cohesion[new],
    )


def _counted_features(
    levels: list[Grams],
    known: list[BoolArray],
    counts: FloatArray,
    cohesion: FloatArray,
    total: float,
) -> _Features:
    """Return the features of how often a string, and the strings in it, occur."""
    grams, shorter = levels[-1], known[-2]
    prefix, suffix = shorter[grams.prefix], shorter[grams.suffix]
    if grams.length == 2:
        prefix = suffix = np.zeros(len(counts), dtype=bool)
    return {
        "log_count": np.log(counts),
        "once": counts < 2,
        "cohesion": cohesion * (counts > 1),
        "cohesion_share": cohesion / np.log(total / counts) * (1 - 1 / counts),
        "prefix_known": prefix,
        "suffix_known": suffix,
        "two_words": _two_words(levels, known),
        "word_inside": _word_inside(levels, known),
        **{f"length_{n}": np.full(len(counts), grams.length == n) for n in (2, 3, 4)},
    }


def _token_features(tokens: _Tokens, grams: Grams) -> _Features:
    """Return the features of where the segmenter starts and ends tokens."""
    n = grams.length

    def both(places: IdArray) -> NDArray[np.int8]:
        return tokens.start[places] & tokens.end[places + n - 1]

    def inner(places: IdArray) -> NDArray[np.int8]:
        return sum_of([tokens.start[places + i] for i in range(1, n)])

    def sum_of(columns: list[NDArray[np.int8]]) -> NDArray[np.int8]:
        return np.asarray(np.sum(columns, axis=0, dtype=np.int8))

    return {
        "starts_token": grams.mean(lambda at: tokens.start[at]),
        "ends_token": grams.mean(lambda at: tokens.end[at + n - 1]),
        "both": grams.mean(both),
        "whole_token": grams.mean(lambda at: both(at) & (inner(at) == 0)),
        "inner_starts": grams.mean(inner) / (n - 1),
        "singles": grams.mean(lambda at: sum_of([tokens.single[at + i] for i in range(n)])) / n,
    }


def _character_features(coded: CodedText, about: FloatArray, grams: Grams) -> _Features:
    """Return the features of the characters of a string: their roles in the dictionary, and numerals."""
    n = grams.length
    letters = coded.codes[grams.first[:, None] + np.arange(n)]
    rows = about[letters]
    characters = coded.alphabet[letters]
    numeral = np.isin(characters, [ord(c) for c in _NUMERALS])
    nothing = np.zeros(len(letters))
    surname = rows[:, 0, columns.SURNAME]
    given = rows[:, 1:, columns.GIVEN].mean(axis=1)
    return {
        "first_begin": rows[:, 0, columns.BEGIN],
        "first_single": rows[:, 0, columns.SINGLE],
        "last_end": rows[:, -1, columns.END],
        "last_single": rows[:, -1, columns.SINGLE],
        "middle": rows[:, 1:-1, columns.MIDDLE].mean(axis=1) if n > 2 else nothing,
        "least_single": rows[:, :, columns.SINGLE].min(axis=1),
        "surname": surname,
        "given": given,
        "place_end": rows[:, -1, columns.PLACE_END],
        "name_end": rows[:, -1, columns.NAME_END],
        "numerals": numeral.mean(axis=1),
        "numeral_first": numeral[:, 0],
        "unit_last": np.isin(characters[:, -1], [ord(c) for c in _UNITS]),
        "person": surname * given if n in (2, 3) else nothing,
        "name_2": surname * (n == 2),
        "name_3": surname * (n == 3),
    }


def _neighbor_features(
    coded: CodedText, about: FloatArray, grams: Grams
) -> tuple[_Features, FloatArray]:
    """Return the features of what is beside a string, and its smaller boundary entropy."""
    codes, n = coded.codes, grams.length
    left = neighbors(grams, codes, left=True)
    right = neighbors(grams, codes, left=False)
    entropy = np.minimum(left.entropy, right.entropy)
    features: _Features = {
        "least_entropy": entropy,
        "left_largest": left.largest,
        "right_largest": right.largest,
        "left_surname": grams.mean(lambda at: about[codes[at - 1], columns.SURNAME]),
        "left_single": grams.mean(lambda at: about[codes[at - 1], columns.SINGLE]),
        "right_single": grams.mean(lambda at: about[codes[at + n], columns.SINGLE]),
        "left_border": grams.mean(lambda at: codes[at - 1] == 0),
        "right_border": grams.mean(lambda at: codes[at + n] == 0),
    }
    return features, entropy


def _parts(levels: list[Grams], split: int) -> tuple[IdArray, IdArray]:
    """Return the numbers of the first *split* characters of the longest n-grams, and of the rest."""
    head = np.arange(len(levels[-1].counts))
    for grams in reversed(levels[split:]):
        head = grams.prefix[head]
    tail = np.arange(len(levels[-1].counts))
    for grams in reversed(levels[len(levels) - split :]):
        tail = grams.suffix[tail]
    return head, tail


def _cohesion(levels: list[Grams], total: float) -> FloatArray:
    """Return min over splits of ln(N·f(w) / (f(a)·f(b)))."""
    counts = levels[-1].counts
    least = np.full(len(counts), np.inf)
    for split in range(1, len(levels)):
        head, tail = _parts(levels, split)
        product = levels[split - 1].counts[head] * levels[len(levels) - split - 1].counts[
            tail
        ].astype(np.float64)
        least = np.minimum(least, np.log(total * counts / product))
    return least


def _two_words(levels: list[Grams], known: list[BoolArray]) -> BoolArray:
    """Return whether an n-gram consists of two words of the dictionary of two characters or more."""
    found = np.zeros(len(levels[-1].counts), dtype=bool)
    for split in range(2, len(levels) - 1):
        head, tail = _parts(levels, split)
        found |= known[split - 1][head] & known[len(levels) - split - 1][tail]
    return found


def _word_inside(levels: list[Grams], known: list[BoolArray]) -> BoolArray:
    """Return whether a word of the dictionary of two characters or more is inside an n-gram."""
    found = np.zeros(len(levels[-1].counts), dtype=bool)
    inside: BoolArray | None = None
    for grams, here in zip(levels, known, strict=True):
        if grams.length < 2:
            continue
        if inside is None:
            inside = here
            continue
        found = inside[grams.prefix] | inside[grams.suffix]
        inside = found | here
    return found

"""What changed between two versions of a text: sentence by sentence, and inside changed sentences.

Sentences that both versions have once, in the same order, are anchors (patience diff): the time is
O(n log n) in the number of sentences, whatever the texts are.  Between anchors, each old sentence is
paired with the first similar new one, and a pair is compared character by character, with Latin words
and numbers as wholes.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal

from topiccrawl.text.sentences import split_sentences

#: What became of a sentence, or of a piece of a changed one.
Kind = Literal["same", "removed", "added", "changed"]

#: Least similarity of an old and a new sentence that are shown as one changed sentence: the share of their
#: pairs of neighboring characters that both have (Dice).  A guess: half of it is still there.
_SIMILAR: Final = 0.5

#: Pairs of an old and a new sentence that are compared in a text; beyond, sentences are listed as removed and
#: added.  Twice as many as the longest body (150,000 characters) has sentences; a guess.
_MOST_PAIRS: Final = 40_000

#: Characters of a sentence that is compared character by character; ``difflib`` takes quadratic time.
_MOST_CHARS: Final = 1_000

#: Characters between two changed pieces that are shown as part of the change: one character that happens to
#: be equal makes a change harder to read.  A guess.
_LEAST_SAME: Final = 2

#: A Latin word or a number is one unit: a date that changed from 2024 to 2025 is read as a whole.
_UNIT: Final = re.compile(r"[A-Za-z]+|\d+(?:[.,:]\d+)*|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a changed sentence."""

    kind: Kind
    """``same``, ``removed`` or ``added``."""
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """One sentence of the comparison."""

    kind: Kind
    text: str
    """The sentence; the new one if it changed."""
    pieces: tuple[Piece, ...] = ()
    """The parts of a changed sentence, old and new."""


def text_changes(old: str, new: str) -> list[Change]:
    """Return the sentences of both texts in order, each with what became of it.

    Examples
    --------
    >>> [it.kind for it in text_changes("一。二。三。", "一。三。四。")]
    ['same', 'removed', 'same', 'added']
    """
    before, after = split_sentences(old), split_sentences(new)
    found: list[Change] = []
    at, to, left = 0, 0, _MOST_PAIRS
    for i, j in [*_anchors(before, after), (len(before), len(after))]:
        between, left = _between(before[at:i], after[to:j], left)
        found += between
        if i < len(before):
            found.append(Change("same", before[i]))
        at, to = i + 1, j + 1
    return found


def sentence_change(old: str, new: str) -> Change:
    """Return the change of one sentence into another, piece by piece."""
    if old == new:
        return Change("same", new)
    if len(old) > _MOST_CHARS or len(new) > _MOST_CHARS:
        pieces = [Piece("removed", old), Piece("added", new)]
    else:
        pieces = _pieces(_UNIT.findall(old), _UNIT.findall(new))
    return Change("changed", new, tuple(it for it in pieces if it.text))


def _anchors(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Return positions of equal sentences, in order: those that both have once, and their neighbors."""
    once = {it for it, count in Counter(before).items() if count == 1}
    where = {it: j for j, it in enumerate(after)}
    counts = Counter(after)
    pairs = [(i, where[it]) for i, it in enumerate(before) if it in once and counts.get(it, 0) == 1]
    found: list[tuple[int, int]] = []
    at, to = 0, 0
    for i, j in [*_increasing(pairs), (len(before), len(after))]:
        begin = common_length(before[at:i], after[to:j])
        found += [(at + k, to + k) for k in range(begin)]
        rest, other = before[at + begin : i], after[to + begin : j]
        end = common_length(rest[::-1], other[::-1])
        found += [(i - k, j - k) for k in range(end, 0, -1)]
        if i < len(before):
            found.append((i, j))
        at, to = i + 1, j + 1
    return found


def _increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of *pairs*, in order of the first, in which the second grows, too."""
    tails: list[int] = []
    last: list[int] = []
    previous: list[int] = []
    for index, (_, j) in enumerate(pairs):
        place = bisect_left(tails, j)
        previous.append(last[place - 1] if place else -1)
        if place == len(tails):
            tails.append(j)
            last.append(index)
        else:
            tails[place], last[place] = j, index
    found = []
    index = last[-1] if last else -1
    while index >= 0:
        found.append(pairs[index])
        index = previous[index]
    return found[::-1]


def common_length(one: Sequence[object], other: Sequence[object]) -> int:
    """Return the number of elements with which both begin."""
    differing = (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differing, min(len(one), len(other)))


def _between(before: Sequence[str], after: Sequence[str], most: int) -> tuple[list[Change], int]:
    """Return the changes of sentences between two anchors, and how many comparisons are left of *most*."""
    found: list[Change] = []
    to = 0
    shapes = [_shape(it) for it in after] if before else []
    for sentence in before:
        shape = _shape(sentence)
        for j in range(to, min(len(after), to + most)):
            most -= 1
            if _alike(shape, shapes[j]):
                found += [Change("added", it) for it in after[to:j]]
                found.append(sentence_change(sentence, after[j]))
                to = j + 1
                break
        else:
            found.append(Change("removed", sentence))
    return [*found, *(Change("added", it) for it in after[to:])], most


def _shape(sentence: str) -> Counter[str]:
    """Return how often each pair of neighboring characters occurs."""
    text = sentence[:_MOST_CHARS]
    return Counter(text[at : at + 2] for at in range(max(1, len(text) - 1)))


def _alike(one: Counter[str], other: Counter[str]) -> bool:
    total = one.total() + other.total()
    smaller, larger = (one, other) if len(one) <= len(other) else (other, one)
    # At most the smaller text can be common.
    if 4 * smaller.total() < _SIMILAR * total:
        return False
    common = sum(min(count, larger.get(pair, 0)) for pair, count in smaller.items())
    return 2 * common >= _SIMILAR * total


def _pieces(before: Sequence[str], after: Sequence[str]) -> list[Piece]:
    """Return the pieces of a changed sentence; short equal ones between changes are part of these."""
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    runs: list[tuple[str, str, str]] = []
    steps = matcher.get_opcodes()
    for index, (tag, i, k, j, m) in enumerate(steps):
        same = "".join(before[i:k]) if tag == "equal" else ""
        inner = 0 < index < len(steps) - 1
        if tag == "equal" and not (inner and len(same) < _LEAST_SAME):
            runs.append((same, "", ""))
            continue
        old, new = "".join(before[i:k]), "".join(after[j:m])
        if runs and not runs[-1][0]:
            runs[-1] = ("", runs[-1][1] + old, runs[-1][2] + new)
        else:
            runs.append(("", old, new))
    found = []
    for same, old, new in runs:
        found += [Piece("same", same), Piece("removed", old), Piece("added", new)]
    return found

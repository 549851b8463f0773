"""Generated titles and bodies whose statistics resemble those of Chinese news, for duplicates_scale.

Words of titles are drawn by their frequencies in jieba's dictionary, half of them from the words of the
events of the day, so that many titles share rare words without being copies.  Bodies are random walks over
the words of given texts: each word is followed by a word that follows it there, now and then by any word of
the dictionary.  Phrases repeat as they do in such texts; sentences do not.
"""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np

#: Parts of speech in jieba's dictionary that headlines consist of.
_SPEECH = frozenset({"n", "v", "ns", "nr", "nt", "nz", "vn", "j", "a", "l", "i", "nrt", "t"})
#: Characters of a headline: mean and standard deviation (588,442 real headlines have 20 on average; the
#: deviation is a guess).
_TITLE_CHARS = (20.0, 5.0)
#: Events of one day, words of each, and days that each lasts (guesses).
_EVENTS, _EVENT_WORDS, _EVENT_DAYS = 60, 6, 5
#: Shares of titles (guesses): copies of one of the last days, and forms that differ in numbers only.
COPIES, FORMS = 0.1, 0.02
#: Days within which a title is repeated (a guess).
_COPY_DAYS = 3
_FORMS = (
    "{place}新增{n}例新冠肺炎确诊病例",
    "{place}{month}月{day}日天气预报",
    "{place}福利彩票双色球第{n}期开奖公告",
    "{place}{n}吨储备粮竞价销售交易公告",
)
#: Characters of a body: median and deviation of the logarithm (a guess: mean 1,150).
_BODY_CHARS = (1_000, 0.5)
#: Share of the words of a body that follow any word (a guess), and words in one of steps.
_ANY_WORD = 0.1


@dataclass(frozen=True, slots=True)
class Title:
    """A title, and from which one it was made."""

    text: str
    day: int
    copy_of: int = -1
    """Number of the title that it repeats; -1 for a new one."""


class Dictionary:
    """Words of jieba's dictionary, drawn by frequency."""

    def __init__(self, seed: int) -> None:
        lines = (files("jieba") / "dict.txt").read_text(encoding="utf-8").splitlines()
        rows = [line.split(" ") for line in lines]
        chosen = [(w, int(n)) for w, n, speech in rows if speech in _SPEECH and len(w) > 1]
        self._words = np.array([w for w, _ in chosen], dtype=object)
        self._sums = np.cumsum([n + 1 for _, n in chosen])
        self._draw = np.random.default_rng(seed)
        self.places = [w for w, _, speech in rows if speech == "ns" and len(w) == 2][:400]

    def draw(self, count: int) -> list[str]:
        """Return *count* words."""
        at = self._draw.integers(0, self._sums[-1], count)
        words: list[str] = self._words[np.searchsorted(self._sums, at, side="right")].tolist()
        return words


def titles(count: int, per_day: int, seed: int = 1) -> Iterator[Title]:
    """Yield *count* titles in the order of their days."""
    draw, dictionary = random.Random(seed), Dictionary(seed)
    events: deque[list[str]] = deque(maxlen=_EVENTS)
    recent: list[tuple[int, list[str]]] = []
    stock: list[str] = []
    for number in range(count):
        day = number // per_day
        if number % max(1, per_day * _EVENT_DAYS // _EVENTS) == 0:
            events.append(dictionary.draw(_EVENT_WORDS))
        if len(stock) < 40:
            stock = dictionary.draw(20_000)
        kind = draw.random()
        if kind < FORMS:
            form, place = draw.choice(_FORMS), draw.choice(dictionary.places)
            numbers = {
                "n": draw.randrange(1, 300),
                "month": day // 30 % 12 + 1,
                "day": day % 30 + 1,
            }
            yield Title(form.format(place=place, **numbers), day)
        elif kind < FORMS + COPIES and recent:
            back = min(len(recent), _COPY_DAYS * per_day)
            original, words = recent[-1 - draw.randrange(back)]
            yield Title("".join(_changed(words, stock, draw)), day, original)
        else:
            words, chars, event = [], 0, draw.choice(events)
            wanted = draw.gauss(*_TITLE_CHARS)
            while chars < wanted:
                word = draw.choice(event) if draw.random() < 0.5 else stock.pop()
                if word in words:
                    word = stock.pop()
                words.append(word)
                chars += len(words[-1])
            recent.append((number, words))
            yield Title("".join(words), day)


def _changed(words: Sequence[str], stock: list[str], draw: random.Random) -> list[str]:
    """Return the title of a copy: half the time with a word less, or one more."""
    copy, change = list(words), draw.random()
    if change < 0.25:
        del copy[draw.randrange(len(copy))]
    elif change < 0.5:
        copy.insert(draw.randrange(len(copy)), stock.pop())
    return copy


class Bodies:
    """Texts that are random walks over the words of others.

    Parameters
    ----------
    texts
        Files of UTF-8 text to learn from.
    seed
        Of the random numbers.
    """

    def __init__(self, texts: Sequence[Path], seed: int = 1) -> None:
        import rjieba  # optional: there is no wheel for some platforms

        cut = rjieba.Jieba().cut
        learned = [w for path in texts for w in cut(path.read_text(encoding="utf-8")) if w.strip()]
        drawn = Dictionary(seed).draw(len(learned))
        self._words, ids = np.unique(np.array(learned + drawn, dtype=object), return_inverse=True)
        follows = ids[: len(learned)]
        order = np.argsort(follows[:-1], kind="stable")
        self._next = follows[1:][order]
        self._ends = np.cumsum(np.bincount(follows[:-1], minlength=len(self._words)))
        self._starts = np.concatenate(([0], self._ends[:-1]))
        self._any = ids
        self._draw = np.random.default_rng(seed)

    def batch(self, count: int) -> list[str]:
        """Return *count* texts."""
        draw = self._draw
        sizes = draw.lognormal(np.log(_BODY_CHARS[0]), _BODY_CHARS[1], count).astype(int) + 20
        steps = int(sizes.max() / 1.4)
        walk = np.empty((steps, count), np.int64)
        at = draw.choice(self._any, count)
        for step in range(steps):
            starts, degrees = self._starts[at], (self._ends - self._starts)[at]
            following = self._next[
                np.minimum(
                    starts + (draw.random(count) * degrees).astype(np.int64), len(self._next) - 1
                )
            ]
            away = (degrees == 0) | (draw.random(count) < _ANY_WORD)
            at = np.where(away, draw.choice(self._any, count), following)
            walk[step] = at
        columns = self._words[walk.T]
        return ["".join(words)[:size] for words, size in zip(columns, sizes.tolist(), strict=True)]


def edited(text: str, draw: random.Random) -> str:
    """Return *text* as an editor leaves it: a beginning added, a tenth cut, some characters changed."""
    at = draw.randrange(len(text))
    kept = list(text[: max(0, at - len(text) // 20)] + text[at + len(text) // 20 :])
    for _ in range(len(kept) // 100):
        kept[draw.randrange(len(kept))] = chr(draw.randrange(0x4E00, 0x9FA0))
    return "（编者按）" + "".join(kept)


def sentences(text: str) -> list[str]:
    """Return the sentences of *text*."""
    return re.findall(r"[^。！？]+[。！？]?", text)

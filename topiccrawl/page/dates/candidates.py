"""Candidates for the day of publication: the days that a page names, each with its features.

The features of a day are the fields that state it, those of its best visible line, and how it stands to
the other days of the page.  Among them is a *vote*: each kind of field counts with its weight
(:data:`topiccrawl.page.dates.stated.WEIGHTS`), the best line with its score.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.dates.stated import WEIGHTS
from topiccrawl.page.dates.visible_lines import CUES, LineDate
from topiccrawl.page.landmarks import find_text_start

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from numpy.typing import NDArray

    from topiccrawl.page.dates.stated import StatedDate

_KINDS: Final = ("json", "meta", "weak", "changed", "time", "url")

#: Names of the features, in the order of the columns.
FEATURES: Final = (
    *_KINDS, "kinds", "any_kind", "kind_newer",
    "line", "score", "labeled", "clock", "relative", "alone", "rest", *CUES,
    "after_title", "before_title", "far", "no_title", "above_text", "near_text", "in_text", "no_text",
    "in_others", "place", "top", "bottom", "first", "first_labeled", "lines_equal", "neighbors",
    "days", "newest", "oldest", "today", "recent", "vote", "vote_of_best", "score_of_best",
)  # fmt: skip
_AT: Final = {name: number for number, name in enumerate(FEATURES)}
#: Lines in which a distance counts e times less (guesses).
_SCALE: Final = 6.0
#: Lines around a date in which those of other days are counted (a guess: lists have one in each line).
_AROUND: Final = 4


@dataclass(slots=True)
class Day:
    """A day that the page names, with the places where it does."""

    stated: list[StatedDate] = field(default_factory=list)
    lines: list[LineDate] = field(default_factory=list)

    @property
    def best(self) -> LineDate | None:
        """The line with the highest score, the first of equal ones."""
        return max(self.lines, key=lambda it: it.score, default=None)

    @property
    def vote(self) -> float:
        """Sum of the weights of its kinds and of the score of its best line."""
        best = self.best
        stated = sum(WEIGHTS[kind] for kind in {it.kind for it in self.stated})
        return stated + (max(0.0, best.score) if best is not None else 0.0)


def days_of(stated: Sequence[StatedDate], lines: Sequence[LineDate]) -> dict[date, Day]:
    """Return the days that a page names, in the order of its fields and lines."""
    days: dict[date, Day] = {}
    for one in stated:
        days.setdefault(one.moment.date(), Day()).stated.append(one)
    for other in lines:
        days.setdefault(other.found.moment.date(), Day()).lines.append(other)
    return days


def features_of(days: dict[date, Day], lines: Sequence[str], today: date) -> NDArray[np.float64]:
    """Return the features of the days, shape (days, features), about in [-1, 1].

    Parameters
    ----------
    days : dict of date to Day
        A result of :func:`days_of`.
    lines : sequence of str
        Visible lines of the page.
    today : date
        Day of the fetch.
    """
    matrix = np.zeros((len(days), len(FEATURES)))
    if not days:
        return matrix
    start = find_text_start(lines)
    votes = [day.vote for day in days.values()]
    best_vote = max(votes)
    bests = [day.best for day in days.values()]
    best_score = max((it.score for it in bests if it is not None), default=0.0)
    dated = sorted((it.line, when) for when, day in days.items() for it in day.lines)
    numbers = [number for number, _ in dated]
    after = [
        it for day in days.values() for it in day.lines if it.after is not None or it.before is None
    ]
    first = min((it.line for it in after), default=-1)
    first_labeled = min((it.line for it in after if it.labeled), default=-1)
    newest_stated = max((when for when, day in days.items() if day.stated), default=None)
    visible = [when for when, day in days.items() if day.lines]
    newest, oldest = max(visible, default=None), min(visible, default=None)
    for row, (when, day) in enumerate(days.items()):
        values = dict.fromkeys({it.kind for it in day.stated}, 1.0)
        values["kinds"] = len(values) / 3
        values["any_kind"] = float(newest_stated is not None)
        values["kind_newer"] = float(newest_stated is not None and when > newest_stated)
        values["days"] = math.log(len(days))
        values["today"] = float(when == today)
        values["recent"] = math.exp(-max(0, (today - when).days) / 3)
        values["newest"] = float(when == newest)
        values["oldest"] = float(when == oldest)
        values["vote"] = votes[row] / 10
        values["vote_of_best"] = votes[row] / best_vote if best_vote > 0 else 0.0
        best = bests[row]
        if best is not None:
            values |= _of_line(best, len(lines), start)
            values["score_of_best"] = (best.score - best_score) / 6
            values["first"] = float(best.line == first)
            values["first_labeled"] = float(best.line == first_labeled)
            values["lines_equal"] = math.log(len(day.lines))
            low = bisect_left(numbers, best.line - _AROUND)
            high = bisect_left(numbers, best.line + _AROUND + 1)
            others = sum(other != when for _, other in dated[low:high])
            values["neighbors"] = min(others, 8) / 8
        for name, value in values.items():
            matrix[row, _AT[name]] = value
    return matrix


def _of_line(best: LineDate, count: int, start: int | None) -> dict[str, float]:
    """Return the features of the best line of a day."""
    clock = best.found.moment.time()
    values = {
        "line": 1.0,
        "score": max(-1.0, best.score / 6),
        "labeled": float(best.labeled),
        "clock": float(best.found.has_time and bool(clock.hour or clock.minute)),
        "relative": float(best.found.relative),
        "alone": float(best.rest <= 2),
        "rest": min(best.rest / 80, 2.0) / 2,
        "after_title": 0.0 if best.after is None else math.exp(-best.after / _SCALE),
        "before_title": 0.0 if best.before is None else math.exp(-best.before / _SCALE),
        "far": 0.0 if best.after is None else min(best.after, 60) / 60,
        "no_title": float(best.after is None and best.before is None),
        "in_text": float(best.in_text),
        "in_others": float(best.in_others),
        "place": best.line / max(1, count),
        "top": math.exp(-best.line / _SCALE),
        "bottom": math.exp(-(count - 1 - best.line) / _SCALE),
        "no_text": float(start is None),
    }
    if start is not None:
        values["above_text"] = float(best.line < start)
        values["near_text"] = math.exp(-abs(start - best.line) / _SCALE)
    for name, cue in zip(CUES, best.cues, strict=True):
        values[name] = float(cue)
    return values

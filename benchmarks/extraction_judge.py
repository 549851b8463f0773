"""How right the analysis of pages is: body, title, day and minute of publishing, kind.

A body is compared by :mod:`benchmarks.extraction_score`. *good* is the share of pages with F1 of 0.9 or
more. A title is right if it is an accepted one but for white space, punctuation and symbols. Times count
only where the truth has one. Lists have no body and are judged apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.extraction_score import normalized, precision_recall_f1

GOOD = 0.9
"""F1 from which a body counts as found."""

_TIME = re.compile(
    r"((?:19|20)\d\d)\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?"
    r"(?:[T,\s]*(\d{1,2})\s*[:：时]\s*(\d{2}))?"
)


@dataclass(frozen=True, slots=True)
class Expected:
    """The truth of one page; what is None or empty is not judged (an empty body is a list's)."""

    id: str
    group: str
    """Family or kind of source, for the table."""
    site: str
    bodies: tuple[str, ...]
    """Accepted bodies; the best counts."""
    titles: tuple[str, ...] = ()
    published: str | None = None
    kind: str | None = None
    author: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What an extractor said about one page; None where it says nothing."""

    body: str = ""
    title: str | None = None
    published: str | None = None
    kind: str | None = None
    author: str | None = None
    source: str | None = None
    silent: frozenset[str] = frozenset()
    """Measures of which this extractor never says anything; they are not judged."""


@dataclass(frozen=True, slots=True)
class Row:
    """One page judged. What is None could not be judged."""

    expected: Expected
    precision: float
    recall: float
    f1: float
    title: bool | None
    day: bool | None
    minute: bool | None
    kind: bool | None
    author: bool | None
    source: bool | None
    is_list: bool
    empty: bool


def plain_title(text: str) -> str:
    """The title without white space, punctuation and symbols, in lower case.

    >>> plain_title("“侨乡” —— 2023 New")
    '侨乡2023new'
    """
    folded = unicodedata.normalize("NFKC", text).lower()
    return "".join(c for c in folded if unicodedata.category(c)[0] not in "ZPSC")


def when(text: str | None) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """Day and time of day that a text states.

    >>> when("2023-04-01T10:05"), when("2023年4月1日")
    (((2023, 4, 1), (10, 5)), ((2023, 4, 1), None))
    """
    match = _TIME.search(text or "")
    if match is None:
        return None, None
    year, month, day, hour, minute = match.groups()
    clock = None if hour is None else (int(hour), int(minute))
    return (int(year), int(month), int(day)), clock


def _same(expected: str | None, found: str | None) -> bool | None:
    """Whether a name is right; None if the truth has none."""
    return None if expected is None else normalized(expected) == normalized(found or "")


def judge(expected: Expected, found: Found) -> Row:
    """One page."""
    best = max(
        (precision_recall_f1(body, found.body) for body in expected.bodies), key=lambda r: r[2]
    )
    title = day = minute = None
    if expected.titles:
        accepted = {plain_title(t) for t in expected.titles}
        title = bool(found.title) and plain_title(found.title or "") in accepted
    if expected.published:
        true_day, true_clock = when(expected.published)
        found_day, found_clock = when(found.published)
        day = true_day == found_day
        if true_clock is not None:
            minute = day and true_clock == found_clock
    author = _same(expected.author, found.author)
    source = _same(expected.source, found.source)
    return Row(
        expected,
        *best,
        None if "title" in found.silent else title,
        None if "day" in found.silent else day,
        None if "minute" in found.silent else minute,
        None if found.kind is None else _same(expected.kind, found.kind),
        None if "author" in found.silent else author,
        None if "source" in found.silent else source,
        is_list=not any(expected.bodies),
        empty=not normalized(found.body),
    )


@dataclass(frozen=True, slots=True)
class Score:
    """Means over pages; nan where no page has a truth. Bodies are judged where there is one."""

    pages: int
    f1: float
    low: float
    """Lower and upper end of the 95 % interval of ``f1``, drawn over sites."""
    high: float
    precision: float
    recall: float
    good: float
    site_f1: float
    """Mean over sites of their mean F1."""
    title: float
    day: float
    minute: float
    kind: float
    author: float
    source: float
    lists: float
    """Share of pages without body for which none was found."""


def _mean(values: Iterable[float | bool | None]) -> float:
    known = [float(v) for v in values if v is not None]
    return sum(known) / len(known) if known else float("nan")


def summarize(rows: Sequence[Row], draws: int = 1_000) -> Score:
    """The score of many pages; the interval needs some hundred draws."""
    texts = [r for r in rows if not r.is_list]
    sites: dict[str, list[float]] = defaultdict(list)
    for row in texts:
        sites[row.expected.site].append(row.f1)
    low, high = interval(list(sites.values()), draws)
    return Score(
        pages=len(rows),
        f1=_mean(r.f1 for r in texts),
        low=low,
        high=high,
        precision=_mean(r.precision for r in texts),
        recall=_mean(r.recall for r in texts),
        good=_mean(r.f1 >= GOOD for r in texts),
        site_f1=_mean(_mean(v) for v in sites.values()),
        title=_mean(r.title for r in texts),
        day=_mean(r.day for r in rows),
        minute=_mean(r.minute for r in rows),
        kind=_mean(r.kind for r in rows),
        author=_mean(r.author for r in rows),
        source=_mean(r.source for r in rows),
        lists=_mean(r.empty for r in rows if r.is_list),
    )


def interval(groups: Sequence[Sequence[float]], draws: int = 1_000) -> tuple[float, float]:
    """95 % bootstrap interval of the mean over all values, drawing whole groups.

    Pages of one site are not independent, therefore groups.
    """
    if not groups or draws < 40:
        return float("nan"), float("nan")
    sums = np.array([sum(g) for g in groups])
    sizes = np.array([len(g) for g in groups])
    chosen = np.random.default_rng(1).integers(0, len(groups), (draws, len(groups)))
    means = np.sort(sums[chosen].sum(axis=1) / sizes[chosen].sum(axis=1))
    return float(means[int(0.025 * draws)]), float(means[int(0.975 * draws) - 1])


def grouped(rows: Sequence[Row], key: Callable[[Row], str]) -> dict[str, list[Row]]:
    """Rows in groups, in the order of their first pages."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)

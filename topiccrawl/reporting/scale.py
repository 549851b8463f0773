"""Axis arithmetic and number formats of the charts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.store.values import in_zone

#: A bar that is higher than this many times the next one is drawn broken.  A guess: the next one
#: would be a quarter of the drawing high, and small ones would look like zero.
BREAK_RATIO = 4

#: Bars drawn broken at most; with more of them the axis would show little of the data.
BROKEN_BARS = 2


def nice_step(span: float, ticks: int) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that needs at most *ticks* steps.

    *span* > 0.
    """
    raw = span / ticks
    power: float = 10.0 ** math.floor(math.log10(raw))
    for factor in (1, 2, 5):
        if factor * power * ticks >= span * (1 - 1e-9):
            return factor * power
    return 10 * power


def ticks(top: float, count: int) -> list[float]:
    """Return round tick values from 0 to the first one >= *top*; ``[0, 1]`` when top is not > 0."""
    if not top > 0 or not math.isfinite(top):
        return [0.0, 1.0]
    step = nice_step(top, count)
    return [i * step for i in range(math.ceil(top / step - 1e-9) + 1)]


def whole_ticks(top: int) -> list[float]:
    """Return the tick values of an axis of counts, which are whole numbers."""
    return [value for value in ticks(top, 4) if value == int(value)]


def axis_top(counts: Sequence[int]) -> int:
    """Return the largest of *counts* that the axis shows whole; larger bars are drawn broken.

    At most ``BROKEN_BARS`` are larger, the smallest of them more than ``BREAK_RATIO`` times as large.
    """
    ranked = sorted(counts, reverse=True)
    top = ranked[0]
    for high, low in pairwise(ranked[: BROKEN_BARS + 1]):
        if low and high > BREAK_RATIO * low:
            top = low
    return top


def percent(rate: float) -> str:
    """Return ``0.4213`` as ``42.1%``."""
    return f"{100 * rate:.1f}%"


def number(value: float) -> str:
    """Return ``12345`` as ``12,345``, and ``12.34567`` as ``12.35``."""
    if isinstance(value, int) or 1_000 <= abs(value) < 1e15:
        return f"{round(value):,}"
    return f"{value:,.4g}"


def short(value: float) -> str:
    """Return a score with three significant digits and no trailing zeros; from 1,000 as an integer."""
    if not math.isfinite(value):
        return "—"
    return f"{value:.0f}" if 999.5 <= abs(value) < 1e6 else f"{value:.3g}"


def days_shown(span: str) -> str:
    """Return ``2026-11-02/2026-11-05`` as ``2026-11-02 – 2026-11-05``, a dash for nothing."""
    return span.replace("/", " – ") or "—"


def moment(at: datetime) -> str:
    """Return a time in China, to the minute."""
    return in_zone(at, CHINA_TIME).strftime("%Y-%m-%d %H:%M")


def stated_moment(at: datetime) -> str:
    """Return a time in China; midnight, which pages without a time of day state, as a day."""
    local = in_zone(at, CHINA_TIME)
    is_day = (local.hour, local.minute, local.second) == (0, 0, 0)
    return f"{local:%Y-%m-%d}" if is_day else moment(at)


def china_day(at: datetime) -> date:
    """Return the day in China at the time *at*."""
    return in_zone(at, CHINA_TIME).date()


def span_text(span: timedelta) -> str:
    """Return a duration as ``2 d 03:04:05``, or ``3:04`` for minutes and seconds."""
    seconds = max(0, round(span.total_seconds()))
    days, seconds = divmod(seconds, 86_400)
    hours, seconds = divmod(seconds, 3_600)
    minutes, seconds = divmod(seconds, 60)
    if days:
        return f"{days} d {hours:02}:{minutes:02}:{seconds:02}"
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

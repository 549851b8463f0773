"""Axis arithmetic and number formats of the charts."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

from topiccrawl.page.dates import CHINA_TIME


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


def percent(rate: float) -> str:
    """Return ``0.4213`` as ``42.1 %``."""
    return f"{100 * rate:.1f} %"


def number(value: float) -> str:
    """Return ``12345`` as ``12,345``."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def short(value: float) -> str:
    """Return a score with three significant digits and no trailing zeros."""
    return f"{value:.3g}" if math.isfinite(value) else "—"


def moment(at: datetime) -> str:
    """Return a time in UTC, to the minute."""
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def china_date(at: datetime) -> str:
    """Return the date in China at the time *at*."""
    return at.astimezone(CHINA_TIME).strftime("%Y-%m-%d")


def span_text(span: timedelta) -> str:
    """Return a duration as ``2 d 03:04:05``, or ``3:04`` for minutes and seconds."""
    seconds = max(0, round(span.total_seconds()))
    days, seconds = divmod(seconds, 86_400)
    hours, seconds = divmod(seconds, 3_600)
    minutes, seconds = divmod(seconds, 60)
    if days:
        return f"{days} d {hours:02}:{minutes:02}:{seconds:02}"
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

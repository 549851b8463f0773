"""Charts as inline SVG, for views that work without scripts; the tables beside them are in the templates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from topiccrawl.insight.days import day_of
from topiccrawl.reporting.markup import Html, el
from topiccrawl.reporting.scale import number, whole_ticks
from topiccrawl.reporting.svg import Frame

#: Size of the drawing in SVG units.
_WIDTH: Final = 920.0
_HEIGHT: Final = 260.0

#: Bars at most (a choice: each is a unit wide; 30 years of days would be 300 KB).
_MOST_BARS: Final = 900

#: Dates below the drawing at most.
_DATES: Final = 7


def volume_chart(
    first_day: int,
    counts: Sequence[float],
    expected: Sequence[float],
    bands: Sequence[tuple[int, int]],
    label: str,
) -> Markup:
    """Return bars of the counts of consecutive days, the ordinary level as a line, and bursts as bands.

    In a period of more than 900 days, a bar is the mean of several days.

    Parameters
    ----------
    first_day
        Day of the first count: days since 1970-01-01.
    counts, expected
        One value each for every day.
    bands
        First and last day of each burst.
    label
        Accessible name.
    """
    days = len(counts)
    step = max(1, -(-days // _MOST_BARS))
    bars, line = _means(counts, step), _means(expected, step)
    top = max(1.0, *bars, *line)
    ticks = whole_ticks(int(-(-top // 1))) or [0.0, 1.0]
    frame = Frame(
        _WIDTH, _HEIGHT, left=52, right=8, top=10, bottom=30, x_top=max(days, 1), y_top=ticks[-1]
    )
    return Markup(
        frame.draw(
            label,
            _bands(frame, first_day, days, bands),
            frame.axes(_dates(first_day, days), [(it, number(int(it))) for it in ticks]),
            _bars(frame, bars, step),
            _line(frame, line, step),
        )
    )


def _means(values: Sequence[float], step: int) -> list[float]:
    """Return the mean of each *step* consecutive values, the last one of those that are left."""
    parts = [values[at : at + step] for at in range(0, len(values), step)]
    return [sum(map(float, part)) / len(part) for part in parts]


def _bars(frame: Frame, counts: Sequence[float], days: int) -> list[Html]:
    """Return one path of all bars, each *days* wide: 700 elements would be slow."""
    step = frame.x(days) - frame.x(0)
    gap = min(1.0, 0.15 * step)
    floor = frame.y(0)
    parts = [
        f"M{frame.x(at * days) + gap:.1f},{floor:.1f}V{frame.y(count):.1f}h{step - 2 * gap:.2f}V{floor:.1f}z"
        for at, count in enumerate(counts)
        if count
    ]
    return [el("path", d="".join(parts), class_="kept")]


def _line(frame: Frame, expected: Sequence[float], days: int) -> list[Html]:
    if not any(expected):
        return []
    points = frame.points(((at + 0.5) * days, value) for at, value in enumerate(expected))
    return [el("polyline", points=" ".join(points), class_="line second")]


def _bands(frame: Frame, first_day: int, days: int, bands: Sequence[tuple[int, int]]) -> list[Html]:
    found = []
    for first, last in bands:
        left = frame.x(max(0, first - first_day))
        right = frame.x(min(days, last - first_day + 1))
        height = frame.y(0) - frame.top
        found.append(
            el("rect", x=left, y=frame.top, width=right - left, height=height, class_="band")
        )
    return found


def _dates(first_day: int, days: int) -> list[tuple[float, str]]:
    """Return positions and texts of the dates below: first days of months if there are enough."""
    starts = [at for at in range(days) if day_of(first_day + at).day == 1]
    if len(starts) >= 3:
        every = -(-len(starts) // _DATES)
        return [(float(at), day_of(first_day + at).strftime("%Y-%m")) for at in starts[::every]]
    every = max(1, -(-days // _DATES))
    return [(at + 0.5, day_of(first_day + at).strftime("%m-%d")) for at in range(0, days, every)]

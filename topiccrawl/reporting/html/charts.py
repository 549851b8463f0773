"""Charts of the report as inline SVG, without scripts or libraries."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from topiccrawl.reporting.aggregates.curve import CurvePoint, window_pages, windowed
from topiccrawl.reporting.markup import Html, el
from topiccrawl.reporting.scale import axis_top, number, percent, short, ticks, whole_ticks
from topiccrawl.reporting.svg import Frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.reporting.aggregates.histogram import Bin
    from topiccrawl.reporting.aggregates.tallies import Thresholds
    from topiccrawl.reporting.words.labels import Words

#: Days drawn: at least, so that a first day is not one bar as wide as the drawing, and at most.
LEAST_DAYS, MOST_DAYS = 14, 60

#: Days named below the drawing, at most; each needs the width of five digits.
DAY_LABELS = 5

#: Columns with a tooltip: more would be too narrow to point at.
HOVER_COLUMNS = 80


def curve_chart(points: Sequence[CurvePoint], marks: Sequence[int], words: Words) -> Html:
    """Draw cumulative and windowed harvest rate over pages fetched.  *points* is not empty."""
    total = points[-1].fetched
    window = window_pages(total)
    recent = windowed(points, window)
    cumulative = [(p.fetched, p.rate) for p in points if p.fetched >= min(10, total)]
    highest = max(rate for _, rate in [*cumulative, *recent])
    y_values = ticks(min(1.0, highest * 1.05), 5)
    x_values = [v for v in ticks(total, 6) if v <= total]
    frame = Frame(760, 312, left=76, bottom=68, x_top=total, y_top=y_values[-1])
    labels = [(v, f"{100 * v:.3g}%") for v in y_values]
    return frame.draw(
        words.plain("curve"),
        frame.axes([(v, number(round(v))) for v in x_values if v == int(v)], labels),
        [
            el("line", x1=x, x2=x, y1=frame.y(frame.y_top), y2=frame.y(0), class_="mark")
            for x in map(frame.x, marks)
        ],
        [_line(frame, recent, "recent"), _line(frame, cumulative, "total")],
        frame.name_x(words, "fetched"),
        _hover(frame, points, dict(recent), window, words),
        class_="chart wide",
    )


def _line(frame: Frame, values: Sequence[tuple[float, float]], class_: str) -> Html:
    return el("polyline", points=" ".join(frame.points(values)), class_=class_)


def _hover(
    frame: Frame,
    points: Sequence[CurvePoint],
    recent: dict[int, float],
    window: int,
    words: Words,
) -> list[Html]:
    """Return transparent columns whose tooltips show the values at their right edges."""
    step = -(-len(points) // HOVER_COLUMNS)
    chosen = list(points[::-1][::step])[::-1]
    columns: list[Html] = []
    start = 0
    for point in chosen:
        lines = [
            words.tip("fetched", number(point.fetched)),
            words.tip("relevant", number(point.relevant)),
            words.tip("cumulative", percent(point.rate)),
        ]
        if point.fetched in recent:
            lines.append(words.tip("windowed", percent(recent[point.fetched]), n=window))
        left, right = frame.x(start), frame.x(point.fetched)
        column = el(
            "rect",
            el("title", "\n".join(lines)),
            x=left,
            width=right - left,
            y=frame.top,
            height=frame.y(0) - frame.top,
            class_="hit",
        )
        columns.append(column)
        start = point.fetched
    return columns


def histogram_chart(
    bins: Sequence[Bin],
    thresholds: Thresholds | None,
    words: Words,
    *,
    name: str = "histogram",
    axis: str = "relevance",
) -> Html:
    """Draw stored below rejected pages for each range of values.  *bins* is not empty.

    *name* and *axis* are the labels of the drawing and of its horizontal axis.
    """
    totals = [item.kept + item.rejected for item in bins]
    y_values = whole_ticks(axis_top(totals))
    frame = Frame(560, 370, top=34, x_top=bins[-1].high, y_top=y_values[-1])
    bars: list[Html] = []
    for item in bins:
        tip = (
            f"{words.plain(axis)} {short(item.low)} – {short(item.high)}\n"
            f"{words.tip('kept', number(item.kept))}\n"
            f"{words.tip('rejected', number(item.rejected))}"
        )
        parts = (("kept", item.kept), ("rejected", item.rejected))
        bars.append(_bar(frame, item.low, item.high, parts, tip))
    x_ticks = [(v, short(v)) for v in ticks(frame.x_top, 6) if v <= frame.x_top * (1 + 1e-9)]
    return frame.draw(
        words.plain(name),
        frame.axes(x_ticks, [(v, number(round(v))) for v in y_values]),
        bars,
        _threshold(frame, thresholds, words) if thresholds else [],
        frame.name_x(words, axis),
    )


def days_chart(days: Sequence[tuple[date, int]], words: Words) -> Html:
    """Draw the number of pages of each of the last days.  *days* is not empty, oldest first."""
    last = days[-1][0]
    span = min(max((last - days[0][0]).days + 1, LEAST_DAYS), MOST_DAYS)
    found = dict(days)
    shown = [last - timedelta(days=n) for n in reversed(range(span))]
    counts = [found.get(day, 0) for day in shown]
    y_values = whole_ticks(axis_top(counts))
    frame = Frame(560, 300, x_top=span, y_top=y_values[-1])
    bars = [
        _bar(frame, n, n + 1, [("kept", count)], f"{day}: {number(count)}")
        for n, (day, count) in enumerate(zip(shown, counts, strict=True))
    ]
    every = -(-span // DAY_LABELS)
    x_ticks = [(n + 0.5, f"{shown[n]:%m-%d}") for n in range(span - 1, -1, -every)]
    return frame.draw(
        words.plain("days"),
        frame.axes(x_ticks, [(v, number(round(v))) for v in y_values]),
        bars,
        frame.name_x(words, "day"),
    )


def _bar(frame: Frame, low: float, high: float, parts: Sequence[tuple[str, int]], tip: str) -> Html:
    """Return one bar from *low* to *high*, made of stacked (class, count) *parts*, with a tooltip.

    A bar above the axis is drawn broken, as high as the drawing, with its number beside it.
    """
    x, width = frame.x(low) + 0.75, max(frame.x(high) - frame.x(low) - 1.5, 0.5)
    total = sum(count for _, count in parts)
    scale = min(1.0, frame.y_top / total) if total else 1.0
    shapes: list[Html] = [el("title", tip)]
    column = {"y": frame.top, "height": frame.y(0) - frame.top}
    shapes.append(el("rect", x=x - 0.75, width=width + 1.5, class_="hit", **column))
    below = 0.0
    for class_, count in parts:
        bottom, top = frame.y(below * scale), frame.y((below + count) * scale)
        shapes.append(el("rect", x=x, width=width, y=top, height=bottom - top, class_=class_))
        below += count
    if scale < 1:
        cut = frame.y(0.85 * frame.y_top)
        zigzag = f"M{x - 3:.1f},{cut + 4:.1f} l{width / 2 + 3:.1f},-8 l{width / 2 + 3:.1f},8"
        shapes.append(el("path", d=zigzag, class_="break"))
        right_half = x > frame.width * 0.8
        shapes.append(
            el(
                "text",
                number(total),
                x=x - 5 if right_half else x + width + 5,
                y=frame.top + 4,
                dy="0.5em",
                text_anchor="end" if right_half else "start",
            )
        )
    return el("g", *shapes)


def _threshold(frame: Frame, thresholds: Thresholds, words: Words) -> list[Html]:
    """Return the last threshold as a line with its value, and the range of thresholds as a band."""
    x, floor = frame.x(thresholds.last), frame.y(0)
    low, high = frame.x(thresholds.low), frame.x(thresholds.high)
    right_half = x > frame.width * 0.62
    place: dict[str, float | str] = {
        "x": x - 6 if right_half else x + 6,
        "y": frame.top - 10,
        "text_anchor": "end" if right_half else "start",
    }
    return [
        el("rect", x=low, width=high - low, y=frame.top, height=floor - frame.top, class_="band"),
        el("line", x1=x, x2=x, y1=frame.top - 22, y2=floor, class_="threshold"),
        el("g", words.svg("threshold", short(thresholds.last), **place), class_="threshold-label"),
    ]

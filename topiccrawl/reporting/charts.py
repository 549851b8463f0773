"""Charts of the report as inline SVG, without scripts or libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.reporting.curve import CurvePoint, window_pages, windowed
from topiccrawl.reporting.markup import Html, el
from topiccrawl.reporting.scale import number, percent, short, ticks
from topiccrawl.reporting.svg import Frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.reporting.data import RunMark
    from topiccrawl.reporting.histogram import Bin
    from topiccrawl.reporting.tallies import Thresholds
    from topiccrawl.reporting.words import Words

#: Columns with a tooltip: more would be too narrow to point at.
HOVER_COLUMNS = 80


def curve_chart(points: Sequence[CurvePoint], marks: Sequence[RunMark], words: Words) -> Html:
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
            for x in (frame.x(mark.fetched) for mark in marks)
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
            f"{words.plain('fetched')}: {number(point.fetched)}",
            f"{words.plain('relevant')}: {number(point.relevant)}",
            f"{words.plain('cumulative')}: {percent(point.rate)}",
        ]
        if point.fetched in recent:
            lines.append(f"{words.plain('windowed', n=window)}: {percent(recent[point.fetched])}")
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
    y_values = [v for v in ticks(max(b.kept + b.rejected for b in bins), 4) if v == int(v)]
    frame = Frame(560, 370, top=34, x_top=bins[-1].high, y_top=y_values[-1])
    bars: list[Html] = []
    for item in bins:
        x, width = frame.x(item.low), frame.x(item.high) - frame.x(item.low)
        middle, top = frame.y(item.kept), frame.y(item.kept + item.rejected)
        tip = (
            f"{words.plain(axis)} {short(item.low)} – {short(item.high)}\n"
            f"{words.plain('kept')}: {number(item.kept)}\n"
            f"{words.plain('rejected')}: {number(item.rejected)}"
        )
        bar = {"x": x + 0.75, "width": max(width - 1.5, 0.5)}
        bars.append(
            el(
                "g",
                el("title", tip),
                el(
                    "rect",
                    x=x,
                    width=width,
                    y=frame.top,
                    height=frame.y(0) - frame.top,
                    class_="hit",
                ),
                el("rect", y=middle, height=frame.y(0) - middle, class_="kept", **bar),
                el("rect", y=top, height=middle - top, class_="rejected", **bar),
            )
        )
    x_ticks = [(v, short(v)) for v in ticks(frame.x_top, 6) if v <= frame.x_top * (1 + 1e-9)]
    return frame.draw(
        words.plain(name),
        frame.axes(x_ticks, [(v, number(round(v))) for v in y_values]),
        bars,
        _threshold(frame, thresholds, words) if thresholds else [],
        frame.name_x(words, axis),
    )


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

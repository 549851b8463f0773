"""Curves of an evaluation as inline SVG: the best strategies with bands, the others in gray."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from topiccrawl.evaluation.results.htmltables import folded_values, headings
from topiccrawl.reporting.markup import Html, clean, el
from topiccrawl.reporting.scale import number, percent, ticks
from topiccrawl.reporting.svg import Frame

if TYPE_CHECKING:
    from topiccrawl.evaluation.results.judged import Calibration
    from topiccrawl.evaluation.results.summary import Band

#: Strategies with a color of their own; more colors are hard to distinguish.
COLORS = 6
#: Most columns of the table of values.
_VALUE_COLUMNS = 8


def band_chart(label: str, ranked: Sequence[Band], limits: Sequence[Band]) -> Html:
    """Draw rates over pages fetched: *ranked* strategies, best first, and the dashed *limits*.

    Lines differ in dash pattern as well as in color.  A strategy without points keeps its color.
    """
    drawn = [band for band in (*ranked, *limits) if band.pages]
    pages = max(band.pages[-1] for band in drawn)
    highest = max(max(band.mean) for band in drawn)
    y_values = ticks(min(1.0, highest), 5)
    x_values = [v for v in ticks(pages, 6) if v <= pages and v == int(v)]
    frame = Frame(920, 380, left=64, right=18, bottom=52, x_top=pages, y_top=y_values[-1])
    middle = (frame.left + frame.width - frame.right) / 2
    best, others = ranked[:COLORS], ranked[COLORS:]
    return frame.draw(
        label,
        frame.axes([(v, number(round(v))) for v in x_values], [(v, f"{v:.0%}") for v in y_values]),
        [_line(frame, band, "other") for band in others if band.pages],
        [_line(frame, band, f"limit l{i}") for i, band in enumerate(limits) if band.pages],
        [_area(frame, band, f"b{i}") for i, band in enumerate(best) if band.pages],
        [_line(frame, band, f"line c{i}") for i, band in enumerate(best) if band.pages],
        [el("text", "pages fetched", x=middle, y=frame.height - 12, text_anchor="middle")],
        class_="chart",
    )


def _line(frame: Frame, band: Band, class_: str) -> Html:
    title = el("title", f"{clean(band.name, 60)}: {percent(band.mean[-1])} at the end")
    line = el("polyline", points=" ".join(frame.points(zip(band.pages, band.mean, strict=True))))
    return el("g", title, line, class_=class_)


def _area(frame: Frame, band: Band, class_: str) -> Html:
    upper = frame.points(zip(band.pages, band.high, strict=True))
    lower = frame.points(zip(band.pages, band.low, strict=True))[::-1]
    return el("polygon", points=" ".join([*upper, *lower]), class_=f"band {class_}")


def reliability_chart(label: str, ranked: Sequence[tuple[str, Calibration | None]]) -> Html:
    """Draw the share of relevant pages over the mean probability, bin by bin.

    On the dashed diagonal, probabilities are calibrated.  *ranked* are strategies, best first.
    """
    frame = Frame(460, 400, left=64, right=18, bottom=52)
    marks = [(v / 5, f"{v / 5:.0%}") for v in range(6)]
    middle = (frame.left + frame.width - frame.right) / 2
    lines = []
    for i, (name, bins) in enumerate(ranked):
        if bins is not None:
            title = el("title", clean(name, 60))
            points = frame.points(reliability(bins))
            class_ = f"line c{i}" if i < COLORS else "other"
            dots = [
                el("circle", cx=point.split(",")[0], cy=point.split(",")[1], r=2.5)
                for point in points
            ]
            line = el("polyline", points=" ".join(points))
            lines.append(el("g", title, line, dots, class_=class_))
    return frame.draw(
        label,
        frame.axes(marks, marks),
        [
            el(
                "g",
                el("polyline", points=" ".join(frame.points([(0, 0), (1, 1)]))),
                class_="limit l0",
            )
        ],
        lines[::-1],
        [el("text", "mean probability", x=middle, y=frame.height - 12, text_anchor="middle")],
        class_="chart square",
    )


def reliability(bins: Calibration) -> list[tuple[float, float]]:
    """Return mean probability and share of relevant pages of each bin that contains pages."""
    rows = zip(bins.pages, bins.probability, bins.relevant, strict=True)
    return [(p / n, y / n) for n, p, y in rows if n]


def curve_table(caption: str, drawn: Sequence[Band]) -> Html:
    """Return the curves as a table, for readers who cannot see the chart."""
    longest = max((band.pages for band in drawn), key=lambda pages: pages[-1])
    step = max(1, len(longest) // _VALUE_COLUMNS)
    places = list(range(step - 1, len(longest), step))
    rows = (
        (band.name, [percent(band.mean[min(i, len(band.mean) - 1)]) for i in places])
        for band in drawn
    )
    return folded_values(caption, headings((number(longest[i]) for i in places), "n"), rows)

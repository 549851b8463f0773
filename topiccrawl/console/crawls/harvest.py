"""The harvest curve of a run as inline SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.language import _
from topiccrawl.reporting.markup import Html, el
from topiccrawl.reporting.scale import number, whole_ticks
from topiccrawl.reporting.svg import Frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.crawl.runs.state import CurvePoint


def harvest_chart(points: Sequence[CurvePoint]) -> Html | None:
    """Return kept pages over fetched pages, with the line of a crawl that keeps all; ``None`` without."""
    if len(points) < 2 or not points[-1][0]:
        return None
    pages, kept, _seconds = points[-1]
    x_ticks, y_ticks = whole_ticks(pages), whole_ticks(max(kept, 1))
    frame = Frame(
        720, 260, bottom=44, x_top=max(pages, x_ticks[-1]), y_top=max(kept, y_ticks[-1], 1)
    )
    line = frame.points((x, y) for x, y, _at in [(0, 0, 0.0), *points])
    best = min(frame.x_top, frame.y_top)
    ideal = frame.points([(0, 0), (best, best)])
    middle = (frame.left + frame.width - frame.right) / 2
    return frame.draw(
        _("Harvest curve: {kept} of {pages} pages kept").format(kept=kept, pages=pages),
        frame.axes([(it, number(it)) for it in x_ticks], [(it, number(it)) for it in y_ticks]),
        [
            el("polyline", points=" ".join(ideal), class_="grid", fill="none"),
            el("polyline", points=" ".join(line), class_="line"),
            el(
                "text",
                _("pages fetched"),
                x=middle,
                y=frame.height - frame.bottom + 9,
                dy="2.1em",
                text_anchor="middle",
            ),
        ],
    )

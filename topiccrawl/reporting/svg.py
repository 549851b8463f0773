"""A drawing area with axes as inline SVG, for the charts of reports and evaluations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.reporting.markup import Html, el

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from topiccrawl.reporting.words.labels import Words


@dataclass(frozen=True, slots=True)
class Frame:
    """A drawing with a plotting area inside; sizes are in SVG user units."""

    width: float
    height: float
    left: float = 64
    right: float = 18
    top: float = 14
    bottom: float = 56
    x_top: float = 1.0
    """Data value at the right edge; the left edge is 0."""
    y_top: float = 1.0
    """Data value at the upper edge; the lower edge is 0."""

    def x(self, value: float) -> float:
        """Return the horizontal position of a data value."""
        return self.left + (self.width - self.left - self.right) * value / self.x_top

    def y(self, value: float) -> float:
        """Return the vertical position of a data value."""
        return (
            self.height
            - self.bottom
            - (self.height - self.top - self.bottom) * (value / self.y_top)
        )

    def points(self, values: Iterable[tuple[float, float]]) -> list[str]:
        """Return the points of a line through (x, y) *values*, cut off at the upper edge."""
        return [f"{self.x(x):.1f},{self.y(min(y, self.y_top)):.1f}" for x, y in values]

    def draw(self, label: str, *children: Sequence[Html], class_: str = "chart") -> Html:
        """Return the whole drawing with its accessible name."""
        box = f"0 0 {self.width:g} {self.height:g}"
        return el("svg", *children, viewBox=box, role="img", aria_label=label, class_=class_)

    def axes(
        self, x_ticks: Sequence[tuple[float, str]], y_ticks: Sequence[tuple[float, str]]
    ) -> list[Html]:
        """Return grid lines and tick labels."""
        left, right, floor = self.left, self.width - self.right, self.height - self.bottom
        parts: list[Html] = []
        for value, text in y_ticks:
            y = self.y(value)
            kind = "axis" if value == 0 else "grid"
            parts.append(el("line", x1=left, x2=right, y1=y, y2=y, class_=kind))
            parts.append(el("text", text, x=left - 8, y=y, dy="0.32em", text_anchor="end"))
        for value, text in x_ticks:
            x = self.x(value)
            parts.append(el("line", x1=x, x2=x, y1=floor, y2=floor + 5, class_="axis"))
            parts.append(el("text", text, x=x, y=floor + 9, dy="0.8em", text_anchor="middle"))
        return parts

    def name_x(self, words: Words, key: str) -> list[Html]:
        """Return the name of the horizontal axis."""
        middle = (self.left + self.width - self.right) / 2
        floor = self.height - self.bottom
        # In em, because letters are larger on a narrow screen: just below the tick labels.
        return words.svg(key, x=middle, y=floor + 9, dy="2.1em", text_anchor="middle")

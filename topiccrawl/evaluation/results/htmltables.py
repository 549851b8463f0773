"""Tables of the results page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from topiccrawl.reporting.markup import Child, Html, clean, el


def table(caption: str, head: Child, rows: Iterable[Html]) -> Html:
    """Return a table of one row of headings and *rows*."""
    return el("table", el("caption", caption), el("thead", el("tr", head)), el("tbody", list(rows)))


def headings(names: Iterable[str], class_: str | None = None) -> list[Html]:
    """Return a heading of a column for each of *names*."""
    return [el("th", name, scope="col", class_=class_) for name in names]


def figures(cells: Iterable[str]) -> list[Html]:
    """Return cells that contain figures."""
    return [el("td", cell, class_="n") for cell in cells]


def region(label: str, shown: Html) -> Html:
    """Return a table that scrolls when it is wide, with its accessible name."""
    return el("div", shown, class_="scroll", tabindex="0", role="region", aria_label=label)


def folded_values(
    caption: str, head: Sequence[Html], rows: Iterable[tuple[str, Iterable[str]]]
) -> Html:
    """Return the values of a chart by strategy, for readers who cannot see it."""
    body = [
        el("tr", el("th", clean(name, 60), scope="row"), figures(cells)) for name, cells in rows
    ]
    shown = table(caption, [*headings(["strategy"]), *head], body)
    return el("details", el("summary", "Values 数值"), el("div", shown, class_="scroll"))

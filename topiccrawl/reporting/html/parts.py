"""Pieces that several sections of the report consist of: titled parts, tables, facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.reporting.markup import Child, Html, el

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from topiccrawl.reporting.aggregates.report_data import RunRow
    from topiccrawl.reporting.words.labels import Words


def section(id_: str, heading: Html, *children: Child, level: int = 3) -> Html:
    """Return one titled part of the page; most are parts of the diagnostics, on the third level."""
    return el("section", el(f"h{level}", heading), *children, id=id_)


def empty_text(words: Words, key: str) -> Html:
    """Return the sentence *key*, shown in place of missing data."""
    return el("p", words(key), class_="empty")


def table(
    words: Words,
    columns: Sequence[tuple[str, str]],
    rows: Iterable[Sequence[Child]],
    *,
    stacked: bool = True,
) -> Html:
    """Return a table with a heading for each of the *columns*, which are labels with a class or ``""``.

    On a narrow screen a *stacked* table is a list: each row a block of named values.
    """
    names = [el("span", words(key), " ", class_="label") if stacked else None for key, _ in columns]
    head = [el("th", words(key), class_=kind or None, scope="col") for key, kind in columns]
    body = [
        el(
            "tr",
            [
                el("td", name if n else None, cell, class_=kind or None)
                for n, (name, cell, (_, kind)) in enumerate(zip(names, row, columns, strict=True))
            ],
        )
        for row in rows
    ]
    whole = el(
        "table",
        el("thead", el("tr", head)),
        el("tbody", body),
        class_="stacked" if stacked else None,
    )
    return _scrolling(whole)


def pairs_table(rows: Iterable[tuple[Child, Child]]) -> Html:
    """Return a table of names and values without headings."""
    body = [
        el("tr", el("th", name, scope="row"), el("td", value, class_="num")) for name, value in rows
    ]
    return _scrolling(el("table", el("tbody", body), class_="pairs"))


def stop_text(run: RunRow, words: Words) -> Html:
    """Return why the run ended; a run that is going on or was cut off left no reason."""
    if run.stop_reason:
        return words.reason(run.stop_reason)
    return words("unknown" if run.finished else "not-finished")


def _scrolling(table: Html) -> Html:
    # What is too wide scrolls inside its box, so that the page never gets wider than the screen.
    return el("div", table, class_="scroll", tabindex="0")

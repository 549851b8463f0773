"""The section of a report that shows what became new, changed and vanished."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from topiccrawl.reporting.html.parts import empty_text, section, table
from topiccrawl.reporting.markup import Html, anchor, el, join
from topiccrawl.reporting.scale import moment, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.reporting.aggregates.activity import Activity, ActivityRow
    from topiccrawl.reporting.words.labels import Words

#: Days in the table, the last ones (a choice).
MAX_DAYS: Final = 60


def activity_section(activity: Activity | None, words: Words, *, asked: bool) -> Html | None:
    """Return the section on what happened since a moment; ``None`` if nothing did, unless *asked* for."""
    if activity is None or not (activity.any or asked):
        return None
    heading = words("activity")
    note = el("p", words("activity-since", since=moment(activity.since)), class_="note")
    if not activity.any:
        return section("activity", heading, note, empty_text(words, "empty-activity"), level=2)
    columns = [("day", ""), *((f"activity-{kind}", "num") for kind in ("new", "changed", "gone"))]
    total = [el("b", words("activity-total"))]
    total += [el("b", number(it)) for it in (activity.new, activity.changed, activity.gone)]
    rows = [
        [el("time", str(it.day)), *map(number, (it.new, it.changed, it.gone))]
        for it in reversed(activity.days[-MAX_DAYS:])
    ]
    return section(
        "activity",
        heading,
        note,
        table(words, columns, [total, *rows]),
        _list("changed", activity.changed, activity.changed_pages, words),
        _list("gone", activity.gone, activity.gone_pages, words),
        level=2,
    )


def _list(kind: str, count: int, rows: Sequence[ActivityRow], words: Words) -> Html | None:
    if not rows:
        return None
    items = [
        el(
            "li",
            anchor(row.url, row.title, "title"),
            el("div", el("time", moment(row.at)), " ", el("bdi", row.site), class_="facts"),
        )
        for row in rows
    ]
    badge = el("small", number(count), class_="badge")
    return el(
        "details",
        el("summary", join(words(f"activity-{kind}"), " ", badge)),
        el("p", words("activity-latest", n=len(rows)), class_="note")
        if count > len(rows)
        else None,
        el("ol", items, class_="pages"),
        id=f"activity-{kind}",
    )

"""Events: the table with time, place, persons and organizations, and one event with its stories."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException
from starlette.routing import Route

from topiccrawl.console.desk import desk_and_topic
from topiccrawl.console.numbers import ListPart
from topiccrawl.console.paths import topic_path
from topiccrawl.console.rendering import render
from topiccrawl.console.sections import Section
from topiccrawl.console.stories.event_tables import event_tables, tables_of
from topiccrawl.console.views.stories import MOST_PAGES
from topiccrawl.insight.stories.events import (
    ORDERS,
    EventFilter,
    EventRow,
    facets,
    folded_texts,
    in_order,
    select,
)
from topiccrawl.insight.stories.timeline import timeline
from topiccrawl.language import N_, _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.responses import Response

#: Events on a page of the table.
_PER_PAGE: Final = 40
#: Longest text of a filter.
_MOST_CHARACTERS: Final = 60
#: Events that are shown beside another one for their common names.
_RELATED: Final = 8


async def index(request: Request) -> Response:
    """Show the table of events."""
    desk, topic = await desk_and_topic(request)
    current = await tables_of(desk).current(topic)
    rows = current.rows
    wanted, values = _filter(request)
    order = request.query_params.get("order", "size")
    order = order if order in ORDERS else "size"
    texts = None
    if wanted.words:
        texts = await asyncio.to_thread(current.derive, "texts", lambda: folded_texts(rows))
    found = select(rows, wanted, texts)
    found = found if order == "size" else in_order(found, order)
    part = ListPart.asked(request.query_params, len(found), _PER_PAGE, MOST_PAGES)
    return render(
        request,
        "events/index.html",
        topic=topic,
        current=current,
        rows=found[part.items],
        count=len(found),
        part=part,
        order=order,
        values=values,
        facets=current.derive("facets", lambda: facets(rows)),
        path=lambda to: topic_path(topic, "events", **values, order=order, page=to),
        link=lambda **changed: topic_path(topic, "events", **{**values, "order": order, **changed}),
    )


async def event(request: Request) -> Response:
    """Show one event."""
    desk, topic = await desk_and_topic(request)
    current = await tables_of(desk).current(topic)
    by_story = current.derive("by-story", lambda: _by_story(current.rows))
    row = by_story.get(request.path_params["event"])
    if row is None:
        if current.table is None and current.computing:
            return render(request, "events/wait.html", topic=topic, current=current)
        raise HTTPException(404, _("There is no such event."))
    return render(
        request,
        "events/event.html",
        topic=topic,
        row=row,
        current=current,
        timeline=timeline([it.at for it in row.stories]) if row.count > 1 else None,
        related=_related(row, current.rows),
    )


def _by_story(rows: Sequence[EventRow]) -> dict[str, EventRow]:
    found: dict[str, EventRow] = {}
    for row in rows:
        found.setdefault(row.id, row)
        for story in row.stories:
            found.setdefault(story.id, row)
    return found


def _related(row: EventRow, rows: Sequence[EventRow]) -> list[tuple[EventRow, list[str]]]:
    """Return other events with the most names in common."""
    names = {*row.persons, *row.organizations}
    found = []
    for other in rows:
        common = names.intersection((*other.persons, *other.organizations))
        if common and other.id != row.id:
            found.append((other, sorted(common)))
    found.sort(key=lambda it: (-len(it[1]), -it[0].count, abs((it[0].first - row.first).days)))
    return found[:_RELATED]


def _filter(request: Request) -> tuple[EventFilter, dict[str, str]]:
    """Return the filter of a query, and its fields as they are shown again."""
    asked = request.query_params
    values = {
        key: asked.get(key, "").strip()[:_MOST_CHARACTERS]
        for key in ("q", "place", "name", "since", "until", "least")
    }
    since, until = _date(values["since"]), _date(values["until"])
    values["since"], values["until"] = (str(it) if it else "" for it in (since, until))
    least = int(values["least"]) if values["least"] in ("2", "3", "5", "10") else 1
    values["least"] = str(least) if least > 1 else ""
    return (
        EventFilter(
            words=values["q"],
            place=values["place"],
            name=values["name"],
            since=since,
            until=until,
            least=least,
        ),
        values,
    )


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


SECTION = Section(
    "events",
    N_("Events"),
    22,
    routes=[Route("/t/{topic}/events", index), Route("/t/{topic}/events/{event}", event)],
    lifespan=event_tables,
)

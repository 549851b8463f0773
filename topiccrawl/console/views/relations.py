"""Relations: which persons, organizations and places are named in the same events, as a graph and a table."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starlette.routing import Route

from topiccrawl.console.desk import desk_and_topic
from topiccrawl.console.paths import topic_path
from topiccrawl.console.rendering import render
from topiccrawl.console.sections import Section
from topiccrawl.console.stories.event_tables import tables_of
from topiccrawl.insight.stories.relations import KINDS, SIGNIFICANT, find_relations
from topiccrawl.insight.stories.relations_drawing import draw_relations
from topiccrawl.language import N_

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

#: Rows of the table.
_MOST_ROWS: Final = 60
#: Events, those of most stories, of which relations are computed in a request: 2.5 s if each has 17 names
#: (measured 2026-11).
_MOST_EVENTS: Final = 5_000
#: Names between which a graph of one name has lines, too.
_AROUND: Final = 25


async def index(request: Request) -> Response:
    """Show the strongest relations, or those of one name."""
    desk, topic = await desk_and_topic(request)
    current = await tables_of(desk).current(topic)
    rows = current.rows[:_MOST_EVENTS]
    asked = request.query_params
    kinds = tuple(it for it in KINDS if it in asked.getlist("kind")) or KINDS
    name = asked.get("name", "").strip()[:60]
    key = f"relations {kinds}"
    found = await asyncio.to_thread(current.derive, key, lambda: find_relations(rows, kinds))
    if name:
        shown = found.of(name)
        around = {it for one in shown[:_AROUND] for it in (one.first, one.second)}
        between = [it for it in found.relations if it.first in around and it.second in around]
        chosen = [*shown[:_AROUND], *(it for it in between if it not in shown)]
        graph = await asyncio.to_thread(draw_relations, found, chosen)
    else:
        shown = list(found.relations)
        graph = await asyncio.to_thread(
            current.derive, f"{key} drawn", lambda: draw_relations(found)
        )
    return render(
        request,
        "relations/index.html",
        topic=topic,
        current=current,
        relations=shown[:_MOST_ROWS],
        graph=graph,
        asked=name,
        kinds=kinds,
        all_kinds=KINDS,
        significant=SIGNIFICANT,
        event_names={row.id: row.name for row in rows},
        link=lambda text: topic_path(
            topic, "relations", name=text, kind=kinds if kinds != KINDS else None
        ),
    )


SECTION = Section("relations", N_("Relations"), 24, routes=[Route("/t/{topic}/relations", index)])

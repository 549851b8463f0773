"""Hosts and their productivity."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, cast, get_args

from starlette.routing import Route

from topiccrawl.console.desk import desk_of
from topiccrawl.console.numbers import ListPart
from topiccrawl.console.overviews import computed, with_overview
from topiccrawl.console.paths import topic_path
from topiccrawl.console.periods import asked_selection, day_name, period_name, preset_links
from topiccrawl.console.rendering import render
from topiccrawl.console.sections import Section
from topiccrawl.insight.hosts import HostOrder, HostRow, host_rows
from topiccrawl.insight.selection import Selection, select
from topiccrawl.language import N_

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from topiccrawl.insight.overview import Overview

#: Hosts on one page of the list.
_PAGE: Final = 50


@with_overview
async def index(request: Request, topic: str, overview: Overview) -> Response:
    """Show the hosts with pages in a period."""
    asked = request.query_params
    selection = asked_selection(asked, overview, desk_of(request).now())
    order = cast("HostOrder", asked.get("order"))
    if order not in get_args(HostOrder):
        order = "pages"
    rows = await computed(
        overview, ("hosts", selection, order), partial(_rows, overview, selection, order)
    )
    part = ListPart.asked(asked, len(rows), _PAGE)
    path = partial(
        topic_path,
        topic,
        "hosts",
        since=day_name(selection.first_day),
        until=day_name(selection.last_day),
        by=selection.clock,
        site=selection.site,
        term=selection.term,
    )
    return render(
        request,
        "hosts/index.html",
        topic=topic,
        rows=rows[part.items],
        total=sum(row.pages for row in rows),
        hosts=len(rows),
        new=sum(row.is_new for row in rows),
        selection=selection,
        period=period_name(selection),
        presets=preset_links(asked, topic, "hosts"),
        order=order,
        ordered=lambda name: path(order=name),
        part=part,
        paged=lambda to: path(order=order, page=to),
        day_name=day_name,
    )


def _rows(overview: Overview, selection: Selection, order: HostOrder) -> list[HostRow]:
    return host_rows(overview, select(overview, selection), clock=selection.clock, order=order)


SECTION = Section("hosts", N_("Hosts"), 44, routes=[Route("/t/{topic}/hosts", index)])

"""Comparison of two periods of a topic, or of two topics."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from starlette.routing import Route

from topiccrawl.console.desk import desk_of
from topiccrawl.console.overviews import computed, overviews_of, with_overview
from topiccrawl.console.periods import asked_days, asked_selection, day_name, period_name
from topiccrawl.console.rendering import render
from topiccrawl.console.sections import Section
from topiccrawl.insight.comparison import Comparison, compare, previous
from topiccrawl.insight.selection import Selection, select
from topiccrawl.language import N_, _

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from topiccrawl.insight.overview import Overview


@with_overview
async def index(request: Request, topic: str, overview: Overview) -> Response:
    """Show a period beside the one before it, another one, or the same one of another topic."""
    desk, asked = desk_of(request), request.query_params
    selection = asked_selection(asked, overview, desk.now())
    assert selection.first_day is not None
    assert selection.last_day is not None
    topics = await desk.topics()
    other_topic = asked.get("other", "")
    other: Overview | None = overview
    earlier = _earlier(request, overview, selection)
    names = (period_name(earlier), period_name(selection))
    if other_topic in topics and other_topic != topic:
        other = await overviews_of(desk).get(other_topic)
        earlier, names = selection, (other_topic, topic)
    else:
        other_topic = ""
    found = None
    if other is not None:
        found = await computed(
            overview,
            ("compare", other_topic, other.number, selection, earlier),
            partial(_compared, other, earlier, overview, selection),
        )
    return render(
        request,
        "compare/index.html",
        200 if found else 503,
        topic=topic,
        found=found,
        selection=selection,
        earlier=earlier,
        names=names,
        other=other_topic,
        others=[name for name in topics if name != topic],
        day_name=day_name,
        total_names={
            "pages": _("Pages"),
            "stories": _("Stories"),
            "copies": _("Copies"),
            "sites": _("Sites"),
            "authors": _("Authors"),
        },
    )


def _earlier(request: Request, overview: Overview, selection: Selection) -> Selection:
    """Return the period to compare with: ``since2`` to ``until2``, or that before."""
    first, last = selection.first_day, selection.last_day
    assert first is not None
    assert last is not None
    given = {
        "since": request.query_params.get("since2", ""),
        "until": request.query_params.get("until2", ""),
    }
    if not given["since"]:
        start, end = previous(first, last)
        return replace(selection, first_day=start, last_day=end)
    blank = replace(selection, first_day=None, last_day=None)
    return asked_days(given, overview, desk_of(request).now(), blank)


def _compared(
    first: Overview, earlier: Selection, second: Overview, later: Selection
) -> Comparison:
    return compare(first, select(first, earlier), second, select(second, later))


SECTION = Section("compare", N_("Compare"), 42, routes=[Route("/t/{topic}/compare", index)])

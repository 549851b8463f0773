"""Trends: pages and stories per day, bursts, terms that differ from before, and sites."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from starlette.routing import Route

from topiccrawl.console.charts import volume_chart
from topiccrawl.console.desk import desk_of
from topiccrawl.console.overviews import computed, reading, with_overview
from topiccrawl.console.paths import topic_path
from topiccrawl.console.periods import asked_selection, day_name, period_name, preset_links
from topiccrawl.console.rendering import render
from topiccrawl.console.sections import Section
from topiccrawl.insight.contrast_terms import LEAST_Z, ContrastTerm
from topiccrawl.insight.counts import grouped
from topiccrawl.insight.trends import Trends, trends
from topiccrawl.language import N_, _
from topiccrawl.reporting.text.trends import default_step, sources_text

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from topiccrawl.insight.overview import Overview
    from topiccrawl.insight.selection import Selection

#: Sizes of the letters of a cloud, 1 to this (classes ``cloud-1`` …).
_SIZES: Final = 5


@with_overview
async def index(request: Request, topic: str, overview: Overview) -> Response:
    """Show the trends of a period."""
    parameters = request.query_params
    selection = asked_selection(parameters, overview, desk_of(request).now())
    found = await computed(overview, ("trends", selection), partial(trends, overview, selection))
    return render(
        request,
        "trends/index.html",
        topic=topic,
        found=found,
        selection=found.selection,
        period=period_name(found.selection),
        presets=preset_links(parameters, topic, "trends"),
        chart=_chart(found),
        steps=_steps(found),
        cloud=_cloud(found.contrast),
        day_name=day_name,
        sources_text=sources_text,
        linked=partial(_search, topic, found.selection),
        within=partial(_within, topic, found.selection),
    )


def _chart(found: Trends) -> str:
    return volume_chart(
        found.pages.first_day,
        found.pages.counts.tolist(),
        found.expected.tolist(),
        [(it.first_day, it.last_day) for it in found.bursts],
        _("Pages per day; the line is what is ordinary, the marked days are bursts"),
    )


def _steps(found: Trends) -> list[tuple[str, int, int]]:
    """Return first day, pages and stories of each step of the table."""
    step = default_step(len(found.pages.counts))
    pages, stories = grouped(found.pages, step), grouped(found.stories, step)
    return [
        (day_name(day), count, both)
        for (day, count), (_day, both) in zip(pages, stories, strict=True)
    ]


def _cloud(terms: tuple[ContrastTerm, ...]) -> list[tuple[ContrastTerm, int]]:
    """Return the terms in the order of the alphabet, each with a size from its certainty."""
    if not terms:
        return []
    width = max(terms[0].z - LEAST_Z, 1e-9)
    sized = [(it, 1 + round((_SIZES - 1) * (it.z - LEAST_Z) / width)) for it in terms]
    return sorted(sized, key=lambda pair: pair[0].term)


def _search(topic: str, selection: Selection, *, q: str = "", **narrower: str) -> str:
    """Return the path of a search for the pages of *selection*, or for some of them."""
    words = " ".join(dict.fromkeys(it for it in (selection.term, q) if it))
    query = {"q": words, "site": selection.site, **_period(selection), **narrower}
    return topic_path(topic, "search", **query)


def _within(topic: str, selection: Selection, **query: str) -> str:
    """Return the path of the trends of the period, of a site or a term alone."""
    return topic_path(topic, "trends", **_period(selection), **query)


def _period(selection: Selection) -> dict[str, str]:
    """Return the parameters of the period."""
    by = "seen" if selection.clock == "seen" else ""
    first, last = day_name(selection.first_day), day_name(selection.last_day)
    return {"since": first, "until": last, "by": by}


SECTION = Section(
    "trends",
    N_("Trends"),
    40,
    routes=[Route("/t/{topic}/trends", index)],
    lifespan=reading,
)

"""The categories of a topic: how many pages each has, and which."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from starlette.routing import Route

from topiccrawl.console.desk import desk_of
from topiccrawl.console.overviews import computed, with_overview
from topiccrawl.console.paths import topic_path
from topiccrawl.console.periods import asked_selection, day_name, period_name, preset_links
from topiccrawl.console.rendering import render
from topiccrawl.console.sections import Section
from topiccrawl.errors import ConfigurationError
from topiccrawl.insight.categories.counts import CategoryRow, category_rows
from topiccrawl.insight.categories.division import Categories, categorize, sample_keywords
from topiccrawl.insight.overview import Overview, moment_of
from topiccrawl.insight.selection import Selection, select
from topiccrawl.language import N_
from topiccrawl.topics.definition import Category
from topiccrawl.topics.load import UnknownTopicError, find_definition

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

#: Newest pages shown of a category.
_PAGES: Final = 30

#: Steps of the small chart of a category.
_STEPS: Final = 24


@with_overview
async def index(request: Request, topic: str, overview: Overview) -> Response:
    """Show the categories of the topic's folder with their pages of a period."""
    asked = request.query_params
    selection = asked_selection(asked, overview, desk_of(request).now())
    categories, problem = await asyncio.to_thread(_declared, topic)
    rows: list[CategoryRow] = []
    pages: list[dict[str, Any]] = []
    chosen = asked.get("category", "")
    if categories:
        found = await computed(
            overview, ("categories", categories), partial(_sorted, overview, categories)
        )
        rows = await computed(
            overview,
            ("category rows", categories, selection),
            partial(category_rows, overview, found, selection),
        )
        if chosen in found.names or "category" in asked:
            chosen = chosen if chosen in found.names else ""
            pages = _newest(overview, found, selection, chosen)
    kept = {name: asked.get(name, "") for name in ("since", "until", "days", "by", "site", "term")}
    return render(
        request,
        "categories/index.html",
        topic=topic,
        rows=rows,
        bars=[_steps(row) for row in rows],
        pages=pages,
        chosen=chosen if "category" in asked and rows else None,
        problem=problem,
        selection=selection,
        period=period_name(selection),
        presets=preset_links(asked, topic, "categories"),
        day_name=day_name,
        # An empty category is that of the pages of none; "-" keeps it in the address.
        opened=lambda name: topic_path(topic, "categories", **{**kept, "category": name or "-"}),
    )


def _declared(topic: str) -> tuple[tuple[Category, ...], str]:
    """Return the categories of the topic's folder, and what is wrong with it."""
    try:
        return find_definition(topic).categories, ""
    except UnknownTopicError:
        return (), ""
    except (ConfigurationError, OSError) as error:
        return (), str(error)


def _sorted(overview: Overview, categories: tuple[Category, ...]) -> Categories:
    return categorize(overview, categories, sample_keywords(categories))


def _newest(
    overview: Overview, found: Categories, selection: Selection, name: str
) -> list[dict[str, Any]]:
    """Return the newest pages of a category."""
    mask = select(overview, selection) & found.mask(name)
    rows = overview.newest[mask[overview.newest]][:_PAGES]
    columns, sites = overview.columns, overview.books.site.names
    return [
        {
            "url": columns.url[row],
            "title": columns.title[row],
            "site": sites[columns.site[row]],
            "at": moment_of(int(overview.time[row])),
        }
        for row in rows.tolist()
    ]


def _steps(row: CategoryRow) -> list[int]:
    """Return the pages of a category in equal steps of the period."""
    counts = row.series.counts
    length = max(1, -(-len(counts) // _STEPS))
    return np.add.reduceat(counts, range(0, len(counts), length)).tolist() if len(counts) else []


SECTION = Section(
    "categories", N_("Categories"), 46, routes=[Route("/t/{topic}/categories", index)]
)

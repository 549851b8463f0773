"""The start page: all topics at a glance; and the page of one topic."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response
from starlette.routing import Route

from topiccrawl.console.crawls.health import Health, health_of
from topiccrawl.console.desk import Desk, desk_of
from topiccrawl.console.overviews import MOST_KEPT, computed, overviews_of, with_overview
from topiccrawl.console.rendering import render
from topiccrawl.console.search.saved import saved_searches
from topiccrawl.console.sections import Section
from topiccrawl.insight.days import day_of
from topiccrawl.insight.digest import Digest, digest
from topiccrawl.insight.overview import Overview, moment_of
from topiccrawl.language import N_

if TYPE_CHECKING:
    from datetime import datetime

    from starlette.requests import Request

#: Topics whose figures the start page shows; the others are listed by name.  With more, their overviews
#: would push each other out of the memory.
MOST_TOPICS: Final = MOST_KEPT


@dataclass(frozen=True, slots=True)
class TopicView:
    """One topic as the start page shows it."""

    name: str
    count: int
    digest: Digest | None
    """``None`` while it is being read."""
    pages: list[dict[str, Any]]
    stories: list[dict[str, Any]]
    health: Health | None


async def index(request: Request) -> Response:
    """Show all topics."""
    desk = desk_of(request)
    topics = await desk.topics()
    largest = sorted(topics, key=lambda name: -topics[name])
    # At the same time: each may wait a second for its overview.
    shown = await asyncio.gather(
        *(_topic_view(desk, name, topics[name]) for name in largest[:MOST_TOPICS])
    )
    answer = render(request, "start/index.html", shown=shown, others=largest[MOST_TOPICS:])
    if any(it.digest is None for it in shown):
        answer.headers["Refresh"] = "3"
    return answer


async def overview(request: Request, topic: str, found: Overview) -> Response:
    """Show one topic."""
    desk = desk_of(request)
    view = await _topic_view(desk, topic, (await desk.topics()).get(topic, 0), found)
    saved = await saved_searches(desk, topic)
    return render(request, "start/topic.html", topic=topic, view=view, saved=saved, day_of=day_of)


async def _topic_view(
    desk: Desk, topic: str, count: int, found: Overview | None = None
) -> TopicView:
    """Collect what is shown of one topic."""
    found = found or await overviews_of(desk).get(topic)
    runs = await desk.store.runs(topic)
    health = health_of(runs)
    if found is None:
        return TopicView(topic, count, None, [], [], health)
    now = desk.now()
    key = ("digest", found.number, now.strftime("%Y%m%d%H%M"))
    figures = await computed(found, key, lambda: digest(found, now))
    pages = [_page(found, row) for row in figures.newest]
    stories = [
        {**_page(found, it.row), "story": it.story, "size": it.size} for it in figures.stories
    ]
    return TopicView(topic, count, figures, pages, stories, health)


def _page(found: Overview, row: int) -> dict[str, Any]:
    columns, books = found.columns, found.books
    at: datetime | None = moment_of(int(columns.published[row]))
    return {
        "url": columns.url[row],
        "title": columns.title[row],
        "site": books.source.names[columns.source[row]] or books.site.names[columns.site[row]],
        "at": at,
        "seen": moment_of(int(columns.first_seen[row])),
    }


SECTION = Section(
    "start",
    N_("Overview"),
    0,
    routes=[Route("/t/{topic}/", with_overview(overview)), Route("/", index)],
)

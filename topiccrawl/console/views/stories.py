"""Stories: the list of those with copies, and one story: who published it first and who took it from whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from starlette.exceptions import HTTPException
from starlette.routing import Route

from topiccrawl.console.desk import desk_and_topic
from topiccrawl.console.numbers import ListPart
from topiccrawl.console.overviews import computed, with_overview
from topiccrawl.console.paths import topic_path
from topiccrawl.console.rendering import render
from topiccrawl.console.sections import Section
from topiccrawl.console.stories.story_view import MOST_MEMBERS, StoryViews
from topiccrawl.insight.overview import Overview, moment_of
from topiccrawl.insight.stories.listing import StoryList, containing, folded_titles, story_list
from topiccrawl.language import N_, _
from topiccrawl.reporting.text.spread import REASONS
from topiccrawl.store.stories import STORY_ORDERS

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

#: Stories on a page of the list.
_PER_PAGE: Final = 30
#: Pages of a list at most: few readers go further (a choice).
MOST_PAGES: Final = 100


@with_overview
async def index(request: Request, topic: str, overview: Overview) -> Response:
    """Show the stories with copies."""
    stories = await computed(overview, "story-list", lambda: story_list(overview))
    order = request.query_params.get("order", "size")
    order = order if order in STORY_ORDERS else "size"
    words = request.query_params.get("q", "").strip()[:60]
    places = np.arange(len(stories)) if order == "size" else stories.newest
    if words:
        titles = await computed(overview, "story-titles", lambda: folded_titles(overview, stories))
        places = places[np.isin(places, containing(titles, words))]
    part = ListPart.asked(request.query_params, len(places), _PER_PAGE, MOST_PAGES)
    return render(
        request,
        "stories/index.html",
        topic=topic,
        stories=[_line(overview, stories, place) for place in places[part.items].tolist()],
        order=order,
        words=words,
        count=len(places),
        part=part,
        path=lambda to: topic_path(topic, "stories", q=words, order=order, page=to),
    )


def _line(overview: Overview, stories: StoryList, place: int) -> dict[str, Any]:
    """Return what the list shows of one story."""
    row = int(stories.row[place])
    return {
        "story": overview.books.story.names[int(stories.story[place])],
        "title": overview.columns.title[row],
        "site": overview.books.site.names[overview.columns.site[row]],
        "size": int(stories.size[place]),
        "sites": int(stories.sites[place]),
        "first": moment_of(int(stories.first[place])),
        "last": moment_of(int(stories.last[place])),
    }


async def story(request: Request) -> Response:
    """Show one story: first publisher, spread, time line."""
    desk, topic = await desk_and_topic(request)
    views = desk.shared("story-views", StoryViews)
    found = await views.view(desk.store, topic, request.path_params["story"])
    if found is None:
        raise HTTPException(404, _("There is no such story."))
    return render(
        request,
        "stories/story.html",
        topic=topic,
        view=found,
        reasons=REASONS,
        most_members=MOST_MEMBERS,
    )


SECTION = Section(
    "stories",
    N_("Stories"),
    20,
    routes=[Route("/t/{topic}/stories", index), Route("/t/{topic}/stories/{story}", story)],
)

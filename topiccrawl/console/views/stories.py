"""Stories: the list of those with copies, and one story: who published it first and who took it from whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from starlette.exceptions import HTTPException
from starlette.routing import Route

from topiccrawl.console.desk import desk_of
from topiccrawl.console.paths import topic_path
from topiccrawl.console.rendering import render
from topiccrawl.console.sections import Section
from topiccrawl.console.storyview import MOST_MEMBERS, StoryViews
from topiccrawl.language import N_, _
from topiccrawl.reporting.spread_text import REASONS
from topiccrawl.store.stories import STORY_ORDERS, StoryOrder

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

#: Stories on a page of the list.
_PER_PAGE: Final = 30
#: Pages of the list: nobody pages through more (a choice).
_MOST_PAGES: Final = 100


async def index(request: Request) -> Response:
    """Show the stories with copies."""
    desk = desk_of(request)
    topic = await desk.topic(request.path_params["topic"])
    order = request.query_params.get("order", "size")
    order = order if order in STORY_ORDERS else "size"
    number = page_number(request)
    wanted = number * _PER_PAGE + 1
    found = [
        story
        async for story in desk.store.stories(topic, order=cast("StoryOrder", order), limit=wanted)
    ]
    shown = found[(number - 1) * _PER_PAGE : number * _PER_PAGE]
    return render(
        request,
        "stories/index.html",
        topic=topic,
        stories=shown,
        order=order,
        number=number,
        more=len(found) > number * _PER_PAGE and number < _MOST_PAGES,
        path=lambda to: topic_path(topic, "stories", order=order, page=to if to > 1 else None),
    )


async def story(request: Request) -> Response:
    """Show one story: first publisher, spread, time line."""
    desk = desk_of(request)
    topic = await desk.topic(request.path_params["topic"])
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


def page_number(request: Request) -> int:
    """Return the number of the page of a list that is asked for, from 1."""
    text = request.query_params.get("page", "1")
    return (
        min(max(int(text), 1), _MOST_PAGES)
        if text.isascii() and text.isdecimal() and len(text) < 9
        else 1
    )


SECTION = Section(
    "stories",
    N_("Stories"),
    20,
    routes=[Route("/t/{topic}/stories", index), Route("/t/{topic}/stories/{story}", story)],
)

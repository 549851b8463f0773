"""The start page: the topics of the store; and the page of one topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from topiccrawl.console.desk import desk_of
from topiccrawl.console.rendering import render
from topiccrawl.console.sections import Section
from topiccrawl.language import N_

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


async def index(request: Request) -> Response:
    """Show all topics."""
    return render(request, "start/index.html")


async def overview(request: Request) -> Response:
    """Show one topic."""
    topic = await desk_of(request).topic(request.path_params["topic"])
    return render(request, "start/index.html", topic=topic)


SECTION = Section(
    "start",
    N_("Overview"),
    0,
    routes=[Route("/t/{topic}/", overview), Route("/", index)],
)

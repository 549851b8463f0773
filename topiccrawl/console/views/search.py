"""Search in all that was collected, with facets, and searches that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starlette.datastructures import FormData, QueryParams
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from topiccrawl.console.desk import desk_of
from topiccrawl.console.forms import back, text_field, writing
from topiccrawl.console.frame.security import is_own_request
from topiccrawl.console.numbers import ListPart
from topiccrawl.console.paths import topic_path
from topiccrawl.console.reading.marking import pieces, title_pieces
from topiccrawl.console.rendering import render
from topiccrawl.console.search.asked import FACET_PARAMETERS, LAST_PAGE, PAGE_SIZE, AskedSearch
from topiccrawl.console.search.saved import delete, new_pages, opened, save, saved_searches
from topiccrawl.console.sections import Section
from topiccrawl.language import N_, _, listed
from topiccrawl.text.searching import KINDS, parse_query

if TYPE_CHECKING:
    from starlette.requests import Request

#: Names of the facets, in the order in which they are shown.
_FACETS: Final = {
    "topic": N_("Topic"),
    "site": N_("Site"),
    "source": N_("Source"),
    "author": N_("Author"),
    "kind": N_("Kind"),
    "year": N_("Year"),
    "language": N_("Language"),
}
#: Values of a facet that are shown before the others are unfolded.
_SHOWN_VALUES: Final = 6
#: Characters of the name of a saved search.
_MOST_NAME: Final = 80


async def search_topic(request: Request) -> Response:
    """Search one topic."""
    topic = await desk_of(request).topic(request.path_params["topic"])
    return await _answer(request, [topic], topic_path(topic, "search"), topic=topic)


async def search_all(request: Request) -> Response:
    """Search all topics."""
    return await _answer(request, list(await desk_of(request).topics()), "/search")


async def _answer(request: Request, topics: list[str], path: str, **values: Any) -> Response:
    desk = desk_of(request)
    asked = AskedSearch.of(request.query_params)
    result = await desk.store.search(topics, asked.query())
    part = ListPart.asked(request.query_params, result.total, PAGE_SIZE, LAST_PAGE)
    if asked.number > part.count:
        last = str(part.count) if part.count > 1 else ""
        return RedirectResponse(asked.link(path, page=last), 303)
    hits = [(hit.headline, title_pieces(hit.title), pieces(hit.body)) for hit in result.hits]
    facets = [
        (name, _(title), result.facets[name])
        for name, title in _FACETS.items()
        if result.facets.get(name) and (name != "topic" or len(topics) > 1)
    ]
    parsed = parse_query(asked.text)
    saved = await saved_searches(desk, values.get("topic", ""))
    current = next((it for it in saved if it.key == asked.permanent()), None)
    answer = render(
        request,
        "search/index.html",
        asked=asked,
        path=path,
        result=result,
        hits=hits,
        facets=facets,
        facet_titles={name: _(title) for name, title in _FACETS.items()},
        chosen=[name for name in (*FACET_PARAMETERS, "topic", "year") if name in asked.values],
        shown_values=_SHOWN_VALUES,
        part=part,
        no_dates=parsed.no_dates,
        no_kinds=parsed.no_kinds,
        bare_fields=parsed.bare_fields,
        kinds=listed(KINDS),
        pager_path=lambda to: asked.link(path, page=str(to or "")),
        saved=saved,
        save_as=asked.text if current is None else current.name,
        **values,
    )
    # A page of another site can ask for any address, but must not make new pages seem seen.
    if current is not None and desk.is_writable and is_own_request(request.headers):
        answer.background = opened(desk, current)
    return answer


async def show_saved(request: Request) -> Response:
    """Show the saved searches with the numbers of their new pages: a piece of a page."""
    desk = desk_of(request)
    topic = await _topic(request)
    searches = await saved_searches(desk, topic)
    topics = [topic] if topic else list(await desk.topics())
    return render(
        request,
        "search/saved.html",
        topic=topic,
        path=_path(topic),
        saved=searches,
        new=await new_pages(desk.store, topics, searches),
        current=request.query_params.get("current", ""),
    )


@writing
async def save_search(request: Request, form: FormData) -> Response:
    """Keep a search under a name."""
    desk = desk_of(request)
    topic = await _topic(request)
    asked = AskedSearch.of(QueryParams(text_field(form, "search")))
    name = text_field(form, "name", _MOST_NAME).strip()
    await save(desk, topic, asked, name)
    return RedirectResponse(asked.link(_path(topic)), 303)


@writing
async def delete_search(request: Request, form: FormData) -> Response:
    """Delete a search that was kept."""
    topic = await _topic(request)
    await delete(desk_of(request), topic, text_field(form, "key"))
    return back(request, form, _path(topic))


def _path(topic: str) -> str:
    return topic_path(topic, "search") if topic else "/search"


async def _topic(request: Request) -> str:
    written = request.path_params.get("topic")
    return "" if written is None else await desk_of(request).topic(written)


SECTION = Section(
    "search",
    N_("Search"),
    10,
    routes=[
        Route("/t/{topic}/search", search_topic),
        Route("/t/{topic}/search/saved", show_saved),
        Route("/t/{topic}/search/save", save_search, methods=["POST"]),
        Route("/t/{topic}/search/delete", delete_search, methods=["POST"]),
        Route("/search", search_all),
        Route("/search/saved", show_saved),
        Route("/search/save", save_search, methods=["POST"]),
        Route("/search/delete", delete_search, methods=["POST"]),
    ],
)

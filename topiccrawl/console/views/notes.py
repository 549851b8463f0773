"""Notes and tags of pages."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starlette.responses import Response
from starlette.routing import Route

from topiccrawl.console.desk import desk_and_topic
from topiccrawl.console.forms import back, text_field, writing
from topiccrawl.console.meanwhile import changed_text, is_overtaken
from topiccrawl.console.numbers import ListPart
from topiccrawl.console.paths import page_path, topic_path
from topiccrawl.console.reading.annotations import (
    annotated_pages,
    merged_tags,
    read_annotations,
    tag_list,
    write_note,
    write_tags,
)
from topiccrawl.console.rendering import error_page, render
from topiccrawl.console.sections import Section
from topiccrawl.language import N_, _

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request

#: Pages of a topic on one page of the list (a choice).
_PER_PAGE: Final = 100


async def index(request: Request) -> Response:
    """Show the pages that have notes or tags."""
    desk, topic = await desk_and_topic(request)
    pages, tags = await annotated_pages(desk.store, topic)
    tag = request.query_params.get("tag", "")
    if tag:
        pages = [it for it in pages if tag in it.tags]
    part = ListPart.asked(request.query_params, len(pages), _PER_PAGE)
    return render(
        request,
        "notes/index.html",
        topic=topic,
        pages=pages[part.items],
        tags=tags,
        chosen=tag,
        part=part,
        path=lambda to: topic_path(topic, "notes", tag=tag, page=to),
    )


@writing
async def annotate(request: Request, form: FormData) -> Response:
    """Set note and tags of one page.

    What another user has added since the form was loaded stays: tags are joined, and where both have
    changed the note, both notes are kept.
    """
    desk, topic = await desk_and_topic(request)
    page = await desk.store.page(topic, text_field(form, "url"))
    if page is None:
        return error_page(request, 404, _("The page is not stored in this topic."))
    async with desk.shared("notes", asyncio.Lock):
        present = await read_annotations(desk.store, topic, page.url)
        note = changed_text(form, "note")
        tags = tag_list(text_field(form, "tags"))
        if "was-tags" in form:
            tags = merged_tags(present.tags, tag_list(text_field(form, "was-tags")), tags)
        if tags != list(present.tags):
            await write_tags(desk.store, page, tags, desk.now())
        if note is not None:
            if is_overtaken(form, "note", present.note):
                note = f"{present.note}\n\n{note}"
            await write_note(desk.store, page, note, desk.now())
    return back(request, form, page_path(topic, page.url))


SECTION = Section(
    "notes",
    N_("Notes"),
    80,
    routes=[
        Route("/t/{topic}/notes", index),
        Route("/t/{topic}/notes/save", annotate, methods=["POST"]),
    ],
)

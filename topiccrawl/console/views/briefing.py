"""Briefings: a proposal of a period, its editing, and its files."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from topiccrawl.briefing.files import FORMATS, MEDIA_TYPES, content
from topiccrawl.briefing.making import new_id
from topiccrawl.briefing.masking import masked_briefing
from topiccrawl.briefing.storing import (
    delete_briefing,
    load_briefing,
    saved_briefings,
    store_briefing,
)
from topiccrawl.briefing.wording import Wording
from topiccrawl.commandline.export_log import add_to_log
from topiccrawl.console.briefing.forms import (
    apply_action,
    apply_texts,
    further_stories,
    overtaken,
    shown_texts,
)
from topiccrawl.console.briefing.proposals import proposed
from topiccrawl.console.desk import desk_and_topic, desk_of
from topiccrawl.console.forms import text_field, writing
from topiccrawl.console.frame.security import is_own_request
from topiccrawl.console.meanwhile import shown_digest
from topiccrawl.console.overviews import overviews_of, with_overview
from topiccrawl.console.paths import topic_path
from topiccrawl.console.periods import day_name
from topiccrawl.console.rendering import error_page, render
from topiccrawl.console.sections import Section
from topiccrawl.export.log import Export, user_name
from topiccrawl.insight.selection import span
from topiccrawl.language import N_, _, user_language

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request

    from topiccrawl.briefing.model import Briefing
    from topiccrawl.insight.overview import Overview


async def note_export(
    request: Request, topic: str, what: str, name: str, briefing: Briefing, *, unmasked: bool
) -> None:
    """Note in the store that a file was sent, also from a console that may change nothing else."""
    desk = desk_of(request)
    visitor = request.client.host if request.client else "?"
    export = Export(
        topic=topic,
        at=desk.now(),
        who=f"{user_name()} ({visitor})",
        what=what,
        out=name,
        format=name.rpartition(".")[2],
        count=sum(1 for _entry in briefing.entries()),
        unmasked=unmasked,
        selection=request.url.query[:300],
    )
    await add_to_log(desk.config.store_uri, export, desk.config.options)


#: Periods that a link chooses.
PRESETS: Final = (("24h", N_("one day")), ("7d", N_("one week")), ("30d", N_("30 days")))
#: Ids of briefings.
_ID: Final = re.compile(r"[\w-]{1,60}")
#: Characters of a file's name that some file system does not take.
_UNSAFE: Final = re.compile(r'[\x00-\x1f\x7f\\/:*?"<>|;%\s]+')
#: Kept briefings that are listed.
_LISTED: Final = 100


async def index(request: Request, topic: str, overview: Overview) -> Response:
    """Show the proposal of a period, and the kept briefings."""
    desk = desk_of(request)
    since = request.query_params.get("since", "7d")
    until = request.query_params.get("until", "")
    briefing = await proposed(desk, topic, overview, since, until)
    kept = [it async for it in saved_briefings(desk.store, topic)][::-1][:_LISTED]
    words = Wording(user_language())
    return render(
        request,
        "briefing/index.html",
        topic=topic,
        briefing=briefing,
        words=words,
        kept=kept,
        since=since,
        until=until,
        presets=[(value, _(text)) for value, text in PRESETS],
        formats=tuple(FORMATS),
        last_week=None if any(briefing.entries()) else _last_week(overview),
    )


def _last_week(overview: Overview) -> tuple[str, str] | None:
    """Return first and last of the seven days up to the newest page; ``None`` without pages."""
    days = span(overview)
    return days and (day_name(days[1] - 6), day_name(days[1]))


async def one(request: Request) -> Response:
    """Show one kept briefing, with its form where the console may write."""
    _desk, topic = await desk_and_topic(request)
    briefing = await _kept(request, topic)
    if briefing is None:
        return _missing(request)
    return await _page(request, topic, briefing)


async def _page(
    request: Request, topic: str, briefing: Briefing, *, mine: Briefing | None = None
) -> Response:
    """Show a kept briefing; where *mine* is given, with these texts, which were not saved."""
    desk = desk_of(request)
    words = request.query_params.get("q", "").strip()[:200]
    further = await further_stories(desk, topic, briefing, words) if desk.is_writable else []
    return render(
        request,
        "briefing/one.html",
        200 if mine is None else 409,
        topic=topic,
        briefing=mine or briefing,
        was={name: shown_digest(it) for name, it in shown_texts(briefing).items()},
        is_overtaken=mine is not None,
        words=Wording(user_language()),
        query=words,
        further=further,
        formats=tuple(FORMATS),
    )


async def file(request: Request, topic: str, overview: Overview) -> Response:
    """Send a briefing as a file: a kept one by its ``id``, or the proposal of a period.

    It is noted in the store, which a page of another site must not bring about.
    """
    desk, query = desk_of(request), request.query_params
    if not is_own_request(request.headers):
        return error_page(
            request,
            403,
            _("Another site has asked for this file: nothing was sent. Load it from the briefing."),
        )
    format_ = query.get("format", "docx")
    if format_ not in FORMATS:
        return error_page(request, 404, _("There is nothing at this address."))
    if query.get("id"):
        briefing = await _kept(request, topic, query["id"])
    else:
        briefing = await proposed(
            desk, topic, overview, query.get("since", "7d"), query.get("until", "")
        )
    if briefing is None:
        return _missing(request)
    unmasked = query.get("unmasked") == "1"
    shown = briefing if unmasked else masked_briefing(briefing)
    language = user_language()
    data = content(shown, format_, language)
    name = f"{_UNSAFE.sub('_', Wording(language).title(shown))[:80].strip('._') or 'briefing'}.{format_}"
    await note_export(request, topic, "console briefing", name, briefing, unmasked=unmasked)
    return Response(data, media_type=MEDIA_TYPES[format_], headers=_download(name))


@writing
async def keep(request: Request, form: FormData) -> Response:
    """Keep the proposal of a period, and show its form."""
    desk, topic = await desk_and_topic(request)
    overview = await overviews_of(desk).current(topic)
    since, until = text_field(form, "since") or "7d", text_field(form, "until")
    briefing = await proposed(desk, topic, overview, since, until, anew=True)
    briefing = replace(briefing, id=new_id(desk.now()))
    await store_briefing(desk.store, briefing, desk.now())
    return RedirectResponse(_path(topic, briefing), 303)


@writing
async def change(request: Request, form: FormData) -> Response:
    """Apply the submitted form to a kept briefing, unless another user changed the same text meanwhile."""
    async with desk_of(request).shared("briefings", asyncio.Lock):
        return await _change(request, form)


async def _change(request: Request, form: FormData) -> Response:
    desk, topic = await desk_and_topic(request)
    briefing = await _kept(request, topic)
    if briefing is None:
        return _missing(request)
    action, _colon, which = text_field(form, "do").partition(":")
    if action == "delete":
        await delete_briefing(desk.store, topic, briefing.id)
        return RedirectResponse(topic_path(topic, "briefing"), 303)
    changed = apply_texts(briefing, form)
    if overtaken(briefing, form):
        return await _page(request, topic, briefing, mine=changed)
    changed = await apply_action(desk, topic, changed, action, which)
    if changed != briefing:
        await store_briefing(desk.store, changed, desk.now())
    query = text_field(form, "q", 200).strip()
    stories = [it.story for it in changed.entries()]
    anchor = f"#entry-{stories.index(which) + 1}" if which in stories else ""
    if action == "find":
        anchor = "#further"
    return RedirectResponse(_path(topic, changed, q=query) + anchor, 303)


async def _kept(request: Request, topic: str, id_: str | None = None) -> Briefing | None:
    chosen = id_ or request.path_params.get("id", "")
    if not _ID.fullmatch(chosen):
        return None
    return await load_briefing(desk_of(request).store, topic, chosen)


def _missing(request: Request) -> Response:
    return error_page(request, 404, _("There is no such briefing."))


def _path(topic: str, briefing: Briefing, **query: object) -> str:
    return topic_path(topic, f"briefing/{briefing.id}", **query)


def _download(name: str) -> dict[str, str]:
    """Return the header that names the file, in ASCII and in Unicode (RFC 6266)."""
    plain = name.encode("ascii", "replace").decode().replace("?", "_")
    return {
        "content-disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}",
        "cache-control": "no-store",
    }


SECTION = Section(
    "briefing",
    N_("Briefing"),
    60,
    routes=[
        Route("/t/{topic}/briefing", with_overview(index)),
        Route("/t/{topic}/briefing/file", with_overview(file)),
        Route("/t/{topic}/briefing/keep", keep, methods=["POST"]),
        Route("/t/{topic}/briefing/{id}", one),
        Route("/t/{topic}/briefing/{id}/change", change, methods=["POST"]),
    ],
)

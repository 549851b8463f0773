"""Judgments: what was judged, what it changes of the topic, and what to judge next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from topiccrawl.console.desk import Desk, desk_of
from topiccrawl.console.forms import back, text_field, writing
from topiccrawl.console.judging import VERDICTS, judge_page, judged_pages, take_back
from topiccrawl.console.overviews import computed, with_overview
from topiccrawl.console.paths import page_path, topic_path
from topiccrawl.console.rendering import error_page, render
from topiccrawl.console.sections import Section
from topiccrawl.insight.feedback import Judged, effect, learn, left_out
from topiccrawl.language import N_, _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.datastructures import FormData
    from starlette.requests import Request

    from topiccrawl.console.judging import JudgedPage
    from topiccrawl.insight.overview import Overview

#: Judgments and learned terms that are listed.
_LISTED: Final = 100
_TERMS: Final = 12
#: Judgments from which is learned, the newest ones: some 0.3 s.
_MOST_LEARNED: Final = 300


async def index(request: Request, topic: str, overview: Overview) -> Response:
    """Show the judgments of a topic and what they change."""
    judged = await judged_pages(desk_of(request).store, topic)
    learned = tuple(judged[:_MOST_LEARNED])
    key = ("judgments", overview.number, tuple((it.url, it.verdict) for it in learned))
    values = await computed(overview, key, lambda: _lessons(overview, learned))
    return render(
        request,
        "judgments/index.html",
        topic=topic,
        judged=judged[:_LISTED],
        count=len(judged),
        verdicts={name: _(text) for name, text in VERDICTS.items()},
        **values,
    )


def _lessons(overview: Overview, judged: Sequence[JudgedPage]) -> dict[str, Any]:
    """Return what *judged* pages teach, and what that changes."""
    lessons = [Judged(it.terms, it.is_relevant, it.prior) for it in judged]
    correction = learn(lessons)
    weights = sorted(correction.weights.items(), key=lambda it: (-it[1], it[0]))
    strong = [(term, weight) for term, weight in weights if abs(weight) > 0.05]
    found = effect(overview, correction)
    seen = {it.url for it in judged}
    columns = overview.columns
    return {
        "for_topic": [it for it in strong if it[1] > 0][:_TERMS],
        "against": [it for it in reversed(strong) if it[1] < 0][:_TERMS],
        "agreement": left_out(lessons),
        "effect": found,
        "moved": [(columns.url[it.row], columns.title[it.row], it) for it in found.moved],
        "unsure": [
            (columns.url[row], columns.title[row])
            for row in found.unsure
            if columns.url[row] not in seen
        ][:5],
    }


@writing
async def judge(request: Request, form: FormData) -> Response:
    """Judge one page."""
    desk, topic = await _desk_and_topic(request)
    url, verdict = text_field(form, "url"), text_field(form, "verdict")
    page = await desk.store.page(topic, url)
    if page is None or verdict not in VERDICTS:
        return error_page(request, 404, _("The page is not stored in this topic."))
    warnings = await judge_page(desk, page, verdict)
    return _done(request, form, topic, url, warnings)


@writing
async def undo(request: Request, form: FormData) -> Response:
    """Take a judgment back."""
    desk, topic = await _desk_and_topic(request)
    url = text_field(form, "url")
    return _done(request, form, topic, url, await take_back(desk, topic, url))


def _done(
    request: Request, form: FormData, topic: str, url: str, warnings: Sequence[str]
) -> Response:
    if warnings:
        message = _("The judgment is saved and takes effect with the next crawl: {error}")
        return error_page(request, 200, message.format(error=warnings[0]))
    if text_field(form, "next"):
        return back(request, form)
    return RedirectResponse(page_path(topic, url) if url else topic_path(topic, "judgments"), 303)


async def _desk_and_topic(request: Request) -> tuple[Desk, str]:
    desk = desk_of(request)
    return desk, await desk.topic(request.path_params["topic"])


SECTION = Section(
    "judgments",
    N_("Judgments"),
    70,
    routes=[
        Route("/t/{topic}/judgments", with_overview(index)),
        Route("/t/{topic}/judgments/judge", judge, methods=["POST"]),
        Route("/t/{topic}/judgments/undo", undo, methods=["POST"]),
    ],
)

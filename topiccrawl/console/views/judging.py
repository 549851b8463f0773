"""Judgments: what was judged, what it changes of the topic, and what to judge next."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from topiccrawl.console.desk import desk_and_topic, desk_of
from topiccrawl.console.forms import back, text_field, writing
from topiccrawl.console.numbers import ListPart
from topiccrawl.console.overviews import computed, overviews_of, with_overview
from topiccrawl.console.paths import page_path, topic_path
from topiccrawl.console.reading.judging import (
    VERDICTS,
    JudgedPage,
    judge_page,
    judged_pages,
    judgments_of_file,
    take_back,
)
from topiccrawl.console.rendering import error_page, render
from topiccrawl.console.sections import Section
from topiccrawl.errors import ConfigurationError
from topiccrawl.insight.feedback import Correction, Effect, Judged, effect, learn, left_out
from topiccrawl.language import N_, _, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.datastructures import FormData
    from starlette.requests import Request

    from topiccrawl.insight.overview import Overview
    from topiccrawl.topics.definition import Judgment

#: Judgments on one page of the list (a choice), and learned terms that are listed.
_PER_PAGE: Final = 100
_TERMS: Final = 12
#: Pages that are proposed to be judged next.
_NEXT: Final = 5
#: Smallest weight of a term that is shown, in log-odds (a guess: it moves no page noticeably).
_LEAST_WEIGHT: Final = 0.05
#: Judgments from which is learned, the newest ones: 0.3 s (2026-11).
_MOST_LEARNED: Final = 300


async def index(request: Request, topic: str, overview: Overview) -> Response:
    """Show the judgments of a topic and what they change."""
    file, problem = "", ""
    written: list[Judgment] = []
    try:
        file, written = await judgments_of_file(desk_of(request), topic)
    except ConfigurationError as error:
        problem = str(error)
    judged = await judged_pages(desk_of(request).store, topic, {it.url: it for it in written})
    learned = tuple(it for it in judged if it.verdict != "dull")[:_MOST_LEARNED]
    asked = tuple((it.url, it.verdict, it.prior) for it in learned)
    kept: dict[str, tuple[object, _Taught]] = desk_of(request).shared("taught", dict)
    if topic not in kept or kept[topic][0] != asked:
        kept[topic] = (asked, await asyncio.to_thread(_teach, learned))
    taught = kept[topic][1]
    urls = frozenset(it.url for it in judged)
    key = ("judgments", asked, urls)
    found = await computed(overview, key, lambda: effect(overview, taught.correction, urls))
    values = {**_terms(taught), **_changes(overview, found)}
    others = [it for it in written if it.url not in urls]
    count = len(judged) + len(others)
    part = ListPart.asked(request.query_params, count, _PER_PAGE)
    return render(
        request,
        "judgments/index.html",
        topic=topic,
        # Those of the file follow those of the console.
        judged=judged[part.items],
        others=others[
            max(0, part.items.start - len(judged)) : max(0, part.items.stop - len(judged))
        ],
        count=count,
        part=part,
        path=lambda to: topic_path(topic, "judgments", page=to),
        file=file,
        problem=problem,
        learned=len(learned),
        verdicts={name: _(text) for name, text in VERDICTS.items()},
        **values,
    )


@dataclass(frozen=True, slots=True)
class _Taught:
    """What judgments teach, whatever the collection is."""

    correction: Correction
    agreement: tuple[int, int]
    """Judged pages that the crawler, and what is learned from the others, judge alike."""


def _teach(judged: Sequence[JudgedPage]) -> _Taught:
    lessons = [Judged(it.terms, it.is_relevant, it.prior) for it in judged]
    return _Taught(learn(lessons), left_out(lessons))


def _terms(taught: _Taught) -> dict[str, Any]:
    """Return the terms that speak for and against the topic."""
    weights = sorted(taught.correction.weights.items(), key=lambda it: (-it[1], it[0]))
    strong = [(term, weight) for term, weight in weights if abs(weight) > _LEAST_WEIGHT]
    return {
        "for_topic": [it for it in strong if it[1] > 0][:_TERMS],
        "against": [it for it in reversed(strong) if it[1] < 0][:_TERMS],
        "agreement": taught.agreement,
    }


def _changes(overview: Overview, found: Effect) -> dict[str, Any]:
    """Return the pages that change, and those to judge next."""
    columns = overview.columns
    return {
        "effect": found,
        "moved": [(columns.url[it.row], columns.title[it.row], it) for it in found.moved],
        "unsure": [(columns.url[row], columns.title[row]) for row in found.unsure[:_NEXT]],
    }


@writing
async def judge(request: Request, form: FormData) -> Response:
    """Judge one page."""
    desk, topic = await desk_and_topic(request)
    url, verdict = text_field(form, "url"), text_field(form, "verdict")
    if verdict not in VERDICTS:
        message = _("{what} must be one of {choices}, got {name!r}").format(
            what="verdict", choices=listed(VERDICTS), name=verdict[:100]
        )
        return error_page(request, 400, message)
    page = await desk.store.page(topic, url)
    if page is None:
        return error_page(request, 404, _("The page is not stored in this topic."))
    warnings = await judge_page(desk, page, verdict)
    return _done(request, form, topic, url, warnings)


@writing
async def undo(request: Request, form: FormData) -> Response:
    """Take a judgment back."""
    desk, topic = await desk_and_topic(request)
    url = text_field(form, "url")
    return _done(request, form, topic, url, await take_back(desk, topic, url))


def _done(
    request: Request, form: FormData, topic: str, url: str, warnings: Sequence[str]
) -> Response:
    overviews_of(desk_of(request)).note_change(topic)
    if warnings:
        message = _("It takes effect with the next crawl: {error}").format(error=warnings[0])
        return error_page(request, 200, message, _("The judgment is saved"))
    if text_field(form, "next"):
        return back(request, form)
    return RedirectResponse(page_path(topic, url) if url else topic_path(topic, "judgments"), 303)


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

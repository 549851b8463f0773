"""Reading: one page as text, with its evidence, versions, copies and the stored HTML.

What takes a second for the largest pages runs in threads, so that other requests are answered meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from topiccrawl.console.desk import desk_and_topic, desk_of
from topiccrawl.console.meanwhile import shown_digest
from topiccrawl.console.numbers import whole_number
from topiccrawl.console.paths import page_path
from topiccrawl.console.reading.annotations import read_annotations
from topiccrawl.console.reading.evidence import evidence_of
from topiccrawl.console.reading.judging import VERDICTS, judgment_of_page
from topiccrawl.console.reading.marking import paragraphs, terms_of
from topiccrawl.console.reading.snapshots import SNAPSHOT_POLICY, safe_document, unpacked
from topiccrawl.console.reading.versions import difference_of, versions_of
from topiccrawl.console.rendering import error_page, render
from topiccrawl.console.sections import Section
from topiccrawl.language import N_, _
from topiccrawl.reporting.explain import spellings
from topiccrawl.reporting.text.explanation import relation_text

if TYPE_CHECKING:
    from starlette.requests import Request

    from topiccrawl.store.contract import PageRecord, Store

#: Characters of a text, and of comments, that are shown at once: at most 80 KB when sent compressed
#: (characters drawn at random, 2026-11).
_MOST_TEXT: Final = 25_000
_MOST_COMMENTS: Final = 5_000
#: Copies that are listed.
_MOST_COPIES: Final = 100


async def read(request: Request) -> Response:
    """Show one page; ``view`` chooses what of it."""
    desk, topic = await desk_and_topic(request)
    page = await _stored(desk.store, topic, request.query_params.get("url", ""))
    if page is None:
        return error_page(request, 404, _("The page is not stored in this topic."))
    chosen = request.query_params.get("view", "text")
    view = chosen if chosen in _VIEWS else "text"
    values: dict[str, Any] = {"page": page, "view": view, "path": page_path(topic, page.url)}
    values["query"] = request.query_params.get("q", "")[:200]
    values["versions"] = await desk.store.versions(topic, page.url)
    values["attachments"] = await desk.store.attachments(topic, page.url)
    values["judgment"] = await judgment_of_page(desk, topic, page.url)
    values["annotated"] = annotated = await read_annotations(desk.store, topic, page.url)
    values["note_digest"] = shown_digest(annotated.note)
    values["verdicts"] = {name: _(text) for name, text in VERDICTS.items()}
    values |= await _VIEWS[view](request, page, topic)
    return render(request, "reading/page.html", topic=topic, **values)


async def _stored(store: Store, topic: str, url: str) -> PageRecord | None:
    """Return the page that is stored under a spelling of *url*."""
    if not url.strip():
        return None
    for form in spellings(url):
        if (page := await store.page(topic, form)) is not None:
            return page
    return None


async def _text(request: Request, page: PageRecord, topic: str) -> dict[str, Any]:
    query = request.query_params
    whole = "whole" in query
    body = page.body if whole else page.body[:_MOST_TEXT]
    words = await asyncio.to_thread(terms_of, desk_of(request), page, query.get("q", "")[:200])
    return {
        "paragraphs": await asyncio.to_thread(paragraphs, body, words),
        "comments": page.comments[:_MOST_COMMENTS].split("\n") if page.comments else [],
        "cut": len(page.body) - len(body),
    }


async def _evidence(request: Request, page: PageRecord, topic: str) -> dict[str, Any]:
    store = desk_of(request).store
    outcome = await store.outcome(topic, page.url)
    return {"evidence": await evidence_of(store, outcome, page) if outcome else None}


async def _versions(request: Request, page: PageRecord, topic: str) -> dict[str, Any]:
    known = versions_of(page, await desk_of(request).store.versions(topic, page.url))
    to = whole_number(request.query_params.get("to", ""), len(known))
    to = max(2, min(to, len(known)))
    difference = None
    if len(known) > 1:
        difference = await asyncio.to_thread(difference_of, known[to - 2], known[to - 1])
    return {"known": known, "difference": difference, "to": to}


async def _copies(request: Request, page: PageRecord, topic: str) -> dict[str, Any]:
    members = await desk_of(request).store.members(topic, page.story)
    ordered = sorted(members, key=lambda it: (it.published_at or it.fetched_at, it.url))
    shown = [(it, relation_text(it)) for it in ordered[:_MOST_COPIES]]
    return {"members": shown, "more": len(members) - len(shown)}


async def _snapshot(request: Request, page: PageRecord, topic: str) -> dict[str, Any]:
    return {}


#: What of a page can be shown, and what collects it.
_VIEWS: Final = {
    "text": _text,
    "evidence": _evidence,
    "versions": _versions,
    "copies": _copies,
    "snapshot": _snapshot,
}


async def snapshot(request: Request) -> Response:
    """Return the stored HTML as a safe document, for a frame of the reading view."""
    desk, topic = await desk_and_topic(request)
    page = await _stored(desk.store, topic, request.query_params.get("url", ""))
    if page is None or not page.html:
        return error_page(request, 404, _("No HTML of this page is stored."))
    raw = unpacked(page.html)
    document = await asyncio.to_thread(safe_document, raw, page.charset, page.title)
    headers = {"content-security-policy": SNAPSHOT_POLICY, "x-frame-options": "SAMEORIGIN"}
    return HTMLResponse(document, headers=headers)


SECTION = Section(
    "reading",
    N_("Reading"),
    900,
    routes=[Route("/t/{topic}/page", read), Route("/t/{topic}/snapshot", snapshot)],
    in_navigation=False,
)

"""``/crawls``: the crawls of the store, on this machine and on scrapyd; one crawl live."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.routing import Route

from topiccrawl.console.crawls.desk import CrawlDesk, StartForm, crawl_desk
from topiccrawl.console.crawls.harvest import harvest_chart
from topiccrawl.console.desk import desk_of
from topiccrawl.console.forms import back, text_field, writing
from topiccrawl.console.rendering import error_page, render
from topiccrawl.console.sections import Section
from topiccrawl.crawl.runs.folder import FoundRun, Wanted
from topiccrawl.crawl.runs.options import allowed_settings
from topiccrawl.crawl.runs.words import health_word
from topiccrawl.crawl.scrapyd import ScrapydError
from topiccrawl.errors import ConfigurationError, system_reason
from topiccrawl.language import N_, _
from topiccrawl.reporting.words.parts import part_word

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

#: Log lines on the page of a crawl, and on the page of its log.
_LINES: Final = 30
_ALL_LINES: Final = 1_000
#: Answer of a fragment that needs no further refresh (htmx: 286 stops polling).
_STOP_POLLING: Final = 286


async def index(request: Request) -> Response:
    """Show all crawls, and the form that starts one."""
    return render(request, "crawls/index.html", **await overview(request, None))


async def live_index(request: Request) -> Response:
    """Answer with the running crawls and the starts alone, of one topic or all."""
    topic = request.query_params.get("topic") or None
    crawls = crawl_desk(desk_of(request))
    return render(request, "crawls/runs.html", **await _on_this_machine(crawls, topic))


async def _on_this_machine(crawls: CrawlDesk, topic: str | None) -> dict[str, Any]:
    """Return what changes while the list of crawls is open."""
    runs = await run_in_threadpool(crawls.runs)
    starts = await run_in_threadpool(crawls.failed_starts, runs)
    return {
        "runs": [it for it in runs if topic in (None, it.state.topic)],
        "starts": [it for it in starts if topic in (None, it.topic)][:10],
        "health_word": health_word,
        "time": moment,
    }


async def overview(request: Request, topic: str | None) -> dict[str, Any]:
    """Return the values of the list of crawls, of one topic or all."""
    desk = desk_of(request)
    crawls = crawl_desk(desk)
    here, stored = await _on_this_machine(crawls, topic), await desk.topics()
    known = crawls.known_topics(stored)
    likely = [
        topic,
        request.query_params.get("topic"),
        *(it.state.topic for it in here["runs"]),
        *stored,
    ]
    return {
        **here,
        "servers": await crawls.scrapyd(),
        "known": known,
        "chosen": next((it for it in likely if it in known), None),
        "allowed": sorted(allowed_settings()),
        "folder": str(crawls.folder),
    }


async def show(request: Request) -> Response:
    """Show one crawl."""
    values = await _details(request, _LINES)
    return render(request, "crawls/run.html", **values)


async def live(request: Request) -> Response:
    """Answer with what changes on the page of a crawl alone."""
    values = await _details(request, _LINES)
    status = 200 if values["run"].alive else _STOP_POLLING
    return render(request, "crawls/live.html", status, **values)


async def log(request: Request) -> Response:
    """Show the last lines of the log of a crawl."""
    return render(request, "crawls/log.html", **await _details(request, _ALL_LINES))


async def _details(request: Request, most_lines: int) -> dict[str, Any]:
    run = await run_in_threadpool(_found, crawl_desk(desk_of(request)), request)
    if run.alive:
        run.files.watch()
    lines = await run_in_threadpool(run.files.log_lines, most_lines)
    chart = harvest_chart(run.state.curve)
    return {
        "run": run,
        "chart": None if chart is None else Markup(chart),
        "lines": [_line(it) for it in reversed(lines)],
        "health_word": health_word,
        "part_word": part_word,
        "time": moment,
        "still": bool(request.query_params.get("still")),
        "stop_reason": _(run.state.stop_reason) if run.state.stop_reason else "",
    }


def _found(crawls: CrawlDesk, request: Request) -> FoundRun:
    run = crawls.run(request.path_params["run"])
    if run is None:
        raise HTTPException(404)
    return run


def moment(seconds: float) -> datetime | None:
    """Return a time of a state; ``None`` for 0 and for what is not a time."""
    try:
        return datetime.fromtimestamp(seconds, UTC) if seconds else None
    except (OverflowError, OSError, ValueError):
        return None


def _line(text: str) -> Mapping[str, str]:
    """Return the parts of a log line; one that is not JSON is a message."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict):
        return {"time": "", "level": "", "message": text[:2_000]}
    message = str(parsed.get("message", ""))
    if exception := parsed.get("exception"):
        message = f"{message}\n{exception}"
    return {
        "time": str(parsed.get("time", ""))[:24],
        "level": str(parsed.get("level", ""))[:10],
        "message": message[:4_000],
    }


@writing
async def ask(request: Request, form: FormData) -> Response:
    """Ask a crawl to pause, go on or stop."""
    wanted = text_field(form, "wanted", 10)
    if wanted not in get_args(Wanted):
        return error_page(request, 400, _("This address only takes forms."))
    run = await run_in_threadpool(_found, crawl_desk(desk_of(request)), request)
    if not run.alive:
        return error_page(request, 409, _("The crawl has ended already."))
    try:
        await run_in_threadpool(run.files.ask, cast("Wanted", wanted))
    except OSError as error:
        return error_page(request, 500, system_reason(error))
    return back(request, form, "/crawls")


@writing
async def start(request: Request, form: FormData) -> Response:
    """Start a crawl on this machine or on scrapyd."""
    desk = desk_of(request)
    try:
        wanted = StartForm(
            topic=text_field(form, "topic", 500),
            pages=_count(form, "pages", _("pages")),
            workers=_count(form, "workers", _("processes")) or 1,
            refresh=text_field(form, "kind", 20) == "refresh",
            settings=text_field(form, "settings", 10_000),
            server=_count(form, "server", "scrapyd"),
        )
        await crawl_desk(desk).start(wanted, await desk.topics())
    except (ConfigurationError, ScrapydError) as error:
        return error_page(request, 422, str(error))
    return back(request, form, "/crawls")


@writing
async def cancel(request: Request, form: FormData) -> Response:
    """Ask scrapyd to stop a job."""
    try:
        server = _count(form, "server", "scrapyd")
        await crawl_desk(desk_of(request)).cancel(server, text_field(form, "job", 200))
    except (ConfigurationError, ScrapydError) as error:
        return error_page(request, 422, str(error))
    return back(request, form, "/crawls")


def _count(form: FormData, name: str, shown: str) -> int:
    text = text_field(form, name, 20).strip()
    if not text:
        return 0
    if not (text.isascii() and text.isdigit()):
        raise ConfigurationError(
            _("{name} must be a whole number of at least 1, got {value!r}").format(
                name=shown, value=text
            )
        )
    return int(text)


_ROUTES: Sequence[Route] = (
    Route("/crawls", index),
    Route("/crawls/live", live_index),
    Route("/crawls/start", start, methods=["POST"]),
    Route("/crawls/cancel", cancel, methods=["POST"]),
    Route("/crawls/{run}", show),
    Route("/crawls/{run}/live", live),
    Route("/crawls/{run}/log", log),
    Route("/crawls/{run}/ask", ask, methods=["POST"]),
)
SECTION = Section("running", N_("Crawls"), 80, routes=_ROUTES, needs_topic=False)

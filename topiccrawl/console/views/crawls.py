"""``/t/{topic}/crawls``: the crawls of a topic, those that run and those that have ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starlette.routing import Route

from topiccrawl.console.crawls.health import health_of
from topiccrawl.console.desk import desk_and_topic
from topiccrawl.console.rendering import render
from topiccrawl.console.sections import Section
from topiccrawl.console.views.running import overview
from topiccrawl.language import N_, _

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from topiccrawl.store.contract import RunRecord

#: Ended runs that are shown.
_RUNS: Final = 30


async def index(request: Request) -> Response:
    """Show the crawls of one topic."""
    desk, topic = await desk_and_topic(request)
    values = await overview(request, topic)
    records = list(await desk.store.runs(topic))[-_RUNS:]
    past = [_row(it) for it in reversed(records)]
    return render(request, "crawls/index.html", topic=topic, past=past, **values)


def _row(record: RunRecord) -> dict[str, Any]:
    stats = record.stats
    health = health_of([record])
    assert health is not None
    return {
        "id": record.id,
        "started_at": record.started_at,
        "finished_at": record.finished_at,
        "reason": _(str(stats.get("topiccrawl/stop_reason") or record.stop_reason or "")),
        "pages": stats.get("topiccrawl/pages/analyzed"),
        "stored": stats.get("topiccrawl/pages/stored"),
        "left": health.left,
        "entered": health.entered,
        "rate": stats.get("topiccrawl/harvest_rate"),
        "visits": stats.get("topiccrawl/refresh/visited"),
    }


SECTION = Section("crawls", N_("Crawls"), 80, routes=[Route("/t/{topic}/crawls", index)])

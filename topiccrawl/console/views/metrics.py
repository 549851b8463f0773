"""``/metrics``: figures for Prometheus, at most 300 series."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import generate_latest
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.routing import Route

from topiccrawl.console.crawls.desk import crawl_desk
from topiccrawl.console.desk import desk_of
from topiccrawl.console.sections import Section
from topiccrawl.errors import StoreUnavailable
from topiccrawl.insight.metrics import Metric, metrics
from topiccrawl.language import N_

if TYPE_CHECKING:
    from starlette.requests import Request

#: The text format of Prometheus (version 0.0.4), which every reader takes.
_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


async def show(request: Request) -> Response:
    """Answer with the present figures; a store that is away is a figure, too."""
    desk = desk_of(request)
    crawls = crawl_desk(desk)
    stored: Mapping[str, int] = {}
    store_up = True
    try:
        stored = await desk.topics()
    except StoreUnavailable:
        store_up = False
    figures = await run_in_threadpool(crawls.figures, stored)
    found = metrics(figures, crawls.system(len(stored), store_up=store_up))
    return Response(exposition(found), media_type=_MEDIA_TYPE)


def exposition(found: Sequence[Metric]) -> bytes:
    """Return *found* in the text format."""
    return generate_latest(_Collected(found))


class _Collected:
    """What ``generate_latest`` reads: no registry is shared between requests."""

    def __init__(self, found: Sequence[Metric]) -> None:
        self._found = found

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the metrics in the form of the client library."""
        for metric in self._found:
            labels = sorted({name for names, _value in metric.samples for name in names})
            family = GaugeMetricFamily(metric.name, metric.help, labels=labels)
            for names, value in metric.samples:
                family.add_metric([names[label] for label in labels], value)
            yield family


SECTION = Section(
    "metrics",
    N_("Figures for Prometheus"),
    990,
    routes=[Route("/metrics", show)],
    needs_topic=False,
    in_navigation=False,
)

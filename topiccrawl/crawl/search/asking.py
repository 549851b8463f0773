"""Send a query to an engine, past the queue, and read the answer."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import urljoin, urlsplit

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from topiccrawl.crawl.requests.meta import SEARCH
from topiccrawl.crawl.requests.pages import content_type, header
from topiccrawl.crawl.requests.refused import (
    HostGone,
    HostPaused,
    RequestRefused,
    RobotsUnreachable,
)
from topiccrawl.crawl.requests.search import SearchTicket
from topiccrawl.errors import described
from topiccrawl.politeness.backoff import parse_retry_after
from topiccrawl.sources.answers import MAX_BYTES, Received, read_answer
from topiccrawl.sources.descriptions import host_of_engine
from topiccrawl.sources.engine import Engine, SearchRequest
from topiccrawl.sources.planner import Plan
from topiccrawl.sources.redirects import redirect_target
from topiccrawl.sources.results import Answer, Result, Verdict
from topiccrawl.urls.redirects import REDIRECT_STATUSES

logger = logging.getLogger(__name__)

#: Redirects of a query that are followed, within the engine's own host (http to https, a slash).
_MOST_REDIRECTS: Final = 2
#: Results of an answer whose true address is asked for: each is a request (a choice: one page of results).
_MOST_RESOLVED: Final = 10


class EngineRequests:
    """Asks engines.

    *download* downloads a request past the queue, with all middlewares, and may raise anything; *language* is ``zh``
    or ``en``.
    """

    def __init__(
        self,
        download: Callable[[Request], Awaitable[Response]],
        *,
        language: str,
        clock: Callable[[], float],
    ) -> None:
        self._download = download
        self._clock = clock
        self._language = language

    async def ask(self, plan: Plan) -> Answer:
        """Return the answer to a query; never raises."""
        engine = plan.engine
        for method in engine.methods:
            wanted = engine.request(
                plan.question, plan.page, language=self._language, method=method
            )
            try:
                received = await self._received(engine, wanted)
            except HostPaused as error:
                return Answer(Verdict.PAUSED, (), described(error))
            except (HostGone, RobotsUnreachable) as error:
                return Answer(Verdict.UNREACHABLE, (), described(error))
            except RequestRefused as error:
                return Answer(Verdict.FORBIDDEN, (), described(error))
            except IgnoreRequest as error:
                # Forbidden by robots.txt, as Scrapy puts it: the next method has another address.
                logger.debug("%s %s: %s", method, wanted.url, error)
                continue
            except Exception as error:
                return Answer(Verdict.UNREACHABLE, (), described(error))
            answer = read_answer(engine, plan.question, received)
            if plan.page and answer.verdict is Verdict.EMPTY:
                # Behind the last page of results.
                return Answer(Verdict.NONE, (), answer.detail)
            return await self._resolved(engine, answer)
        return Answer(Verdict.FORBIDDEN, (), "Forbidden by robots.txt")

    async def _received(self, engine: Engine, wanted: SearchRequest) -> Received:
        url = wanted.url
        for _ in range(1 + _MOST_REDIRECTS):
            response = await self._download(_request(engine, wanted, url))
            target = _location(response)
            if target is None or not _same_place(url, target):
                break
            url = target
        return Received(
            url=response.url,
            status=response.status,
            body=response.body,
            content_type=content_type(response),
            location=target or "",
            retry_after=parse_retry_after(header(response, "Retry-After"), self._clock()) or 0.0,
        )

    async def _resolved(self, engine: Engine, answer: Answer) -> Answer:
        """Replace addresses of the engine itself by those that they lead to; drop them otherwise."""
        if not engine.resolve:
            return answer
        results: list[Result] = []
        asked = 0
        for result in answer.results:
            if not any(part in result.url for part in engine.resolve):
                results.append(result)
            elif asked < _MOST_RESOLVED:
                asked += 1
                if target := await self._target(engine, result.url):
                    results.append(Result(target, result.title, result.snippet, result.engines))
        verdict = answer.verdict if results or not answer.results else Verdict.EMPTY
        return Answer(verdict, results, answer.detail, answer.retry_after)

    async def _target(self, engine: Engine, url: str) -> str | None:
        try:
            response = await self._download(_request(engine, SearchRequest(url), url))
        except Exception as error:
            logger.debug("No target of %s: %s", url, described(error))
            return None
        target = _location(response)
        if target is None and response.status == 200:
            target = redirect_target(response.body[:16_384].decode("utf-8", "replace"), url)
        if target is None or _same_place(url, target):
            return None
        return target if target.startswith(("http://", "https://")) else None


def _request(engine: Engine, wanted: SearchRequest, url: str) -> Request:
    return Request(
        url,
        method=wanted.method,
        body=wanted.body,
        headers=dict(wanted.headers),
        meta={
            SEARCH: SearchTicket(host_of_engine(engine) if engine.own else ""),
            "dont_redirect": True,
            "dont_retry": True,
            "dont_cache": True,
            "handle_httpstatus_all": True,
            "download_maxsize": MAX_BYTES,
        },
        dont_filter=True,
    )


def _location(response: Response) -> str | None:
    location = response.headers.get(b"Location")
    if response.status not in REDIRECT_STATUSES or not location:
        return None
    try:
        return urljoin(response.url, location.decode("latin-1").strip())
    except ValueError:
        return None


def _same_place(url: str, target: str) -> bool:
    """Whether *target* is *url* but for its scheme, ``www.`` or a slash."""

    def place(address: str) -> tuple[str, str]:
        parts = urlsplit(address)
        return parts.netloc.lower().removeprefix("www."), parts.path.rstrip("/")

    try:
        return place(url) == place(target)
    except ValueError:
        return False

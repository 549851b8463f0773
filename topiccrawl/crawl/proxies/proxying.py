"""The proxies of one crawl: which requests take one, and the tries of a request through several.

The download handler calls :meth:`CrawlProxies.fetch`; what a bad proxy does to a request ends there, and
nothing else of the crawl (attempts of a link, pauses of hosts, the state of the network) learns of it.
"""

from __future__ import annotations

import logging
import stat
import time
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary, ref

from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)
from scrapy.http import Response
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.error import ConnectError

from topiccrawl.crawl.proxies.pool import PoolClient
from topiccrawl.crawl.requests.failures import ProxiesFailed
from topiccrawl.crawl.requests.meta import PROXIED, ROBOTS
from topiccrawl.crawl.requests.pages import content_type, header
from topiccrawl.crawl.requests.search import is_search, may_be_private
from topiccrawl.crawl.settings.proxies import ProxySettings
from topiccrawl.errors import ConfigurationError, system_reason
from topiccrawl.language import _
from topiccrawl.proxies.address import ProxyAddress, parse_proxy
from topiccrawl.proxies.answers import COMPARED_BYTES, Answer, AnswerJudge, Fault, same
from topiccrawl.proxies.lists import parse_list
from topiccrawl.proxies.roster import ProxyRoster

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

#: Errors of a transfer through a proxy; all others are not about the way (a page that is too large).
_NO_ANSWER: Final = (
    ConnectError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
    TunnelError,
)
#: Errors of the connection to the proxy itself.
_DEAD: Final = (CannotResolveHostError, DownloadConnectionRefusedError)
#: Shortest time-out of a try in seconds, and its relation to the usual time of the proxy (guesses).
_SHORTEST_TIMEOUT: Final = 5.0
_TIMES_USUAL: Final = 10.0
#: Proxies that have to agree about an answer when none of them has answered well lately (a guess).
_AGREE: Final = 3
#: Proxies that have to agree that a suspected page is the site's, or all if they are fewer: several may
#: send the same advertisement (a guess).
_AGREE_PAGE: Final = 4

_proxies: WeakKeyDictionary[Crawler, CrawlProxies | None] = WeakKeyDictionary()


class CrawlProxies:
    """The proxies of one crawler, and the judgment of what comes through them."""

    def __init__(self, crawler: Crawler, settings: ProxySettings) -> None:
        # Weak, as the crawler is the key under which this object is kept.
        self._crawler = ref(crawler)
        self.settings = settings
        self.roster = ProxyRoster(
            _listed(settings), first_rest=settings.rest, sticky=settings.sticky
        )
        self._judge = AnswerJudge()
        self.pool = PoolClient(crawler, settings, self.roster) if settings.pool else None
        self._recall: Callable[[str], object] = lambda url: None

    @classmethod
    def of(cls, crawler: Crawler) -> CrawlProxies | None:
        """Return the proxies of *crawler*, ``None`` if its settings name none.

        Raises :class:`~topiccrawl.errors.ConfigurationError`.
        """
        if crawler not in _proxies:
            settings = ProxySettings.from_settings(crawler.settings)
            wanted = settings.addresses or settings.file or settings.pool
            _proxies[crawler] = cls(crawler, settings) if wanted else None
        return _proxies[crawler]

    def on_false_page(self, recall: Callable[[str], object]) -> None:
        """Have *recall* called with the URL of each page that turned out not to be the site's."""
        self._recall = recall

    def wanted(self, request: Request) -> bool:
        """Whether *request* takes a proxy: not one that has its own, nor one to the user's machine."""
        parts = urlparse_cached(request)
        if parts.scheme not in ("http", "https") or may_be_private(request):
            return False
        if "proxy" in request.meta and PROXIED not in request.meta:
            return False
        host, named = (parts.hostname or ""), self.settings.sites
        if not named:
            return not is_search(request)
        return any(host == name.removeprefix("*.") or _under(host, name) for name in named)

    @property
    def any_url(self) -> str:
        """The address of one of the proxies."""
        return next((proxy.url for proxy in self.roster.proxies), "http://127.0.0.1:9")

    def usable(self, request: Request) -> bool:
        """Whether some proxy may take *request* now."""
        return self._choose(request, set(), again=False) is not None

    def ready_at(self, request: Request) -> float:
        """Return the monotonic time when one may."""
        parts = urlparse_cached(request)
        return self.roster.ready_at(
            parts.hostname or "", time.monotonic(), https=parts.scheme == "https"
        )

    async def fetch(
        self, request: Request, download: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        """Return the answer of the site, through as many proxies as it takes, one after another.

        Raises what the site itself fails with, or :class:`ProxiesFailed`.
        """
        tried: list[_Try] = []
        while len(tried) < self.settings.tries:
            proxy = self._choose(request, {it.proxy for it in tried}, again=bool(tried))
            if proxy is None:
                break
            result = await self._through(proxy, request, download, len(tried))
            if result.fault is None or self._agreed(result, tried):
                self._learn(result, tried, urlparse_cached(request).hostname or "")
                request.meta["proxy"] = proxy.url
                if result.error is not None:
                    raise result.error
                assert result.response is not None
                return result.response
            tried.append(result)
            self._count(f"proxies/faults/{result.fault.value.replace(' ', '_')}")
            if result.fault is Fault.DEAD:
                self._fail(result)
        return self._undecided(request, tried)

    # -- one try -----------------------------------------------------------------------------------

    def _choose(
        self, request: Request, without: set[ProxyAddress], *, again: bool
    ) -> ProxyAddress | None:
        parts = urlparse_cached(request)
        return self.roster.choose(
            parts.hostname or "",
            time.monotonic(),
            https=parts.scheme == "https",
            without=without,
            proven=again,
        )

    async def _through(
        self,
        proxy: ProxyAddress,
        request: Request,
        download: Callable[[Request], Awaitable[Response]],
        earlier: int,
    ) -> _Try:
        attempt = request.copy()
        attempt.meta["proxy"] = proxy.url
        attempt.headers.pop(b"Proxy-Authorization", None)
        if proxy.authorization is not None:
            attempt.headers[b"Proxy-Authorization"] = proxy.authorization
        usual = max(_SHORTEST_TIMEOUT, _TIMES_USUAL * self.roster.health(proxy).latency)
        attempt.meta["download_timeout"] = min(
            usual * 2.0**earlier,
            self.settings.timeout,
            request.meta.get("download_timeout") or self.settings.timeout,
        )
        self._count("proxies/tries")
        self.roster.began(proxy)
        began = time.monotonic()
        proven = self.roster.health(proxy).proven(began)
        try:
            response = await download(attempt)
        except _DEAD as error:
            return _Try(proxy, Fault.DEAD, proven, error=error)
        except _NO_ANSWER as error:
            refused = isinstance(error, TunnelError) and "'status': 407" in str(error)
            return _Try(proxy, Fault.DEAD if refused else Fault.NO_ANSWER, proven, error=error)
        finally:
            self.roster.ended(proxy)
        if "download_latency" in attempt.meta:
            request.meta["download_latency"] = attempt.meta["download_latency"]
        answer = _answer(response)
        fault = self._judge.fault(proxy.name, answer)
        if ROBOTS in request.meta and fault is Fault.FALSE:
            fault = None if not answer.html else fault
        seconds = time.monotonic() - began
        return _Try(proxy, fault, proven, response, answer=answer, seconds=seconds)

    # -- what the tries show -----------------------------------------------------------------------

    def _agreed(self, last: _Try, tried: list[_Try]) -> bool:
        """Whether what *last* shows is the site's own, as earlier proxies showed the same."""
        if last.fault is Fault.DEAD:
            return False
        alike = [it for it in tried if it.like(last)]
        if last.fault is Fault.FALSE:
            assert last.answer is not None
            enough = min(_AGREE_PAGE, len(self.roster))
            return len(alike) + 1 >= enough and not self._judge.is_false(last.answer)
        proven = sum(it.proven for it in (*alike, last))
        return bool(alike) and (proven >= 2 or len(alike) + 1 >= _AGREE)

    def _learn(self, last: _Try, tried: list[_Try], site: str) -> None:
        """Record for all proxies of a request what its answer shows."""
        now = time.monotonic()
        answer = last.answer
        if answer is not None and last.fault is not Fault.UNREACHED:
            self.roster.succeeded(last.proxy, site, now, last.seconds)
            if any(it.fault is Fault.FALSE and it.like(last) for it in (*tried, last)):
                self._judge.confirmed(answer)
            self._judge.accepted(last.proxy.name, answer)
        for it in tried:
            if it.like(last):
                if it.answer is not None and it.fault is not Fault.UNREACHED:
                    self.roster.succeeded(it.proxy, site, now, it.seconds)
                    self._judge.accepted(it.proxy.name, it.answer)
            elif last.fault in (None, Fault.FALSE, Fault.REFUSED):
                self._blame(it, site)
        if tried:
            self._count("proxies/replaced")

    def _blame(self, it: _Try, site: str) -> None:
        """Record that the answer of a try was the proxy's own."""
        now = time.monotonic()
        if it.fault is Fault.REFUSED:
            self._count("proxies/blocked")
            self.roster.blocked(it.proxy, site, now)
            logger.debug("%s refuses the proxy %s", site, it.proxy.name)
        elif it.fault is Fault.FALSE and it.answer is not None:
            self._count("proxies/falsified")
            if self.roster.falsified(it.proxy, now):
                self._say_rests(it, _("it sends pages that are not the site's"))
            for url in self._judge.falsified(it.proxy.name, it.answer):
                self._recall(url)
        elif it.fault is not Fault.DEAD:
            self._fail(it)

    def _fail(self, it: _Try) -> None:
        dead = it.fault is Fault.DEAD
        if self.roster.failed(it.proxy, time.monotonic(), at_once=dead):
            why = type(it.error).__name__ if it.answer is None else f"HTTP {it.answer.status}"
            self._say_rests(it, why)
        if self.pool is not None:
            self.pool.look()

    def _say_rests(self, it: _Try, why: str) -> None:
        self._count("proxies/rests")
        rest = self.roster.health(it.proxy).rests_until - time.monotonic()
        logger.info(
            _("Proxy %(name)s rests for %(seconds).0f s: %(why)s"),
            {"name": it.proxy.name, "seconds": max(0.0, rest), "why": why},
        )

    def _undecided(self, request: Request, tried: list[_Try]) -> Response:
        """End a request that no proxy, or no two, gave an answer to: nobody can be blamed for sure."""
        last = next((it for it in reversed(tried) if it.response is not None), None)
        others = len(self.roster) > len(tried)
        if last is not None and not others and last.fault is not Fault.DEAD:
            # There is no other proxy to try.
            alike = [it for it in tried if it is not last and it.like(last)]
            self._learn(last, alike, urlparse_cached(request).hostname or "")
            assert last.response is not None
            return last.response
        for it in tried:
            if it.fault is Fault.NO_ANSWER:
                self._fail(it)
        self._count("proxies/undecided")
        if not tried:
            raise ProxiesFailed(_("no proxy is usable"))
        why = tried[-1].error or f"HTTP {tried[-1].answer.status if tried[-1].answer else ''}"
        raise ProxiesFailed(
            _("{n} proxies gave no answer, at last {name}: {why}").format(
                n=len(tried), name=tried[-1].proxy.name, why=why
            )
        )

    def _count(self, name: str) -> None:
        crawler = self._crawler()
        if crawler is not None:
            crawler.stats.inc_value(f"topiccrawl/{name}")


class _Try:
    """One request through one proxy, and its result."""

    __slots__ = ("answer", "error", "fault", "proven", "proxy", "response", "seconds")

    def __init__(
        self,
        proxy: ProxyAddress,
        fault: Fault | None,
        proven: bool,
        response: Response | None = None,
        *,
        error: Exception | None = None,
        answer: Answer | None = None,
        seconds: float = 0.0,
    ) -> None:
        self.proxy = proxy
        self.fault = fault
        self.proven = proven
        self.response = response
        self.error = error
        self.answer = answer
        self.seconds = seconds

    def like(self, other: _Try) -> bool:
        """Whether both tries show the same."""
        if self.answer is None or other.answer is None:
            return self.answer is other.answer and self.fault is other.fault
        return same(self.answer, other.answer)


def _answer(response: Response) -> Answer:
    kind = content_type(response).lower()
    body, packed = response.body, header(response, "Content-Encoding").strip().lower()
    if packed in ("gzip", "x-gzip", "deflate"):
        with suppress(zlib.error):
            # 32: gzip or zlib, by the header.
            body = zlib.decompressobj(32 + zlib.MAX_WBITS).decompress(body, COMPARED_BYTES)
    return Answer(
        response.url,
        response.status,
        body,
        header(response, "Location"),
        html="html" in kind and (not packed or body is not response.body),
    )


def _under(host: str, name: str) -> bool:
    return name.startswith("*.") and host.endswith(name[1:])


def _listed(settings: ProxySettings) -> list[ProxyAddress]:
    """Return the proxies of setting and file."""
    found = [parse_proxy(text) for text in settings.addresses]
    if not settings.file:
        return found
    path = Path(settings.file)
    try:
        text, mode = path.read_text("utf-8"), path.stat().st_mode
        proxies = parse_list(text)
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            _("TOPICCRAWL_PROXY_FILE: {path} cannot be read: {error}").format(
                path=settings.file,
                error=system_reason(error) if isinstance(error, OSError) else error,
            )
        ) from error
    if any(proxy.password for proxy in proxies) and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ConfigurationError(
            _(
                "TOPICCRAWL_PROXY_FILE: {path} contains passwords, and others may read it: chmod 600"
            ).format(path=settings.file)
        )
    return found + proxies

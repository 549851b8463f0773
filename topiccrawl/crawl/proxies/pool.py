"""PoolClient: takes proxies from a pool with an HTTP interface, and returns the dead ones."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from weakref import ref

from scrapy import Request
from scrapy.http.request import NO_CALLBACK

from topiccrawl.crawl.requests.failures import classify
from topiccrawl.crawl.requests.meta import SEARCH
from topiccrawl.crawl.requests.search import SearchTicket
from topiccrawl.language import _, choose, ngettext
from topiccrawl.proxies.lists import delete_url, parse_answer, pool_urls
from topiccrawl.reporting.words.reasons import reason_text

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from topiccrawl.crawl.settings.proxies import ProxySettings
    from topiccrawl.proxies.roster import ProxyRoster

logger = logging.getLogger(__name__)

#: Seconds between two looks into the pool, and for one answer of it (guesses).
_PAUSE_SECONDS: Final = 5.0
_TIMEOUT_SECONDS: Final = 10.0
#: Answers in a row that bring nothing new before the pool is left alone until the next look.
_NOTHING_NEW: Final = 3


class PoolClient:
    """Keeps enough usable proxies of a pool in the roster."""

    def __init__(self, crawler: Crawler, settings: ProxySettings, roster: ProxyRoster) -> None:
        self._crawler = ref(crawler)
        self._url = settings.pool
        self._size = settings.pool_size
        self._roster = roster
        self._task: asyncio.Task[None] | None = None
        self._looked_at = float("-inf")
        self._silent = False

    async def filled(self) -> None:
        """Look into the pool, and wait until that is done."""
        self.look()
        if self._task is not None:
            await asyncio.shield(self._task)

    def look(self) -> None:
        """Take proxies from the pool in the background, if too few are usable and it is time."""
        now = time.monotonic()
        running = self._task is not None and not self._task.done()
        if running or now - self._looked_at < _PAUSE_SECONDS:
            return
        if self._roster.usable(now) >= self._size:
            return
        self._looked_at = now
        self._task = asyncio.ensure_future(self._look())

    async def _look(self) -> None:
        for proxy in self._roster.take_dead():
            await self._ask(delete_url(self._url, proxy))
        one, every = pool_urls(self._url)
        before = len(self._roster)
        nothing = 0
        while self._roster.usable(time.monotonic()) < self._size and nothing < _NOTHING_NEW:
            answer = await self._ask(one)
            if answer is None:
                break
            new = [self._roster.add(proxy, from_pool=True) for proxy in parse_answer(answer)]
            nothing = 0 if any(new) else nothing + 1
        if len(self._roster) == before and before == 0 and nothing:
            for proxy in parse_answer(await self._ask(every) or "")[: self._size]:
                self._roster.add(proxy, from_pool=True)
        if found := len(self._roster) - before:
            logger.info(
                ngettext(
                    "The proxy pool gave %(n)d proxy", "The proxy pool gave %(n)d proxies", found
                ),
                {"n": found},
            )

    async def _ask(self, url: str) -> str | None:
        """Return the answer of the pool, ``None`` without one."""
        request = Request(
            url,
            callback=NO_CALLBACK,
            meta={
                "dont_obey_robotstxt": True,
                "dont_retry": True,
                "dont_redirect": True,
                "dont_cache": True,
                "proxy": None,
                "download_timeout": _TIMEOUT_SECONDS,
                # The user named it: it may have a private address.
                SEARCH: SearchTicket(urlsplit(url).netloc.lower()),
            },
            dont_filter=True,
        )
        try:
            crawler = self._crawler()
            if crawler is None or crawler.engine is None:
                return None
            response = await crawler.engine.download_async(request)
        except Exception as error:
            self._gives_none(classify(error)[0])
            return None
        if response.status != 200:
            if url == pool_urls(self._url)[0]:  # it need not offer to list or delete proxies
                self._gives_none(f"http-{response.status}")
            return ""
        self._silent = False
        return response.body[:1_000_000].decode("utf-8", "replace")

    def _gives_none(self, reason: str) -> None:
        """Warn once, until the pool answers again."""
        if not self._silent:  # the address may contain a key
            logger.warning(
                _("The proxy pool gives no proxies (TOPICCRAWL_PROXY_POOL): %(reason)s"),
                {"reason": choose(*reason_text(reason))},
            )
        self._silent = True

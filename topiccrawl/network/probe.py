"""NetworkProbe: finds out whether hosts are down or the network is, and waits for a lost network.

When several requests in a row got no answer, the robots.txt of hosts that answered lately is asked for.  An
answer shows that the network is there, and the silent hosts are treated as hosts that are down.  Without
one, nothing is taken from the queue until a probe is answered, or until the crawl has waited long
enough and ends with its links queued.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.http.request import NO_CALLBACK

from topiccrawl.crawl.requests.meta import PROBE
from topiccrawl.language import _

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from topiccrawl.crawl.control import CrawlControl
    from topiccrawl.politeness.outage import NetworkState

logger = logging.getLogger(__name__)

#: Seconds after which a probe counts as not answered (a guess).
_TIMEOUT_SECONDS = 15
#: What keeps a probe from being answered by anything but its host, or from being sent again.
_META = {
    PROBE: True,
    "dont_obey_robotstxt": True,
    "dont_retry": True,
    "dont_redirect": True,
    "dont_cache": True,
    "download_timeout": _TIMEOUT_SECONDS,
}


class NetworkProbe:
    """Asks hosts that answered before, while the network is in doubt."""

    def __init__(self, crawler: Crawler, network: NetworkState, control: CrawlControl) -> None:
        self._crawler = crawler
        self._network = network
        self._control = control
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Ask in the background, unless it is being asked."""
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._run())

    def stop(self) -> None:
        """End the waiting: the spider closes."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        network = self._network
        while not await self._answered():
            if not network.lost:
                logger.warning(
                    _(
                        "The network seems to be lost: no host answers. The crawl waits for it"
                        " (TOPICCRAWL_OFFLINE_SECONDS: %(seconds).0f)"
                    ),
                    {"seconds": network.patience},
                )
            wait = network.no_answer(time.monotonic())
            if network.given_up(time.monotonic()):
                self._control.go_offline(
                    _(
                        "the network was lost, and no host has answered for {seconds:.0f} s"
                        " (TOPICCRAWL_OFFLINE_SECONDS). The links stay queued, and the same command"
                        " goes on with them"
                    ).format(seconds=network.patience)
                )
                return
            await asyncio.sleep(wait)
        self._control.wake()

    async def _answered(self) -> bool:
        """Return whether any host answers; the middleware records who did."""
        engine = self._crawler.engine
        for url in self._network.witnesses:
            assert engine is not None
            self._control.count("network/probes")
            request = Request(f"{url}/robots.txt", meta=dict(_META), callback=NO_CALLBACK)
            try:
                await engine.download_async(request)
            except Exception as error:
                logger.debug("%(url)s does not answer: %(error)s", {"url": url, "error": error})
            if not self._network.in_doubt:
                return True
        return not self._network.in_doubt

"""Keep the Crawl-delay of each robots.txt where ``PolitenessMiddleware`` is off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request, signals
from scrapy.utils.httpobj import urlparse_cached

from topiccrawl.crawl.settings.politeness import PolitenessSettings
from topiccrawl.politeness.delays import HostDelays

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.robotstxt import RobotParser


class CrawlDelays:
    """Keeps the delays of Scrapy's slots at the Crawl-delays of their hosts, at least.

    To be made when the extensions exist: AutoThrottle, which ignores Crawl-delays, sets the delay of a
    slot after each response, and must do so before.  Scrapy forgets receivers that nothing refers to.
    """

    def __init__(self, crawler: Crawler) -> None:
        assert crawler.engine is not None
        self._downloader = crawler.engine.downloader
        settings = crawler.settings
        self._agent: str = settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"]
        self._delays = HostDelays(PolitenessSettings.from_settings(settings).crawl_delay_max)
        crawler.signals.connect(self._parsed, signals.robots_parsed)
        crawler.signals.connect(self._raise, signals.request_reached_downloader)
        crawler.signals.connect(self._downloaded, signals.response_downloaded)

    def _parsed(self, robotparser: RobotParser, request: Request) -> None:
        host = self._downloader.get_slot_key(request)
        delay = robotparser.crawl_delay(self._agent)
        self._delays.ask(host, delay, urlparse_cached(request).netloc)
        self._raise(request)

    def _downloaded(self, response: Response, request: Request) -> None:
        self._raise(request)

    def _raise(self, request: Request) -> None:
        host = self._downloader.get_slot_key(request)
        slot = self._downloader.slots.get(host)
        if slot is not None:
            self._delays.raise_slot(host, slot)

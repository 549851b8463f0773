"""The add-on: installs topiccrawl's components in any Scrapy project.

``ADDONS = {"topiccrawl.addon.TopicCrawlAddon": 100}`` and ``TOPICCRAWL_TOPIC = "侨情"`` are enough.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Self

# First: its deprecated classes look at all loaded modules for each frame of the stack, .3 s later on (2026-11).
import scrapy.core.downloader.handlers.http11  # noqa: F401
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware, RedirectMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import NotConfigured
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from topiccrawl.commandline.jsonlogs import log_json_lines
from topiccrawl.commandline.trials import TRIAL_SETTINGS
from topiccrawl.crawl.settings.links import TopicSettings
from topiccrawl.crawl.settings.operation import OperationSettings
from topiccrawl.crawl.settings.scrapy_rules import check_scrapy_settings
from topiccrawl.extensions.alerts import CrawlAlerts
from topiccrawl.extensions.blocks import BlockWatcher
from topiccrawl.extensions.control import CONTROL_ORDER, RunControl
from topiccrawl.extensions.lifecycle import SessionLifecycle
from topiccrawl.extensions.outcomes import OutcomeRecorder
from topiccrawl.extensions.progress import ProgressReporter
from topiccrawl.extensions.recording import CrawlRecorder
from topiccrawl.extensions.refreshing import RevisitFeeder
from topiccrawl.extensions.restoring import QueueRestorer
from topiccrawl.extensions.searching import SourceFeedback
from topiccrawl.extensions.stagnation import StagnationWatcher
from topiccrawl.language import _
from topiccrawl.middlewares.addresses import AddressMiddleware
from topiccrawl.middlewares.browser import BROWSER_ORDER, BrowserMiddleware
from topiccrawl.middlewares.compression import BoundedCompressionMiddleware
from topiccrawl.middlewares.linkscore import LinkScoreMiddleware
from topiccrawl.middlewares.notcontent import NOT_CONTENT_ORDER, NotContentMiddleware
from topiccrawl.middlewares.pace import AddressPaceMiddleware
from topiccrawl.middlewares.politeness import POLITENESS_ORDER, PolitenessMiddleware
from topiccrawl.middlewares.proxies import PROXY_ORDER, ProxyMiddleware
from topiccrawl.middlewares.redirects import SafeMetaRefreshMiddleware, SafeRedirectMiddleware
from topiccrawl.middlewares.revisits import REVISIT_ORDER, RevisitMiddleware
from topiccrawl.middlewares.robots import RobotsMiddleware
from topiccrawl.middlewares.scope import SCOPE_ORDER, ScopeMiddleware
from topiccrawl.middlewares.sessions import (
    SESSION_ORDER,
    WALL_ORDER,
    LoginWallMiddleware,
    SessionMiddleware,
)
from topiccrawl.pipelines.body import BodyExtractionPipeline
from topiccrawl.pipelines.deduplication import DeduplicationPipeline
from topiccrawl.pipelines.details import PageDetailsPipeline
from topiccrawl.pipelines.parts import ArticlePartsPipeline
from topiccrawl.pipelines.relevance import RelevanceFilterPipeline
from topiccrawl.pipelines.revisits import RevisitPipeline
from topiccrawl.pipelines.store import StorePipeline

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

#: After decompression (590), redirects (600) and retries (550), so that the response is the page
#: itself.
LINK_SCORE_ORDER = 543
#: Before robots.txt (100), and around everything that may send a request.
ADDRESS_ORDER = 40
#: Download handlers by scheme.  Pages and queue records decide about URLs, so nothing else is fetched:
#: no files of this machine, no FTP.  ``DOWNLOAD_HANDLERS`` of a project adds a scheme.
HANDLERS = {
    "http": "topiccrawl.network.handler.PublicHTTPHandler",
    "https": "topiccrawl.network.handler.PublicHTTPHandler",
}

#: Middlewares of Scrapy that are replaced, at the same place.
REPLACED: dict[type, type] = {
    RobotsTxtMiddleware: RobotsMiddleware,
    HttpCompressionMiddleware: BoundedCompressionMiddleware,
    MetaRefreshMiddleware: SafeMetaRefreshMiddleware,
    RedirectMiddleware: SafeRedirectMiddleware,
}

#: Scrapy's commands that replace the start of a spider by a function of their own.
_FETCH, _CHECK, _PARSE = (f"scrapy.commands.{name}" for name in ("fetch", "check", "parse"))

#: Extensions of Scrapy by the setting that turns them off; Scrapy loads them all the same, with aiohttp and
#: Conch, which takes .1 s (2026-11).
SWITCHED = {
    "REMOTE_CONTROL_ENABLED": "scrapy.extensions.remote_control.RemoteControl",
    "TELNETCONSOLE_ENABLED": "scrapy.extensions.telnet.TelnetConsole",
}

#: Component classes and their orders, by the setting that lists them.
COMPONENTS: dict[str, dict[type, int]] = {
    "DOWNLOADER_MIDDLEWARES": {
        ScopeMiddleware: SCOPE_ORDER,
        AddressMiddleware: ADDRESS_ORDER,
        ProxyMiddleware: PROXY_ORDER,
        LinkScoreMiddleware: LINK_SCORE_ORDER,
        RevisitMiddleware: REVISIT_ORDER,
        NotContentMiddleware: NOT_CONTENT_ORDER,
        LoginWallMiddleware: WALL_ORDER,
        SessionMiddleware: SESSION_ORDER,
        BrowserMiddleware: BROWSER_ORDER,
        PolitenessMiddleware: POLITENESS_ORDER,
        AddressPaceMiddleware: POLITENESS_ORDER + 10,
    },
    "ITEM_PIPELINES": {
        RevisitPipeline: 50,
        BodyExtractionPipeline: 100,
        RelevanceFilterPipeline: 200,
        ArticlePartsPipeline: 250,
        DeduplicationPipeline: 300,
        PageDetailsPipeline: 400,
        StorePipeline: 900,
    },
    "EXTENSIONS": {
        RunControl: CONTROL_ORDER,
        SessionLifecycle: 50,
        OutcomeRecorder: 100,
        ProgressReporter: 200,
        RevisitFeeder: 240,
        QueueRestorer: 245,
        StagnationWatcher: 250,
        BlockWatcher: 270,
        SourceFeedback: 260,
        CrawlRecorder: 300,
        CrawlAlerts: 350,
    },
}


class TopicCrawlAddon:
    """Installs the scheduler, the downloader middlewares, the pipelines and the extensions."""

    def __init__(self, *, trial: bool = False) -> None:
        """*trial*: a command of Scrapy tries callbacks on single pages."""
        self._trial = trial

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the add-on; off for a spider that has no topic, which runs as if there was no add-on.

        Off for ``scrapy fetch`` and ``scrapy shell``, too.
        """
        spider = crawler.spidercls
        command = getattr(spider.start, "__module__", "")
        if command == _FETCH or _in_shell(crawler.settings):
            raise NotConfigured
        if not (
            getattr(spider, "uses_topiccrawl", False)
            or TopicSettings.from_settings(crawler.settings).topic
        ):
            logger.info(
                _("Spider %(name)s has no topic (TOPICCRAWL_TOPIC): topiccrawl is off"),
                {"name": getattr(spider, "name", None) or spider.__name__},
            )
            raise NotConfigured
        return cls(trial=command in (_CHECK, _PARSE))

    def update_settings(self, settings: BaseSettings) -> None:
        """Add the components at add-on priority, below the project and the command line.

        Wrong values of Scrapy's settings are refused here, before Scrapy reads them.
        """
        if self._trial:
            settings.update(TRIAL_SETTINGS, "cmdline")
        check_scrapy_settings(settings)
        if OperationSettings.from_settings(settings).log_json:
            log_json_lines()
        settings.set("SCHEDULER", "topiccrawl.scheduling.scheduler.FrontierScheduler", "addon")
        settings.set("DOWNLOAD_HANDLERS_BASE", HANDLERS, "addon")
        for theirs, ours in REPLACED.items():
            with suppress(KeyError):  # the project has taken it out
                settings.replace_in_component_priority_dict(
                    "DOWNLOADER_MIDDLEWARES_BASE", theirs, ours
                )
        off = {path for switch, path in SWITCHED.items() if not settings.getbool(switch)}
        extensions = settings.getdict("EXTENSIONS_BASE")
        settings.set(
            "EXTENSIONS_BASE", {it: extensions[it] for it in extensions if it not in off}, "addon"
        )
        # Scrapy's default shortens delays at random by up to half.
        settings.set("DOWNLOAD_DELAY_JITTER", 0.0, "addon")
        for name, components in COMPONENTS.items():
            for component, order in components.items():
                settings.setdefault_in_component_priority_dict(name, component, order)


def _in_shell(settings: BaseSettings) -> bool:
    """Return whether this is ``scrapy shell``: the only command that has a filter of duplicates of its own."""
    return settings.getpriority("DUPEFILTER_CLASS") == SETTINGS_PRIORITIES["command"]

"""CrawlAlerts: rounds of warnings while a crawl runs, samples of its health, and signs of life."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from scrapy.exceptions import NotConfigured

from topiccrawl.alerts.channels.contract import SendFailed
from topiccrawl.alerts.channels.sending import send
from topiccrawl.alerts.disks import free_bytes, store_folder
from topiccrawl.alerts.health import HealthSample, HealthWatch
from topiccrawl.alerts.reader import read_alerts
from topiccrawl.alerts.records import STATE, Alert
from topiccrawl.alerts.rules import HealthRule
from topiccrawl.alerts.runs import health_alert, sign_key
from topiccrawl.alerts.service import AlertService, Round
from topiccrawl.crawl.requests.meta import SCORE
from topiccrawl.crawl.session.current import required_session
from topiccrawl.errors import ConfigurationError, described, of_setting
from topiccrawl.language import _, labeled
from topiccrawl.scoring.evidence import SEED_SCORE
from topiccrawl.signals import connected
from topiccrawl.store.contract import Store, StoreUnavailable
from topiccrawl.store.desk import DeskRecord
from topiccrawl.store.factory import open_store

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from topiccrawl.crawl.session.session import CrawlSession

logger = logging.getLogger(__name__)

#: Signs of life between two rounds: a worker is lost after a round without any, hence noticed within two.
_SIGNS: Final = 4


class CrawlAlerts:
    """Makes the rounds of one worker; several workers, and ``scrapy alerts``, do not disturb each other."""

    def __init__(self, session: CrawlSession, crawler: Crawler) -> None:
        assert session.store is not None
        self._session = session
        self._crawler = crawler
        with of_setting("TOPICCRAWL_ALERTS"):
            self._settings = read_alerts(Path(session.settings.alerts))
        self._store: Store = session.store.store
        self._service = AlertService(
            self._store, session.topic.name, self._settings, run=session.id
        )
        self._seconds = session.settings.alerts_seconds
        rules = self._settings.rules_of(HealthRule, session.topic.name)
        self._health = [HealthWatch(rule) for rule in rules]
        self._folder = store_folder(session.settings.store_uri)
        self._scores = 0.0
        self._waiting: list[Alert] = []
        """Warnings of the crawl that are not recorded yet."""
        self._tasks: list[asyncio.Task[None]] = []
        self._under_way: asyncio.Task[None] | None = None
        """The last round of the timer."""
        self._closed = asyncio.Event()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; off without a topic, a store or a file of rules."""
        session = required_session(crawler)
        if not session.settings.alerts:
            raise NotConfigured  # TOPICCRAWL_ALERTS is empty
        if session.store is None:
            raise ConfigurationError(_("TOPICCRAWL_ALERTS needs a store: set TOPICCRAWL_STORE_URI"))
        watcher = cls(session, crawler)
        return connected(watcher, crawler)

    def response_received(self, response: Response, request: Request) -> None:
        """Add up what the crawl expects of the pages that it fetches."""
        if response in self._session.pages:
            score = float(request.meta.get(SCORE) or 0.0)
            self._scores += score if score < SEED_SCORE else 0.0

    async def spider_opened(self) -> None:
        """Start the timers."""
        self._tasks = [
            asyncio.ensure_future(self._make_rounds()),
            asyncio.ensure_future(self._give_signs()),
        ]

    def session_closed(self) -> None:
        """Let :meth:`spider_closed` go on: all pages and the run's record are written."""
        self._closed.set()

    async def spider_closed(self) -> None:
        """Make the last round when the session is closed, with a connection of its own."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._under_way is not None:
            await self._under_way  # a message that is being sent is not left without its result
        await self._closed.wait()
        try:
            store = open_store(self._session.settings.store_uri)
            await store.open()
        except (StoreUnavailable, ConfigurationError) as error:
            logger.warning(
                _("The last round of warnings was not made: %(error)s"), {"error": described(error)}
            )
            return
        try:
            self._service.use(store)
            self._store = store
            # The run has ended, and is judged like all others.
            await self._round()
            await store.delete_desk(self._topic, STATE, [sign_key(self._session.id)])
        except StoreUnavailable as error:
            logger.debug("%s", error)
        finally:
            await store.close()

    @property
    def _topic(self) -> str:
        return self._session.topic.name

    async def _make_rounds(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            try:
                self._look_at_health()
            except Exception as error:
                self._log_failed_round(error)
            self._under_way = asyncio.ensure_future(self._round())
            await asyncio.shield(self._under_way)

    async def _give_signs(self) -> None:
        while True:
            value = {"every": self._seconds}
            now = datetime.now(UTC)
            sign = DeskRecord(
                topic=self._topic, kind=STATE, key=sign_key(self._session.id), at=now, value=value
            )
            try:
                await self._store.write(desk=[sign])
            except Exception as error:
                # Without signs, other processes take this one for lost.
                logger.debug("No sign of life: %s", described(error))
            await asyncio.sleep(self._seconds / _SIGNS)

    def sample(self) -> HealthSample:
        """Return the state of the crawl."""
        session, size = self._session, self._session.frontier.size()
        assert session.store is not None
        rests, counts = session.content.rests, session.store.counts
        # A run that waits for pages to become due has an empty queue meanwhile.
        waits = session.refresher is not None
        return HealthSample(
            at=datetime.now(UTC),
            pages=session.progress.pages,
            relevant=session.progress.relevant,
            scores=self._scores,
            requests=self._crawler.stats.get_value("downloader/request_count", 0),
            blocking=tuple(rests.blocking()),
            hosts=rests.hosts,
            queued=size.queued + size.delayed + int(waits),
            leased=size.leased,
            disk_free=free_bytes(self._folder),
            store_away=session.store.away,
            waiting=max(0, counts.spooled - counts.replayed),
        )

    def _look_at_health(self) -> None:
        """Take a sample, and note the problems that begin with it."""
        if not self._health or self._session.control.stopping:
            return
        sample = self.sample()
        for watch in self._health:
            for check, episode, facts in watch.observe(sample):
                alert = health_alert(
                    self._settings, self._topic, self._session.id, check, facts, sample.at, episode
                )
                if alert.key not in {it.key for it in self._waiting}:
                    self._waiting.append(alert)

    async def _round(self) -> None:
        try:
            made = await self._service.round(more=self._waiting)
        except StoreUnavailable:
            await self._send_unrecorded()
            return
        except Exception as error:
            self._log_failed_round(error)
            return
        self._report(made)

    async def _send_unrecorded(self) -> None:
        """Send warnings of the crawl while the store, which would record them, is away: each once."""
        for position, alert in enumerate(self._waiting):
            if not alert.channels:
                continue
            # Recorded later, as one that was sent.
            self._waiting[position] = alert.without_channels()
            for channel in self._settings.channels:
                if channel.name in alert.channels:
                    message = self._service.delivery.unrecorded(alert, channel)
                    try:
                        await send(channel, message)
                    except SendFailed as error:
                        self._log_failure(labeled(channel.name, str(error)))

    def _report(self, made: Round) -> None:
        done, count = made.delivered, self._session.control.count
        for name, number in (
            ("alerts/found", len(made.found)),
            ("alerts/sent", done.sent),
            ("alerts/failed", done.failed),
        ):
            if number:
                count(name, number)
        if made.found:
            logger.info(
                _("new warnings: %(found)d, messages sent: %(sent)d"),
                {"found": len(made.found), "sent": done.sent},
            )
        if done.error:
            self._log_failure(done.error)

    def _log_failed_round(self, error: Exception) -> None:
        logger.error(_("A round of warnings failed: %(error)s"), {"error": described(error)})

    def _log_failure(self, error: str) -> None:
        logger.warning(
            _("A warning could not be sent, it will be tried again: %(error)s"), {"error": error}
        )

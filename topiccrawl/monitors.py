"""A suite of Spidermon monitors for crawls of a topic.

In the settings of a project that has spidermon (extra ``monitors``)::

    EXTENSIONS = {"spidermon.contrib.scrapy.extensions.Spidermon": 500}
    SPIDERMON_ENABLED = True
    SPIDERMON_ENGINE_STOP_MONITORS = ("topiccrawl.monitors.TopicCrawlSuite",)

It must run when the engine has stopped: only then the statistics of a crawl are complete.  The thresholds
are the settings TOPICCRAWL_MONITOR_*.  What happens with failed monitors is Spidermon's: subclass the suite
and add actions (docs/operation.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from spidermon import MonitorSuite
from spidermon.contrib.scrapy.monitors.base import BaseScrapyMonitor

from topiccrawl.crawl.settings.operation import OperationSettings
from topiccrawl.endings import BLOCKED, PROBLEMS, stop_sentence
from topiccrawl.language import _

#: Pages and outcomes from which on a share is meaningful (a guess).
_ENOUGH: Final = 100
#: Close reasons of a run that failed; blocks have a monitor of their own.
_FAILURES: Final = PROBLEMS - {BLOCKED}


class _RunMonitor(BaseScrapyMonitor):  # type: ignore[misc]
    """Reads the statistics and thresholds of a run."""

    @property
    def run_stats(self) -> Mapping[str, object]:
        """All statistics of the run."""
        stats: Mapping[str, object] = self.data.stats
        return stats

    @property
    def limits(self) -> OperationSettings:
        """The thresholds."""
        return OperationSettings.from_settings(self.data.crawler.settings)

    def count(self, name: str) -> float:
        """Return a statistic, 0 without it."""
        value = self.run_stats.get(name, 0)
        return float(value) if isinstance(value, int | float) else 0.0

    def total(self, prefix: str) -> float:
        """Return the sum of the statistics whose names begin with *prefix*."""
        return sum(self.count(name) for name in self.run_stats if name.startswith(prefix))


class PagesMonitor(_RunMonitor):
    """The run fetched enough pages."""

    def test_the_run_fetched_enough_pages(self) -> None:
        """Compare pages and revisits with TOPICCRAWL_MONITOR_LEAST_PAGES."""
        pages = self.count("topiccrawl/pages/analyzed") + self.count("topiccrawl/refresh/visited")
        least = self.limits.monitor_least_pages
        if pages < least:
            self.fail(_("{pages:.0f} pages, {least} expected").format(pages=pages, least=least))


class HarvestMonitor(_RunMonitor):
    """The harvest rate is not too low."""

    def test_the_harvest_rate_is_high_enough(self) -> None:
        """Compare the harvest rate with TOPICCRAWL_MONITOR_LEAST_HARVEST_RATE."""
        least = self.limits.monitor_least_harvest_rate
        rate = self.count("topiccrawl/harvest_rate")
        if self.count("topiccrawl/pages/analyzed") >= _ENOUGH and rate < least:
            self.fail(
                _("harvest rate {rate:.1%}, {least:.1%} expected").format(rate=rate, least=least)
            )


class FailedMonitor(_RunMonitor):
    """Not too many requests failed."""

    def test_not_too_many_requests_failed(self) -> None:
        """Compare the share of failures with TOPICCRAWL_MONITOR_MOST_FAILED."""
        # What robots.txt forbids was not tried.
        failed = self.total("topiccrawl/failed/") - self.count("topiccrawl/failed/robots")
        outcomes = failed + self.count("topiccrawl/pages/analyzed")
        most = self.limits.monitor_most_failed
        if outcomes >= _ENOUGH and failed / outcomes > most:
            self.fail(
                _("{failed:.0f} of {all:.0f} requests failed").format(failed=failed, all=outcomes)
            )


class LogMonitor(_RunMonitor):
    """The log has no errors."""

    def test_the_log_has_no_errors(self) -> None:
        """Compare lines of level ERROR and above with TOPICCRAWL_MONITOR_MOST_ERRORS."""
        errors = self.count("log_count/ERROR") + self.count("log_count/CRITICAL")
        if errors > self.limits.monitor_most_errors:
            self.fail(_("{errors:.0f} errors in the log").format(errors=errors))


class EndMonitor(_RunMonitor):
    """The run ended in order."""

    def test_the_run_ended_in_order(self) -> None:
        """Look at the close reason."""
        reason = str(self.run_stats.get("finish_reason", ""))
        if reason in _FAILURES:
            self.fail(_(stop_sentence(reason, 1)))


class BlockedMonitor(_RunMonitor):
    """No host blocks the crawl."""

    def test_no_host_blocks_the_crawl(self) -> None:
        """Look at the hosts that answered with block pages or captchas at the end."""
        hosts = self.count("topiccrawl/blocked/hosts")
        if hosts:
            self.fail(_("{hosts:.0f} hosts answer with block pages").format(hosts=hosts))


class StoreMonitor(_RunMonitor):
    """The store took everything."""

    def test_the_store_took_everything(self) -> None:
        """Look at refused records, and at records that still wait in the spool."""
        refused = self.count("topiccrawl/store/rejected")
        spooled = self.count("topiccrawl/store/spooled") - self.count("topiccrawl/store/replayed")
        if refused or spooled > 0:
            self.fail(
                _(
                    "the store refused {refused:.0f} records, {spooled:.0f} wait in the spool"
                ).format(refused=refused, spooled=max(spooled, 0))
            )


class TopicCrawlSuite(MonitorSuite):  # type: ignore[misc]
    """All monitors of this module; add actions in a subclass."""

    monitors: Final = [
        EndMonitor,
        PagesMonitor,
        HarvestMonitor,
        FailedMonitor,
        LogMonitor,
        BlockedMonitor,
        StoreMonitor,
    ]

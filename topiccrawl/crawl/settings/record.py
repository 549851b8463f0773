"""All settings of a crawl as one checked record, read once per crawl."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Self

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from topiccrawl.crawl.settings.alerts import WarningSettings
from topiccrawl.crawl.settings.blocks import BlockSettings
from topiccrawl.crawl.settings.browser import BrowserSettings
from topiccrawl.crawl.settings.declaration import PREFIX, Section, scrapy_setting, section
from topiccrawl.crawl.settings.frontier import FrontierSettings, TrapSettings
from topiccrawl.crawl.settings.links import LinkSettings, TopicSettings
from topiccrawl.crawl.settings.network import AccessSettings, NetworkSettings
from topiccrawl.crawl.settings.operation import OperationSettings
from topiccrawl.crawl.settings.pages import PageSettings
from topiccrawl.crawl.settings.politeness import PolitenessSettings
from topiccrawl.crawl.settings.proxies import ProxySettings
from topiccrawl.crawl.settings.refresh import RefreshSettings
from topiccrawl.crawl.settings.rules import Integer, Number, Table
from topiccrawl.crawl.settings.scrapy_rules import check_scrapy_settings
from topiccrawl.crawl.settings.search import SearchSettings
from topiccrawl.crawl.settings.store import (
    ClusterSettings,
    PrivacySettings,
    ProgressSettings,
    StoreSettings,
    VersionSettings,
)
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.language import N_, _
from topiccrawl.scoring.config import StrategyConfig

logger = logging.getLogger(__name__)

#: All sections, in the order of the reference.
SECTIONS: tuple[type[Section], ...] = (
    TopicSettings,
    SearchSettings,
    LinkSettings,
    FrontierSettings,
    TrapSettings,
    PolitenessSettings,
    BlockSettings,
    NetworkSettings,
    AccessSettings,
    ProxySettings,
    BrowserSettings,
    PageSettings,
    StoreSettings,
    VersionSettings,
    PrivacySettings,
    RefreshSettings,
    WarningSettings,
    ProgressSettings,
    OperationSettings,
    ClusterSettings,
)


def _slot_concurrencies(settings: BaseSettings) -> Mapping[str, int]:
    """Return the concurrency of single hosts; Scrapy checks nothing of DOWNLOAD_SLOTS."""
    slots = Table(N_("host names to mappings with concurrency and delay"))
    found: dict[str, int] = {}
    for host, given in slots.read(settings, "DOWNLOAD_SLOTS", {}).items():
        slot = slots.checked("DOWNLOAD_SLOTS", given)
        name = f"DOWNLOAD_SLOTS {host}"
        Number(low=0).checked(f"{name} delay", slot.get("delay", 0.0))
        if "concurrency" in slot:
            found[host] = Integer(low=1).checked(f"{name} concurrency", slot["concurrency"])
    return found


@dataclass(frozen=True, kw_only=True)
class CrawlSettings(
    TopicSettings,
    SearchSettings,
    LinkSettings,
    FrontierSettings,
    TrapSettings,
    AccessSettings,
    PageSettings,
    StoreSettings,
    VersionSettings,
    RefreshSettings,
    WarningSettings,
    ProgressSettings,
    ClusterSettings,
):
    """Typed values of the TOPICCRAWL_* settings; docs/settings.md describes each."""

    title = ""

    politeness: PolitenessSettings = section(PolitenessSettings)
    blocks: BlockSettings = section(BlockSettings)
    network: NetworkSettings = section(NetworkSettings)
    proxies: ProxySettings = section(ProxySettings)
    browser: BrowserSettings = section(BrowserSettings)
    privacy: PrivacySettings = section(PrivacySettings)
    operation: OperationSettings = section(OperationSettings)
    host_concurrency: int = scrapy_setting(lambda s: s.getint("CONCURRENT_REQUESTS_PER_DOMAIN"))
    host_concurrencies: Mapping[str, int] = scrapy_setting(_slot_concurrencies)
    """Concurrency of single hosts, from DOWNLOAD_SLOTS."""
    host_delay: float = scrapy_setting(lambda s: s.getfloat("DOWNLOAD_DELAY"))

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Read and check all settings; warn of TOPICCRAWL_ names that are none.

        Raises ``ConfigurationError`` on the first wrong value; the message names the setting, its rule and
        the value.  Also for a name of the command line that is not a setting.
        """
        check_scrapy_settings(settings)
        for name, nearest in unknown_settings(settings).items():
            if (settings.getpriority(name) or 0) >= SETTINGS_PRIORITIES["cmdline"]:
                hint = _("; did you mean {name}?").format(name=nearest) if nearest else ""
                raise ConfigurationError(
                    _("-s {name}: there is no such setting{hint}").format(name=name, hint=hint)
                )
            logger.warning(
                _("%(name)s is not a setting of topiccrawl%(hint)s"),
                {
                    "name": name,
                    "hint": _("; did you mean {name}?").format(name=nearest) if nearest else "",
                },
            )
        return super().from_settings(settings)

    @property
    def frontier_limits(self) -> FrontierLimits:
        """The limits of the queue."""
        return FrontierLimits(
            max_links=self.frontier_max_links,
            host_budget=self.host_budget,
            lease_seconds=self.lease_seconds,
            max_attempts=self.retry_max_attempts,
            worker_seconds=self.worker_seconds,
            host_concurrency=self.host_concurrency,
            host_concurrencies=self.host_concurrencies,
            host_delay=self.host_delay,
        )

    def strategy_config(self, link_threshold: float) -> StrategyConfig:
        """Return the strategy's parameters; *link_threshold* is the topic's c."""
        return StrategyConfig(
            run_seed=self.seed,
            c=link_threshold,
            damping=self.damping,
            iterations=self.rank_iterations,
            mode=self.rwb_mode,
            teleport=self.teleport,
        )


def unknown_settings(settings: BaseSettings) -> dict[str, str]:
    """Return the TOPICCRAWL_ names in *settings* that are not declared, each with the nearest that is.

    The nearest name is ``""`` where none is similar.
    """
    names = [declared.name for each in SECTIONS for declared in each.declared()]
    unknown = sorted({str(n) for n in settings if str(n).startswith(PREFIX)}.difference(names))
    known = [name.removeprefix(PREFIX) for name in names]  # with it, all are similar
    nearest = {n: get_close_matches(n.removeprefix(PREFIX), known, 1) for n in unknown}
    return {name: f"{PREFIX}{near[0]}" if near else "" for name, near in nearest.items()}

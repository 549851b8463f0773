"""The settings of politeness that Scrapy has not, as one checked record."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from topiccrawl.errors import ConfigurationError
from topiccrawl.politeness.windows import WINDOWS, WINDOWS_TIMEZONE

RETRY_AFTER_MAX = "TOPICCRAWL_RETRY_AFTER_MAX_SECONDS"
CRAWL_DELAY_MAX = "TOPICCRAWL_CRAWL_DELAY_MAX_SECONDS"
BACKOFF = "TOPICCRAWL_BACKOFF_SECONDS"


@dataclass(frozen=True, slots=True)
class PolitenessOptions:
    """Values by setting; :meth:`from_settings` checks the numbers."""

    retry_after_max: float = 3600.0
    """Longest pause that a host is given, whatever it asks for; seconds."""
    crawl_delay_max: float = 60.0
    """A longer Crawl-delay counts as this one; seconds; 0 = Crawl-delay is ignored."""
    backoff: float = 10.0
    """First pause of a host that refuses without saying for how long; seconds; 0 = its delay."""
    windows: Mapping[str, object] = field(default_factory=dict)
    """Time windows by host pattern, as :class:`~topiccrawl.politeness.windows.HostWindows` reads them."""
    timezone: str = "Asia/Shanghai"

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> PolitenessOptions:
        """Read the TOPICCRAWL_* settings in *settings*; absent ones take their defaults.

        Raises :class:`ConfigurationError` naming setting, rule and value.
        """
        windows = settings.get(WINDOWS) or {}
        if not isinstance(windows, Mapping):
            raise ConfigurationError(
                f"{WINDOWS} must map host patterns to time windows, got {windows!r}"
            )
        default = cls()
        return cls(
            retry_after_max=_seconds(settings, RETRY_AFTER_MAX, default.retry_after_max),
            crawl_delay_max=_seconds(settings, CRAWL_DELAY_MAX, default.crawl_delay_max),
            backoff=_seconds(settings, BACKOFF, default.backoff),
            windows=windows,
            timezone=str(settings.get(WINDOWS_TIMEZONE, default.timezone)),
        )


def _seconds(settings: Mapping[str, object], name: str, default: float) -> float:
    value = settings.get(name, default)
    try:
        seconds = float(str(value))
    except ValueError:
        seconds = math.nan
    if not (math.isfinite(seconds) and seconds >= 0):
        raise ConfigurationError(f"{name} must be a number of seconds >= 0, got {value!r}")
    return seconds

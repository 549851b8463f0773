"""Rules of Scrapy's own settings that users give: Scrapy's messages do not name the setting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from topiccrawl.crawl.settings.rules import Flag, Integer, Number, Rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

#: Rules of settings by name.
SCRAPY_RULES: Final[Mapping[str, Rule[Any]]] = {
    **dict.fromkeys(
        (
            "AUTOTHROTTLE_ENABLED",
            "COOKIES_ENABLED",
            "HTTPCACHE_ENABLED",
            "REDIRECT_ENABLED",
            "RETRY_ENABLED",
            "ROBOTSTXT_OBEY",
        ),
        Flag(),
    ),
    **dict.fromkeys(
        (
            "AUTOTHROTTLE_MAX_DELAY",
            "AUTOTHROTTLE_START_DELAY",
            "CLOSESPIDER_TIMEOUT",
            "DOWNLOAD_DELAY",
            "DOWNLOAD_TIMEOUT",
        ),
        Number(low=0),
    ),
    **dict.fromkeys(
        (
            "CLOSESPIDER_ERRORCOUNT",
            "CLOSESPIDER_ITEMCOUNT",
            "CLOSESPIDER_PAGECOUNT",
            "CLOSESPIDER_PAGECOUNT_NO_ITEM",
            "CLOSESPIDER_TIMEOUT_NO_ITEM",
            "DEPTH_LIMIT",
            "DOWNLOAD_MAXSIZE",
            "DOWNLOAD_WARNSIZE",
            "REDIRECT_MAX_TIMES",
            "RETRY_TIMES",
        ),
        Integer(low=0),
    ),
    **dict.fromkeys(
        ("CONCURRENT_ITEMS", "CONCURRENT_REQUESTS", "CONCURRENT_REQUESTS_PER_DOMAIN"),
        Integer(low=1),
    ),
}


def check_scrapy_settings(settings: BaseSettings) -> None:
    """Raise :class:`ConfigurationError` for the first wrong value; it names setting, rule and value."""
    for name, rule in SCRAPY_RULES.items():
        if (value := settings.get(name)) is not None:
            rule.checked(name, value)

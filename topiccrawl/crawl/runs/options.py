"""Settings that a user of the console may give a crawl: numbers, flags and choices.

Others name files, classes and addresses: whoever sets them runs code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from topiccrawl.crawl.settings.record import SECTIONS
from topiccrawl.crawl.settings.rules import Choice, Flag, Integer, Number, Rule
from topiccrawl.crawl.settings.scrapy_rules import SCRAPY_RULES
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _

#: Scrapy's own settings that may be given, with their rules.  No robots.txt and no user agent: these are
#: decisions of whoever runs the project.
_SCRAPY: Final[Mapping[str, Rule[Any]]] = {
    name: SCRAPY_RULES[name]
    for name in (
        "AUTOTHROTTLE_ENABLED",
        "CLOSESPIDER_TIMEOUT",
        "CONCURRENT_REQUESTS",
        "CONCURRENT_REQUESTS_PER_DOMAIN",
        "DEPTH_LIMIT",
        "DOWNLOAD_DELAY",
    )
} | {"DOWNLOAD_TIMEOUT": Number(low=1), "LOG_LEVEL": Choice(("DEBUG", "INFO", "WARNING", "ERROR"))}
#: Settings of topiccrawl that may not, although they are numbers and flags: decisions of whoever runs the
#: project.  The first two would take the crawl out of the console's control.
_KEPT: Final = frozenset(
    {
        "TOPICCRAWL_CONTROL",
        "TOPICCRAWL_CONTROL_SECONDS",
        "TOPICCRAWL_RETENTION_DAYS",  # deletes the collection
        "TOPICCRAWL_MASK_FEEDS",  # lets personal data leave the machine
        "TOPICCRAWL_BROWSER_SANDBOX",  # separates scripts of strangers from the machine
        "TOPICCRAWL_PROXY_DIRECT",  # shows the machine's own address
    }
)
#: Options at most, and characters of one.
_MOST: Final = 50


def allowed_settings() -> dict[str, Rule[Any]]:
    """Return the rules of the settings that may be given, by name."""
    own = {
        each.name: each.rule
        for section in SECTIONS
        for each in section.declared()
        if isinstance(each.rule, Flag | Integer | Number | Choice) and each.name not in _KEPT
    }
    return {**_SCRAPY, **own}


def checked_options(text: str) -> dict[str, str]:
    """Return the settings in *text*, a line ``NAME=VALUE`` for each.

    Raises ``ConfigurationError`` for a line of another form, a setting that may not be given, and a wrong
    value; the message names setting, rule and value.
    """
    allowed = allowed_settings()
    found: dict[str, str] = {}
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > _MOST:
        raise ConfigurationError(_("at most {most} settings can be given").format(most=_MOST))
    for line in lines:
        name, equal, value = (part.strip() for part in _with_sign(line).partition("="))
        if not equal or not name:
            raise ConfigurationError(
                _("a setting has the form NAME=VALUE, got {line!r}").format(line=line[:200])
            )
        if name not in allowed:
            raise ConfigurationError(
                _(
                    "{name} cannot be set here: only numbers, flags and choices can that neither delete nor "
                    "protect anything; write it into the settings of the project"
                ).format(name=name[:100])
            )
        allowed[name].checked(name, value)
        found[name] = value
    return found


def _with_sign(line: str) -> str:
    """Return *line* with an ASCII sign if it has only a full-width one."""
    return line if "=" in line else line.replace("＝", "=", 1)

"""The logins of a topic; nothing is imported for a crawl without any."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from topiccrawl.errors import of_setting
from topiccrawl.topics.load import BARE_WORD

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from topiccrawl.access.login import Login
    from topiccrawl.crawl.logins.sessions import CrawlLogins
    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.topics.definition import TopicDefinition

#: Name of the file in a topic's folder.
LOGINS_FILE: Final = "logins.toml"
#: Value of TOPICCRAWL_LOGINS by which none are used.
NO_LOGINS: Final = "none"


def logins_file(definition: TopicDefinition, settings: CrawlSettings) -> Path | None:
    """Return the file that describes the logins, ``None`` without one."""
    if settings.logins == NO_LOGINS:
        return None
    if settings.logins:
        return Path(settings.logins).expanduser()
    if definition.source in ("", BARE_WORD):
        return None
    file = Path(definition.source) / LOGINS_FILE
    return file if file.is_file() else None


def logins_of(definition: TopicDefinition, settings: CrawlSettings) -> tuple[Login, ...]:
    """Return the logins of a topic.

    Raises ``ConfigurationError`` if one of them is wrong, or its secret is missing.
    """
    file = logins_file(definition, settings)
    if file is None:
        return ()
    from topiccrawl.access.reader import read_logins

    with of_setting("TOPICCRAWL_LOGINS") if settings.logins else nullcontext():
        return read_logins(file)


def crawl_logins(
    definition: TopicDefinition,
    settings: CrawlSettings,
    download: Callable[[Request], Awaitable[Response]],
    clock: Callable[[], float],
    count: Callable[[str], None],
) -> CrawlLogins | None:
    """Return the sessions of a crawl, ``None`` without logins."""
    logins = logins_of(definition, settings)
    if not logins:
        return None
    from topiccrawl.crawl.logins.sessions import CrawlLogins

    return CrawlLogins(logins, download, clock, pause=settings.login_pause_seconds, count=count)

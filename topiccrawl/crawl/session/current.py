"""The session of a crawler.

Scrapy builds spider, scheduler, middlewares, pipelines and extensions one by one and passes each only
the crawler.  The functions here return the same session to all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from scrapy.exceptions import NotConfigured

from topiccrawl.crawl.session.building import build_session
from topiccrawl.crawl.settings.links import TopicSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.topics.load import find_definition

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from topiccrawl.crawl.session.session import CrawlSession
    from topiccrawl.topics.definition import TopicDefinition

_sessions: WeakKeyDictionary[Crawler, CrawlSession] = WeakKeyDictionary()


def session_of(crawler: Crawler) -> CrawlSession:
    """Return the crawler's session; start it from TOPICCRAWL_TOPIC when the spider has not.

    Raises :class:`~topiccrawl.errors.ConfigurationError` when no topic is given.
    """
    session = _sessions.get(crawler)
    if session is None:
        name = TopicSettings.from_settings(crawler.settings).topic
        if not name:
            raise ConfigurationError(
                _("no topic is given: use the topic spider (-a topic=…) or set TOPICCRAWL_TOPIC")
            )
        session = start_session(crawler, find_definition(name))
    return session


def find_session(crawler: Crawler) -> CrawlSession | None:
    """Return the crawler's session, ``None`` when the crawl has no topic."""
    return session_of(crawler) if has_topic(crawler) else None


def required_session(crawler: Crawler) -> CrawlSession:
    """Return the crawler's session; turn the component off (``NotConfigured``) without a topic."""
    session = find_session(crawler)
    if session is None:
        raise NotConfigured("no topic")
    return session


def has_topic(crawler: Crawler) -> bool:
    """Whether this crawl has a topic, so that the components have work to do."""
    return crawler in _sessions or bool(TopicSettings.from_settings(crawler.settings).topic)


def start_session(
    crawler: Crawler, definition: TopicDefinition, *, fresh: bool = False
) -> CrawlSession:
    """Build the session of *crawler* and register it; see :func:`~topiccrawl.crawl.session.building.build_session`."""
    session = _sessions[crawler] = build_session(crawler, definition, fresh=fresh)
    return session

"""Start the session of a topic spider: find the topic, apply its limits, check its seeds."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from topiccrawl.crawl.queue.redis_client import redis_client
from topiccrawl.crawl.search.factory import engines_of
from topiccrawl.crawl.session.current import start_session
from topiccrawl.crawl.session.scope import crawl_scope
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.details import translated
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.language import _, user_language
from topiccrawl.topics.definition import Limits, TopicDefinition
from topiccrawl.topics.load import UnknownTopicError, find_definition

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scrapy.crawler import Crawler

    from topiccrawl.crawl.session.session import CrawlSession

logger = logging.getLogger(__name__)


def start_topic(
    crawler: Crawler,
    name: str,
    seeds: Sequence[str],
    settings_given: Mapping[str, object],
    *,
    fresh: bool,
    whole: bool,
    needs_seeds: bool,
) -> CrawlSession:
    """Return the session of *crawler*, for the topic that *name* and *seeds* describe.

    Raises ``ConfigurationError`` if there is no such topic, it has no seeds, or all of them are outside the
    scope.

    Parameters
    ----------
    settings_given
        Settings that the spider's arguments stand for; empty values change nothing.
    fresh
        Erase the queue of the topic.
    whole
        Crawl the whole sites of all seeds.
    needs_seeds
        Whether there must be seeds, and the topic's limits apply; an import starts elsewhere.
    """
    for setting, value in settings_given.items():
        if value:
            crawler.settings.set(setting, value, "cmdline")
    if not needs_seeds:
        definition = find_definition(name, word_is_known=True)
        return start_session(crawler, replace(definition, limits=Limits()), fresh=fresh)
    definition, goes_on = _definition(crawler, name, seeds, fresh=fresh)
    if not (definition.seeds or goes_on):
        raise ConfigurationError(
            _(
                "topic {name!r} has no seeds: add [[seeds]] to its topic.toml, give -a seeds=URL or"
                " let search engines find them (-a search=1)"
            ).format(name=definition.name)
        )
    if whole:
        seeds_whole = tuple(replace(seed, whole=True) for seed in definition.seeds)
        definition = replace(definition, seeds=seeds_whole)
    if definition.limits.max_depth:
        crawler.settings.set("DEPTH_LIMIT", definition.limits.max_depth, "addon")
    # Before the queue is opened, which *fresh* erases.
    _check_seeds(definition, CrawlSettings.from_settings(crawler.settings))
    return start_session(crawler, definition, fresh=fresh)


def _definition(
    crawler: Crawler, name: str, seeds: Sequence[str], *, fresh: bool
) -> tuple[TopicDefinition, bool]:
    """Return the topic, and whether it needs no seeds.

    That is a word with a queue to go on with, and any topic for which sources are searched.
    """
    config = CrawlSettings.from_settings(crawler.settings)
    try:
        definition = find_definition(name, seeds=seeds, word_is_known=config.search)
        if config.search:
            # Refuses engines that nobody described, also in the topic's own folder.
            engines_of(config, definition)
        return definition, config.search
    except UnknownTopicError:
        backend = frontier_backend(config, lambda: redis_client(crawler.settings))
        if fresh or not backend.has_queue(name):
            raise
    return find_definition(name, word_is_known=True), True


def _check_seeds(definition: TopicDefinition, settings: CrawlSettings) -> None:
    """Warn of seeds outside the scope; raise ConfigurationError if no other is left."""
    scope = crawl_scope(definition, settings)
    seeds = [seed.url for seed in definition.seeds]
    outside = [(url, exclusion) for url in seeds if (exclusion := scope.exclusion(url))]
    if not outside:
        return
    url, exclusion = outside[0]
    why = translated(str(exclusion), user_language())
    if len(outside) == len(seeds) and not settings.search:
        raise ConfigurationError(
            _("all seeds are outside the scope: {url} {why}").format(url=url, why=why)
        )
    logger.warning(
        _("%(count)d of %(all)d seeds are outside the scope and are left out: %(url)s %(why)s"),
        {"count": len(outside), "all": len(seeds), "url": url, "why": why},
    )

"""Which URLs a crawl may follow: its scope, the topic's patterns with those of the settings, and its filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.urls.filter import UrlFilter
from topiccrawl.urls.scope import Scope, split_patterns

if TYPE_CHECKING:
    from collections.abc import Callable

    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.topics.definition import TopicDefinition


def crawl_scope(definition: TopicDefinition, settings: CrawlSettings) -> Scope:
    """Return the scope of a crawl.

    TOPICCRAWL_ALLOW replaces the topic's ``allow``, TOPICCRAWL_DENY adds to its ``deny``.
    """
    deny = dict.fromkeys((*definition.deny, *split_patterns(settings.deny)))
    return Scope(split_patterns(settings.allow) or definition.allow, tuple(deny))


def crawl_url_filter(
    settings: CrawlSettings,
    scope: Scope,
    clock: Callable[[], float],
    count: Callable[[str], None],
) -> UrlFilter:
    """Return the URL filter of a crawl, which has learned nothing yet."""
    return UrlFilter(
        settings.trap_rules,
        clock,
        learn_parameters=settings.learn_parameters,
        learn_mirrors=settings.learn_mirrors,
        pattern_pages=settings.pattern_pages,
        domain_names=settings.domain_names,
        scope=scope,
        count=count,
    )

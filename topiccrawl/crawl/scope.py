"""The scope of one crawl: the topic's patterns with those of the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.urls.scope import Scope, split_patterns

if TYPE_CHECKING:
    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.topics.definition import TopicDefinition


def crawl_scope(definition: TopicDefinition, settings: CrawlSettings) -> Scope:
    """Return the scope of a crawl.

    TOPICCRAWL_ALLOW replaces the topic's ``allow``, TOPICCRAWL_DENY adds to its ``deny``.
    """
    deny = dict.fromkeys((*definition.deny, *split_patterns(settings.deny)))
    return Scope(split_patterns(settings.allow) or definition.allow, tuple(deny))

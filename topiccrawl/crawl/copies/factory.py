"""The rule that ``TOPICCRAWL_DUPLICATES`` names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.crawl.copies.rejected import RejectedTexts
from topiccrawl.crawl.copies.rule import CopyRule, NoRule
from topiccrawl.crawl.copies.stories import StoryRule
from topiccrawl.crawl.copies.titles import TitleRule
from topiccrawl.frontier.factory import frontier_backend

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.store.writer import StoreWriter
    from topiccrawl.topics.topic import Topic


def copy_rule(topic: Topic, settings: CrawlSettings, writer: StoreWriter | None) -> CopyRule:
    """Return the rule of a crawl of *topic* that stores with *writer*."""
    if settings.duplicates == "stories":
        return StoryRule(writer, alone=frontier_backend(settings).local)
    if settings.duplicates == "titles":
        store = None if writer is None else writer.store
        return TitleRule(topic, settings.title_threshold, store)
    return NoRule()


def rejected_texts(
    settings: CrawlSettings,
    writer: StoreWriter | None,
    judgments: Mapping[str, bool],
    rule: CopyRule | None = None,
) -> RejectedTexts | None:
    """Return what finds the texts that the user rejected; ``None`` when texts are not compared."""
    if settings.duplicates != "stories":
        return None
    signer = rule.signer if isinstance(rule, StoryRule) else None
    return RejectedTexts(writer, judgments, signer)

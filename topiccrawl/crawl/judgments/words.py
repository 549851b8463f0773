"""The user's decisions about words, of a topic in a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.crawl.judgments.given import user_file
from topiccrawl.topics.decisions import DECISIONS_FILE, load_decisions, with_decisions

if TYPE_CHECKING:
    from pathlib import Path

    from topiccrawl.frontier.factory import FrontierConfig
    from topiccrawl.topics.definition import TopicDefinition


def decisions_file(definition: TopicDefinition, config: FrontierConfig) -> Path:
    """Return the path of the topic's file of decisions, in its folder or else beside the frontier."""
    return user_file(definition, config, DECISIONS_FILE)


def decided(definition: TopicDefinition, config: FrontierConfig) -> TopicDefinition:
    """Return *definition* with the decisions that are not in its folder."""
    return with_decisions(definition, load_decisions(decisions_file(definition, config)))

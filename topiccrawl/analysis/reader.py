"""The reader of links for what a strategy wants, and for nothing else: what is not read costs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from topiccrawl.analysis.links import LinkReader
from topiccrawl.analysis.semantic import WordSimilarity

if TYPE_CHECKING:
    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.scoring.strategy import Strategy
    from topiccrawl.topics.topic import Topic


def make_reader(topic: Topic, config: CrawlSettings, strategies: Sequence[Strategy]) -> LinkReader:
    """Return a reader for *topic* that serves all of *strategies*.

    Raises :class:`~topiccrawl.errors.ConfigurationError` where WordNet or vectors are wanted and the
    file that a setting names cannot be read.
    """

    def wanted(what: str) -> bool:
        return any(what in strategy.wants for strategy in strategies)

    return LinkReader(
        topic,
        features=wanted("features"),
        terms=wanted("terms"),
        words=WordSimilarity(
            topic,
            top=config.strategy_config(topic.definition.thresholds.link).semantic_top,
            wordnet=config.semantic_wordnet,
            vectors_file=config.semantic_vectors,
        )
        if wanted("semantic")
        else None,
    )

"""Creation of a link reader that computes what the strategies want and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from topiccrawl.analysis.links import LinkReader
from topiccrawl.analysis.semantic import WordSimilarity
from topiccrawl.scoring.config import SEMANTIC_TOP

if TYPE_CHECKING:
    from topiccrawl.scoring.strategy import Strategy
    from topiccrawl.topics.topic import Topic


def make_reader(
    topic: Topic,
    strategies: Sequence[Strategy],
    *,
    wordnet: str = "",
    vectors_file: str = "",
    classified: bool = True,
    leads: bool = False,
) -> LinkReader:
    """Return a link reader for *topic* that serves all of *strategies*.

    Raises ``ConfigurationError`` if a strategy wants semantic similarity and one of the files cannot be read.

    Parameters
    ----------
    strategies
        The strategies; what none of them wants is not computed.
    wordnet, vectors_file
        Paths of WordNet and of word vectors, ``""`` for none; see
        :class:`~topiccrawl.analysis.semantic.WordSimilarity`.
    classified
        Whether a page classifier learns from the pages.
    leads
        Whether it compares their meaning with the topic's words, and a strategy may compare that of links.
    """

    def wanted(what: str) -> bool:
        return any(what in strategy.wants for strategy in strategies)

    return LinkReader(
        topic,
        features=wanted("features"),
        terms=wanted("terms"),
        words=WordSimilarity(topic, top=SEMANTIC_TOP, wordnet=wordnet, vectors_file=vectors_file)
        if wanted("semantic")
        else None,
        classified=classified,
        leads=leads,
        anchors=leads and wanted("anchors"),
    )

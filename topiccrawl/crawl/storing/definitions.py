"""Whether a collection was made with more of its topic than a word.

Where a topic's folder is not found, its name is a bare word.  A crawl that judges by it would withdraw most of what
was collected with the keywords and samples of the folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.text.normalize import normalize
from topiccrawl.topics.load import BARE_WORD

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from topiccrawl.store.contract import RunRecord
    from topiccrawl.topics.definition import TopicDefinition

#: Stats of a run's record.
_WORDS: Final = "topiccrawl/topic/words"
_SAMPLES: Final = "topiccrawl/topic/samples"


def topic_size(definition: TopicDefinition) -> Mapping[str, int]:
    """Return how many words and samples a topic has, as stats of a run."""
    words = len(definition.keywords) + len(definition.negatives)
    return {_WORDS: words, _SAMPLES: len(definition.samples)}


def refuse_bare_word(definition: TopicDefinition, runs: Iterable[RunRecord], folder: Path) -> None:
    """Raise ConfigurationError if the topic is a bare word and one of its *runs* had more of it.

    *folder* is the working directory, where no folder of this name was found.
    """
    if definition.source != BARE_WORD:
        return
    sizes = [(_number(it, _WORDS), _number(it, _SAMPLES)) for it in runs]
    words, samples = max(sizes, default=(0, 0))
    if words <= len(definition.keywords) and not samples:
        return
    raise ConfigurationError(
        _(
            "{topic!r} was collected with {words} words and {samples} samples of its folder, and from "
            "{folder} no folder of this name is found: by the word alone, pages would be withdrawn that "
            "belong to the topic. Start in the project's folder, or name the topic by its path "
            "(…/seeds/{topic}); if the word alone is meant, make a folder for it "
            "(scrapy topics --new {topic} --keywords {topic} --seeds …)"
        ).format(topic=definition.name, words=words, samples=samples, folder=folder)
    )


def refuse_twin(definition: TopicDefinition, topics: Iterable[str]) -> None:
    """Raise ConfigurationError if the topic is a new word that is one of the store's *topics*, written differently.

    僑鄉 and 侨乡 are one word: begun beside each other, two collections would share neither pages nor queue.
    """
    stored = set(topics)
    if definition.source != BARE_WORD or definition.name in stored:
        return
    twins = [it for it in sorted(stored) if normalize(it) == normalize(definition.name)]
    if twins:
        raise ConfigurationError(
            _(
                "{topic!r} is the topic {stored!r} of the store, written differently: give -a topic={stored}; "
                "if a topic of its own is meant, make a folder for it (scrapy topics --new …)"
            ).format(topic=definition.name, stored=twins[0])
        )


def _number(run: RunRecord, name: str) -> int:
    value = run.stats.get(name, 0)
    return int(value) if isinstance(value, int | float) else 0

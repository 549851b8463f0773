"""Queries of a topic: its words, words at sites, pairs of words, the templates of topic.toml.

Each has a prior, the expected use of its results relative to that of the topic's best word, which the
planner corrects by what the engines answer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal

from topiccrawl.sources.engine import Question
from topiccrawl.text.normalize import normalize
from topiccrawl.topics.definition import Keyword, TopicDefinition
from topiccrawl.topics.learn import word_parts
from topiccrawl.topics.load import BARE_WORD
from topiccrawl.topics.subjects import narrower_words
from topiccrawl.topics.topic import Topic, idf_table
from topiccrawl.urls.hosts import host_of

Family = Literal["word", "parts", "template", "pair", "site", "learned"]

#: Keywords that become queries, the most valuable first (a choice: more than a budget can ask).
_MOST_WORDS: Final = 30
#: Keywords of less value are only asked together with the first word: they are ambiguous alone ([thesis]
#: 4.5: remote terms).
_ALONE: Final = 0.5
#: Priors of the families (guesses; the planner learns from gains).
_TEMPLATE: Final = 0.7
_PARTS: Final = 0.75
_PAIR: Final = 0.8
_SITE: Final = 0.6
_LEARNED: Final = 0.8
#: Each further query of a family is expected to bring a little less (a guess).
_DECAY: Final = 0.97
#: Longest query in characters: Baidu reads 38 Chinese characters, Google 32 words.
_MOST_CHARS: Final = 76
#: The best results that a host must hold to be asked about by ``site:`` (a guess).
_LEAST_RESULTS: Final = 3
#: Texts in which a word must occur so that it is asked with the topic's word (a guess).
_LEAST_TEXTS: Final = 3
#: A word in more than this share of the texts distinguishes nothing among them (a guess).
_MOST_SHARE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Query:
    """A question with its prior."""

    question: Question
    prior: float
    """Expected use, in (0, 1]."""
    family: Family


def topic_queries(definition: TopicDefinition) -> list[Query]:
    """Return the queries of a topic before anything was found, without duplicates, best first."""
    words = sorted(definition.keywords, key=lambda word: -word.value)[:_MOST_WORDS]
    found = [*_words(definition, words), *_templates(definition, words)]
    return _distinct(sorted(found, key=lambda query: -query.prior))


def _words(definition: TopicDefinition, words: Sequence[Keyword]) -> Iterator[Query]:
    if not words:  # a topic of samples only
        yield Query(Question(definition.name), 1.0, "word")
        return
    first = words[0].term
    for position, word in enumerate(words):
        prior = word.value * _DECAY**position
        if word.value >= _ALONE:
            yield Query(Question(word.term), prior, "word")
        if position:
            yield Query(Question(f"{first} {word.term}"), _PAIR * prior, "pair")
    if definition.source == BARE_WORD:
        # An engine without the compound in its index may have its parts: 数学 公式.
        parts = word_parts(normalize(definition.name), idf_table())
        if len(parts) > 1:
            yield Query(Question(" ".join(parts)), _PARTS, "parts")
        for position, narrower in enumerate(narrower_words(normalize(definition.name))):
            prior = _PAIR * _DECAY**position
            yield Query(Question(f"{first} {narrower}"), prior, "pair")
    for host in _seed_hosts(definition):
        yield Query(Question(first, host), _SITE, "site")


def _templates(definition: TopicDefinition, words: Sequence[Keyword]) -> Iterator[Query]:
    hosts = _seed_hosts(definition)
    categories = [category.name for category in definition.categories]
    for template in definition.queries:
        sites = hosts if "{site}" in template else [""]
        names = categories if "{category}" in template else [""]
        for at, word in enumerate(words[:3]):
            for position, (site, name) in enumerate(product(sites, names)):
                text = template.replace("{keyword}", word.term).replace("{category}", name)
                limited = "site:{site}" in text
                text = text.replace("site:{site}", "").replace("{site}", site)
                prior = _TEMPLATE * word.value * _DECAY ** (3 * at + position)
                yield Query(
                    Question(" ".join(text.split()), site if limited else ""), prior, "template"
                )


def _seed_hosts(definition: TopicDefinition) -> list[str]:
    return list(dict.fromkeys(host_of(seed.url) for seed in definition.seeds))


def site_queries(word: str, urls: Iterable[str]) -> list[Query]:
    """Return ``word site:host`` for the hosts that hold several of the best results.

    A host that holds most of them is left out: the engine has no other, and the site adds nothing to
    the query.
    """
    hosts = Counter(map(host_of, urls))
    total = hosts.total()
    chosen = [
        host for host, count in hosts.most_common(10) if _LEAST_RESULTS <= count <= 0.5 * total
    ]
    return [
        Query(Question(word, host), _SITE * _DECAY**position, "site")
        for position, host in enumerate(chosen)
    ]


def learned_queries(
    topic: Topic, texts: Sequence[str], idf: Callable[[str], float], most: int
) -> list[Query]:
    """Return the topic's word with words that are frequent in *texts*, the most telling first.

    The measure is df · idf, as in relevance feedback (Rocchio 1971) without the vectors.
    """
    first = max(topic.definition.keywords, key=lambda it: it.value, default=None)
    word = topic.definition.name if first is None else first.term
    own = set(topic.analyzer.terms(word))
    counts: Counter[str] = Counter()
    for terms in topic.analyzer.terms_all([text[:500] for text in texts]):
        counts.update(set(terms) - own)
    weights = {
        term: count * idf(term)
        for term, count in counts.items()
        if _LEAST_TEXTS <= count <= max(_LEAST_TEXTS, _MOST_SHARE * len(texts))
        and not term.isdigit()
    }
    best = sorted(weights, key=lambda term: (-weights[term], term))[:most]
    surfaces = topic.analyzer.surfaces("\n".join(text[:500] for text in texts))
    return [
        Query(Question(f"{word} {surfaces.get(term, term)}"), _LEARNED * _DECAY**at, "learned")
        for at, term in enumerate(best)
        if math.isfinite(weights[term])
    ]


def _distinct(queries: Iterable[Query]) -> list[Query]:
    found: dict[tuple[str, str], Query] = {}
    for query in queries:
        words = query.question.words[:_MOST_CHARS].strip()
        if words:
            kept = Query(Question(words, query.question.site), query.prior, query.family)
            found.setdefault((normalize(words), query.question.site), kept)
    return list(found.values())

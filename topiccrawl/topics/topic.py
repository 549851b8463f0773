"""A topic that is ready for a crawl: its definition and what was learned from it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.scoring.vsm import TermVector, term_weights
from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.text.idf import IdfTable
from topiccrawl.text.normalize import normalize
from topiccrawl.text.segment import Engine
from topiccrawl.text.vocabulary import Vocabulary
from topiccrawl.topics import learn
from topiccrawl.topics.definition import TopicDefinition
from topiccrawl.topics.hits import KeywordHits, KeywordMatcher
from topiccrawl.topics.load import BARE_WORD
from topiccrawl.topics.relevance import Relevance, model_threshold, relevance_parts
from topiccrawl.topics.subjects import narrower_words
from topiccrawl.topics.urltokens import UrlTokens

#: Number of terms in a :class:`Relevance`: enough for an explanation, few enough for a line.
MAIN_TERMS = 8
#: Share of the keywords that are phrases, from which on the words of phrases count.  Lists of three phrases on a
#: portal drawn anew: F1 of the whole web .26 without, .88 with them (1,000 pages, 6 topics).  If they counted in
#: all lists, topics of the manuals would win and lose up to .17, -.003 ± .018 in the mean (13 topics, 2026-11).
PHRASES = 0.5
#: Least value of a keyword that can name a channel of the topic: near terms of [thesis] 4.5 have .5 to 1 (a choice).
CHANNEL_VALUE = 0.8
#: What the name of a channel may have beside what the channel is about (a choice).
_OF_CHANNEL = re.compile(
    "频道|頻道|新闻|新聞|资讯|資訊|要闻|要聞|动态|動態|快讯|快訊|专题|專題|专栏|專欄|栏目|欄目|中心|天地|论坛|論壇|板块|版块"
    r"|\b(?:channel|news)\b",
    re.IGNORECASE,
)
#: What the name of a whole site ends with, which says little about one of its pages (a choice).
_OF_SITE = re.compile("(?:之家|[网網站报報])$")


@dataclass(frozen=True, slots=True)
class _ImpliedWords:
    """Words that the user did not give, but that what was given implies."""

    parts: Sequence[str]
    """Words within the name of a topic that is only a word."""
    narrower: Sequence[str]
    """Narrower subjects that such a name names."""
    phrases: Sequence[tuple[float, Sequence[str]]]
    """Values of the keywords that are phrases, and their words."""

    def __iter__(self) -> Iterator[str]:
        return chain(self.parts, self.narrower, *(words for _, words in self.phrases))


@dataclass(frozen=True, slots=True)
class _KeywordsAlone:
    """What the relevance to the keywords counts beside that to keywords and samples."""

    vector: TermVector
    scale: float
    """The learned threshold over that of keywords: a threshold that the user sets changes no relevance."""


class Topic:
    """A learned topic; immutable, created by :meth:`learn`.

    Attributes
    ----------
    name : str
        Name of the topic.
    definition : TopicDefinition
        What the user defined.
    analyzer : TextAnalyzer
        Segments texts into terms, with the topic's words in its dictionary.
    vocabulary : Vocabulary
        The graded terms, rel(t) of [thesis] 4.5, including negative ones.
    url_tokens : UrlTokens
        The graded tokens of URLs.
    vector : TermVector
        Learned term weights, non-negative, of norm 1.
    threshold : float
        Minimum relevance of a page that is kept, in (0, 1).
    learned_threshold : float
        The same, whatever the user sets.
    in_samples : KeywordsInSamples
        How keywords and samples fit.
    """

    def __init__(
        self,
        definition: TopicDefinition,
        analyzer: TextAnalyzer,
        vocabulary: Vocabulary,
        vector: TermVector,
        threshold: float,
        negatives: Vocabulary,
        surfaces: Mapping[str, str],
        keywords: KeywordMatcher,
        alone: _KeywordsAlone,
        learned_threshold: float,
        in_samples: learn.KeywordsInSamples,
    ) -> None:
        self.name = definition.name
        self.definition = definition
        self.analyzer = analyzer
        self.vocabulary = vocabulary
        self.url_tokens = UrlTokens(definition.url_tokens)
        self.vector = vector
        self.threshold = threshold
        self.learned_threshold = learned_threshold
        self._negatives = negatives
        self._surfaces = dict(surfaces)
        self._keywords = keywords
        self.in_samples = in_samples
        self._alone = alone

    @classmethod
    def learn(cls, definition: TopicDefinition, engine: Engine = "auto") -> Topic:
        """Learn a topic from its definition; deterministic.  See :mod:`topiccrawl.topics.learn`.

        Raises ``ConfigurationError`` if a keyword consists of stop words, or no term is left to learn from.

        Parameters
        ----------
        engine
            Segmenter for Chinese text.
        """
        idf = idf_table()
        implied = _implied_words(definition, idf)
        words = [k.term for k in (*definition.keywords, *definition.negatives)]
        analyzer = TextAnalyzer([*words, *implied], engine)
        graded, names = _graded(definition, analyzer)
        barred = _only_negative(definition, analyzer, graded)
        positive = {key: value for key, value in graded.items() if key not in barred}
        _grade_words_of_name(graded, analyzer, implied)
        negatives = Vocabulary({key: graded[key] for key in barred if len(key) > 1})
        keywords = _keyword_vector(positive, implied, analyzer, idf)
        texts = [sample.text for sample in definition.samples]
        samples = [_weigh(analyzer.terms(text), negatives, idf) for text in texts]
        halves = [_weigh(h, negatives, idf) for t in texts for h in _halves(analyzer.terms(t))]
        single = {key[0] for key in barred if len(key) == 1}
        refused = [analyzer.terms(word) for word in definition.refused]
        single |= {terms[0] for terms in refused if len(terms) == 1 and terms[0] not in keywords}
        usable = [sample for sample in samples if sample.norm]
        vector = learn.combine(keywords, learn.centroid(usable), single)
        if not vector:
            raise ConfigurationError(
                _(
                    "{source}: keywords and samples contain no term after stop words and numbers "
                    "are dropped: nothing defines the topic"
                ).format(source=definition.source)
            )
        learned = learn.learn_threshold(keywords, usable, [h for h in halves if h.norm], single)
        alone = learn.combine(keywords, {}, single)
        if samples and len(positive) < learn.FEW_KEYWORDS:
            graded = {**learn.learned_rels(vector, graded), **graded}
        surfaces = analyzer.surfaces("\n".join([*(k.term for k in definition.keywords), *texts]))
        surfaces |= {key[0]: name for key, name in names.items() if len(key) == 1}
        shown: dict[tuple[str, ...], str] = {
            **{(term,): surface for term, surface in surfaces.items()},
            **names,
        }
        return cls(
            definition,
            analyzer,
            Vocabulary(graded, shown),
            vector,
            definition.thresholds.relevance or learned,
            negatives,
            surfaces,
            KeywordMatcher(positive, barred),
            _KeywordsAlone(alone, learned / model_threshold(max(1, len(alone)))),
            learned,
            learn.compare_keywords(alone, usable, single),
        )

    def weigh(self, terms: Sequence[str]) -> TermVector:
        """Return the tf-idf vector of the terms of a text.

        The terms of a negative phrase of several terms ("storm drain") are left out.  A negative
        phrase of one term (华侨城) needs no such rule: it is a term of its own.
        """
        return _weigh(terms, self._negatives, idf_table())

    def rel(self, terms: Sequence[str]) -> list[tuple[str, float]]:
        """Return (keyword, rel) of the graded terms in a text, in order, longest match first."""
        return self.vocabulary.match(terms)

    def keyword_hits(self, terms: Sequence[str]) -> KeywordHits:
        """Return which of the user's keywords a text contains: a title, a body or an anchor.

        Keywords match by all their terms, longest first, and not inside a negative word.  Unlike
        :meth:`rel`, neither the parts of a bare word nor terms learned from samples count.
        """
        return self._keywords.hits(terms)

    def names_channel(self, name: str) -> bool:
        """Whether a channel of this *name* is the topic's: a keyword of at least :data:`CHANNEL_VALUE`.

        What says only that it is a channel does not count: 收藏频道 and 收藏新闻 are 收藏, 汽车市场 is not 市场, and
        收藏网 is the name of a site.
        """
        name = _OF_CHANNEL.sub("", name)
        terms = self.analyzer.terms(name)
        if self._keywords.value_of(terms) < CHANNEL_VALUE:
            return False
        inner = _OF_SITE.sub("", name)
        return inner == name or self.analyzer.terms(inner) != terms

    def relevance(self, terms: Sequence[str]) -> Relevance:
        """Return the relevance of a text with these terms, see :mod:`topiccrawl.topics.relevance`."""
        return self.relevance_of(self.weigh(terms))

    def relevance_of(self, page: TermVector) -> Relevance:
        """Return the relevance of a text with these term weights.

        With samples, that to the keywords alone counts, too, or nothing else, see
        :class:`~topiccrawl.topics.learn.KeywordsInSamples`; a text that reaches the threshold of keywords has the
        learned threshold as relevance by them.
        """
        share = self.in_samples.share
        parts = relevance_parts(page, self.vector) if share < 1 else {}
        if share:
            parts = {term: (1 - share) * part for term, part in parts.items()}
            for term, part in relevance_parts(page, self._alone.vector).items():
                parts[term] = parts.get(term, 0.0) + share * self._alone.scale * part
        top = sorted(parts.items(), key=lambda item: (-item[1], item[0]))[:MAIN_TERMS]
        named = tuple((self.surface(term), part) for term, part in top)
        return Relevance(min(1.0, math.fsum(parts.values())), named)

    def surface(self, term: str) -> str:
        """Return a word that has this term (cyclone for cyclon), or the term if none is known."""
        return self._surfaces.get(term, term)


@cache
def idf_table() -> IdfTable:
    """Return the idf table that all topics share."""
    return IdfTable()


def _graded(
    definition: TopicDefinition, analyzer: TextAnalyzer
) -> tuple[dict[tuple[str, ...], float], dict[tuple[str, ...], str]]:
    """Return two mappings from the terms of a keyword: to its rel, and to the keyword as written.

    Of two keywords with the same terms (storm, storms) the larger value is kept; a negative one never
    replaces a keyword.
    """
    graded: dict[tuple[str, ...], float] = {}
    names: dict[tuple[str, ...], str] = {}
    for keyword in (*definition.keywords, *definition.negatives):
        key = tuple(analyzer.terms(keyword.term))
        if not key and definition.source == BARE_WORD:
            raise ConfigurationError(
                _(
                    "topic {wanted!r} has stop words, single letters and numbers only; make a topic with"
                    " other keywords: scrapy topics --new"
                ).format(wanted=keyword.term)
            )
        if not key:
            raise ConfigurationError(
                _(
                    "{source}: {relation}.{term} must contain more than stop words and numbers"
                ).format(source=definition.source, relation=keyword.relation, term=keyword.term)
            )
        if key not in graded or (keyword.relation != "negative" and keyword.value > graded[key]):
            graded[key] = keyword.value
            names[key] = keyword.term
    return graded, names


def _implied_words(definition: TopicDefinition, idf: IdfTable) -> _ImpliedWords:
    """Return the words that a bare word implies, or those of keywords that are phrases."""
    if definition.source != BARE_WORD:
        return _ImpliedWords((), (), _parts_of_phrases(definition, idf))
    name = normalize(definition.name)
    parts = learn.word_parts(name, idf)
    return _ImpliedWords(parts, [word for word in narrower_words(name) if word not in parts], ())


def _grade_words_of_name(
    graded: dict[tuple[str, ...], float], analyzer: TextAnalyzer, implied: _ImpliedWords
) -> None:
    """Grade the words that a bare word implies, unless they are keywords."""
    for words, value in (
        (implied.parts, learn.PART_VALUE), (implied.narrower, learn.NARROWER_VALUE),
    ):  # fmt: skip
        for word in words:
            if key := tuple(analyzer.terms(word)):
                graded.setdefault(key, value)


def _keyword_vector(
    positive: Mapping[tuple[str, ...], float],
    implied: _ImpliedWords,
    analyzer: TextAnalyzer,
    idf: IdfTable,
) -> dict[str, float]:
    """Return the vector of the keywords, see :func:`~topiccrawl.topics.learn.keyword_vector`, and implied words."""
    vector = learn.keyword_vector(positive, idf)
    for value, parts in ((1.0, implied.parts), *implied.phrases):
        _add_parts(vector, [analyzer.terms(part) for part in parts], idf, value)
    for term in {term for word in implied.narrower for term in analyzer.terms(word)}:
        vector.setdefault(term, learn.NARROWER_VALUE * idf.idf(term))
    return vector


def _only_negative(
    definition: TopicDefinition,
    analyzer: TextAnalyzer,
    graded: Mapping[tuple[str, ...], float],
) -> list[tuple[str, ...]]:
    positive = {tuple(analyzer.terms(k.term)) for k in definition.keywords}
    negative = dict.fromkeys(tuple(analyzer.terms(k.term)) for k in definition.negatives)
    return [key for key in negative if key in graded and key not in positive]


def _parts_of_phrases(definition: TopicDefinition, idf: IdfTable) -> list[tuple[float, list[str]]]:
    """Return the values of the keywords that are phrases (投资新闻), and their words.

    A phrase is no word of the idf table and has two words or more; few pages contain it as it is.  So where
    half of the keywords are phrases, their words count, too; in other lists, the other keywords are enough.
    """
    names = [(normalize(k.term), k.value) for k in definition.keywords]
    unknown = ((n, value) for n, value in names if not (n.isascii() or idf.contains(n)))
    split = ((value, learn.word_parts(n, idf)) for n, value in unknown)
    phrases = [(value, parts) for value, parts in split if len(parts) > 1]
    return phrases if len(phrases) >= PHRASES * len(names) else []


def _add_parts(
    vector: dict[str, float], parts: list[list[str]], idf: IdfTable, value: float
) -> None:
    """Add the parts of a word of this *value*, a bare word or a phrase among keywords, to the vector.

    Two parts have the value 0.4 each, m > 2 parts 1/√m each, like the terms of an English phrase: the
    parts of a long phrase often occur apart, and all of them together are the topic.
    """
    terms = [term for part in parts for term in part]
    share = 1 / math.sqrt(len(terms)) if len(terms) > 2 else learn.PART_VALUE
    for term in terms:
        vector[term] = max(vector.get(term, 0.0), share * value * idf.idf(term))


def _weigh(terms: Sequence[str], negatives: Vocabulary, idf: IdfTable) -> TermVector:
    if len(negatives):
        spans = negatives.spans(terms)
        hidden = {i for start, end, _, _ in spans for i in range(start, end)}
        terms = [term for i, term in enumerate(terms) if i not in hidden]
    return term_weights(terms, idf.idf)


def _halves(terms: list[str]) -> list[list[str]]:
    middle = len(terms) // 2
    return [terms[:middle], terms[middle:]]

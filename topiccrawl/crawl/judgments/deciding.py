"""The decision about one page: whether it is kept, and with which probability it is on topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from topiccrawl import details
from topiccrawl.analysis.features import page_term_ids
from topiccrawl.analysis.reader import make_reader
from topiccrawl.scoring.classifier import Judgment, PageClassifier
from topiccrawl.scoring.classifier.rows import TERMS
from topiccrawl.scoring.meaning import RememberingEncoder, TopicMeaning
from topiccrawl.store.contract import PageJudgment
from topiccrawl.text.meaning import has_encoder, sentence_encoder
from topiccrawl.text.normalize import simplified

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.analysis.links import LinkReader
    from topiccrawl.analysis.page import PageAnalysis
    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.scoring.strategy import Strategy
    from topiccrawl.topics.topic import Topic

#: Share of the threshold from which a page is a near miss where the relevance alone decides (a guess).
NEAR_MISS_SHARE: Final = 0.5
#: The same for the page classifier, and the number of pages learned from up to which every page is: with half of the
#: threshold for all, a quarter of what it kept in the end had been too unlikely to be stored when it was fetched.  From
#: .05 to .25 and from 300 to 1,000 pages the F1 of the collection is alike; see docs/laboratory/judge.md (2026-11).
LEARNED_NEAR_MISS_SHARE: Final = 0.1
LEARNING_PAGES: Final = 500


@dataclass(frozen=True, slots=True)
class Decision:
    """Decision about one page."""

    judgment: PageJudgment
    """Its numbers for the store."""
    kept: bool
    near_miss: bool
    """Whether the page is stored beside the collection, because it may enter it later."""
    detail: str
    """The reason for people: values and thresholds."""
    judged: bool = False
    """Whether it is the user's own judgment, which outweighs everything."""
    same_as: str = ""
    """URL of a page with the same text that the user judged off topic."""

    @property
    def probability(self) -> float:
        """Probability that the page is on topic, in [0, 1]."""
        return self.judgment.probability


#: Decisions of the user.
JUDGED_RELEVANT: Final = Decision(
    PageJudgment(1.0), True, False, details.JUDGED_RELEVANT(), judged=True
)
JUDGED_OFF_TOPIC: Final = Decision(
    PageJudgment(0.0), False, False, details.JUDGED_OFF_TOPIC(), judged=True
)


def classifies(topic: Topic, settings: CrawlSettings) -> bool:
    """Return whether the page classifier learns in a crawl.

    A threshold that the user has set is respected: the relevance alone decides then.
    """
    return settings.page_classifier and topic.definition.thresholds.relevance is None


def compares_meaning(topic: Topic, settings: CrawlSettings) -> bool:
    """Return whether the page classifier compares the meaning of pages with the topic's words."""
    return settings.meaning and classifies(topic, settings) and has_encoder()


def _meaning(topic: Topic, settings: CrawlSettings) -> TopicMeaning | None:
    """Return what compares pages with the words that define the topic."""
    if not compares_meaning(topic, settings):
        return None
    # To the encoder, traditional characters are other words.
    words = [simplified(it) for it in _words(topic)]
    return TopicMeaning(RememberingEncoder(sentence_encoder()), words)


def _words(topic: Topic) -> list[str]:
    """Return the words that define the topic."""
    keywords = topic.definition.keywords
    core = [keyword.term for keyword in keywords if keyword.relation == "core"]
    return core or [keyword.term for keyword in keywords] or [topic.name]


def crawl_reader(
    topic: Topic, strategies: Sequence[Strategy], settings: CrawlSettings
) -> LinkReader:
    """Return the link reader of a crawl: what *strategies* and the page classifier need of a page."""
    return make_reader(
        topic,
        strategies,
        wordnet=settings.semantic_wordnet,
        vectors_file=settings.semantic_vectors,
        classified=classifies(topic, settings),
        leads=compares_meaning(topic, settings),
    )


def make_classifier(topic: Topic, settings: CrawlSettings) -> PageClassifier:
    """Return the page classifier of a new crawl."""
    learns = classifies(topic, settings)
    texts = (topic.analyzer.terms(sample.text) for sample in topic.definition.samples)
    samples = [page_term_ids(topic.weigh(terms), TERMS) for terms in texts] if learns else []
    meaning = _meaning(topic, settings)
    return PageClassifier(
        topic.threshold,
        settings.balance,
        samples,
        words=len(_words(topic)),
        agreement=topic.in_samples.agreement,
        learns=learns,
        meaning=meaning,
    )


def may_enter_later(judgment: Judgment, classifier: PageClassifier) -> bool:
    """Return whether a page that *classifier* does not keep now is stored, because a later round may keep it."""
    if judgment.kept:
        return False
    if not classifier.learns:
        return judgment.probability >= NEAR_MISS_SHARE * classifier.threshold
    few = classifier.learned_from < LEARNING_PAGES
    return few or judgment.probability >= LEARNED_NEAR_MISS_SHARE * classifier.threshold


def decide(analysis: PageAnalysis, judgment: Judgment, classifier: PageClassifier) -> Decision:
    """Return the decision about a page."""
    threshold = classifier.threshold
    if judgment.parts is None:
        score, least = analysis.relevance.score, analysis.topic.threshold
        sign = ">=" if score >= least else "<"
        kind = details.RELEVANCE
        if judgment.kept and score < least:
            kind = details.RELEVANT_TITLE
        detail = kind(score=f"{score:.3f}", sign=sign, threshold=f"{least:.3f}")
    else:
        detail = judgment_detail(judgment, threshold)
    return Decision(
        judgment_numbers(judgment, threshold),
        kept=judgment.kept,
        near_miss=may_enter_later(judgment, classifier),
        detail=detail,
    )


def kept_for_name(analysis: PageAnalysis, parent: str) -> Decision:
    """Return the decision about a document without text whose name is on topic, like its *parent*."""
    return Decision(
        PageJudgment(analysis.relevance.score),
        kept=True,
        near_miss=False,
        detail=details.NO_TEXT_LAYER_KEPT(url=parent),
    )


def judgment_numbers(judgment: Judgment, threshold: float) -> PageJudgment:
    """Return the numbers of a judgment for the store: with the parts if the classifier has learned."""
    if judgment.parts is None:
        return PageJudgment(judgment.probability)
    parts = dict(zip(("text", "links", "place"), judgment.parts, strict=True))
    if judgment.words is not None:
        parts["words"] = judgment.words
    if judgment.channel is not None:
        parts["channel"] = judgment.channel
    if judgment.constant is not None:
        parts["constant"] = judgment.constant
    if judgment.meaning is not None:
        parts["meaning"] = judgment.meaning
    return PageJudgment(judgment.probability, threshold, parts)


def judgment_detail(judgment: Judgment, threshold: float) -> str:
    """Return the reason of a learned judgment for people."""
    probability = f"{judgment.probability:.3f}"
    if judgment.kept and judgment.probability < threshold:
        return details.SURE_WORDS(probability=probability)
    sign = ">=" if judgment.kept else "<"
    return details.PROBABILITY(probability=probability, sign=sign, threshold=f"{threshold:.3f}")

"""The page classifier; see the package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from topiccrawl.scoring.arrays import BoolArray, FeatureIdArray, FloatArray, sigmoid
from topiccrawl.scoring.classifier import start
from topiccrawl.scoring.classifier.meaning import PageMeanings, TopicMeaning
from topiccrawl.scoring.classifier.model import fit
from topiccrawl.scoring.classifier.places import place_worth
from topiccrawl.scoring.classifier.rows import (
    ALL_IDS,
    Float32Array,
    PageFeatures,
    RowMaker,
    average_text,
    make_rows,
    page_features,
    places_of,
    shared_columns,
)
from topiccrawl.scoring.classifier.samples import SAMPLE_WEIGHT, Samples
from topiccrawl.scoring.classifier.threshold import (
    CERTAIN,
    Balance,
    Calibration,
    calibrate,
    choose_threshold,
    with_words,
)
from topiccrawl.scoring.strategy import PageView

#: Fewest pages to learn from (a guess).
LEAST_PAGES = 50
#: The crawl grows by this share between two fits (a choice; costs less than .5 ms a page).
GROWTH = 0.15
#: Most pages between two fits (a choice: new sites have names that the model does not know yet).
MOST_BETWEEN = 500
#: Most pages in a fit: all positives, and an even sample of the others (a choice: some 25 ms in 15 steps).
MOST_EXAMPLES = 2_500
#: Most pages whose features are kept to be judged again: 10 MB.  Then the half that is least likely on
#: topic is given up (a choice).
MOST_PAGES = 6_000
#: A judgment of the user weighs as much as this number of pages (a choice).
USER_WEIGHT = 10.0
#: A page of average text in an unknown place is off topic, and that weighs as much as this share of the pages:
#: what a focused crawl has seen is mostly on topic, the rest of the web is not.  With a page without any text
#: instead, of 0, .03, .1 and .3 the last was best: F1 of the whole web after 1,000 pages from a bare word .50 and
#: .59 (Chinese), .51 and .55 (English) without and with it, from keywords .75 and .74, .65 and .67 (13 and 8 topics).
#: The average text instead of none: Chinese from keywords .774 and .776, from a bare word .588 and .598, with
#: samples .704 and .737; English, of the fetched pages, .733 and .758, .640 and .623, .717 and .735 (13 and 16
#: topics, 2026-11).
BACKGROUND = 0.3
#: Pages in a cooperative step.
_PIECE = 500


@dataclass(frozen=True, slots=True)
class Judgment:
    """The judgment of one page."""

    probability: float
    """Probability that the page is on topic, in [0, 1]."""
    kept: bool
    parts: tuple[float, float, float] | None = None
    """What text, links and place add to the log-odds; ``None`` before anything was learned."""
    words: float | None = None
    """Probability by the user's words alone; ``None`` if that, or the user, is the judgment."""
    constant: float | None = None
    """Log-odds of a page of which nothing is known, from the border on; with *parts*."""
    meaning: float | None = None
    """s of :mod:`~topiccrawl.scoring.classifier.meaning`, if the last round compared the page."""


class PageClassifier:
    """Judges pages by the keywords at first, and by what they have in common with sure pages later.

    The judgment of a page is a function of the pages added before the last round, in any order, of the
    user's judgments and of the page itself.  Beyond MOST_PAGES it also depends on what was given up.

    Attributes
    ----------
    threshold : float
        Least probability of a page that is kept; moves with every round.
    """

    def __init__(
        self,
        relevance_threshold: float,
        balance: Balance = "balanced",
        samples: Sequence[tuple[FeatureIdArray, FloatArray]] = (),
        *,
        learns: bool = True,
        meaning: TopicMeaning | None = None,
    ) -> None:
        """Start without pages.

        Parameters
        ----------
        relevance_threshold
            The similarity to the topic from which the keywords are sure, in (0, 1).
        balance
            What the threshold is chosen for.
        samples
            Term ids and weights of texts that the user gave as samples.
        learns
            If not, the similarity alone decides, and nothing is kept in memory but the judgments.
        meaning
            Compares the meaning of pages with the topic's words; ``None``: the words alone choose the positives.
        """
        self.threshold = 0.5
        self._relevance_threshold = relevance_threshold
        self._balance: Balance = balance
        self._samples = Samples(samples)
        self._learns = learns
        self._meanings = PageMeanings(meaning) if meaning and learns else None
        self._pages: dict[int, PageFeatures] = {}
        self._earlier: set[int] = set()
        self._judgments: dict[int, Judgment] = {}
        self._by_user: dict[int, bool] = {}
        self._given_up: set[int] = set()
        self._seen = 0
        self._next = LEAST_PAGES
        self._rows: RowMaker | None = None
        self._weights: Float32Array = np.zeros(0, dtype=np.float32)
        self._bias = 0.0
        self._calibration = Calibration(0.0, 1.0)
        self._learned_from = 0

    @property
    def learned(self) -> bool:
        """Whether a model was fitted."""
        return self._rows is not None

    @property
    def learned_from(self) -> int:
        """Number of pages that the model was fitted to; 0 before."""
        return self._learned_from

    @property
    def due(self) -> bool:
        """Whether enough pages were added since the last round."""
        return self._learns and self._seen >= self._next

    @property
    def full(self) -> bool:
        """Whether a round must give up pages."""
        return len(self._pages) > MOST_PAGES

    def add(self, page: PageView) -> Judgment:
        """Add a fetched page and return its judgment.

        A page that was added before keeps its own, unless what its words say of the topic has changed.
        """
        evidence = self._evidence(page)
        if page.id in self._earlier:
            self._earlier.discard(page.id)
        elif page.id in self._judgments:
            known = self._pages.get(page.id)
            if self._learns and (known is None or known.evidence == evidence):
                return self._of_user(page.id) or self._judgments[page.id]
        self._seen += 1
        judgment = (
            self._judge(self._keep(page, evidence))
            if self._learns
            else self._by_words(page.id, evidence)
        )
        self._judgments[page.id] = judgment
        return judgment

    def renew(self, page: int) -> None:
        """Let :meth:`add` judge an added page anew: its text has changed."""
        self._judgments.pop(page, None)

    def recall(self, page: PageView) -> None:
        """Learn from a page of an earlier crawl, too, until this crawl fetches it itself."""
        if self._learns and page.id not in self._pages:
            self._seen += 1
            self._earlier.add(page.id)
            self._keep(page, self._evidence(page))

    def _keep(self, page: PageView, evidence: float) -> PageFeatures:
        features = self._pages[page.id] = page_features(page, evidence)
        self._samples.add(features)
        if self._meanings:
            self._meanings.add(page.id, page.lead)
        return features

    def judge(self, page: PageView) -> Judgment:
        """Judge any page with what was learned so far."""
        own = self._evidence(page)
        return self._judge(page_features(page, own)) if self._rows else self._by_words(page.id, own)

    def judgment(self, page: int) -> Judgment | None:
        """Return the last judgment of an added page, or the user's of any page, by its link id.

        ``None`` if the page was never added or was given up long ago.
        """
        return self._of_user(page) or self._judgments.get(page)

    def probability_of(self, page: int) -> float | None:
        """Return the probability of an added page by its link id."""
        known = self.judgment(page)
        return None if known is None else known.probability

    def set_relevant(self, page: int, relevant: bool | None) -> None:
        """Take the user's judgment of the page with this link id; it outweighs everything.

        ``None`` takes it back.
        """
        if relevant is None:
            self._by_user.pop(page, None)
        else:
            self._by_user[page] = relevant
        self._next = min(self._next, max(LEAST_PAGES, self._seen))

    def learn(self) -> Iterator[None]:
        """Fit the model to all pages, move the threshold, and judge the pages again, in steps."""
        # By id, so that the result does not depend on the order in which a worker saw the pages.
        pages = sorted(self._pages.values(), key=lambda page: page.id)
        known = len(pages)
        self._next = self._seen + max(1, min(MOST_BETWEEN, int(GROWTH * self._seen)))
        if known < LEAST_PAGES:
            return
        own = np.array([page.evidence for page in pages]) / self._raised(known)
        rows, source, target = yield from make_rows(pages)
        yield
        evident, similarity = own, None
        if self._meanings:
            highest = self._meanings.highest(own)
            near = start.within_reach(own, highest, start.neighbor_factor(own, source, target))
            yield
            similarity = yield from self._meanings.similarity([page.id for page in pages], near)
            evident = self._meanings.with_meaning(own, similarity)
        smoothed = evident * start.neighbor_factor(evident, source, target)
        positive = start.positives(evident, smoothed)
        del source, target
        labels, importance = positive.astype(np.float64), np.ones(known)
        sampled = self._samples.among(pages)
        for i in sampled.values():
            labels[i], importance[i] = 1.0, SAMPLE_WEIGHT
        for i, page in enumerate(pages):
            if page.id in self._by_user:
                labels[i], importance[i] = self._by_user[page.id], USER_WEIGHT
        if not labels.any():
            self._forget(pages)
            return
        rows = replace(rows, place_worth=place_worth(*places_of(pages), labels > 0))
        yield
        chosen, importance = _examples(labels > 0, importance)
        made = []
        for first in range(0, len(chosen), _PIECE):
            block = rows.block([pages[i] for i in chosen[first : first + _PIECE].tolist()])
            made.append(block.matrix())
            yield
        unknown = average_text(made, importance)
        texts = np.delete(np.arange(self._samples.rows.shape[0]), list(sampled))
        given = np.ones(len(texts))
        examples, used = shared_columns([*made, self._samples.rows[texts], unknown])
        del made
        yield
        model = yield from fit(
            examples,
            np.concatenate([labels[chosen], given, [0.0]]),
            np.concatenate([importance, SAMPLE_WEIGHT * given, [BACKGROUND * len(pages)]]),
        )
        nothing = model.bias + float((examples[-1] @ model.weights)[0])
        del examples
        yield
        weights = np.zeros(ALL_IDS, dtype=np.float32)
        weights[used] = model.weights
        yield from self._judge_again(
            pages, rows, weights, model.bias, nothing, labels > 0, similarity
        )
        judged = {page.id: page for page in pages}
        for page in self._pages.values():
            if judged.get(page.id) is not page:  # It was added meanwhile.
                self._judgments[page.id] = self._judge(page)
        self._forget(pages)

    def _judge_again(
        self,
        pages: list[PageFeatures],
        rows: RowMaker,
        weights: Float32Array,
        bias: float,
        nothing: float,
        positive: BoolArray,
        similarity: FloatArray | None,
    ) -> Iterator[None]:
        parts = np.zeros((len(pages), 3))
        for first in range(0, len(pages), _PIECE):
            piece = slice(first, first + _PIECE)
            parts[piece] = rows.block(pages[piece]).parts(weights)
            yield
        z = bias + parts.sum(axis=1)
        typical = float(sigmoid(z[positive]).mean())
        own = np.array([page.evidence for page in pages]) / self._raised(len(pages))
        sure = max(int((own >= start.SURE).sum()), int(positive.sum()))
        calibration = calibrate(z, typical, sure, nothing)
        p = with_words(calibration.probability(z), own, len(pages))
        threshold = choose_threshold(p, self._balance)
        kept = (p >= threshold) | (own >= CERTAIN)
        yield
        judgments = {}
        meaning: list[float | None] = [None] * len(pages)
        if similarity is not None:
            meaning = [None if np.isnan(s) else s for s in similarity.tolist()]
        by_words, constant = start.by_words(own), bias - calibration.border
        for first in range(0, len(pages), _PIECE):
            piece = slice(first, first + _PIECE)
            arrays = [array[piece].tolist() for array in (p, kept, parts, by_words)]
            for page, value, stays, (text, links, place), words, near in zip(
                pages[piece], *arrays, meaning[piece], strict=True
            ):
                judgments[page.id] = Judgment(
                    value, stays, (text, links, place), words, constant, near
                )
            yield
        for known in self._by_user:
            judgments.pop(known, None)
        self._judgments.update(judgments)
        self._rows, self._weights, self._bias = rows, weights, bias
        self._calibration, self.threshold = calibration, threshold
        self._learned_from = len(pages)

    def _judge(self, page: PageFeatures) -> Judgment:
        if (by_user := self._of_user(page.id)) is not None:
            return by_user
        if self._rows is None:
            return self._by_words(page.id, page.evidence)
        text, links, place = self._rows.block([page]).parts(self._weights)[0].tolist()
        z = np.array([self._bias + text + links + place])
        learned = self._calibration.probability(z)
        own = np.array([page.evidence]) / self._raised(self._learned_from)
        p = float(with_words(learned, own, self._learned_from)[0])
        kept = p >= self.threshold or bool(own[0] >= CERTAIN)
        words = float(start.by_words(own)[0])
        constant = self._bias - self._calibration.border
        return Judgment(p, kept, (text, links, place), words, constant)

    def _by_words(self, page: int, own: float) -> Judgment:
        """Return the judgment of a page by the user, or else by the topic's threshold alone."""
        words = float(start.by_words(np.array(own)))
        return self._of_user(page) or Judgment(words, own >= start.SURE)

    def _of_user(self, page: int) -> Judgment | None:
        relevant = self._by_user.get(page)
        return None if relevant is None else Judgment(float(relevant), relevant)

    def _raised(self, pages: int) -> float:
        """Return θ of a round over *pages* pages, over the topic's threshold."""
        given = self._samples.rows.shape[0]
        return start.samples_factor(self._relevance_threshold, pages) if given else 1.0

    def _evidence(self, page: PageView) -> float:
        own = start.evidence(
            np.array([page.relevance]),
            np.array([page.title_hit and self._learns]),
            self._relevance_threshold,
        )
        return float(own[0])

    def _forget(self, pages: list[PageFeatures]) -> None:
        """Give up the features of the less likely half of too many *pages*.

        They keep their judgment until pages are given up the next time: some may still be on their way
        to the store.  Pages judged by the user are not given up.
        """
        if len(pages) <= MOST_PAGES:
            return
        p = [
            -1.0 if it.id in self._by_user else -self._judgments[it.id].probability for it in pages
        ]
        unlikely = np.argsort(p, kind="stable")[MOST_PAGES // 2 :]
        for page in self._given_up:
            self._judgments.pop(page, None)
        self._given_up = {pages[i].id for i in unlikely.tolist()}
        for page in self._given_up:
            del self._pages[page]
            self._samples.forget(page)
            if self._meanings:
                self._meanings.forget(page)


def _examples(positive: BoolArray, importance: FloatArray) -> tuple[np.ndarray, FloatArray]:
    """Return up to MOST_EXAMPLES indices, and the importance of these pages.

    The others stand for all negatives: their importance sums up to what was left out.
    """
    if len(positive) <= MOST_EXAMPLES:
        return np.arange(len(positive)), importance
    certain = np.flatnonzero(positive | (importance > 1))
    # The user's first.
    certain = certain[np.argsort(-importance[certain], kind="stable")][: MOST_EXAMPLES // 2]
    rest = np.setdiff1d(np.arange(len(positive)), certain)
    even = rest[np.linspace(0, len(rest) - 1, MOST_EXAMPLES - len(certain)).astype(np.int64)]
    scaled = importance.copy()
    scaled[even] *= len(rest) / len(even)
    chosen = np.sort(np.concatenate([certain, even]))
    return chosen, scaled[chosen]

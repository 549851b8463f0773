"""The page classifier; see the package."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

import numpy as np

from topiccrawl.scoring.arrays import FeatureIdArray, FloatArray, IdArray
from topiccrawl.scoring.classifier import start
from topiccrawl.scoring.classifier.channel_names import Menus
from topiccrawl.scoring.classifier.channels import Channels, channels_of
from topiccrawl.scoring.classifier.judging import Judgment, LearnedModel, judge_all, spread
from topiccrawl.scoring.classifier.learning import Labels, fit_pages
from topiccrawl.scoring.classifier.meaning import PageMeanings
from topiccrawl.scoring.classifier.places import place_worth
from topiccrawl.scoring.classifier.rows import PageFeatures, Places, make_rows, page_features
from topiccrawl.scoring.classifier.samples import SAMPLE_WEIGHT, Samples
from topiccrawl.scoring.classifier.threshold import Balance
from topiccrawl.scoring.meaning import TopicMeaning
from topiccrawl.scoring.strategy import PageView

#: Fewest pages to learn from (a guess).
LEAST_PAGES = 50
#: The crawl grows by this share between two fits (a choice; costs less than .5 ms a page).
GROWTH = 0.15
#: Most pages between two fits (a choice: new sites have names that the model does not know yet).
MOST_BETWEEN = 500
#: Most pages whose features are kept to be judged again: 12 MB.  Then half of them are given up (a choice).
MOST_PAGES = 6_000


class PageClassifier:
    """Judges pages by the keywords at first, and by what they have in common with sure pages later.

    The judgment of a page is a function of the pages added before the last round, in any order, of the
    user's judgments and of the page itself.  Beyond MOST_PAGES it also depends on what was given up.

    Attributes
    ----------
    learns
        Whether it learns from pages.
    words
        Number of words that define the topic.
    meaning
        What the pages are compared with by meaning, if they are.
    """

    def __init__(
        self,
        relevance_threshold: float,
        balance: Balance = "balanced",
        samples: Sequence[tuple[FeatureIdArray, FloatArray]] = (),
        *,
        words: int = 1,
        agreement: float = 1.0,
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
        words
            Number of words that define the topic: most pages have none of one, and their channels are believed by their
            texts, too.
        agreement
            How far samples say what other pages of the topic are like, in [0, 1].  So far they weigh more than any
            page, and the relevance that they raise must be larger in a large crawl.
        learns
            If not, the similarity alone decides, and nothing is kept in memory but the judgments.
        meaning
            Compares the meaning of pages with the topic's words; ``None``: the words alone choose the positives.
        """
        self._relevance_threshold = relevance_threshold
        self._balance: Balance = balance
        self._samples = Samples(samples, 1 + agreement * (SAMPLE_WEIGHT - 1))
        self.words = words
        self._agreement = agreement
        self.learns = learns
        self.meaning = meaning if learns else None
        self._meanings = PageMeanings(self.meaning) if self.meaning else None
        self._pages: dict[int, PageFeatures] = {}
        # Pages that :meth:`add` judges though they are known: of an earlier crawl, or with a new text.
        self._outdated: set[int] = set()
        self._judgments: dict[int, Judgment] = {}
        self._by_user: dict[int, bool] = {}
        self._given_up: set[int] = set()
        self._seen = 0
        self._next = LEAST_PAGES
        self._model: LearnedModel | None = None
        # The channels of the topic, by the pages of the last round.
        self._channels = Channels()
        self._menus = Menus()
        self._judged_all = False
        self._learning = False

    @property
    def threshold(self) -> float:
        """Least probability of a page that is kept; moves with every round."""
        return 0.5 if self._model is None else self._model.threshold

    @property
    def learned(self) -> bool:
        """Whether a model was fitted."""
        return self._model is not None

    @property
    def judged_all(self) -> bool:
        """Whether a round has judged all pages, by a model or, where nothing could be learned, by the words alone."""
        return self._judged_all

    @property
    def learned_from(self) -> int:
        """Number of pages that the model was fitted to; 0 before."""
        return 0 if self._model is None else self._model.pages

    @property
    def due(self) -> bool:
        """Whether enough pages were added since the last round."""
        return self.learns and self._seen >= self._next

    @property
    def full(self) -> bool:
        """Whether a round must give up pages."""
        return len(self._pages) > MOST_PAGES

    def add(self, page: PageView) -> Judgment:
        """Add a fetched page and return its judgment.

        A page that was added before keeps its own, unless what its words say of the topic has changed.
        """
        features = self._features(page)
        if page.id in self._outdated:
            self._outdated.discard(page.id)
        elif page.id in self._judgments:
            known = self._pages.get(page.id)
            if self.learns and (known is None or known.words == features.words):
                return self._of_user(page.id) or self._judgments[page.id]
        self._seen += 1
        if self.learns:
            self._keep(page, features)
        judgment = self._judge(features)
        self._judgments[page.id] = judgment
        return judgment

    def renew(self, page: int) -> None:
        """Let :meth:`add` judge an added page anew: its text has changed."""
        self._judgments.pop(page, None)
        # A round that ends before the page is added gives it a judgment.
        self._outdated.add(page)

    def recall(self, page: PageView) -> None:
        """Learn from a page of an earlier crawl, too, until this crawl fetches it itself."""
        if self.learns and page.id not in self._pages:
            self._seen += 1
            self._outdated.add(page.id)
            self._keep(page, self._features(page))

    def _keep(self, page: PageView, features: PageFeatures) -> None:
        self._pages[page.id] = features
        self._menus.add(features.domain, page.links.menus)
        self._samples.add(features)
        if self._meanings:
            self._meanings.add(page.id, page.lead)

    def judge(self, page: PageView) -> Judgment:
        """Judge any page with what was learned so far."""
        return self._judge(self._features(page))

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

    def learn(self) -> Generator[None, None, None]:
        """Fit the model to all pages, move the threshold, and judge the pages again, in steps.

        Nothing is done while a round that began before has not ended.
        """
        if self._learning:
            return
        self._learning = True
        try:
            yield from self._round()
        finally:
            self._learning = False

    def _round(self) -> Generator[None, None, None]:
        # By id, so that the result does not depend on the order in which a worker saw the pages.
        pages = sorted(self._pages.values(), key=lambda page: page.id)
        self._next = self._seen + max(1, min(MOST_BETWEEN, int(GROWTH * self._seen)))
        if len(pages) < LEAST_PAGES:
            return
        raised = self._raised(len(pages))
        own = np.array([page.evidence for page in pages]) / raised
        domain = np.array([page.domain for page in pages], dtype=np.int64)
        places = Places.of(pages)
        yield
        rows, source, target = yield from make_rows(pages)
        yield
        labels = yield from self._labels(pages, own, domain, source, target)
        del source, target
        fitted = parts = text = None
        if labels.positive.any():
            rows = replace(rows, place_worth=place_worth(places.row, places.ids, labels.positive))
            yield
            fitted = yield from fit_pages(pages, rows, labels, self._samples)
            parts = yield from fitted.parts(pages)
            text = parts[:, 0]
        self._channels, added, sure = yield from channels_of(
            pages, places, self._menus, own, domain, self._by_user, text, self.words
        )
        if fitted is None or parts is None:
            # What an earlier round learned would make the judgments depend on the times of the rounds.
            self._model = None
            for page in self._pages.values():
                self._judgments[page.id] = self._judge(page)
            self._judged_all = True
            self._forget(pages)
            return
        yield
        self._model, judgments = yield from judge_all(
            fitted,
            pages,
            parts,
            own,
            added,
            labels,
            sure=sure,
            raised=raised,
            balance=self._balance,
            previous=None if self._model is None else self._model.nearest,
        )
        for known in self._by_user:
            judgments.pop(known, None)
        self._judgments.update(judgments)
        judged = {page.id: page for page in pages}
        for page in self._pages.values():
            if judged.get(page.id) is not page:  # It was added meanwhile.
                self._judgments[page.id] = self._judge(page)
        self._judged_all = True
        self._forget(pages)

    def _labels(
        self,
        pages: Sequence[PageFeatures],
        own: FloatArray,
        domain: IdArray,
        source: FeatureIdArray,
        target: FeatureIdArray,
    ) -> Generator[None, None, Labels]:
        """Return what the words, the samples and the user say of *pages*; source and target are their links."""
        evident, similarity = own, None
        if self._meanings:
            highest = self._meanings.highest(own)
            factor = start.neighbor_factor(own, source, target)
            near = start.within_reach(own, highest, factor, domain)
            yield
            similarity = yield from self._meanings.similarity([page.id for page in pages], near)
            evident = self._meanings.with_meaning(own, similarity)
        smoothed = evident * start.neighbor_factor(evident, source, target)
        positive = start.positives(evident, smoothed, domain)
        labels, importance = positive.astype(np.float64), np.ones(len(pages))
        sampled = self._samples.among(pages)
        for i in sampled.values():
            labels[i], importance[i] = 1.0, self._samples.weight
        for i, page in enumerate(pages):
            if page.id in self._by_user:
                labels[i], importance[i] = self._by_user[page.id], start.USER_PAGES
        return Labels(labels, importance, list(sampled), similarity)

    def _judge(self, page: PageFeatures) -> Judgment:
        if (by_user := self._of_user(page.id)) is not None:
            return by_user
        if self._model is None:
            return self._by_words(page)
        return self._model.judge(page, self._channels.added(page))

    def _by_words(self, page: PageFeatures) -> Judgment:
        added = self._channels.added(page)
        own = np.array(page.evidence + added)
        words = float(start.by_words(own))
        return Judgment(words, bool(own >= start.SURE), channel=added or None)

    def _of_user(self, page: int) -> Judgment | None:
        relevant = self._by_user.get(page)
        return None if relevant is None else Judgment(float(relevant), relevant)

    def _raised(self, pages: int) -> float:
        """Return θ of a round over *pages* pages, over the topic's threshold."""
        given = self._agreement if self._samples.rows.shape[0] else 0.0
        return 1 + given * (start.samples_factor(self._relevance_threshold, pages) - 1)

    def _features(self, page: PageView) -> PageFeatures:
        if not self.learns:
            # [thesis] 4.9 and 4.10: the similarity alone decides.
            page = replace(page, title_hit=False, channel_hit=False)
        (own,) = start.evidence(
            np.array([page.relevance]), np.array([page.title_hit]), self._relevance_threshold
        )
        return page_features(page, float(own))

    def _forget(self, pages: list[PageFeatures]) -> None:
        """Give up the features of half of too many *pages*; the others stand for them.

        They keep their judgment until pages are given up the next time: some may still be on their way
        to the store.  Pages judged by the user are not given up.
        """
        if len(pages) <= MOST_PAGES:
            return
        free = [page.id for page in pages if page.id not in self._by_user]
        probability = np.array([self._judgments[page].probability for page in free])
        kept = sum(self._judgments[page].kept for page in free)
        stays = spread(probability, kept, max(0, MOST_PAGES // 2 - len(pages) + len(free)))
        for page in self._given_up:
            self._judgments.pop(page, None)
        self._given_up = {free[i] for i in np.flatnonzero(~stays).tolist()}
        for page in self._given_up:
            del self._pages[page]
            self._samples.forget(page)
            if self._meanings:
                self._meanings.forget(page)
        # A site shows its menus on its next page again.
        self._menus.keep({page.domain for page in self._pages.values()})

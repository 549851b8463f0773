"""What was learned of the topic, and the judgments that follow from it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from topiccrawl.scoring.arrays import BoolArray, FloatArray, sigmoid
from topiccrawl.scoring.classifier import start
from topiccrawl.scoring.classifier.learning import PIECE, Fitted, Labels
from topiccrawl.scoring.classifier.nearest import NearestTexts
from topiccrawl.scoring.classifier.rows import PageFeatures
from topiccrawl.scoring.classifier.threshold import (
    CERTAIN,
    Balance,
    Calibration,
    calibrate,
    choose_threshold,
    topic_size,
    with_words,
)

#: Pages that a sample is drawn from, by those that are kept.  With 2, large topics lose .02 to .10; 3 and 4 are alike,
#: see docs/laboratory/judge.md, "More than 6,000 pages" (2026-11-29).
_POOL = 3


@dataclass(frozen=True, slots=True)
class Judgment:
    """The judgment of one page."""

    probability: float
    """Probability that the page is on topic, in [0, 1]."""
    kept: bool
    parts: tuple[float, float, float] | None = None
    """What text, links and place add to the log-odds, text and links together with those of the nearest texts;
    ``None`` before anything was learned."""
    words: float | None = None
    """Probability by the user's words alone; ``None`` if that, or the user, is the judgment."""
    constant: float | None = None
    """Log-odds of a page of which nothing is known, from the border on; with *parts*."""
    meaning: float | None = None
    """s of :mod:`~topiccrawl.scoring.classifier.meaning`, if the last round compared the page."""
    channel: float | None = None
    """What a channel of the topic adds to the evidence of the words, if the page lies in one."""


@dataclass(frozen=True, slots=True)
class LearnedModel:
    """What one round has learned."""

    fitted: Fitted
    nearest: NearestTexts
    calibration: Calibration
    threshold: float
    """Least probability of a page that is kept."""
    pages: int
    """Number of pages that it was learned from."""
    raised: float
    """θ of the round, over the topic's threshold: by it the evidence of the words is divided."""

    def judge(self, page: PageFeatures, added: float) -> Judgment:
        """Return the judgment of any page; *added* is what its channels add to its evidence."""
        fitted = self.fitted
        parts = fitted.rows.block([page]).parts(fitted.weights)
        parts[0, :2] = self.nearest.shared(page, parts[0, :2])
        text, links, place = parts[0].tolist()
        z = np.array([fitted.bias + text + links + place])
        learned = self.calibration.probability(z)
        own = np.array([page.evidence / self.raised + added])
        p = float(with_words(learned, own, self.pages)[0])
        kept = p >= self.threshold or bool(own[0] >= CERTAIN)
        words = float(start.by_words(own)[0])
        constant = fitted.bias - self.calibration.border
        return Judgment(p, kept, (text, links, place), words, constant, channel=added or None)


def judge_all(
    fitted: Fitted,
    pages: Sequence[PageFeatures],
    parts: FloatArray,
    own: FloatArray,
    added: FloatArray,
    labels: Labels,
    *,
    sure: int,
    raised: float,
    balance: Balance,
    previous: NearestTexts | None = None,
) -> Generator[None, None, tuple[LearnedModel, dict[int, Judgment]]]:
    """Calibrate the model by all pages, and judge them, in steps.

    Parameters
    ----------
    fitted
        The model.
    pages, parts, own, added, labels
        The pages that it was fitted to, n of them, what text, links and place add to their log-odds, shape (n, 3),
        which is changed, e of their words and what channels of the topic add to it, shape (n,), and what they were
        taken for.
    sure
        How many pages the words find.
    raised, balance
        θ of the round over the topic's threshold; what the threshold is chosen for.
    previous
        The nearest texts of the round before, which are not searched again.
    """
    z = fitted.bias + parts.sum(axis=1)
    typical = float(sigmoid(z[labels.positive]).mean())
    sure = max(sure, int(labels.positive.sum()))
    size = topic_size(z, typical, sure, fitted.nothing)
    nearest = NearestTexts(pages, parts[:, :2].copy())
    yield
    parts[:, :2] = yield from nearest.shared_by_all(previous)
    z = fitted.bias + parts.sum(axis=1)
    calibration = calibrate(z, size, fitted.nothing)
    own = own + added
    p = with_words(calibration.probability(z), own, len(pages))
    model = LearnedModel(
        fitted, nearest, calibration, choose_threshold(p, balance), len(pages), raised
    )
    kept = (p >= model.threshold) | (own >= CERTAIN)
    yield
    judgments = {}
    meaning: list[float | None] = [None] * len(pages)
    if labels.similarity is not None:
        meaning = [None if np.isnan(s) else s for s in labels.similarity.tolist()]
    by_words, constant = start.by_words(own), fitted.bias - calibration.border
    for first in range(0, len(pages), PIECE):
        piece = slice(first, first + PIECE)
        arrays = [array[piece].tolist() for array in (p, kept, parts, by_words, added)]
        for page, value, stays, (text, links, place), words, channel, near in zip(
            pages[piece], *arrays, meaning[piece], strict=True
        ):
            judgments[page.id] = Judgment(
                value, stays, (text, links, place), words, constant, near, channel or None
            )
        yield
    return model, judgments


def spread(probability: FloatArray, kept: int, n: int) -> BoolArray:
    """Return which *n* of the pages stand for all, as a mask; *kept* is how many of all are kept in the collection.

    The most likely n/3, and an even sample of those behind: of the likeliest ``3*kept`` pages, or as many as there
    is room for.  A small topic keeps its pages and what lies near the border; of a large one, what is
    off topic stays in proportion.  Otherwise a round has hardly anything but the topic to learn from, and takes
    half of it for the topic, or everything.  Equal ones are taken in the order of *probability*.
    """
    likely = np.argsort(-probability, kind="stable")
    best, pool = n // 3, likely[: max(n, _POOL * kept)]
    others = pool[best:]
    left = min(n, len(pool)) - best
    sample = np.arange(left) * len(others) // max(1, left)
    chosen = np.zeros(len(likely), dtype=bool)
    chosen[pool[:best]] = True
    chosen[others[sample]] = True
    return chosen

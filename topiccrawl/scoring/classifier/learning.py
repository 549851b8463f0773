"""One round of learning: from labeled pages to a fitted model."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from topiccrawl.scoring.arrays import BoolArray, FloatArray
from topiccrawl.scoring.classifier.model import fit
from topiccrawl.scoring.classifier.rows import (
    ALL_IDS,
    Float32Array,
    PageFeatures,
    RowMaker,
    average_text,
    shared_columns,
)
from topiccrawl.scoring.classifier.samples import Samples

#: Pages in a cooperative step.
PIECE = 500
#: Most pages in a fit: all positives, and an even sample of the others (a choice: some 25 ms in 15 steps).
MOST_EXAMPLES = 2_500
#: A page of average text in an unknown place is off topic, and that weighs as much as this share of the pages:
#: what a focused crawl has seen is mostly on topic, the rest of the web is not.  With a page without any text
#: instead, of 0, .03, .1 and .3 the last was best: F1 of the whole web after 1,000 pages from a bare word .50 and
#: .59 (Chinese), .51 and .55 (English) without and with it, from keywords .75 and .74, .65 and .67 (13 and 8 topics).
#: The average text instead of none: Chinese from keywords .774 and .776, from a bare word .588 and .598, with
#: samples .704 and .737; English, of the fetched pages, .733 and .758, .640 and .623, .717 and .735 (13 and 16
#: topics, 2026-11).
BACKGROUND = 0.3


@dataclass(frozen=True, slots=True)
class Labels:
    """What a round takes the pages for, one value for each."""

    labels: FloatArray
    """1 on topic, 0 off topic."""
    importance: FloatArray
    """As how many pages each counts, > 0."""
    sampled: Sequence[int]
    """Samples that pages stand for."""
    similarity: FloatArray | None
    """s of the pages that were compared by their meaning, NaN of the others; ``None`` if none were."""

    @property
    def positive(self) -> BoolArray:
        """Whether the pages are on topic."""
        return self.labels > 0


@dataclass(frozen=True, slots=True)
class Fitted:
    """A model that was fitted to pages, not calibrated yet."""

    rows: RowMaker
    weights: Float32Array
    """Weights of the features by their ids."""
    bias: float
    nothing: float
    """Log-odds of a page of average text in an unknown place."""

    def parts(self, pages: Sequence[PageFeatures]) -> Generator[None, None, FloatArray]:
        """Return, in steps, what text, links and place add to the log-odds of *pages*, shape (n, 3)."""
        parts = np.zeros((len(pages), 3))
        for first in range(0, len(pages), PIECE):
            piece = slice(first, first + PIECE)
            parts[piece] = self.rows.block(pages[piece]).parts(self.weights)
            yield
        return parts


def fit_pages(
    pages: Sequence[PageFeatures], rows: RowMaker, labels: Labels, samples: Samples
) -> Generator[None, None, Fitted]:
    """Fit the model to the pages and to the samples that no page stands for, in steps."""
    chosen, importance = choose_examples(labels.positive, labels.importance)
    made = []
    for first in range(0, len(chosen), PIECE):
        block = rows.block([pages[i] for i in chosen[first : first + PIECE].tolist()])
        made.append(block.matrix())
        yield
    unknown = average_text(made, importance)
    texts = np.delete(np.arange(samples.rows.shape[0]), list(labels.sampled))
    given = np.ones(len(texts))
    examples, used = shared_columns([*made, samples.rows[texts], unknown])
    del made
    yield
    model = yield from fit(
        examples,
        np.concatenate([labels.labels[chosen], given, [0.0]]),
        np.concatenate([importance, samples.weight * given, [BACKGROUND * len(pages)]]),
    )
    nothing = model.bias + float((examples[-1] @ model.weights)[0])
    del examples
    yield
    weights = np.zeros(ALL_IDS, dtype=np.float32)
    weights[used] = model.weights
    return Fitted(rows, weights, model.bias, nothing)


def choose_examples(positive: BoolArray, importance: FloatArray) -> tuple[np.ndarray, FloatArray]:
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

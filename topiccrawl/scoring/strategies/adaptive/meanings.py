"""The meaning of anchors: 水獭 (otter) looks like the titles of pages found on mammals, without a common word.

::

    q    = ½·t̂ + Σ_p (v(p) - v̄)·l(p)
    x(u) = a(u)·q / root mean square of the M best waiting links
    z(u) → z(u) + w·x(u)
    w    = f/(f + 10) · argmin_w Σ_u [ln(1 + e^ζ(u)) - v(u)·ζ(u)] + ½·(α² + (β - 1)² + 3·(w - ½)²)
    ζ(u) = α + β·z₋(u) + w·x₋(u)

a, l and t are vectors of the anchor, of a page's title and first words, and of the topic's words, each less the
mean of its kind and scaled to norm 1; t̂ is the mean of the words', of norm 1.  v is the value of a page, f the
number of pages on the topic.  This is Rocchio's method ("Relevance feedback in information retrieval", 1971) in the
space of the sentence encoder.  Where directories say as much as anchors do, x adds nothing to z.  So w is
learned from how well both predict pages that they have not learned from: z₋ is the prediction of a model
of the other half of the pages, x₋ leaves the page's own title out.  What is learned while little was found
comes from the best of what is off topic; f/(f + 10) keeps it small.

Before the first page on the topic, f = 0, there are only the topic's words to compare with::

    s(u) = a(u)·t̂ - γ₀ - γ₁·ln(characters) - γ₂·[has Chinese]            by least squares over the M links
    x(u) = s(u) / root mean square of the M links                        w = ½

since single words are near to short anchors of the same script, whatever both mean.

Only the M best waiting links by z have an x, which is what bounds the cost: vectors take .2 to .4 ms.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.optimize import minimize

from topiccrawl.scoring.arrays import BoolArray, FloatArray, GrowingArray, IdArray, sigmoid
from topiccrawl.scoring.meaning import (
    MOST_WORDS,
    TopicMeaning,
    VectorArray,
    encoded_steps,
    spread,
    unit,
)
from topiccrawl.scoring.strategies.adaptive.model import LEAST_EXAMPLES, examples
from topiccrawl.scoring.strategy import PageView

#: M: waiting links that are compared; with 500 or all the order is as good (docs/adaptive.md).
MOST_COMPARED: Final = 200
#: Most links of a page that are compared before the next round, those with the highest z (a choice: 3 ms).
MOST_OF_PAGE: Final = 8
#: Weight of the topic's words in q, in pages; .5 to 2 make little difference (docs/adaptive.md).
WORDS_WEIGHT: Final = 0.5
#: Mean and precision of w before it is learned; while nothing was found, w is that mean (docs/laboratory/order.md).
PRIOR_WEIGHT, PRIOR_PRECISION = 0.5, 3.0
#: Most pages of the sample that decides whether meanings are worth comparing at all, and how many times its error w
#: must be there: docs/laboratory/order.md.
MOST_SAMPLED: Final = 100
LEAST_ERRORS: Final = 1.0
#: Pages on the topic with which w is half of what was learned.
HALF_TRUST: Final = 10.0
#: Fewest anchors that are compared with the topic's words, as γ has three numbers, and the least scale: below, the
#: anchors differ in form alone (choices).
LEAST_COMPARED, LEAST_SCALE = 5, 0.01
_CHINESE = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Examples:
    """Fetched pages from which w is learned, n of them."""

    rows: IdArray
    """Their numbers in the order of the crawl, shape (n,)."""
    nodes: IdArray
    """Their nodes, shape (n,)."""
    ids: IdArray
    """Their ids, shape (n,)."""
    predicted: FloatArray
    """z₋, shape (n,)."""

    def where(self, chosen: BoolArray | IdArray) -> Examples:
        """Return the chosen pages."""
        return Examples(
            self.rows[chosen], self.nodes[chosen], self.ids[chosen], self.predicted[chosen]
        )


@dataclass(frozen=True, slots=True)
class _Direction:
    """What anchors are compared with."""

    mean: VectorArray
    """Mean of the anchors, shape (d,)."""
    query: VectorArray
    """q over the scale, shape (d,)."""
    form: FloatArray | None = None
    """γ over the scale, shape (3,), if the form of an anchor counts."""

    def of(self, anchors: VectorArray, texts: Sequence[str]) -> FloatArray:
        """Return x of anchors with these vectors and *texts*, shape (n,)."""
        cosine = np.einsum("ij,j->i", unit(anchors - self.mean), self.query)
        found = np.asarray(cosine, dtype=np.float64)
        return found if self.form is None else np.asarray(found - _forms(texts) @ self.form)


@dataclass(frozen=True, slots=True)
class _Compared:
    """Anchors compared with the titles of pages."""

    direction: _Direction
    similarity: FloatArray
    """x of the anchors, shape (n,)."""
    weight: tuple[float, float] | None
    """w before f counts, and its error; ``None`` with too few pages to learn from."""


class LinkMeanings:
    """x of the nodes of a link graph, and w.

    Memory: 16 bytes per node and the texts of its anchor and, if fetched, its title and first words.
    """

    def __init__(self, topic: TopicMeaning) -> None:
        self._encode = topic.encode
        self._words = list(topic.words[:MOST_WORDS])
        self._leads: list[str] = []
        self._anchors: list[str] = []
        self._shown = GrowingArray(np.float32, fill=-1.0)
        self._similarity = GrowingArray(np.float32)
        self._direction: _Direction | None = None
        self._least = -np.inf
        self._weight = 0.0

    @property
    def searching(self) -> bool:
        """Whether links are compared with the topic's words alone."""
        return self._direction is not None and self._direction.form is not None

    def add(self, page: PageView, nodes: IdArray, waiting: IdArray, size: int) -> IdArray:
        """Take the texts of a page and of its links.

        Like hashed features, the anchor of a link is that of the page of the highest relevance that shows it,
        and it stays as it was when the link was fetched.

        Parameters
        ----------
        nodes
            Nodes of its links, shape (n,), in the order of ``page.links``.
        waiting
            Indices into *nodes* of the links that are not yet fetched.
        size
            Number of nodes of the graph.

        Returns
        -------
        IdArray
            Indices into *nodes* of the links whose anchor has changed and is to be compared: none before the first
            round that compares.
        """
        if not self._leads:
            self._encode.prepare()
        self._leads.append(page.lead)
        self._anchors.extend([""] * (size - len(self._anchors)))
        self._shown.resize(size)
        self._similarity.resize(size)
        texts, shown = page.links.anchors, self._shown.view()
        changed: list[int] = []
        if texts.size:
            better = waiting[shown[nodes[waiting]] < np.float32(page.relevance)]
            for link, node, text in zip(
                better.tolist(), nodes[better].tolist(), texts[better, 0].tolist(), strict=True
            ):
                if text:
                    shown[node] = page.relevance
                    if text != self._anchors[node]:
                        self._anchors[node] = text
                        changed.append(link)
        return np.array(changed if self._direction else [], dtype=np.int64)

    def compare_new(self, nodes: IdArray, z: FloatArray) -> None:
        """Compare the best of links whose anchors are new, between two rounds.

        Parameters
        ----------
        nodes
            Their nodes, shape (n,).
        z
            Their log-odds without their meaning, shape (n,).
        """
        assert self._direction is not None
        self._similarity.view()[nodes] = 0.0
        best = np.argsort(-z, kind="stable")[:MOST_OF_PAGE]
        best = nodes[best[z[best] >= self._least]]
        texts = self._named(best)
        vectors = self._encode(texts) if texts else None
        if vectors is not None:
            self._similarity.view()[best] = self._direction.of(vectors, texts)

    def named(self, nodes: IdArray) -> IdArray:
        """Return those of *nodes* that have an anchor."""
        return nodes[self._shown.view()[nodes] >= 0]

    def promising_steps(self, values: FloatArray, learned: Examples) -> Generator[None, None, bool]:
        """Return whether comparing is worth its price, in cooperative steps.

        It is if w is larger than its error on a sample of the pages that costs few vectors, or cannot be learned yet.
        The arguments are those of :meth:`learn_steps`.
        """
        named = self._with_anchor(learned)
        sample = named.where(np.isin(named.rows, self._titled(named.rows)))
        sample = sample.where(np.argsort(spread(sample.ids), kind="stable")[:MOST_SAMPLED])
        if len(sample.rows) < LEAST_EXAMPLES:
            return True
        rows, anchors = np.sort(sample.rows), self._named(sample.nodes)
        compared = yield from self._compared_steps(values, rows, sample, anchors)
        if compared is None or compared.weight is None:
            return False
        weight, error = compared.weight
        return weight > LEAST_ERRORS * error

    def learn_steps(
        self, values: FloatArray, best: IdArray, least: float, learned: Examples, found: int
    ) -> Generator[None, None, None]:
        """Compute q, x and w anew, in cooperative steps.

        Parameters
        ----------
        values
            Values of the first R fetched pages, shape (R,).
        best
            Nodes of the best waiting links that have an anchor, shape (n,).
        least
            Smallest z of a link that is worth comparing until the next round.
        learned
            Pages from which w is learned.
        found
            f: number of pages on the topic.
        """
        compared = None
        if len(best):
            rows, anchors = self._titled(examples(values)), self._named(best)
            named = self._with_anchor(learned)
            compared = yield from self._compared_steps(values, rows, named, anchors)
        self.rest()
        if compared is not None:
            self._direction, self._least = compared.direction, least
            self._similarity.view()[best] = compared.similarity
            weight = compared.weight[0] if compared.weight else PRIOR_WEIGHT
            self._weight = max(0.0, weight) * found / (found + HALF_TRUST)

    def search_steps(self, best: IdArray, least: float) -> Generator[None, None, None]:
        """Compare links with the topic's words alone, in cooperative steps: nothing was found yet.

        Parameters
        ----------
        best
            Nodes of the best waiting links that have an anchor, shape (n,).
        least
            Smallest z of a link that is worth comparing until the next round.
        """
        direction = None
        texts = list(dict.fromkeys(anchors := self._named(best)))
        if len(texts) >= LEAST_COMPARED:
            vectors = yield from encoded_steps(self._encode, [*self._words, *texts])
            if vectors is not None:
                words, of_texts = np.split(vectors, [len(self._words)])
                at = {text: i for i, text in enumerate(texts)}
                of_links = of_texts[[at[text] for text in anchors]]
                direction = _toward(words, of_texts.mean(axis=0), of_links, anchors)
        self.rest()
        if direction is not None:
            self._direction, self._least, self._weight = direction, least, PRIOR_WEIGHT
            self._similarity.view()[best] = direction.of(of_links, anchors)

    def rest(self) -> None:
        """Let x of all links be 0 until the next round."""
        self._similarity.view()[:] = 0.0
        self._direction, self._weight = None, 0.0

    def _with_anchor(self, pages: Examples) -> Examples:
        return pages.where(self._shown.view()[pages.nodes] >= 0)

    def _named(self, nodes: IdArray) -> list[str]:
        return [self._anchors[node] for node in nodes.tolist()]

    def _titled(self, rows: IdArray) -> IdArray:
        return np.array([row for row in rows.tolist() if self._leads[row]], dtype=np.int64)

    def _compared_steps(
        self, values: FloatArray, rows: IdArray, learned: Examples, anchors: list[str]
    ) -> Generator[None, None, _Compared | None]:
        """Compare *anchors* with the pages *rows*, and *learned* what that is worth; ``None`` if impossible now."""
        texts = list(dict.fromkeys(anchors))
        led = self._named(learned.nodes)
        leads = [self._leads[row] for row in rows.tolist()]
        vectors = yield from encoded_steps(self._encode, [*self._words, *texts, *leads, *led])
        if vectors is None:
            return None
        words, of_texts, titles, of_led = np.split(
            vectors, np.cumsum([len(self._words), len(texts), len(leads)])
        )
        mean = of_texts.mean(axis=0)
        query = WORDS_WEIGHT * _mean_word(words, mean)
        worth = values[rows]
        if len(rows):
            titles, worth = unit(titles - titles.mean(axis=0)), worth - worth.mean()
        query = query + np.einsum("i,ij->j", worth, titles)
        yield
        at = {text: i for i, text in enumerate(texts)}
        similarity = _Direction(mean, query).of(of_texts, texts)[[at[text] for text in anchors]]
        scale = float(np.sqrt(np.mean(similarity**2))) or 1.0
        direction = _Direction(mean, np.asarray(query / scale, dtype=np.float32))
        weight = None
        if len(led) >= LEAST_EXAMPLES:
            others = direction.of(of_led, led)
            place = {row: i for i, row in enumerate(rows.tolist())}
            own = np.array([place.get(row, -1) for row in learned.rows.tolist()])
            at_own = np.flatnonzero(own >= 0)
            own = own[at_own]
            cosine = np.einsum("ij,ij->i", unit(of_led[at_own] - mean), titles[own])
            others[at_own] -= worth[own] * cosine / scale
            weight = _weight(learned.predicted, others, values[learned.rows])
        return _Compared(direction, similarity / scale, weight)

    def log_odds(self, nodes: IdArray) -> FloatArray:
        """Return w·x of *nodes*, shape (n,)."""
        return np.asarray(self._weight * self._similarity.view()[nodes], dtype=np.float64)


def _mean_word(words: VectorArray, mean: VectorArray) -> VectorArray:
    """Return t̂ of norm 1, shape (d,), of the vectors of the topic's words and the *mean* of the anchors."""
    (found,) = unit(unit(words - mean).mean(axis=0, keepdims=True))
    return np.asarray(found, dtype=np.float32)


def _forms(texts: Sequence[str]) -> FloatArray:
    """Return what the similarity of *texts* with single words depends on beside their meaning, shape (n, 3)."""
    return np.array([[1.0, np.log(len(it)), bool(_CHINESE.search(it))] for it in texts])


def _toward(
    words: VectorArray, mean: VectorArray, anchors: VectorArray, texts: Sequence[str]
) -> _Direction:
    """Return the direction of a topic's *words* as seen from *anchors* with these *texts*, shape (n, d)."""
    topic = _mean_word(words, mean)
    plain = _Direction(mean, topic).of(anchors, texts)
    forms = _forms(texts)
    gamma = np.asarray(np.linalg.lstsq(forms, plain, rcond=None)[0], dtype=np.float64)
    scale = max(LEAST_SCALE, float(np.sqrt(np.mean((plain - forms @ gamma) ** 2))))
    return _Direction(mean, np.asarray(topic / scale, dtype=np.float32), gamma / scale)


def _weight(z: FloatArray, x: FloatArray, values: FloatArray) -> tuple[float, float]:
    """Return the learned w, before f counts, and its error (Laplace's approximation); arrays of shape (n,)."""
    columns = np.stack([np.ones(len(z)), z, x], axis=1)
    prior = np.array([0.0, 1.0, PRIOR_WEIGHT])
    precision = np.array([1.0, 1.0, PRIOR_PRECISION])

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        odds, away = columns @ weights, weights - prior
        value = (np.logaddexp(0.0, odds) - values * odds).sum() + 0.5 * (precision * away**2).sum()
        return float(value), columns.T @ (sigmoid(odds) - values) + precision * away

    weights = minimize(loss, prior, jac=True, method="L-BFGS-B").x
    p = sigmoid(columns @ weights)
    curvature = (columns.T * (p * (1 - p))) @ columns + np.diag(precision)
    return float(weights[2]), float(np.sqrt(np.linalg.inv(curvature)[2, 2]))

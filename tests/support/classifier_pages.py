"""Small pages for the page classifier, and classifiers that have learned from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from topiccrawl.scoring.classifier import Balance, Judgment, PageClassifier
from topiccrawl.scoring.strategy import LinkBatch, PageView

THRESHOLD = 0.2
Judgments = list[tuple[int, Judgment | None]]


def page(
    number: int,
    relevance: float = 0.0,
    *,
    terms: Sequence[int] = (),
    targets: Sequence[int] = (),
    folders: Sequence[int] = (),
    channels: Sequence[int] = (),
    borrowed: Sequence[int] = (),
    title_hit: bool = False,
    channel_hit: bool = False,
    fronts: Sequence[int] = (),
    menus: Sequence[tuple[int, int]] = (),
    weights: Sequence[float] | None = None,
    domain: int = 0,
) -> PageView:
    """Return a page; its terms have equal *weights* unless they are given, borrowed ones .5 each.

    *fronts* and *menus* are those of the *targets*.
    """
    zero, no = np.zeros(len(targets)), np.zeros(len(targets), dtype=np.bool_)
    return PageView(
        id=number,
        relevance=relevance,
        background=0.0,
        relevant=False,
        depth=0,
        order=0,
        inherited=0.0,
        links=LinkBatch(
            np.array(targets, dtype=np.int64),
            *(zero, no, no, no, zero, zero),
            fronts=np.array(fronts, dtype=np.int64).reshape(-1, 1)
            if fronts
            else np.empty((0, 0), dtype=np.int64),
            menus=np.array(menus, dtype=np.int64).reshape(-1, 2)
            if menus
            else np.empty((0, 0), dtype=np.int64),
        ),
        term_ids=np.array(terms, dtype=np.int32),
        term_weights=np.ones(len(terms)) if weights is None else np.array(weights),
        title_hit=title_hit,
        channel_hit=channel_hit,
        place=np.array([domain, 0, 0, 0], dtype=np.int32),
        folders=np.array(folders, dtype=np.int32),
        channels=np.array(channels, dtype=np.int32),
        borrowed_ids=np.array(borrowed, dtype=np.int32),
        borrowed_weights=np.full(len(borrowed), 0.5),
    )


def web(count: int, seed: int = 0, topical_share: float = 0.25) -> list[PageView]:
    """Return pages of a drawn web; ids below count * topical_share are on topic.

    A third of the topical pages have no keyword; they share words and links with the others.
    """
    rng = np.random.default_rng(seed)
    border = int(count * topical_share)
    pages = []
    for number in rng.permutation(count).tolist():
        topical = number < border
        first, size = (0, border) if topical else (border, count - border)
        sure = topical and number % 3 > 0
        pages.append(
            page(
                number,
                0.3 + 0.2 * rng.random() if sure else 0.05 * rng.random(),
                terms=np.unique(
                    np.append(rng.integers(0, 40, 12) + 100 * topical, rng.integers(500, 900, 8))
                ).tolist(),
                targets=np.unique(first + rng.integers(0, size, 10)).tolist(),
                folders=[1000 + topical, 2000 + number % 7],
                channels=[3000 + number % 3] if number % 2 else [],
                borrowed=[950, 960 + topical] if number % 5 == 0 else [],
                title_hit=bool(sure and number % 2),
            )
        )
    return pages


def learn(classifier: PageClassifier) -> None:
    """Make a whole round."""
    for _ in classifier.learn():
        pass


def judged(classifier: PageClassifier, pages: Iterable[PageView]) -> Judgments:
    """The judgments of *pages*, by their ids."""
    return sorted((it.id, classifier.judgment(it.id)) for it in pages)


def trained(
    pages: Sequence[PageView],
    balance: Balance = "balanced",
    user: dict[int, bool] | None = None,
    *,
    rounds: bool = True,
) -> PageClassifier:
    """Return a classifier with *pages* and the judgments of the user, as :func:`train` leaves it."""
    classifier = PageClassifier(THRESHOLD, balance)
    for number, relevant in (user or {}).items():
        classifier.set_relevant(number, relevant)
    train(classifier, pages, rounds=rounds)
    return classifier


def train(classifier: PageClassifier, pages: Iterable[PageView], *, rounds: bool = True) -> None:
    """Add *pages*, with rounds when they are due, and a last one."""
    for it in pages:
        classifier.add(it)
        if rounds and classifier.due:
            learn(classifier)
    learn(classifier)


def kept(classifier: PageClassifier, pages: Iterable[PageView]) -> set[int]:
    """The ids of the pages that are kept."""
    found = {it.id: classifier.judgment(it.id) for it in pages}
    return {number for number, judgment in found.items() if judgment and judgment.kept}

"""What the page classifier gives up, what it takes over from an earlier crawl, and pages of nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.support.classifier_pages import THRESHOLD, judged, kept, learn, page, train, trained, web
from topiccrawl.scoring.classifier import PageClassifier
from topiccrawl.scoring.classifier import classifier as module
from topiccrawl.scoring.classifier.judging import spread
from topiccrawl.scoring.strategy import N_FEATURES, PageView


def test_the_most_likely_pages_and_a_sample_of_the_others_stand_for_all() -> None:
    probability = np.linspace(1, 0, 110)
    chosen = np.flatnonzero(spread(probability, 60, 30)).tolist()
    assert chosen == [*range(10), *range(10, 110, 5)]
    shuffled = np.random.default_rng(0).permutation(110)
    assert sorted(shuffled[spread(probability[shuffled], 60, 30)].tolist()) == chosen
    small = np.flatnonzero(spread(probability, 10, 30)).tolist()
    assert small == [*range(30)], "all of a small topic, and what lies near it"
    between = np.flatnonzero(spread(probability, 20, 30)).tolist()
    assert between == [*range(10), *np.arange(10, 60, 2.5).astype(int)]


@pytest.mark.parametrize(("n", "left"), [(0, 0), (1, 1), (2, 2), (5, 5), (7, 7), (8, 8), (9, 8)])
def test_as_many_pages_stand_for_all_as_are_asked_for(n: int, left: int) -> None:
    for few in (0, 3, 8):
        assert spread(np.full(8, 0.5), few, n).sum() == left
    assert spread(np.zeros(0), 0, n).sum() == 0


@pytest.mark.parametrize("share", [0.05, 0.5, 0.95])
def test_a_crawl_that_gives_up_pages_judges_as_one_that_keeps_all(
    monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    pages = web(1_200, topical_share=share)
    topical = set(range(int(1_200 * share)))
    usual = kept(trained(pages), pages)
    monkeypatch.setattr(module, "MOST_PAGES", 300)
    classifier = PageClassifier(THRESHOLD)
    found: dict[int, bool] = {}
    for it in pages:
        found[it.id] = classifier.add(it).kept
        if classifier.due:
            learn(classifier)
            found |= {n: judgment.kept for n, judgment in judged(classifier, pages) if judgment}
    assert len(classifier._pages) <= 300
    left = {number for number in found if found[number]}
    assert len(left & topical) > 0.85 * len(usual & topical)
    assert len(left - topical) < 0.1 * (1_200 - len(topical)), "pages off topic are still known"


def test_features_of_pages_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAGES", 100)
    pages = web(400)
    classifier = PageClassifier(THRESHOLD)
    classifier.set_relevant(399, False)
    for it in pages:
        classifier.add(it)
    assert classifier.full
    learn(classifier)
    assert not classifier.full
    left = set(classifier._pages)
    assert len(left) == 50
    assert 399 in left, "the user's examples stay"
    assert len(left & set(range(100))) >= 16 + 8, "the most likely third, and some of the others"
    assert len(left - set(range(100))) >= 16 + 4
    before = judged(classifier, pages)
    assert all(judgment is not None for _, judgment in before)
    learn(classifier)
    given_up = [it for it in pages if it.id not in left]
    assert judged(classifier, given_up) == [(n, j) for n, j in before if n not in left]
    for it in web(400, seed=1):
        classifier.add(replace(it, id=it.id + 1_000))
    learn(classifier)
    assert {classifier.judgment(it.id) for it in given_up} == {None}, "memory is bounded"


def test_pages_are_given_up_once_by_two_rounds_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A journal that is read while a ranking round learns may begin another round."""
    monkeypatch.setattr(module, "MOST_PAGES", 100)
    pages = web(200)
    usual, classifier = trained(pages, rounds=False), PageClassifier(THRESHOLD)
    for it in pages:
        classifier.add(it)
    first, second = classifier.learn(), classifier.learn()
    next(first)
    for steps in (second, first):
        for _ in steps:
            pass
    assert judged(classifier, pages) == judged(usual, pages)
    assert not classifier.full
    for it in web(200, seed=1):
        classifier.add(replace(it, id=it.id + 1_000))
    learn(classifier)
    assert not classifier.full, "a later round learns again"


def test_menus_of_sites_without_pages_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAGES", 100)
    classifier = PageClassifier(THRESHOLD)
    for number in range(1, 301):
        menus = [(number * N_FEATURES + 70, 5)]
        classifier.add(page(number, number / 1_000, targets=[-1], menus=menus, domain=number))
    learn(classifier)
    fronts, _ = classifier._menus.table()
    assert set((fronts // N_FEATURES).tolist()) == set(classifier._pages)
    assert len(fronts) == 50


def test_pages_without_keywords_are_given_up_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAGES", 100)
    classifier = trained([page(number) for number in range(150)], rounds=False)
    assert not classifier.learned
    assert not classifier.full


def test_what_was_learned_from_positives_that_are_none_any_more_is_given_up() -> None:
    sample = np.array([40_000], dtype=np.int32), np.ones(1)
    weak = [page(i, 0.04 if i < 20 else 0.0, terms=[i % 9, 20 + i % 7]) for i in range(1_000)]

    def crawled(pages: Sequence[PageView], *, rounds: bool) -> PageClassifier:
        classifier = PageClassifier(0.1, samples=[sample])
        train(classifier, pages, rounds=rounds)
        return classifier

    early = crawled(weak[:100], rounds=False)
    assert early.learned  # With samples, the threshold grows with the crawl.
    with_rounds, at_once = crawled(weak, rounds=True), crawled(weak, rounds=False)
    assert not at_once.learned
    assert with_rounds.learned_from == 0
    assert with_rounds.threshold == at_once.threshold
    assert judged(with_rounds, weak) == judged(at_once, weak)


def test_pages_of_an_earlier_crawl_without_keywords_are_given_up_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_PAGES", 100)
    classifier = PageClassifier(THRESHOLD)
    for number in range(150):
        classifier.recall(page(number, terms=[number]))
    assert classifier.full
    learn(classifier)
    assert not classifier.full


@pytest.mark.parametrize("relevance", [0.0, 0.2, 1.0])
def test_pages_of_nothing_are_judged_with_finite_numbers(relevance: float) -> None:
    pages = [page(number, relevance) for number in range(120)]
    classifier = trained(pages)
    for _, judgment in judged(classifier, pages):
        assert judgment is not None
        assert 0 <= judgment.probability <= 1
        assert all(math.isfinite(part) for part in judgment.parts or ())
    assert 0.1 <= classifier.threshold <= 0.9
    assert len(kept(classifier, pages)) == (120 if relevance else 0), "the words alone decide"


def test_all_numbers_are_finite_in_a_mixed_web() -> None:
    pages = [*web(300), *(page(1_000 + i, weights=[0.0], terms=[i]) for i in range(20))]
    for _, judgment in judged(trained(pages), pages):
        assert judgment is not None
        assert judgment.parts is not None
        assert all(map(math.isfinite, (judgment.probability, *judgment.parts)))


def test_a_crawl_judges_its_first_pages_with_what_an_earlier_crawl_has_seen() -> None:
    pages, first = web(300), web(60, seed=1)
    unsure = {it.id for it in first if it.id < 15 and it.relevance < THRESHOLD}
    alone, informed = PageClassifier(THRESHOLD), PageClassifier(THRESHOLD)
    for it in pages:
        informed.recall(replace(it, id=it.id + 1_000))
    assert informed.due
    learn(informed)
    for it in first:
        alone.add(it)
        informed.add(it)
    assert unsure
    assert not kept(alone, first) & unsure
    assert kept(informed, first) >= unsure


def test_a_page_that_is_fetched_again_replaces_what_the_earlier_crawl_has_seen() -> None:
    pages = web(300)
    classifier = PageClassifier(THRESHOLD)
    for it in pages:
        # Everything was on topic then.
        classifier.recall(replace(it, relevance=0.9))
    learn(classifier)
    for it in pages:
        classifier.add(it)
    learn(classifier)
    assert judged(classifier, pages) == judged(trained(pages), pages)

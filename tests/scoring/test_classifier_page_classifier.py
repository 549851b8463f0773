"""The page classifier: what it learns, and that only the pages and the user's judgments matter."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.support.classifier_pages import page, web
from topiccrawl.scoring.classifier import (
    BALANCES,
    Balance,
    Judgment,
    PageClassifier,
    learning,
    nearest,
)
from topiccrawl.scoring.classifier import classifier as module
from topiccrawl.scoring.packing import pack_page, unpack_page
from topiccrawl.scoring.strategy import PageView

THRESHOLD = 0.2
Judgments = list[tuple[int, Judgment | None]]


def learn(classifier: PageClassifier) -> None:
    for _ in classifier.learn():
        pass


def judged(classifier: PageClassifier, pages: Iterable[PageView]) -> Judgments:
    return sorted((it.id, classifier.judgment(it.id)) for it in pages)


def trained(
    pages: Sequence[PageView],
    balance: Balance = "balanced",
    user: dict[int, bool] | None = None,
    *,
    rounds: bool = True,
) -> PageClassifier:
    """Add *pages*, with rounds when they are due, and a last one."""
    classifier = PageClassifier(THRESHOLD, balance)
    for number, relevant in (user or {}).items():
        classifier.set_relevant(number, relevant)
    for it in pages:
        classifier.add(it)
        if rounds and classifier.due:
            learn(classifier)
    learn(classifier)
    return classifier


def kept(classifier: PageClassifier, pages: Iterable[PageView]) -> set[int]:
    found = {it.id: classifier.judgment(it.id) for it in pages}
    return {number for number, judgment in found.items() if judgment and judgment.kept}


def test_before_a_round_the_keywords_decide() -> None:
    classifier = PageClassifier(THRESHOLD)
    assert classifier.add(page(1, 0.2)) == Judgment(0.5, True)
    assert classifier.add(page(2, 0.1)) == Judgment(pytest.approx(1 / 3), False)
    assert classifier.add(page(3, 0.1, title_hit=True)).kept
    assert classifier.judge(page(4, 0.3)) == Judgment(pytest.approx(0.6), True)
    assert classifier.judgment(4) is None
    assert classifier.probability_of(4) is None
    assert classifier.probability_of(1) == 0.5
    assert not classifier.learned


def test_a_domain_of_stuffed_pages_does_not_teach_what_the_topic_is() -> None:
    pages, rng = web(1_000), np.random.default_rng(1)
    honest = trained(pages)
    on_topic = set(range(250))
    assert len(kept(honest, pages) & on_topic) > 0.95 * len(on_topic)
    # The user's words, and those of advertising (300 to 339); they link to each other.
    farm = [
        page(
            number,
            0.6,
            terms=sorted({*rng.integers(300, 340, 12).tolist(), *rng.integers(100, 140, 4)}),
            targets=rng.integers(5_000, 5_300, 10).tolist(),
            folders=[1_100, 2_100],
            title_hit=True,
            domain=9,
        )
        for number in range(5_000, 5_300)
    ]
    mixed = [
        it
        for _, it in sorted(
            zip(rng.random(1_300), [*pages, *farm], strict=True), key=lambda pair: pair[0]
        )
    ]
    found = kept(trained(mixed), pages)
    assert len(found & on_topic) > 0.9 * len(on_topic)
    assert len(found - on_topic) < 0.1 * len(found)


def test_pages_like_the_sure_ones_are_kept_without_a_keyword() -> None:
    pages = web(400)
    found = kept(trained(pages), pages)
    unsure = set(range(0, 100, 3))
    assert len(found & unsure) > 0.9 * len(unsure)
    assert len(found - set(range(100))) < 0.1 * len(found)


def test_the_probability_is_explained_by_its_parts() -> None:
    pages = web(300)
    judgment = trained(pages).judgment(0)
    assert judgment is not None
    assert judgment.parts is not None
    assert all(part > 0 for part in judgment.parts)


def test_parts_and_constant_add_up_to_more_than_0_on_the_side_of_the_topic() -> None:
    """Except near the border, where the words decide."""
    pages = web(400)
    classifier = trained(pages)
    sides = []
    for it in pages:
        for judgment in (classifier.judgment(it.id), classifier.judge(it)):
            assert judgment is not None
            assert judgment.parts is not None
            assert judgment.constant is not None
            log_odds = sum(judgment.parts) + judgment.constant
            if abs(log_odds) > 0.1:
                sides.append(log_odds > 0)
                assert (judgment.probability > 0.5) is sides[-1], it.id
    assert sides.count(True) > 100
    assert sides.count(False) > 100


@pytest.mark.parametrize("young", [nearest.YOUNG, 100])
def test_a_new_page_is_judged_like_an_added_one(
    young: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the nearest texts count, and when they do."""
    monkeypatch.setattr(nearest, "YOUNG", young)
    pages = web(300)
    classifier = trained(pages)
    for it in pages[:20]:
        again = classifier.judgment(it.id)
        assert again is not None
        assert classifier.judge(it).probability == pytest.approx(again.probability, abs=1e-5)


def test_the_same_pages_give_the_same_judgments_to_the_last_bit() -> None:
    pages = web(300)
    assert judged(trained(pages), pages) == judged(trained(pages), pages)


@pytest.mark.parametrize("most_examples", [learning.MOST_EXAMPLES, 150])
def test_order_and_rounds_do_not_matter_after_a_last_round(
    most_examples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a resumed crawl, which replays all pages first, and in workers that saw another order."""
    monkeypatch.setattr(learning, "MOST_EXAMPLES", most_examples)
    pages = web(400)
    user = {0: False, 390: True}
    usual = trained(pages, user=user)
    replayed = [unpack_page(pack_page(it)) for it in reversed(pages)]
    resumed = PageClassifier(THRESHOLD)
    for it in replayed:
        resumed.add(it)
    for number, relevant in user.items():
        resumed.set_relevant(number, relevant)
    assert resumed.due
    learn(resumed)
    assert not resumed.due
    assert judged(resumed, pages) == judged(usual, pages)
    assert resumed.threshold == usual.threshold


def test_pages_added_during_a_round_are_judged_with_its_model() -> None:
    pages = web(400)
    classifier = PageClassifier(THRESHOLD)
    for it in pages[:300]:
        classifier.add(it)
    late = iter(pages[300:320])
    for _ in classifier.learn():
        for it in late:
            assert classifier.add(it).parts is None
            break
    assert all(j is not None and j.parts for _, j in judged(classifier, pages[:310]))
    usual = trained(pages[:300], rounds=False)
    assert judged(classifier, pages[:300]) == judged(usual, pages[:300])


def test_a_page_with_a_new_text_is_judged_anew_though_a_round_ends_before_it_is_added() -> None:
    pages = web(400)
    classifier = trained(pages)
    old = next(it for it in pages if it.id < 100 and it.id % 3 == 0)
    changed = replace(old, term_ids=next(it for it in pages if it.id > 300).term_ids)
    steps = classifier.learn()
    next(steps)
    classifier.renew(old.id)
    for _ in steps:
        pass
    before = classifier.judgment(old.id)
    found = classifier.add(changed)
    assert found != before
    assert found == classifier.judge(changed)


def test_a_round_that_is_given_up_changes_nothing() -> None:
    pages = web(300)
    classifier = trained(pages[:250])
    before = judged(classifier, pages[:250]), classifier.threshold
    for it in pages[250:]:
        classifier.add(it)
    steps = classifier.learn()
    for _ in range(12):
        next(steps)
    steps.close()
    assert (judged(classifier, pages[:250]), classifier.threshold) == before


def test_a_page_keeps_its_judgment_when_it_is_added_again() -> None:
    pages = web(200)
    classifier = trained(pages)
    before = judged(classifier, pages)
    for it in pages:
        classifier.add(it)
    assert not classifier.due
    learn(classifier)
    assert judged(classifier, pages) == before


def test_rounds_are_due_as_the_crawl_grows() -> None:
    classifier = PageClassifier(THRESHOLD)
    at = []
    for it in web(120):
        classifier.add(it)
        if classifier.due:
            at.append(len(at) and it.id)
            learn(classifier)
    assert len(at) == 7
    assert not PageClassifier(THRESHOLD, learns=False).due


def test_the_user_outweighs_the_model_and_teaches_it() -> None:
    pages = web(300)
    usual = trained(pages)
    assert {0, 1} <= kept(usual, pages)
    classifier = trained(pages, user={0: False, 299: True})
    assert classifier.judgment(0) == Judgment(0.0, False)
    assert classifier.judge(pages[[it.id for it in pages].index(299)]) == Judgment(1.0, True)
    classifier.set_relevant(1, False)
    assert classifier.due
    assert classifier.judgment(1) == Judgment(0.0, False)


@pytest.mark.parametrize("learns", [True, False])
def test_a_page_that_is_fetched_again_keeps_the_users_judgment(learns: bool) -> None:
    classifier = PageClassifier(THRESHOLD, learns=learns)
    on, off = page(1, 0.3), page(2, 0.05)
    assert (classifier.add(on).kept, classifier.add(off).kept) == (True, False)
    classifier.set_relevant(1, False)
    classifier.set_relevant(2, True)
    assert classifier.add(on) == Judgment(0.0, False)
    assert classifier.add(off) == Judgment(1.0, True)


@pytest.mark.parametrize("before", [True, False])
def test_pages_judged_before_or_after_they_are_fetched_teach_the_same(before: bool) -> None:
    # Nothing has a keyword: all that can be learned is the user's.
    pages = [page(it.id, 0.0, terms=it.term_ids.tolist()) for it in web(200)]
    user = dict.fromkeys(range(10), True)
    classifier = trained(pages, user=user if before else None)
    assert classifier.learned is before
    if not before:
        for number, relevant in user.items():
            classifier.set_relevant(number, relevant)
        learn(classifier)
    topical = [classifier.probability_of(number) or 0.0 for number in range(10, 50)]
    others = [classifier.probability_of(number) or 0.0 for number in range(50, 200)]
    assert np.median(topical) > max(others)


def test_the_users_pages_are_examples_however_many_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(learning, "MOST_EXAMPLES", 100)
    positive = np.ones(500, dtype=bool)
    importance = np.ones(500)
    positive[490:], importance[490:] = False, module.USER_WEIGHT
    chosen, weight = learning.choose_examples(positive, importance)
    assert len(chosen) == 100
    assert set(range(490, 500)) <= set(chosen.tolist())
    assert weight.sum() == pytest.approx(importance.sum())


def test_features_of_unlikely_pages_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert len(left & set(range(100))) >= 45
    before = judged(classifier, pages)
    assert all(judgment is not None for _, judgment in before)
    learn(classifier)
    given_up = [it for it in pages if it.id not in left]
    assert judged(classifier, given_up) == [(n, j) for n, j in before if n not in left]
    for it in web(400, seed=1):
        classifier.add(replace(it, id=it.id + 1_000))
    learn(classifier)
    assert {classifier.judgment(it.id) for it in given_up} == {None}, "memory is bounded"


def test_pages_without_keywords_are_given_up_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAGES", 100)
    classifier = trained([page(number) for number in range(150)], rounds=False)
    assert not classifier.learned
    assert not classifier.full


def test_what_was_learned_from_positives_that_are_none_any_more_is_given_up() -> None:
    sample = np.array([40_000], dtype=np.int32), np.ones(1)
    weak = [page(i, 0.04 if i < 20 else 0.0, terms=[i % 9, 20 + i % 7]) for i in range(1_000)]

    def crawled(*, rounds: bool) -> PageClassifier:
        classifier = PageClassifier(0.1, samples=[sample])
        for it in weak:
            classifier.add(it)
            if rounds and classifier.due:
                learn(classifier)
        learn(classifier)
        return classifier

    early = PageClassifier(0.1, samples=[sample])
    for it in weak[:100]:
        early.add(it)
    learn(early)
    assert early.learned  # With samples, the threshold grows with the crawl.
    with_rounds, at_once = crawled(rounds=True), crawled(rounds=False)
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


@pytest.mark.parametrize("seed", range(3))
def test_precision_keeps_the_fewest_pages_and_recall_the_most(seed: int) -> None:
    pages = web(300, seed)
    sizes = [len(kept(trained(pages, balance), pages)) for balance in BALANCES]
    assert sizes == sorted(sizes)
    assert sizes[0] > 0


def test_the_topics_size_does_not_drift_away_from_the_keywords() -> None:
    # Words say nothing; ten pages of 400 have the keywords, and the 20 best are positives.
    rng = np.random.default_rng(0)
    pages = [
        page(i, 0.3 if i < 10 else 0.01, terms=np.unique(rng.integers(0, 300, 20)).tolist())
        for i in range(400)
    ]
    classifier = trained(pages)
    size = sum(classifier.probability_of(number) or 0.0 for number in range(400))
    assert size <= 2 * math.sqrt(400 * 20) + 2


@pytest.mark.parametrize(("count", "share"), [(60, 0.1), (400, 0.025), (1_000, 0.02)])
def test_a_rare_topic_is_not_drowned_by_the_other_pages(count: int, share: float) -> None:
    pages = web(count, 0, share)
    found = kept(trained(pages), pages)
    assert len(found) <= 3 * count * share
    assert len([number for number in found if number < count * share]) >= 0.8 * count * share


def test_a_given_threshold_alone_decides_without_learning() -> None:
    classifier = PageClassifier(THRESHOLD, learns=False)
    pages = web(200)
    for it in pages:
        assert classifier.add(it).kept is (it.relevance >= THRESHOLD)
    assert not classifier.due
    learn(classifier)
    assert not classifier.learned
    assert not classifier.full


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


def test_pages_that_are_fetched_during_a_round_are_judged_after_it() -> None:
    pages = web(300)
    classifier = PageClassifier(THRESHOLD)
    for it in pages[:200]:
        classifier.recall(it)
    steps = classifier.learn()
    next(steps)
    for it in pages[100:]:
        classifier.add(it)
    for _ in steps:
        pass
    for it in pages[100:]:
        assert classifier.judgment(it.id) == classifier.judge(it)

"""The page classifier: what it learns of the pages, and how a page is judged."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.support.classifier_pages import THRESHOLD, kept, learn, page, trained, web
from topiccrawl.scoring.classifier import (
    BALANCES,
    Judgment,
    PageClassifier,
    learning,
    nearest,
    start,
)
from topiccrawl.scoring.strategy import N_FEATURES


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


def test_pages_of_a_channel_that_a_keyword_names_are_kept_but_teach_nothing() -> None:
    pages = web(400)
    # With half of the words that they need, and on something else.
    channel = [
        page(n, 0.1, terms=[600 + n % 7, 800], channel_hit=True) for n in range(5_000, 5_040)
    ]
    others = [page(n, 0.1, terms=[600 + n % 7, 800]) for n in range(6_000, 6_040)]
    classifier = PageClassifier(THRESHOLD)
    assert classifier.add(channel[0]) == Judgment(pytest.approx(2.5 / 3.5), True, channel=2.0)
    assert classifier.judge(channel[1]).kept
    found = trained([*pages, *channel, *others])
    assert kept(found, channel) == {it.id for it in channel}
    assert found.judge(page(7_000, terms=[600, 800], channel_hit=True)).kept
    assert not kept(found, others)
    assert len(kept(found, pages) & set(range(100))) > 95


def test_names_of_channels_do_not_change_what_is_learned_of_rare_words() -> None:
    channel = [page(n, 0.1, terms=[620, 800], channel_hit=True) for n in range(5_000, 5_300)]
    unnamed = [replace(it, channel_hit=False) for it in channel]
    pages = web(160)
    with_names, without = trained([*pages, *channel]), trained([*pages, *unnamed])
    assert len(kept(with_names, channel)) == len(channel)
    assert not kept(without, unnamed)
    assert [with_names.probability_of(it.id) for it in pages] == [
        without.probability_of(it.id) for it in pages
    ]


def test_a_site_that_calls_all_of_its_pages_by_a_keyword_is_not_believed() -> None:
    pages = web(400)
    # With as few of the words as any page; the channel of another site is what it says.
    named = [
        page(n, n % 5 / 100, terms=[600 + n % 7, 800], channel_hit=True, domain=2)
        for n in range(5_000, 5_200)
    ]
    channel = [
        page(n, 0.1, terms=[620, 800], channel_hit=True, domain=3) for n in range(20_000, 20_040)
    ]
    found = trained([*pages, *named, *channel])
    assert not kept(found, named)
    assert kept(found, channel) == {it.id for it in channel}
    unknown = page(30_000, terms=[620], channel_hit=True, domain=4)
    assert not found.judge(unknown).kept
    assert found.judge(page(30_001, terms=[620], channel_hit=True, domain=3)).kept


def test_a_site_with_the_channel_is_believed_in_its_folder_only() -> None:
    pages = [replace(it, folders=it.folders + 100) for it in web(400)]
    site, channel, elsewhere = 70, 71, 72
    right = [
        page(n, 0.1, terms=[620, 800], channel_hit=True, folders=[site, channel], domain=3)
        for n in range(5_000, 5_060)
    ]
    wrong = [
        page(n, n % 5 / 100, terms=[800], channel_hit=True, folders=[site, elsewhere], domain=3)
        for n in range(6_000, 6_060)
    ]
    found = trained([*pages, *right, *wrong])
    assert kept(found, right) == {it.id for it in right}
    assert not kept(found, wrong)
    for folders, stays in ([site, channel, 73], True), ([site, elsewhere, 73], False):
        other = page(7_000, terms=[800], channel_hit=True, folders=folders, domain=3)
        assert found.judge(other).kept is stays


def test_the_user_decides_whether_a_channel_is_believed() -> None:
    pages = web(400)
    channel = [page(n, 0.1, terms=[620, 800], channel_hit=True) for n in range(5_000, 5_010)]
    refused = {it.id: False for it in channel[:3]}
    assert len(kept(trained([*pages, *channel]), channel)) == len(channel)
    assert not kept(trained([*pages, *channel], user=refused), channel)


def test_pages_below_the_front_page_of_such_a_channel_are_kept_from_the_next_round_on() -> None:
    pages, front = web(400), 3 * N_FEATURES + 77
    home = page(5_000, targets=[5_001], fronts=[front], domain=3, folders=[70])
    inside = [page(n, 0.1, terms=[600], folders=[70, 77], domain=3) for n in range(5_001, 5_010)]
    others = [
        page(6_000, 0.1, terms=[600], folders=[70], domain=3),
        page(6_001, 0.1, terms=[600], folders=[70, 77], domain=4),
        page(6_002, 0.1, terms=[600], folders=[70], channels=[77], domain=3),
        page(6_003, targets=[6_001], terms=[600], fronts=[4 * N_FEATURES + 77], domain=3),
    ]
    classifier = trained([*pages, home])
    assert classifier.add(inside[0]).kept
    for it in [*inside[1:], *others]:
        classifier.add(it)
    learn(classifier)
    assert kept(classifier, [*inside, *others]) == {it.id for it in inside}


def test_a_page_whose_channel_gets_another_name_is_judged_anew() -> None:
    classifier = PageClassifier(THRESHOLD)
    assert not classifier.add(page(1)).kept
    assert classifier.add(page(1, channel_hit=True)).kept


def test_if_nothing_is_learned_the_similarity_alone_decides() -> None:
    classifier = PageClassifier(THRESHOLD, learns=False)
    assert classifier.add(page(1, 0.19, title_hit=True, channel_hit=True)) == Judgment(
        pytest.approx(0.19 / 0.39), False
    )
    assert not classifier.judge(page(2, 0.19, channel_hit=True)).kept


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
    positive[490:], importance[490:] = False, start.USER_PAGES
    chosen, weight = learning.choose_examples(positive, importance)
    assert len(chosen) == 100
    assert set(range(490, 500)) <= set(chosen.tolist())
    assert weight.sum() == pytest.approx(importance.sum())


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
    pages = web(160)
    for it in pages:
        assert classifier.add(it).kept is (it.relevance >= THRESHOLD)
    assert not classifier.due
    learn(classifier)
    assert not classifier.learned
    assert not classifier.full

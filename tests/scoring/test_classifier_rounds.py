"""Rounds of the page classifier: when they are due, and that their order makes no difference."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.classifier_pages import THRESHOLD, judged, learn, trained, web
from topiccrawl.scoring.classifier import PageClassifier, learning
from topiccrawl.scoring.packing import pack_page, unpack_page


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
    other = next(it for it in pages if it.id > 300)
    changed = replace(old, term_ids=other.term_ids, term_weights=other.term_weights)
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

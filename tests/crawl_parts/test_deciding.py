"""Which pages that are not kept are stored, because a later round may keep them."""

from __future__ import annotations

import pytest

from tests.support.classifier_pages import page, web
from topiccrawl.crawl.judgments.deciding import LEARNING_PAGES, may_enter_later
from topiccrawl.scoring.classifier import Judgment, PageClassifier

THRESHOLD = 0.2


def learned_from(pages: int) -> PageClassifier:
    classifier = PageClassifier(THRESHOLD)
    for it in web(pages):
        classifier.add(it)
    for _ in classifier.learn():
        pass
    assert classifier.learned_from == pages
    return classifier


def test_a_page_that_is_kept_need_not_enter_later() -> None:
    assert not may_enter_later(Judgment(0.6, True), PageClassifier(THRESHOLD))


@pytest.mark.parametrize("pages", [0, 60, LEARNING_PAGES - 1])
def test_while_the_classifier_has_learned_from_few_pages_any_page_may_enter_later(
    pages: int,
) -> None:
    classifier = learned_from(pages) if pages else PageClassifier(THRESHOLD)
    assert may_enter_later(Judgment(0.0, False), classifier)


def test_later_a_page_needs_a_tenth_of_the_threshold() -> None:
    classifier = learned_from(LEARNING_PAGES)
    assert may_enter_later(Judgment(0.1 * classifier.threshold, False), classifier)
    assert not may_enter_later(Judgment(0.099 * classifier.threshold, False), classifier)


@pytest.mark.parametrize(("relevance", "near"), [(0.0, False), (0.06, False), (0.07, True)])
def test_where_the_relevance_alone_decides_a_page_needs_half_of_the_probability(
    relevance: float, near: bool
) -> None:
    classifier = PageClassifier(THRESHOLD, learns=False)
    assert may_enter_later(classifier.add(page(1, relevance)), classifier) is near


def test_a_page_that_a_young_crawl_judged_unlikely_is_kept_later() -> None:
    pages = web(400)
    classifier = PageClassifier(THRESHOLD)
    first = {it.id: classifier.add(it) for it in pages}
    for _ in classifier.learn():
        pass
    late = [n for n in first if (judged := classifier.judgment(n)) and judged.kept]
    unlikely = [n for n in late if not first[n].kept and first[n].probability < 0.25]
    assert len(unlikely) > 10
    assert all(may_enter_later(first[n], PageClassifier(THRESHOLD)) for n in unlikely)

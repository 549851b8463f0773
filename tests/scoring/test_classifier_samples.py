"""Sample texts of the topic as positives of the page classifier."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.classifier_pages import page, web
from topiccrawl.scoring.arrays import FeatureIdArray, FloatArray
from topiccrawl.scoring.classifier import Judgment, PageClassifier
from topiccrawl.scoring.classifier.rows import PageFeatures, page_features
from topiccrawl.scoring.classifier.samples import ALIKE, Samples
from topiccrawl.scoring.classifier.start import samples_factor
from topiccrawl.scoring.strategy import PageView

Text = tuple[FeatureIdArray, FloatArray]


def text(*terms: int) -> Text:
    return np.array(terms, dtype=np.int32), np.ones(len(terms))


def fetched(number: int, *terms: int) -> PageFeatures:
    return page_features(page(number, terms=terms), 0.0)


def added(samples: list[Text], pages: list[PageFeatures]) -> Samples:
    found = Samples(samples)
    for it in pages:
        found.add(it)
    return found


def test_the_page_with_the_largest_cosine_stands_for_a_sample() -> None:
    pages = [
        fetched(1, *range(20), 99),
        fetched(2, *range(20)),
        fetched(3, *range(20)),
        fetched(4, *range(100, 110)),
        fetched(5),
    ]
    samples = [text(*range(50, 60)), text(*range(20)), text(*range(100, 110))]
    found = added(samples, pages)
    # Of equal pages the first.
    assert found.among(pages) == {1: 1, 2: 3}
    assert found.among(pages[2:]) == {1: 0, 2: 1}
    found.forget(4)
    assert found.among(pages) == {1: 1}


def test_a_page_that_is_hardly_like_a_sample_does_not_stand_for_it() -> None:
    # Not ALIKE itself: versions of numpy and scipy round a sum of squares differently.
    for shared, alike in ((19, True), (17, False)):
        other = fetched(1, *range(shared), *range(50, 70 - shared))
        assert bool(added([text(*range(20))], [other]).among([other])) is alike
    assert ALIKE == 0.9


def test_a_page_whose_text_has_changed_does_not_stand_for_a_sample() -> None:
    found = added([text(*range(10))], [fetched(1, *range(10)), fetched(1, *range(50, 60))])
    assert found.among([fetched(1)]) == {}


@pytest.mark.parametrize("samples", [[], [text()]])
def test_without_terms_no_page_stands_for_a_sample(samples: list[Text]) -> None:
    assert added(samples, [fetched(1, 1, 2), fetched(2)]).among([fetched(1), fetched(2)]) == {}


def taught(pages: list[PageView], samples: list[Text], agreement: float = 1.0) -> PageClassifier:
    classifier = PageClassifier(0.2, samples=samples, agreement=agreement)
    for it in pages:
        classifier.add(it)
    for _ in classifier.learn():
        pass
    return classifier


def test_the_page_of_a_sample_teaches_its_links_and_its_place() -> None:
    # No page has a word of the topic: all that can be learned is the sample's.
    pages = [
        page(
            number,
            terms=range(1_000 + 9 * number, 1_009 + 9 * number),
            targets=[900 + number % 4, 910 + number % 4],
            folders=[2_000 + number % 4],
        )
        for number in range(80)
    ]
    classifier = taught(pages, [(pages[0].term_ids, pages[0].term_weights)])
    assert classifier.learned
    neighbors, others = [
        [classifier.probability_of(it.id) or 0.0 for it in pages if (it.id % 4 == 0) is near]
        for near in (True, False)
    ]
    assert min(neighbors) > max(others)
    assert not taught(pages, [text(7, 8, 9)]).learned


def test_samples_that_do_not_agree_teach_as_much_as_other_pages() -> None:
    pages = web(200)
    unsure = next(it for it in pages if it.id == 150)
    sample = [(unsure.term_ids, unsure.term_weights)]
    found = [taught(pages, sample, agreement).probability_of(150) for agreement in (0.0, 0.5, 1.0)]
    assert found == sorted(found)
    assert found[0] < found[2] - 0.1


def test_the_user_outweighs_a_sample() -> None:
    pages = web(200)
    sample = next(it for it in pages if it.id == 150)
    classifier = PageClassifier(0.2, samples=[(sample.term_ids, sample.term_weights)])
    classifier.set_relevant(150, False)
    for it in pages:
        classifier.add(it)
    for _ in classifier.learn():
        pass
    assert classifier.judgment(150) == Judgment(0.0, False)


def test_the_order_of_the_pages_does_not_matter() -> None:
    pages = web(200)
    samples = [(it.term_ids, it.term_weights) for it in pages[:3]]
    one, other = taught(pages, samples), taught(pages[::-1], samples)
    assert [one.judgment(it.id) for it in pages] == [other.judgment(it.id) for it in pages]


def test_with_samples_the_words_are_sure_from_a_threshold_that_grows_with_the_crawl() -> None:
    """What is kept before anything was learned is what the topic's own threshold keeps."""
    pages = [page(number, 0.22, terms=[number % 7]) for number in range(60)]
    first = PageClassifier(0.2, samples=[text(1)]).add(pages[0])
    assert first == Judgment(pytest.approx(1.1 / 2.1), True)
    factor = 1 + 60 / 1_060
    words = [
        taught(pages, samples).judge(page(99, 0.5)).words for samples in ([], [text(*range(500))])
    ]
    assert words == pytest.approx([2.5 / 3.5, 2.5 / (2.5 + factor)])
    unlike = [
        taught(pages, [text(*range(500))], agreement).judge(page(99, 0.5)).words
        for agreement in (0.0, 0.5)
    ]
    assert unlike == pytest.approx([2.5 / 3.5, 2.5 / (2.5 + (1 + factor) / 2)])


@pytest.mark.parametrize(
    ("threshold", "pages", "factor"),
    [
        (0.1, 0, 1),
        (0.1, 250, 1.2),
        (0.1, 1_000, 1.5),
        (0.1, 9_000, 1.9),
        (0.2, 1_000, 1.25),
        (0.25, 1_000, 1),
        (0.4, 1_000, 1),
    ],
)
def test_samples_raise_what_counts_as_sure_up_to_the_usual_threshold(
    threshold: float, pages: int, factor: float
) -> None:
    assert samples_factor(threshold, pages) == pytest.approx(factor)


def test_a_page_that_is_judged_between_two_rounds_has_the_threshold_of_the_last_one() -> None:
    pages = [
        page(number, 0.1 + 0.3 * (number % 5 == 0), terms=[number % 5]) for number in range(90)
    ]
    classifier = taught(pages, [text(0)])
    for it in pages:
        between, after = classifier.judge(it), classifier.judgment(it.id)
        assert after is not None
        assert (between.words, between.kept) == (pytest.approx(after.words), after.kept)

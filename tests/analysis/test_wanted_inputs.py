"""Inputs that only some strategies want are computed for these only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.small_web import ON_TOPIC, link, page
from topiccrawl.analysis.features import PAGE_TERMS, feature_id, page_term_ids
from topiccrawl.analysis.page import PageAnalysis
from topiccrawl.analysis.reader import make_reader
from topiccrawl.crawl.queue.ordering import page_view
from topiccrawl.page.page import Page
from topiccrawl.scoring.classifier.rows import TERMS as CLASSIFIER_TERMS
from topiccrawl.scoring.strategies import STRATEGIES, make_strategy
from topiccrawl.scoring.strategy import PageView
from topiccrawl.scoring.vsm import TermVector
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.canonical import canonical_url

HOME = "http://a.example/news/"


def view(topic: Topic, *names: str, classified: bool = True) -> PageView:
    reader = make_reader(topic, [make_strategy(name) for name in names], classified=classified)
    many = " ".join(f"word{i}" for i in range(2 * CLASSIFIER_TERMS))
    source = Page(
        HOME,
        page("侨务要闻", ON_TOPIC * 3 + many, link("/1", "归侨")),
        declared_charset="utf-8",
    )
    analysis = PageAnalysis(source, topic, reader, canonical_url)
    return page_view(HOME, analysis)


def computed(found: PageView) -> set[str]:
    arrays: dict[str, NDArray[Any]] = {
        "features": found.links.features,
        # The classifier gets the heaviest ones in any case.
        "terms": found.term_ids[CLASSIFIER_TERMS:],
        "semantic": found.semantic,
        "semantic links": found.links.semantic,
    }
    return {name for name, array in arrays.items() if array.size}


@pytest.mark.parametrize("name", STRATEGIES)
def test_each_strategy_gets_what_it_wants_and_nothing_else(topic: Topic, name: str) -> None:
    expected = {
        "svm-hits": {"terms"},
        "semantic": {"semantic", "semantic links"},
        "infospiders": {"features", "terms"},
        "adaptive": {"features"},
    }
    assert computed(view(topic, name)) == expected.get(name, set())


def test_without_a_page_classifier_nothing_is_computed_for_it(topic: Topic) -> None:
    found = view(topic, "rw")
    assert len(found.term_ids) == CLASSIFIER_TERMS
    assert found.title_hit
    assert len(found.folders)
    off = view(topic, "rw", classified=False)
    assert (len(off.term_ids), len(off.term_weights), len(off.folders)) == (0, 0, 0)
    assert not off.title_hit
    assert off.relevance == found.relevance
    assert len(view(topic, "svm-hits", classified=False).term_ids) > CLASSIFIER_TERMS


def test_one_reader_serves_several_strategies(topic: Topic) -> None:
    found = view(topic, "rw", "semantic", "infospiders")
    assert computed(found) == {"features", "terms", "semantic", "semantic links"}
    assert found.semantic[1] > 0.5
    assert found.links.semantic[0, 0] > 0.5
    assert feature_id("anchor", "华侨") in found.term_ids, "as in an anchor"


def test_the_terms_of_a_page_are_its_heaviest_with_norm_one() -> None:
    term_ids, weights = page_term_ids(
        TermVector({f"w{i}": 1.0 + i for i in range(PAGE_TERMS + 50)})
    )
    assert feature_id("anchor", "w0") not in term_ids
    assert feature_id("anchor", f"w{PAGE_TERMS + 49}") == term_ids[0]
    assert len(set(term_ids.tolist())) == len(term_ids) == len(weights) <= PAGE_TERMS
    assert np.linalg.norm(weights) == pytest.approx(1.0)
    assert page_term_ids(TermVector({}))[0].shape == (0,)

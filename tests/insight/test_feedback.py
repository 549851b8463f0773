"""What judgments change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from tests.support.headlines import headline
from topiccrawl.insight.feedback import Judged, effect, learn, left_out
from topiccrawl.insight.overview import Overview


def test_without_judgments_nothing_changes() -> None:
    assert learn([]).probability(["侨批"], 0.3) == pytest.approx(0.3)
    assert learn([Judged([], True, 0.5)]).weights == {}


def test_a_judgment_moves_pages_with_the_same_terms() -> None:
    correction = learn([Judged(["球赛", "比分"], False, 0.8)])
    assert correction.probability(["球赛", "比分"], 0.8) < 0.8
    assert correction.probability(["球赛", "门票"], 0.8) < 0.8
    assert correction.probability(["侨批"], 0.8) == pytest.approx(0.8)


def test_judgments_that_confirm_teach_little() -> None:
    confirmed = learn([Judged(["侨批"], True, 0.97)]).weights["侨批"]
    contradicted = learn([Judged(["侨批"], True, 0.1)]).weights["侨批"]
    assert 0 < confirmed < contradicted / 4


def test_terms_judged_both_ways_cancel_out() -> None:
    found = learn([Judged(["天气"], True, 0.5), Judged(["天气"], False, 0.5)])
    assert found.weights["天气"] == pytest.approx(0, abs=1e-6)


@given(
    st.lists(
        st.tuples(st.sets(st.sampled_from("甲乙丙丁"), min_size=1), st.booleans()),
        min_size=2,
        max_size=12,
    )
)
def test_weights_are_those_of_a_logistic_regression(rows: list[tuple[set[str], bool]]) -> None:
    """With even priors it is scikit-learn's, whose C is the inverse of the penalty."""
    if len({relevant for _, relevant in rows}) < 2:
        return
    found = learn([Judged(sorted(terms), relevant, 0.5) for terms, relevant in rows])
    names = sorted(found.weights)
    features = [[(name in terms) / np.sqrt(len(terms)) for name in names] for terms, _ in rows]
    oracle = LogisticRegression(C=2.0, fit_intercept=False, tol=1e-8, max_iter=1000)
    oracle.fit(features, [relevant for _, relevant in rows])
    assert [found.weights[name] for name in names] == pytest.approx(oracle.coef_[0], abs=2e-3)


def test_a_left_out_page_is_judged_by_what_the_others_teach() -> None:
    pages = [Judged(["球赛", f"词{n}"], False, 0.8) for n in range(6)]
    assert left_out(pages)[0] == 0
    assert left_out(pages)[1] == 6
    assert left_out([]) == (0, 0)


def test_the_effect_on_a_collection_agrees_with_each_page() -> None:
    correction = learn([Judged(["球赛"], False, 0.9), Judged(["侨批"], True, 0.2)] * 5)
    rows = [(0.6, ("球赛", "甲")), (0.4, ("侨批",)), (0.9, ()), (None, ("乙",)), (0.55, ("球赛",))]
    pages = [
        headline(n, probability=prior, relevance=0.45, keywords=terms)
        for n, (prior, terms) in enumerate(rows)
    ]
    pages.append(headline(9, probability=0.6, keywords=("球赛",), copy_of="x"))
    found = effect(Overview.of(pages), correction)
    assert (found.leaving, found.rising) == (2, 1)
    assert {it.row for it in found.moved} == {0, 1, 4}
    for it in found.moved:
        prior, terms = rows[it.row]
        assert it.before == pytest.approx(prior)
        assert it.after == pytest.approx(correction.probability(terms, prior or 0), abs=1e-6)
    assert found.unsure[0] == 3


def test_an_empty_collection_is_not_changed() -> None:
    assert effect(Overview.of([]), learn([Judged(["甲"], True, 0.1)])).moved == []

"""The pages that the keywords are sure of."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.scoring.arrays import FloatArray, IdArray
from topiccrawl.scoring.classifier import start


def one(own: FloatArray) -> IdArray:
    """Return the domains of pages of one site."""
    return np.zeros(len(own), dtype=np.int64)


def test_evidence_is_one_at_the_threshold_and_a_title_doubles_it() -> None:
    found = start.evidence(np.array([0.2, 0.2, 0.1, 0]), np.array([0, 1, 1, 1], dtype=bool), 0.2)
    assert found.tolist() == [1, 2, 1, 0]


def test_neighbors_weigh_as_in_the_dense_formula() -> None:
    rng = np.random.default_rng(1)
    own, linked = 3 * rng.random(30), rng.random((30, 30)) < 0.1
    source, target = np.nonzero(linked)
    wanted = []
    for page in range(30):
        around = np.append(target[source == page], source[target == page])
        mean = np.minimum(own[around], 2).mean() if len(around) else 0
        wanted.append(own[page] * (0.1 + mean))
    np.testing.assert_allclose(own * start.neighbor_factor(own, source, target), wanted)


def test_a_page_without_neighbors_keeps_a_tenth_of_its_evidence() -> None:
    none = np.empty(0, dtype=np.int64)
    np.testing.assert_allclose(start.neighbor_factor(np.array([3.0, 0]), none, none), [0.1, 0.1])


def test_the_better_half_of_the_sure_pages_is_positive() -> None:
    own = np.append(np.linspace(1, 3, 100), np.zeros(900))
    found = start.positives(own, own, one(own))
    assert np.flatnonzero(found).tolist() == list(range(50, 100))


def test_at_most_half_of_the_positives_are_of_one_domain_while_others_are_sure() -> None:
    own = np.concatenate([np.linspace(4, 5, 100), np.linspace(1, 3, 100), np.zeros(800)])
    domain = np.arange(1_000) // 100
    found = np.flatnonzero(start.positives(own, own, domain))
    assert found.tolist() == [*range(50, 100), *range(150, 200)]
    # With 20 sure pages on other sites, there are 30 positives, as many of either.
    own[120:] = 0
    found = np.flatnonzero(start.positives(own, own, domain))
    assert found.tolist() == [*range(85, 100), *range(105, 120)]
    # Without any, the best pages are taken, and of a site that has nearly all pages nearly all.
    own[100:] = 0.9
    assert np.flatnonzero(start.positives(own, own, domain)).tolist() == list(range(70, 100))
    own[100:120] = 1
    domain[:] = 0
    domain[100:120] = 1
    assert np.flatnonzero(start.positives(own, own, domain)).tolist() == list(range(41, 101))


def test_a_few_sure_pages_on_other_sites_do_not_limit_the_site_of_the_topic() -> None:
    # 60 sure pages of one site, and 14 that have the words by chance and would be half of the 18 positives.
    own = np.concatenate([np.linspace(4, 5, 60), np.full(14, 1.5), np.zeros(276)])
    domain = np.repeat([0, 1], [60, 290])
    found = np.flatnonzero(start.positives(own, own, domain))
    assert found.tolist() == list(range(42, 60))
    own[74] = 1.5
    found = np.flatnonzero(start.positives(own, own, domain))
    assert found.tolist() == [*range(51, 60), *range(60, 69)]


def test_a_young_crawl_needs_few_positives() -> None:
    own = np.linspace(0.1, 0.9, 60)
    assert np.flatnonzero(start.positives(own, own, one(own))).tolist() == [57, 58, 59]


@given(st.lists(st.floats(0, 5), max_size=80))
def test_no_page_without_evidence_is_positive(values: list[float]) -> None:
    own = np.array(values)
    chosen = start.positives(own, own, one(own))
    assert not chosen[own == 0].any()
    if (own >= start.WEAK).any():
        assert chosen.any()
        assert own[chosen].min() >= np.max(own[~chosen], initial=0)


def test_pages_are_within_reach_that_could_replace_the_last_positive() -> None:
    own = np.append(np.linspace(1, 3, 100), np.zeros(900))
    factor = np.ones(1_000)
    # The last positive has 2.01 of evidence; half of it is within reach.
    highest = np.linspace(3, 0, 1_000)
    found = start.within_reach(own, highest, factor, one(own))
    assert found.tolist() == (highest >= 1.005).tolist()
    factor[::2] = 0.1
    few = start.within_reach(own, highest, factor, one(own))
    assert few.sum() > 300
    none = np.zeros(60)
    assert start.within_reach(none, np.full(60, 0.31), np.ones(60), one(none)).all()
    assert not start.within_reach(none, np.full(60, 0.29), np.ones(60), one(none)).any()
    nothing = np.zeros(0)
    assert start.within_reach(nothing, nothing, nothing, one(nothing)).shape == (0,)


@given(
    st.lists(
        st.tuples(st.floats(0, 4), st.floats(0.1, 2), st.integers(0, 2)), min_size=1, max_size=80
    )
)
def test_positives_by_the_words_alone_are_within_reach(
    values: list[tuple[float, float, int]],
) -> None:
    own, factor, domain = np.array(values).T
    chosen = start.positives(own, own * factor, domain)
    assert not (chosen & ~start.within_reach(own, own, factor, domain)).any()

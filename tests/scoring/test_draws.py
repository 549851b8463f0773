from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from topiccrawl.scoring.draws import link_draws

INT64 = st.integers(-(2**63), 2**63 - 1)
MASK = 2**64 - 1


def splitmix_finalize(z: int) -> int:
    """SplitMix64's finalizer in exact integers: the oracle for the wrapping array form."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def oracle(seed: int, source: int, target: int) -> tuple[float, float]:
    gamma = 0x9E3779B97F4A7C15
    state = splitmix_finalize(splitmix_finalize((seed + gamma) & MASK) ^ (source & MASK))
    key = splitmix_finalize(((state + gamma) & MASK) ^ (target & MASK))
    first = splitmix_finalize((key + gamma) & MASK)
    second = splitmix_finalize((key + 2 * gamma) & MASK)
    return (first >> 11) / 2**53, (second >> 11) / 2**53


def test_the_finalizer_is_the_published_splitmix64() -> None:
    # First output of SplitMix64 seeded with 0, from the reference implementation.
    assert splitmix_finalize(0x9E3779B97F4A7C15) == 0xE220A8397B1DCDAF


@given(st.integers(), INT64, st.lists(INT64, max_size=20))
def test_draws_equal_exact_integer_arithmetic(seed: int, source: int, targets: list[int]) -> None:
    p1, p2 = link_draws(seed, source, np.array(targets, dtype=np.int64))
    expected = [oracle(seed, source, target) for target in targets]
    assert list(zip(p1.tolist(), p2.tolist(), strict=True)) == expected


@pytest.mark.parametrize(
    ("seed", "source", "target", "expected"),
    [
        pytest.param(
            0,
            0,
            0,
            (0.3660577160841394, 0.26405596930022257),
            id="all zero is no fixed point",
        ),
        pytest.param(
            1, -5, 2**63 - 1, (0.7724500322107737, 0.39759872012967423), id="signed ids at the edge"
        ),
        pytest.param(
            -1, 2**62, -(2**63), (0.14308249511170246, 0.4468558758546547), id="negative seed"
        ),
    ],
)
def test_draws_are_pinned_across_platforms_and_versions(
    seed: int, source: int, target: int, expected: tuple[float, float]
) -> None:
    p1, p2 = link_draws(seed, source, np.array([target], dtype=np.int64))
    assert (p1[0], p2[0]) == expected


@given(st.integers(0, 1000), INT64, st.lists(INT64, min_size=2, max_size=20))
def test_a_link_keeps_its_draws_whatever_links_stand_beside_it(
    seed: int, source: int, targets: list[int]
) -> None:
    whole = link_draws(seed, source, np.array(targets, dtype=np.int64))
    part = link_draws(seed, source, np.array(targets[1:], dtype=np.int64))
    assert np.array_equal(whole[0][1:], part[0])
    assert np.array_equal(whole[1][1:], part[1])


def test_seed_source_and_target_each_change_the_draws() -> None:
    target = np.array([7], dtype=np.int64)
    drawn = {
        link_draws(seed, source, target + shift)[0][0]
        for seed in range(5)
        for source in range(5)
        for shift in range(5)
    }
    assert len(drawn) == 125


def test_swapping_source_and_target_changes_the_draws() -> None:
    there = link_draws(3, 10, np.array([20], dtype=np.int64))
    back = link_draws(3, 20, np.array([10], dtype=np.int64))
    assert there[0][0] != back[0][0]


@pytest.mark.parametrize(
    "targets",
    [
        pytest.param(
            np.arange(200_000, dtype=np.int64), id="consecutive ids, the worst for a hash"
        ),
        pytest.param(np.arange(200_000, dtype=np.int64) << 40, id="only high bits differ"),
    ],
)
def test_draws_are_uniform_and_independent(targets: np.ndarray) -> None:
    p1, p2 = link_draws(11, 42, targets)
    for p in (p1, p2):
        assert p.min() >= 0
        assert p.max() < 1
        assert stats.kstest(p, "uniform").pvalue > 1e-3
    bound = 4 / np.sqrt(len(targets))
    assert abs(np.corrcoef(p1, p2)[0, 1]) < bound
    assert abs(np.corrcoef(p1[:-1], p1[1:])[0, 1]) < bound
    cells = np.histogram2d(p1, p2, bins=16)[0].ravel()
    assert stats.chisquare(cells).pvalue > 1e-3


def test_draws_of_one_target_are_uniform_over_its_sources() -> None:
    target = np.array([99], dtype=np.int64)
    p1 = np.array([link_draws(5, source, target)[0][0] for source in range(5_000)])
    assert stats.kstest(p1, "uniform").pvalue > 1e-3


def test_a_page_without_links_draws_nothing() -> None:
    p1, p2 = link_draws(0, 1, np.empty(0, dtype=np.int64))
    assert p1.shape == p2.shape == (0,)

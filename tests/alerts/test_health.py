"""Checks of a crawl's health."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from topiccrawl.alerts.health import HealthSample, HealthWatch
from topiccrawl.alerts.rules import HealthRule

START = datetime(2026, 3, 2, 8, tzinfo=UTC)
RULE = HealthRule(name="health")
GOOD = HealthSample(
    at=START, hosts=20, queued=500, leased=8, disk_free=50_000_000_000, requests=100
)


def after(minutes: int, **changes: object) -> HealthSample:
    """A good sample, with changes."""
    given = {"requests": 100 * (minutes + 1), **changes}
    return replace(GOOD, at=START + timedelta(minutes=minutes), **given)  # type: ignore[arg-type]


def first(watch: HealthWatch, samples: list[HealthSample]) -> int | None:
    """The number of the first sample with a problem."""
    return next((i for i, it in enumerate(samples) if watch.observe(it)), None)


def crawl(minutes: int, rates: list[tuple[float, float]]) -> list[HealthSample]:
    """A crawl of 150 pages a minute; each stretch has a harvest rate and a mean score of its links."""
    samples = [after(0)]
    rng = np.random.default_rng(len(rates))
    for minute in range(1, minutes * len(rates) + 1):
        rate, score = rates[(minute - 1) // minutes]
        last = samples[-1]
        samples.append(
            after(
                minute,
                pages=last.pages + 150,
                relevant=last.relevant + int(rng.binomial(150, rate)),
                scores=last.scores + 150 * score,
            )
        )
    return samples


def test_a_collapse_of_the_harvest_is_seen_within_two_intervals() -> None:
    samples = crawl(5, [(0.4, 0.7), (0.0, 0.7)])
    found = first(HealthWatch(RULE), samples)
    assert found is not None
    assert 5 < found <= 5 + 2


def test_a_topic_that_is_exhausted_is_no_collapse() -> None:
    samples = crawl(5, [(0.7, 0.8), (0.3, 0.6), (0.05, 0.2), (0.0, 0.05), (0.0, 0.02)])
    assert first(HealthWatch(RULE), samples) is None


def test_a_harvest_that_falls_slowly_is_no_collapse() -> None:
    samples = crawl(4, [(0.5, 0.5), (0.4, 0.5), (0.3, 0.5), (0.2, 0.5), (0.15, 0.5), (0.1, 0.5)])
    assert first(HealthWatch(RULE), samples) is None


@pytest.mark.parametrize(
    ("check", "bad"),
    [
        ("blocks", {"blocking": ("a.example", "b.example"), "hosts": 3}),
        ("queue", {"queued": 0, "leased": 0, "requests": 7}),
        ("disk", {"disk_free": 900_000_000}),
        ("store", {"store_away": True, "waiting": 3}),
        ("store", {"waiting": 5_000}),
    ],
)
def test_each_problem_is_reported_once_within_two_intervals(
    check: str, bad: dict[str, object]
) -> None:
    watch = HealthWatch(RULE)
    assert not watch.observe(after(0))
    begun = [(i, it) for i in range(1, 9) for it in watch.observe(after(i, **bad))]
    assert [it[0] for _i, it in begun] == [check]
    assert begun[0][0] <= 2
    assert not watch.observe(after(9))
    assert not watch.observe(after(10))
    again = [it for i in range(11, 14) for it in watch.observe(after(i, **bad))]
    assert [it[:2] for it in again] == [(check, 2)]


def test_a_problem_that_comes_and_goes_is_one_episode() -> None:
    watch = HealthWatch(RULE)
    bad: dict[str, object] = {"disk_free": 1}
    begun = [it for i in range(12) for it in watch.observe(after(i, **(bad if i % 2 else {})))]
    assert len(begun) == 1


def test_one_host_that_blocks_among_many_is_normal() -> None:
    watch = HealthWatch(RULE)
    assert not any(watch.observe(after(i, blocking=("a.example",))) for i in range(5))


def test_a_crawl_of_one_host_that_blocks_is_a_problem() -> None:
    watch = HealthWatch(RULE)
    assert watch.observe(after(0, blocking=("a.example",), hosts=1))


def test_a_check_that_the_rule_does_not_name_is_not_made() -> None:
    watch = HealthWatch(HealthRule(name="disk", checks=("disk",)))
    assert not watch.observe(after(0, waiting=10**6))


def test_a_store_that_is_away_for_a_moment_is_normal() -> None:
    watch = HealthWatch(RULE)
    assert not any(watch.observe(after(i, store_away=i % 2 == 0)) for i in range(6))

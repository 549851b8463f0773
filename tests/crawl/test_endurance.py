"""Crawls that are killed keep everything: each page of a known web is stored, few are fetched twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.endurance import Outcome, Plan, endure
from tests.support import mongo_server, redis_server
from tests.support.forked import start_logged

pytestmark = pytest.mark.slow


def run(folder: Path, **plan: object) -> Outcome:
    """A short plan: the long ones are commands (``python -m benchmarks.endurance``)."""
    short = {"pages": 180, "hosts": 20, "latency": (0.02, 0.3)}
    short |= {"requests": 8, "concurrency": 1}
    return endure(Plan(**(short | plan)), folder, start_logged)


@pytest.fixture
def redis(tmp_path: Path) -> None:
    if redis_server.executable() is None:
        pytest.skip(redis_server.HOW_TO_GET_ONE)


def check(outcome: Outcome, kills: int) -> None:
    assert outcome.kills == kills
    assert outcome.missing == []
    assert outcome.strange == []
    assert outcome.fetched_twice <= outcome.in_flight
    assert outcome.exits == [0] * len(outcome.exits)
    assert outcome.spacing_errors == []
    assert outcome.story_errors == []


def test_a_worker_on_sqlite_that_is_killed_goes_on_with_the_same_command(tmp_path: Path) -> None:
    check(run(tmp_path, kills=3, copies=4), kills=3)


def test_workers_on_one_redis_take_over_what_killed_ones_held(tmp_path: Path, redis: None) -> None:
    check(run(tmp_path, frontier="redis", workers=2, kills=2, pages=220, copies=4), kills=2)


def test_a_redis_that_is_killed_and_started_again_loses_nothing(
    tmp_path: Path, redis: None
) -> None:
    outcome = run(tmp_path, frontier="redis", workers=2, victim="redis", kills=2, pages=220)
    check(outcome, kills=2)
    assert outcome.fetched_twice == 0


def test_a_database_that_goes_away_for_a_while_loses_nothing(tmp_path: Path) -> None:
    if mongo_server.given_executable() is None:
        pytest.skip(mongo_server.HOW_TO_GET_A_KILLABLE_ONE)
    outcome = run(tmp_path, victim="mongodb", kills=1, away=2.0)
    check(outcome, kills=1)
    assert outcome.fetched_twice == 0


def test_three_workers_choose_the_best_link_of_all(tmp_path: Path, redis: None) -> None:
    outcome = run(
        tmp_path, frontier="redis", workers=3, victim="nothing", strategy="rw", delay=0.3, slack=2.0
    )
    check(outcome, kills=0)
    # The slack is for a busy machine; any order but the best one passes over half of them.
    assert outcome.out_of_order <= 0.05 * outcome.ordered

"""Days of revisits on the changing demonstration web, on a simulated clock."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.freshness.seven_days import simulate

pytestmark = pytest.mark.slow


def test_lists_are_polled_in_time_and_rotating_templates_are_no_changes(tmp_path: Path) -> None:
    week = asyncio.run(
        simulate(tmp_path, size=100_000, days=2.0, pages=600, per_day=30, hosts=3, seed=4)
    )
    assert week.article_visits > 20
    assert week.changes_found > 0
    assert week.false_changes == 0
    assert week.changes_missed == 0
    assert week.versions > 0
    assert week.most_list_visits_a_day <= 8
    assert week.entries > 10
    assert week.catch_rate >= 0.85

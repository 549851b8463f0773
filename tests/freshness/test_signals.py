"""What is learned of sources that state changes."""

from __future__ import annotations

import numpy as np
import pytest

from topiccrawl.freshness.signals import Trust


def drawn(recall: float, false: float, rate: float, days: float) -> Trust:
    """Return what is learned from 8,000 visits to pages of one site, *days* apart."""
    random = np.random.default_rng(3)
    trust = Trust()
    trust.appear(0)
    for _ in range(8_000):
        changes = random.poisson(rate * days)
        statements = random.binomial(changes, recall) + random.poisson(false * days)
        trust.visited(0, days, float(statements), float(changes))
    return trust


@pytest.mark.parametrize("days", [1.0, 10.0, 40.0])
def test_false_statements_are_counted_on_days_without_changes(days: float) -> None:
    assert drawn(0.5, 0.05, 0.05, days).false_rate(0) == pytest.approx(0.05, rel=0.2)


@pytest.mark.parametrize(("recall", "false"), [(0.1, 0.3), (0.3, 0.2), (0.8, 0.1)])
def test_false_statements_before_a_change_do_not_count_as_true_ones(
    recall: float, false: float
) -> None:
    assert drawn(recall, false, 0.01, 10.0).recall(0) == pytest.approx(recall, abs=0.1)

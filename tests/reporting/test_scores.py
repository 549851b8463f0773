"""Scores as they are shown."""

from __future__ import annotations

import math

import pytest

from topiccrawl.reporting.scale import short


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1000.0, "1000"),
        (-1234.5, "-1234"),
        (999.4, "999"),
        (0.25, "0.25"),
        (0, "0"),
        (1e9, "1e+09"),
    ],
)
def test_a_score_has_no_exponent_where_digits_do(value: float, shown: str) -> None:
    assert short(value) == shown


def test_what_is_no_number_is_a_dash() -> None:
    assert short(math.nan) == short(math.inf) == "—"

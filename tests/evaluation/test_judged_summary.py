"""Means, sums and noise of the crawler's judgments over runs, against values worked out by hand."""

from __future__ import annotations

import math

import pytest

from topiccrawl.evaluation.results.judged import judged_pages
from topiccrawl.evaluation.results.judged_summary import (
    CRAWLER,
    WHOLE_WEB,
    JudgedRow,
    Wins,
    judged_bands,
    summarize_judged,
)
from topiccrawl.evaluation.results.metrics import measure
from topiccrawl.evaluation.results.records import Curves, Results, RunRecord


def record(
    topic: str, seeds: str, kept: str, relevant: str, *, repeat: int = 0, strategy: str = "s",
    p: float = 0.5, web: bool = False,
) -> RunRecord:  # fmt: skip
    """A run whose pages are kept and relevant where the texts have a 1; half of them at 500."""
    n = len(kept)

    def judged(at: int, pages: int) -> object:
        flags = [c == "1" for c in kept[:pages]]
        wanted = [c == "1" for c in relevant[:pages]]
        naive = {"one keyword": [True] * pages}
        return judged_pages(at, [p] * pages, flags, naive, wanted, [True] * pages)

    return RunRecord(
        topic, seeds, strategy, repeat, True, measure([], set(), set(), 0), 0.5, None,
        Curves([], [], [], []), 1.0,
        judged=[judged(500, n // 2), judged(600, n)],  # type: ignore[list-item]
        web=judged(600, n) if web else None,  # type: ignore[arg-type]
    )  # fmt: skip


def results(*runs: RunRecord) -> Results:
    found = Results({}, 10)
    for run in runs:
        found.add(run)
    return found


def row(rows: list[JudgedRow], at: str, seeds: str, strategy: str = "s") -> JudgedRow:
    (found,) = [r for r in rows if (r.at, r.seeds, r.strategy) == (at, seeds, strategy)]
    return found


def test_figures_are_means_over_topics_and_kept_pages_are_sums() -> None:
    both = results(
        record("a", "near", "1100", "1010"),  # precision 1/2, recall 1/2
        record("b", "near", "1111", "1110"),  # precision 3/4, recall 1
    )
    found = row(summarize_judged(both, ["s"]), "600", "near")
    own = found.judges[CRAWLER]
    assert own.precision.mean == pytest.approx((1 / 2 + 3 / 4) / 2)
    assert own.recall.mean == pytest.approx((1 / 2 + 1) / 2)
    assert own.f1.mean == pytest.approx((1 / 2 + 6 / 7) / 2)
    assert (own.right, own.kept) == (4, 6)
    naive = found.judges["one keyword"]
    assert (naive.right, naive.kept) == (5, 8)
    half = row(summarize_judged(both, ["s"]), "500", "near")
    assert (half.judges[CRAWLER].right, half.judges[CRAWLER].kept) == (3, 4)


def test_repeats_are_averaged_before_they_are_summed_and_give_a_deviation() -> None:
    both = results(
        record("a", "near", "1100", "1111"), record("a", "near", "1111", "1111", repeat=1)
    )
    own = row(summarize_judged(both, ["s"]), "600", "near").judges[CRAWLER]
    assert own.right == 3
    assert own.recall.mean == pytest.approx(0.75)
    assert own.recall.repeat_sd == pytest.approx(math.sqrt(2) * 0.25)
    assert own.recall.seed_sd is None


def test_drawn_seed_sets_are_one_group_with_a_deviation() -> None:
    both = results(
        record("a", "drawn-near#1", "1100", "1111"), record("a", "drawn-near#2", "1111", "1111"),
        record("a", "far", "0000", "1111"),
    )  # fmt: skip
    rows = summarize_judged(both, ["s"])
    assert {r.seeds for r in rows} == {"drawn-near", "far", "all"}
    near = row(rows, "600", "drawn-near").judges[CRAWLER].recall
    assert near.mean == pytest.approx(0.75)
    assert near.seed_sd == pytest.approx(math.sqrt(2) * 0.25)
    assert row(rows, "600", "all").judges[CRAWLER].recall.seed_sd is None


def test_calibration_is_of_the_pages_of_all_runs_together() -> None:
    # Eight pages at .5, of which five are relevant: the mean of the two runs' errors would be .25.
    both = results(
        record("a", "near", "1111", "1010"),
        record("b", "near", "1111", "1110"),
    )
    found = row(summarize_judged(both, ["s"]), "600", "near")
    assert found.calibration_error == pytest.approx(abs(0.5 - 5 / 8))
    assert found.calibration is not None
    assert sum(found.calibration.pages) == 8


def test_a_strategy_without_probabilities_has_no_calibration_and_rows_follow_the_ranking() -> None:
    both = results(
        record("a", "near", "11", "10"),
        record("a", "near", "11", "11", strategy="h", p=math.nan),
    )
    rows = summarize_judged(both, ["h", "s"])
    assert [r.strategy for r in rows if r.at == "600"] == ["h", "s"]
    assert row(rows, "600", "near", "h").calibration_error is None
    assert row(rows, "600", "near", "h").auc.mean is None


def test_cells_are_counted_in_which_the_crawler_is_better() -> None:
    found = results(
        record("a", "near", "1100", "1100"),  # F1 1, naive 2/3
        record("b", "near", "1000", "1111"),  # F1 2/5, naive 1
        record("a", "near", "1000", "1100", strategy="home-made", p=math.nan),
        record("b", "near", "1000", "1111", strategy="home-made", p=math.nan),
    )
    rows = summarize_judged(found, ["s", "home-made"])
    assert row(rows, "600", "near").above_naive == Wins(1, 2)
    assert row(rows, "600", "near").above_home_made == Wins(1, 2), "as many is not more"
    assert row(rows, "600", "near", "home-made").above_home_made == Wins(0, 0)


def test_the_whole_web_has_rows_if_it_was_judged() -> None:
    rows = summarize_judged(results(record("a", "near", "11", "10", web=True)), ["s"])
    assert row(rows, WHOLE_WEB, "near").judges[CRAWLER].precision.mean == 0.5
    rows = summarize_judged(results(record("a", "near", "11", "10")), ["s"])
    assert WHOLE_WEB not in {r.at for r in rows}


def test_curves_leave_out_checkpoints_where_nothing_is_kept() -> None:
    (band,) = judged_bands(results(record("a", "near", "0011", "0010")), "precision")
    assert (band.pages, band.mean) == ([600], [0.5])
    assert judged_bands(results(record("a", "near", "0000", "0010")), "precision") == []

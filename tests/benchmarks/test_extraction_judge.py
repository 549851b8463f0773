"""The judge of page analysis: what counts as right."""

from __future__ import annotations

import math

import pytest

from benchmarks.extraction_folds import deal, leave_sites_out
from benchmarks.extraction_judge import Expected, Found, interval, judge, summarize
from benchmarks.extraction_pages import Input


def expected(**more: object) -> Expected:
    fields: dict[str, object] = {
        "id": "1", "group": "g", "site": "a.example", "bodies": ("侨乡的老街昨日开放",),
    }  # fmt: skip
    return Expected(**{**fields, **more})  # type: ignore[arg-type]


def test_a_body_is_compared_without_white_space_and_forms_of_letters() -> None:
    row = judge(expected(bodies=("ABC侨乡",)), Found("ａｂ c\n\u200b侨 乡"))
    assert row.f1 == 1


def test_precision_and_recall_are_of_pairs_of_characters() -> None:
    row = judge(expected(bodies=("甲乙丙丁戊",)), Found("甲乙丙"))
    assert (row.precision, row.recall) == (1, 0.5)
    assert row.f1 == pytest.approx(2 / 3)


def test_the_best_of_the_accepted_bodies_counts() -> None:
    assert judge(expected(bodies=("甲乙丙", "甲乙丙丁")), Found("甲乙丙")).f1 == 1


@pytest.mark.parametrize(
    ("title", "right"), [("《侨乡》 老街", True), ("侨乡老街_新闻网", False), (None, False)]
)
def test_a_title_is_right_but_for_marks(title: str | None, right: bool) -> None:
    assert judge(expected(titles=("侨乡：老街",)), Found(title=title)).title is right


@pytest.mark.parametrize(
    ("found", "day", "minute"),
    [
        ("2023-04-01T10:05:33+08:00", True, True),
        ("2023-04-01", True, False),
        ("2023-04-02T10:05", False, False),
        (None, False, False),
    ],
)
def test_the_minute_needs_the_day(found: str | None, day: bool, minute: bool) -> None:
    row = judge(expected(published="2023-04-01T10:05"), Found(published=found))
    assert (row.day, row.minute) == (day, minute)


def test_pages_without_ground_truth_are_not_judged() -> None:
    row = judge(expected(published="2023-04-01"), Found("x", "t", "2023-04-01T10:05", "list"))
    assert (row.title, row.day, row.minute, row.kind, row.author) == (None, True, None, None, None)


def test_lists_are_judged_apart_from_bodies() -> None:
    rows = [
        judge(expected(), Found("侨乡的老街昨日开放")),
        judge(expected(bodies=("",)), Found("一些链接")),
        judge(expected(bodies=("",)), Found("")),
    ]
    score = summarize(rows)
    assert (score.f1, score.lists) == (1, 0.5)
    assert math.isnan(score.title)


def test_the_interval_is_of_sites_not_of_pages() -> None:
    low, high = interval([[1.0] * 50, [0.0] * 50])
    assert (low, high) == (0, 1)


def test_an_extractor_never_sees_the_sites_it_is_judged_on() -> None:
    pages = [
        Input(b"", "", None, None, expected(id=str(i), site=f"s{i % 7}.example")) for i in range(30)
    ]
    judged: list[str] = []

    def fit(kept):  # type: ignore[no-untyped-def]
        seen = {page.expected.site for page in kept}

        def extract(page: Input) -> Found:
            assert page.expected.site not in seen
            judged.append(page.expected.id)
            return Found(page.expected.bodies[0])

        return extract

    rows = leave_sites_out(fit, pages, pages[:3], parts=3)
    assert sorted(judged) == sorted(page.expected.id for page in pages)
    assert all(row.f1 == 1 for row in rows)


def test_more_parts_than_sites_are_refused() -> None:
    with pytest.raises(ValueError, match="between 2 and the 2 sites, got 3"):
        deal(["a", "b", "b"], 3, seed=0)

"""Names that occur in the same events are related, and drawn so that they can be read."""

from __future__ import annotations

import math
import random
from datetime import UTC, datetime

import pytest
from scipy.stats import chi2_contingency

from topiccrawl.insight.stories.events import EventRow
from topiccrawl.insight.stories.relations import Name, find_relations, log_likelihood
from topiccrawl.insight.stories.relations_drawing import HEIGHT, WIDTH, draw_relations

AT = datetime(2026, 3, 2, tzinfo=UTC)


def row(
    number: int, persons: tuple[str, ...], organizations: tuple[str, ...] = (), place: str = ""
) -> EventRow:
    return EventRow(
        id=f"{number:04}", name=f"事件{number}", persons=persons, organizations=organizations, place=place,
        first=AT, last=AT,
    )  # fmt: skip


def drawn(seed: int, count: int = 400) -> list[EventRow]:
    """Events with persons by chance, and with two pairs that always come together."""
    draw = random.Random(seed)
    rows = []
    for number in range(count):
        persons = tuple(f"人{it}" for it in draw.sample(range(40), 3))
        pair = [("甲长", "甲会"), ("乙长", "乙会")][number % 2]
        if number % 20 < 2:
            rows.append(row(number, (*persons, pair[0]), (pair[1],)))
        else:
            rows.append(row(number, persons))
    return rows


@pytest.mark.parametrize("counts", [(5, 9, 12, 100), (1, 1, 1, 50), (30, 40, 60, 100)])
def test_the_strength_is_the_likelihood_ratio_of_the_table(
    counts: tuple[int, int, int, int],
) -> None:
    both, first, second, total = counts
    table = [[both, first - both], [second - both, total - first - second + both]]
    oracle = chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic
    assert math.isclose(log_likelihood(*counts), oracle, rel_tol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_planted_pairs_are_the_strongest_relations(seed: int) -> None:
    found = find_relations(drawn(seed))
    pairs = {frozenset((it.first.text, it.second.text)) for it in found.relations[:2]}
    assert pairs == {frozenset(("甲长", "甲会")), frozenset(("乙长", "乙会"))}
    assert found.names[Name("person", "甲长")] == 20
    assert len(found.relations[0].events) == 8


def test_names_that_never_meet_are_not_related() -> None:
    rows = [row(1, ("甲", "乙")), row(2, ("丙", "丁"))]
    related = {frozenset((it.first.text, it.second.text)) for it in find_relations(rows).relations}
    assert related == {frozenset(("甲", "乙")), frozenset(("丙", "丁"))}


def test_a_drawing_is_inside_its_frame_and_its_labels_apart() -> None:
    found = find_relations(drawn(7))
    graph = draw_relations(found)
    assert graph is not None
    assert graph == draw_relations(found)
    for one in graph.names:
        assert 0 <= one.x <= WIDTH
        assert 0 <= one.y <= HEIGHT + 20
    known = {one.name for one in graph.names}
    assert all({it.relation.first, it.relation.second} <= known for it in graph.edges)


def test_nothing_has_no_drawing() -> None:
    assert draw_relations(find_relations([])) is None

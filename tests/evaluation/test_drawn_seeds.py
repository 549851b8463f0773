"""Seed sets drawn by chance: near ones are relevant pages, far ones lie two links away or more."""

from __future__ import annotations

import numpy as np
import pytest

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.experiment import seed_group
from topiccrawl.evaluation.judging.graph import WebGraph, build_graph
from topiccrawl.evaluation.judging.seeds import draw_seeds, drawn_names
from topiccrawl.evaluation.webs.web import WebTopic

#: A chain 0 -> 1 -> ... -> 29; 20 to 29 are relevant, 30 stands alone.
_LINKS = {**{n: [n + 1] for n in range(29)}, 29: [], 30: []}


def url(node: int) -> str:
    return f"http://w.example/{node}"


@pytest.fixture(name="graph")
def chain() -> WebGraph:
    return build_graph({url(n): (200, [url(t) for t in out]) for n, out in _LINKS.items()})


TOPIC = WebTopic("t", (), (), {}, frozenset(url(n) for n in range(20, 30)))


def numbers(urls: tuple[str, ...]) -> list[int]:
    return [int(each.rpartition("/")[2]) for each in urls]


def test_near_seeds_are_relevant_pages_with_links(graph: WebGraph) -> None:
    for k in range(1, 20):
        found = numbers(draw_seeds(graph, TOPIC, f"drawn-near#{k}"))
        assert len(set(found)) == 5
        assert all(20 <= n < 29 for n in found), "29 has no link"


def test_far_seeds_are_two_links_away_or_more_and_lead_to_the_topic(graph: WebGraph) -> None:
    drawn = {n for k in range(1, 40) for n in numbers(draw_seeds(graph, TOPIC, f"drawn-far#{k}"))}
    assert drawn == set(range(19)), "19 is one link away, 30 leads nowhere"


def test_the_same_name_draws_the_same_seeds_and_another_name_others(graph: WebGraph) -> None:
    first = draw_seeds(graph, TOPIC, "drawn-far#1")
    assert draw_seeds(graph, TOPIC, "drawn-far#1") == first
    assert len({draw_seeds(graph, TOPIC, f"drawn-far#{k}") for k in range(1, 9)}) > 1
    other = WebTopic("u", (), (), {}, TOPIC.relevant)
    assert draw_seeds(graph, other, "drawn-far#1") != first


def test_a_web_without_far_pages_has_no_far_seeds() -> None:
    graph = build_graph({url(0): (200, [url(1)]), url(1): (200, [url(0)])})
    topic = WebTopic("t", (), (), {}, frozenset({url(0)}))
    assert draw_seeds(graph, topic, "drawn-far#1") == ()
    assert draw_seeds(graph, topic, "drawn-near#1") == (url(0),)
    assert np.array_equal(graph.out[0], [1])


def test_drawn_sets_have_numbers_and_belong_to_two_groups() -> None:
    names = drawn_names("drawn:3")
    assert len(names) == 6
    assert {seed_group(name) for name in names} == {"drawn-near", "drawn-far"}
    assert drawn_names("near") == []
    for wrong in ("drawn:0", "drawn:x", "drawn:"):
        with pytest.raises(ConfigurationError, match="drawn:N needs a number"):
            drawn_names(wrong)

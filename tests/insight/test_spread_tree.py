"""The spread of a story as rows: every page once, sources before copies, and what speaks for the first one."""

from __future__ import annotations

import random

import pytest

from tests.support.story_pages import member
from topiccrawl.insight.stories.spread_drawing import MOST_DRAWN, spread_drawing
from topiccrawl.insight.stories.spread_tree import first_evidence, spread_tree
from topiccrawl.stories.members import StoryPage
from topiccrawl.stories.spread import spread


def story(seed: int, size: int = 60) -> list[StoryPage]:
    """A drawn story: each page names an earlier one, an outlet without a page, or nobody."""
    draw = random.Random(seed)
    members = [member("p0", 0)]
    for number in range(1, size):
        source = draw.choice((f"p{draw.randrange(number)}日报", "远方晚报", ""))
        hour = None if draw.random() < 0.1 else number + draw.random()
        members.append(member(f"p{number}", hour, source))
    return members


@pytest.mark.parametrize("seed", range(4))
def test_each_node_is_a_row_below_its_source(seed: int) -> None:
    members = story(seed)
    found = spread(members)
    tree = spread_tree(found, {it.url: it.published_at for it in members})
    assert sorted(row.id for row in tree.rows) == sorted(found.nodes)
    assert tree.hidden == 0
    place = {row.id: number for number, row in enumerate(tree.rows)}
    for row in tree.rows:
        if row.edge is None:
            assert row.depth == 0
            continue
        above = tree.rows[place[row.edge.source]]
        assert place[above.id] < place[row.id]
        assert row.depth == above.depth + 1
    copies = {row.id: 0 for row in tree.rows}
    for row in tree.rows:
        at = row
        while at.edge is not None:
            at = tree.rows[place[at.edge.source]]
            copies[at.id] += 1
    assert {row.id: row.below for row in tree.rows} == copies


def test_of_a_large_story_the_branches_with_most_pages_are_shown() -> None:
    members = story(1, 80)
    found = spread(members)
    tree = spread_tree(found, {it.url: it.published_at for it in members}, most=20)
    shown = {row.id for row in tree.rows}
    assert found.first in shown
    assert len(shown) + tree.hidden == len(found.nodes)
    assert all(row.edge is None or row.edge.source in shown for row in tree.rows)
    large = max((row for row in tree.rows if row.edge), key=lambda row: row.below)
    full = spread_tree(found, {}).rows
    assert large.below == max(row.below for row in full if row.edge)


def test_what_speaks_for_the_first_publisher_is_counted() -> None:
    members = [member("a", 1), member("b", 2, "a日报"), member("c", 3, "a日报"), member("d", 0.5)]
    evidence = first_evidence(members, "http://a.example/1.html")
    assert (evidence.named_by, evidence.earlier, evidence.dated) == (2, 1, 4)
    assert not evidence.is_own
    assert not evidence.names_another
    undated = [member("a", None), member("b", 2, "a日报")]
    assert first_evidence(undated, "http://a.example/1.html").earlier is None


def test_a_drawing_has_time_to_the_right_and_copies_right_of_their_sources() -> None:
    members = story(2)
    found = spread(members)
    drawing = spread_drawing(spread_tree(found, {it.url: it.published_at for it in members}).rows)
    assert drawing is not None
    assert len(drawing.nodes) == MOST_DRAWN
    places = {node.row.id: node for node in drawing.nodes}
    for node in drawing.nodes:
        assert drawing.left <= node.x <= drawing.width
        if node.row.edge:
            assert node.x > places[node.row.edge.source].x


def test_copies_with_clocks_before_their_source_do_not_stretch_a_drawing() -> None:
    members = [member("a", 5), member("b", 1, "a日报"), member("c", 7, "a日报")]
    found = spread(members)
    published = {it.url: it.published_at for it in members}
    drawing = spread_drawing(spread_tree(found, published).rows)
    assert drawing is not None
    assert drawing.start == published[found.first] == published["http://a.example/1.html"]
    assert drawing.nodes[0].x == drawing.left


def test_a_story_of_one_page_has_no_drawing() -> None:
    assert spread_drawing(spread_tree(spread([member("a", 1)]), {}).rows) is None

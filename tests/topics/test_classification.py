from __future__ import annotations

import pytest

from topiccrawl.topics.classification import Category, Classification, load_classification

CLC = load_classification()


def test_the_scheme_has_its_22_top_classes() -> None:
    assert "".join(c.code for c in CLC.children()) == "ABCDEFGHIJKNOPQRSTUVXZ"


def test_every_class_hangs_below_one_that_exists() -> None:
    below = [child for top in CLC.children() for child in CLC.children(top.code)]
    assert len(below) == 251
    assert all(child.code.startswith(child.parent or "?") for child in below)
    assert sum(child.alternative for child in below) == 11


@pytest.mark.parametrize(
    ("code", "nearest", "why"),
    [
        ("D6", "D6", "itself"),
        ("D", "D", "a top class"),
        ("D634", "D6", "below a stored one"),
        ("D634.1", "D6", "two levels below"),
        ("TP391.3", "TP", "two letters"),
        ("K815.2", "K81", "the longest prefix"),
        ("D35", "D33/37", "a member of a range"),
        ("D351.2", "D33/37", "below a member of a range"),
        ("I561", "I3/7", "a short range"),
        ("D33/37", "D33/37", "a range itself"),
        ("R-1", "R-1", "a class with a dash"),
        ("Y1", None, "no such top class"),
        ("D39", None, "outside the range, and D3 is no class"),
        ("T3", None, "T is divided by letters only"),
        ("d6", None, "codes are capitals"),
        ("D6x", None, "no code"),
        ("", None, "nothing"),
        ("政治", None, "a name"),
    ],
)
def test_nearest_class(code: str, nearest: str | None, why: str) -> None:
    found = CLC.nearest(code)
    assert (found.code if found else None) == nearest, why


def test_path_goes_from_the_top_down() -> None:
    assert [c.name for c in CLC.path("D634.2")] == ["政治、法律", "中国政治"]
    assert CLC.path("Y1") == []


def test_get_is_exact() -> None:
    assert CLC.get("G2") == Category("G2", "信息与知识传播", "G")
    assert CLC.get("G250") is None


def test_changing_the_children_does_not_change_the_tree() -> None:
    tree = Classification([Category("A", "a"), Category("A1", "b", "A")])
    tree.children("A").clear()
    assert [c.code for c in tree.children("A")] == ["A1"]

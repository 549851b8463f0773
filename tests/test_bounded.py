"""The dictionary that forgets its oldest entries."""

from __future__ import annotations

from topiccrawl.bounded import BoundedDict


def test_what_was_set_longest_ago_leaves() -> None:
    kept: BoundedDict[str, int] = BoundedDict(2)
    kept.update({"a": 1, "b": 2})
    kept["a"] = 3
    kept.setdefault("c", 4)
    assert list(kept.items()) == [("a", 3), ("c", 4)]


def test_what_is_used_stays_and_is_made_once() -> None:
    kept: BoundedDict[str, list[str]] = BoundedDict(2)
    kept.use("a", list).append("first")
    kept.use("b", list)
    assert kept.use("a", list) == ["first"]
    kept.use("c", list)
    assert list(kept) == ["a", "c"]

"""A cache of the latest entries."""

from __future__ import annotations

from topiccrawl.analysis.recent import Recent


def cache(most: int = 10, most_characters: int = 1_000) -> Recent[str, int]:
    return Recent(most, most_characters, len)


def test_entries_are_found_and_others_are_not() -> None:
    recent = cache()
    recent.add({"a": 1, "b": 0})
    assert recent.find(["a", "c", "b"]) == {"a": 1, "b": 0}


def test_what_is_used_stays_and_what_is_not_leaves() -> None:
    recent = cache()
    recent.add({"used": 1, "once": 2})
    for i in range(100):
        recent.add({str(i): i})
        assert recent.find(["used"]) == {"used": 1}
        assert len(recent) <= 10
    assert recent.find(["once", "1"]) == {}
    assert recent.find(["99", "98"]) == {"99": 99, "98": 98}


def test_long_keys_are_fewer() -> None:
    recent = cache(most=1_000, most_characters=100)
    for i in range(100):
        recent.add({f"{i:020}": i})
        assert len(recent) <= 5
    assert recent.find([f"{99:020}"]) == {f"{99:020}": 99}


def test_a_page_of_too_many_entries_is_not_kept() -> None:
    recent = cache()
    recent.add({"a": 1})
    recent.add({str(i): i for i in range(6)})
    assert recent.find(["a", "1"]) == {"a": 1}


def test_the_level_does_not_fall_when_the_cache_is_full() -> None:
    recent = cache(most=100)
    levels = []
    for i in range(1_000):
        recent.add({str(i): i})
        levels.append(len(recent))
    assert min(levels[100:]) >= 50
    assert max(levels) <= 100

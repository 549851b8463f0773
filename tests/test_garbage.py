"""Garbage of pages is collected soon."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator

import pytest

from topiccrawl.heap import collect_all, collect_later, collect_soon


class Page:
    """Garbage: a cycle with some objects."""

    def __init__(self) -> None:
        self.page = self
        self.parts: list[list[int]] = [[] for _ in range(100)]


@pytest.fixture
def _after() -> Iterator[None]:
    yield
    collect_all()


def most_alive() -> int:
    """Return how many pages there were at most, of which only the last 20 are in use."""
    in_flight: list[Page] = []
    known: weakref.WeakSet[Page] = weakref.WeakSet()
    most = 0
    for _ in range(8_000):
        in_flight = [*in_flight[-19:], Page()]
        known.add(in_flight[-1])
        most = max(most, len(known))
    return most


@pytest.mark.usefixtures("_after")
def test_garbage_is_collected_soon_beside_very_many_other_objects() -> None:
    others = [[i] for i in range(1_000_000)]
    collect_soon()
    assert most_alive() < 1_500
    del others


@pytest.mark.parametrize(("again", "most"), [(collect_soon, 1_500), (collect_all, 7_999)])
@pytest.mark.usefixtures("_after")
def test_none_is_collected_before_the_crawl_begins(again: Callable[[], None], most: int) -> None:
    collect_later()
    assert most_alive() == 8_000
    again()
    # How soon all objects are looked at depends on how many the process has.
    assert most_alive() <= most

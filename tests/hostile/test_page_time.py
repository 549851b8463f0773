"""The time of a page is linear in its size, whatever is on it.

``TOPICCRAWL_HOSTILE_BYTES=1000000`` for larger pages than CI has time for.
"""

from __future__ import annotations

import os
import time

import pytest

from tests.support.hostile_pages import HOSTILE_PAGES
from tests.support.whole_analysis import WholeAnalysis
from topiccrawl.page.outline import Outline
from topiccrawl.page.walk import walk

BYTES = int(os.environ.get("TOPICCRAWL_HOSTILE_BYTES", "80000"))
#: CPU seconds below which a page is fast, however they grow: caches, noise.
FLOOR = 0.08
#: Between linear (4) and quadratic (16).
MOST = 8.0


def seconds(analysis: WholeAnalysis, data: bytes) -> float:
    start = time.process_time()
    analysis(data)
    return time.process_time() - start


def growth(analysis: WholeAnalysis, name: str, size: int) -> float:
    """Time of a page over that of one of a quarter of its size; 1 if it is fast anyway."""
    make = HOSTILE_PAGES[name]
    large = seconds(analysis, make(size))
    if large <= FLOOR * MOST:
        return 1.0
    small = min(seconds(analysis, make(size // 4)) for _ in range(2))
    return min(large, *(seconds(analysis, make(size)) for _ in range(2))) / max(small, FLOOR)


@pytest.mark.parametrize("name", HOSTILE_PAGES)
def test_four_times_the_bytes_take_about_four_times_as_long(
    analysis: WholeAnalysis, name: str
) -> None:
    assert growth(analysis, name, BYTES) <= MOST


def test_quadratic_time_is_found(analysis: WholeAnalysis, monkeypatch: pytest.MonkeyPatch) -> None:
    def walk_again_and_again(text: str) -> Outline:
        assert all(text[at:].casefold() for at in range(0, len(text), 16))
        return walk(text)

    monkeypatch.setattr("topiccrawl.page.parsed.walk", walk_again_and_again)
    assert growth(analysis, "paragraphs", 200_000) > MOST

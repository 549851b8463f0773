"""Memory is returned to the system some time after large pages."""

from __future__ import annotations

import asyncio
import platform
import subprocess
import sys

import pytest

from topiccrawl.heap import HeapTrimmer, map_large_blocks, trim

#: Prints the megabytes that are left of 100, which were allocated between small blocks after a large one.
LEFT = """
from pathlib import Path
from topiccrawl.heap import map_large_blocks
if {mapped}:
    map_large_blocks()
megabytes = lambda: int(Path("/proc/self/statm").read_text().split()[1]) / 256
bytearray(30_000_000)
before = megabytes()
blocks = [(bytes(b"x" * 5_000_000), b"x" * 2000 + bytes([i])) for i in range(20)]
small = [it[1] for it in blocks]
del blocks
print(megabytes() - before)
"""


def left(*, mapped: bool) -> float:
    script = LEFT.format(mapped=mapped)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    return float(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="a parameter of glibc")
def test_large_blocks_are_returned_when_they_are_freed() -> None:
    assert left(mapped=True) < 10 < 50 < left(mapped=False)


def test_memory_is_returned_once_for_pages_in_a_row_and_again_for_later_ones() -> None:
    calls: list[int] = []
    heap = HeapTrimmer(lambda: calls.append(1), seconds=0.02)

    async def crawl() -> None:
        heap.large_page()
        heap.large_page()
        assert calls == []
        await asyncio.sleep(0.1)
        assert calls == [1]
        heap.large_page()
        await asyncio.sleep(0.1)
        assert calls == [1, 1]
        heap.large_page()
        heap.close()
        await asyncio.sleep(0.1)
        assert calls == [1, 1]

    asyncio.run(crawl())


def test_without_an_event_loop_and_on_every_c_library_nothing_fails() -> None:
    HeapTrimmer().large_page()
    map_large_blocks()
    trim()

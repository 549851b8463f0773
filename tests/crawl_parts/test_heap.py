"""Memory is returned to the system some time after large pages."""

from __future__ import annotations

import asyncio

from topiccrawl.crawl.heap import HeapTrimmer, trim


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
    trim()

"""Keep the memory of a long crawl level: collect garbage soon, return what large pages have left.

The C library keeps freed memory: after a crawl through pages of megabytes it holds hundreds of megabytes
that nothing uses.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
from collections.abc import Callable

#: Seconds after a large page until memory is returned: by then the page is stored (a guess).
_SECONDS = 10.0
#: Number of the parameter in glibc's malloc.h.
_M_MMAP_THRESHOLD = -3
#: Bytes of a large block.  Mapping costs a page fault for every 4 KB: from glibc's own 128 KiB on, the arrays of
#: ranking rounds, of up to 3 MiB, cost 500 faults a page of the crawl and 4 % of its CPU time; from 4 MiB on, 80
#: (2026-11).  Bodies of 4 MB count.  360 real pages, each twelfth of up to 2 MB, left 93 MB instead of 91.
_LARGE_BLOCK = 4 * 1024 * 1024


def map_large_blocks() -> None:
    """Have the C library return each large block when it is freed; does nothing where it is not glibc.

    By itself it keeps blocks of up to 32 MiB once some were freed (mallopt(3), M_MMAP_THRESHOLD), and small
    ones that are allocated between bodies of pages then hold all of that memory.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE_BLOCK)


def collect_later() -> None:
    """Have no garbage collected until :func:`collect_soon` or :func:`collect_all`.

    The start of a crawl loads 2,200 modules.  Of their 260,000 objects 1,700 were garbage, and collections took .4 of
    2.6 s of CPU time (2026-11).
    """
    gc.disable()


def collect_soon() -> None:
    """Have the garbage collector look at what the crawl makes only, until :func:`collect_all`.

    A full collection waits until the new objects are a quarter of those it has looked at before (CPython,
    ``gcmodule.c``).  These are 200,000 after the imports, so that 45 pages with their trees and texts waited
    after 6,000 pages (2026-11); and each collection looked at all of them.
    """
    gc.freeze()
    gc.collect()  # counts what was looked at
    gc.enable()


def collect_all() -> None:
    """Have the garbage collector look at all objects again."""
    gc.unfreeze()
    gc.enable()


def trim() -> None:
    """Return what the C library can spare; does nothing where it is not glibc."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


class HeapTrimmer:
    """Calls *trim* some seconds after large pages, once for all of them.

    8 pages of 4 MB left 466 MB instead of 272; trimmed, 370 (2026-11, glibc 2.36).
    """

    def __init__(self, trim: Callable[[], object] = trim, seconds: float = _SECONDS) -> None:
        self._trim = trim
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def large_page(self) -> None:
        """Record that a large page is being analyzed."""
        if self._timer is None:
            with contextlib.suppress(RuntimeError):  # no event loop
                self._timer = asyncio.get_running_loop().call_later(self._seconds, self._run)

    def close(self) -> None:
        """Forget the timer."""
        if self._timer is not None:
            self._timer.cancel()

    def _run(self) -> None:
        self._timer = None
        self._trim()

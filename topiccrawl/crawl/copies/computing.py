"""Where comparisons are computed: at once, or in a thread while the event loop goes on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

#: Characters of all texts up to which they are compared at once.  Each takes .3 microseconds at most, a call in
#: a thread 50 to 150, as it competes with the event loop for the interpreter (2026-11-26): 10 texts that have
#: little in common are compared in that time.
AT_ONCE: Final = 20_000


async def computed(job: Callable[[], T], chars: int) -> T:
    """Return what *job* returns, which works on texts of so many characters."""
    return job() if chars <= AT_ONCE else await asyncio.to_thread(job)

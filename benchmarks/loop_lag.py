"""How long an event loop stands still, in CPU seconds of its thread, and what it was doing then.

    lag = LoopLag()
    lag.start()          # in the loop's thread
    ...
    lag.stop()
    print(lag.worst, lag.stalls)

CPU time instead of wall time: on a busy machine, a loop is late through no fault of its own.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
import traceback
from dataclasses import dataclass, field
from typing import Final

#: Seconds between two ticks; it costs about 0.1 % of a core.
TICK_SECONDS: Final = 0.02
#: Frames of the stack that are kept of a stall.
FRAMES: Final = 12


@dataclass(slots=True)
class Stall:
    """A time in which the loop did nothing else."""

    seconds: float
    """CPU seconds of the loop's thread."""
    stack: list[str] = field(default_factory=list)
    """Where it was, innermost call last, while the stall lasted."""


class LoopLag:
    """Ticks in the running event loop and measures the CPU time between two ticks."""

    def __init__(self, stall_seconds: float = 0.5) -> None:
        """A tick is a stall after *stall_seconds* of CPU time."""
        self.worst = 0.0
        """Most CPU seconds between two ticks."""
        self.stalls: list[Stall] = []
        """Ticks that took longer, in the order of time."""
        self._limit = stall_seconds
        self._thread = 0
        self._cpu = 0.0
        self._ticked = 0.0
        self._stack: list[str] = []
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = threading.Event()

    def start(self) -> None:
        """Begin to tick in the running loop, and watch from a thread."""
        self._thread = threading.get_ident()
        self._cpu, self._ticked = time.thread_time(), time.monotonic()
        self._schedule()
        threading.Thread(target=self._watch, name="loop-lag", daemon=True).start()

    def stop(self) -> None:
        """Stop ticking."""
        self._stopped.set()
        if self._timer is not None:
            self._timer.cancel()
            self._tick()
            self._timer.cancel()

    def _schedule(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(TICK_SECONDS, self._tick)

    def _tick(self) -> None:
        cpu = time.thread_time()
        took, self._cpu, self._ticked = cpu - self._cpu, cpu, time.monotonic()
        self.worst = max(self.worst, took)
        if took >= self._limit:
            self.stalls.append(Stall(took, self._stack))
        self._stack = []
        self._schedule()

    def _watch(self) -> None:
        while not self._stopped.wait(self._limit / 2):
            if not self._stack and time.monotonic() - self._ticked > self._limit:
                frame = sys._current_frames().get(self._thread)
                if frame is not None:
                    self._stack = traceback.format_stack(frame)[-FRAMES:]

"""The measurement of an event loop that stands still."""

from __future__ import annotations

import asyncio
import time

from benchmarks.loop_lag import LoopLag


def compute(seconds: float) -> None:
    """Use this much CPU time without returning to the loop."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        sum(range(1000))


async def measured(work: float, waiting: float) -> LoopLag:
    lag = LoopLag(stall_seconds=0.2)
    lag.start()
    await asyncio.sleep(0.05)
    compute(work)
    await asyncio.sleep(waiting)
    lag.stop()
    return lag


def test_a_computation_in_the_loop_is_seen_with_its_stack() -> None:
    lag = asyncio.run(measured(0.5, 0.05))
    assert 0.5 <= lag.worst < 1.0
    (stall,) = lag.stalls
    assert any("compute" in line for line in stall.stack)


def test_waiting_is_no_lag() -> None:
    lag = asyncio.run(measured(0.0, 0.3))
    assert lag.worst < 0.2
    assert lag.stalls == []

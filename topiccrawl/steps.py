"""Cooperative computations: generators that yield every few milliseconds and return a result."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import TypeVar

_Result = TypeVar("_Result")


def run_steps(steps: Generator[None, None, _Result]) -> _Result:
    """Run all *steps* in one go and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


async def run_steps_in_turns(steps: Generator[None, None, _Result]) -> _Result:
    """Run *steps*, give way to the event loop between them, and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        await asyncio.sleep(0)

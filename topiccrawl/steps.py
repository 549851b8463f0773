"""Cooperative computations: generators that yield every few milliseconds and return a result; work in pieces."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator, Sequence
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def pieces(items: Sequence[_Item], most: int) -> Iterator[Sequence[_Item]]:
    """Yield *items* in pieces of at most *most*, >= 1.

    >>> list(pieces("abcde", 2))
    ['ab', 'cd', 'e']
    """
    for start in range(0, len(items), most):
        yield items[start : start + most]


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

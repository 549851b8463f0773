"""Keyed random numbers: the same for a key in every process and Python version."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

#: Multiplier and increment of Knuth's 64-bit linear congruential generator (MMIX).
_MULTIPLIER = 6364136223846793005
_INCREMENT = 1442695040888963407
_MASK = (1 << 64) - 1


class Draws:
    """A small random generator seeded by a key.

    ``random.Random`` takes several microseconds to seed and guarantees only ``random()`` across
    Python versions; a page needs about fifty generators.  The quality suffices for a demonstration.
    """

    __slots__ = ("_state",)

    def __init__(self, *key: object) -> None:
        text = "\x1f".join([str(part) for part in key])
        self._state = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")

    def below(self, bound: int) -> int:
        """Return an integer in ``[0, bound)``; *bound* from 1 to 2**31."""
        self._state = (self._state * _MULTIPLIER + _INCREMENT) & _MASK
        return (self._state >> 33) % bound

    def pick(self, options: Sequence[T]) -> T:
        """Return one of *options*, which must not be empty."""
        return options[self.below(len(options))]

    def chance(self, share: float) -> bool:
        """Return True with probability *share* in [0, 1]."""
        return self.below(1_000_000) < share * 1_000_000

    def sample(self, count: int, bound: int) -> list[int]:
        """Return ``min(count, bound)`` distinct integers in ``[0, bound)`` in the order drawn."""
        count = min(count, bound)
        taken: dict[int, None] = {}
        while len(taken) < count:
            taken[self.below(bound)] = None
        return list(taken)

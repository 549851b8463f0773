"""Limits of an import, and the budget of what an archive may unpack to."""

from __future__ import annotations

from dataclasses import dataclass
from io import RawIOBase
from typing import BinaryIO


@dataclass(frozen=True, slots=True)
class Limits:
    """What an import reads at most; the values are choices."""

    file_bytes: int = 64 * 2**20
    """A page or document: one saved by SingleFile has its pictures in it."""
    archive_ratio: int = 100
    """Bytes that an archive unpacks to per byte of its own; HTML rarely exceeds 20, logs 50."""
    archive_floor: int = 64 * 2**20
    """Bytes that any archive may unpack to, however small it is."""
    members: int = 1_000_000
    """Files in an archive."""
    nesting: int = 3
    """Archives in archives."""


class BudgetSpent(ValueError):  # noqa: N818 - an end, not a fault
    """An archive unpacks to more than is read; its other files are left out."""


@dataclass(slots=True)
class Budget:
    """Counts what an archive, with all archives in it, unpacks to."""

    bytes_left: int
    members_left: int

    @classmethod
    def of(cls, size: int, limits: Limits) -> Budget:
        """Return the budget of an archive of *size* bytes on disk."""
        return cls(max(limits.archive_floor, size * limits.archive_ratio), limits.members)

    def read(self, count: int) -> None:
        """Count bytes; raise :class:`BudgetSpent` beyond the limit."""
        self.bytes_left -= count
        if self.bytes_left < 0:
            raise BudgetSpent

    def member(self) -> None:
        """Count a member; raise :class:`BudgetSpent` beyond the limit."""
        self.members_left -= 1
        if self.members_left < 0:
            raise BudgetSpent


class CountedReader(RawIOBase):
    """A stream whose bytes are counted, and which never returns more at once than the budget allows."""

    def __init__(self, stream: BinaryIO, budget: Budget, packed: BinaryIO | None = None) -> None:
        """*packed* is what *stream* unpacks; it is closed as well."""
        self._stream = stream
        self._budget = budget
        self._packed = packed

    def readable(self) -> bool:
        """Return ``True``."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; raise :class:`BudgetSpent` beyond the limit."""
        left = self._budget.bytes_left
        if left < 0:
            raise BudgetSpent
        # One more byte than allowed is enough to notice.
        data = self._stream.read(left + 1 if size < 0 else min(size, left + 1))
        self._budget.read(len(data))
        return data

    def close(self) -> None:
        """Close the stream, and the file that it unpacks: the packers of Python leave that open."""
        self._stream.close()
        if self._packed is not None:
            self._packed.close()
        super().close()

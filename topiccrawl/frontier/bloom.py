"""A Bloom filter over link ids, for backends that cannot keep every id forever.

It contains every id that was added, and others at a known rate.  Ids are hashes already
(:func:`topiccrawl.urls.identity.link_id`), so they are not hashed again but spread over 128 bits, in the
same way in every process, unlike by Python's own ``hash``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rbloom import Bloom

#: Share of unknown links that one filter reports as known, so that they are never fetched.  A guess: one
#: page in a million is far below what a crawl loses to time-outs.  It costs 28.8 bits for each link.
FALSE_POSITIVE_RATE: Final = 1e-6

#: Odd, so that different ids stay different: 2^128 divided by the golden ratio, the usual multiplier of
#: multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4).
_SPREAD: Final = 0x9E3779B97F4A7C15F39CC0605CEDC835
_ALL_BITS: Final = (1 << 128) - 1
_SIGN: Final = 1 << 127
#: XOR of an id with this marks the id as given up.
_GIVEN_UP: Final = 0x5BD1E9955BD1E995
#: Most positions of an id in a filter.  rbloom takes log2(1/rate), 20 at our rate; a damaged number would
#: make every look-up endless.
_MOST_POSITIONS: Final = 64


def _spread(id: int) -> int:
    """Return the signed 128 bits from which the filter derives its positions."""
    bits = (id * _SPREAD) & _ALL_BITS
    return bits - (_ALL_BITS + 1) if bits & _SIGN else bits


class BloomSet:
    """A set of ids, some of them marked as given up, with about 29 bits for each.

    *capacity* is the number of entries up to which *rate* holds; an id that was given up counts twice.
    Raises ``ValueError`` for a capacity below 1 or a rate outside (0, 1).
    """

    def __init__(self, capacity: int, rate: float = FALSE_POSITIVE_RATE) -> None:
        if capacity < 1:
            raise ValueError(f"capacity must be >= 1, got {capacity!r}")
        if not 0.0 < rate < 1.0:
            raise ValueError(f"rate must be between 0 and 1, got {rate!r}")
        self._bits = Bloom(capacity, rate, _spread)

    def __contains__(self, id: int) -> bool:
        return id in self._bits

    def add(self, ids: Iterable[int], *, given_up: bool = False) -> None:
        """Add ids; with *given_up*, mark them as given up."""
        ids = list(ids)
        self._bits.update(ids)
        if given_up:
            self._bits.update([id ^ _GIVEN_UP for id in ids])

    def given_up(self, id: int) -> bool:
        """Return whether an id in the set was given up; ``True`` for others at the same rate."""
        return (id ^ _GIVEN_UP) in self._bits

    def to_bytes(self) -> bytes:
        """Return the set in the format of rbloom, for :meth:`from_bytes` in any process."""
        return bytes(self._bits.save_bytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> BloomSet:
        """Return the set that :meth:`to_bytes` stored; raise ``ValueError`` for data that are not a set."""
        if not isinstance(data, bytes) or len(data) < 9:
            raise ValueError(f"a filter of {len(data)} bytes is none")
        # The format of rbloom begins with the number of positions.
        if not 0 < int.from_bytes(data[:8], "little") <= _MOST_POSITIONS:
            raise ValueError("a filter with this number of positions is none")
        loaded = cls.__new__(cls)
        loaded._bits = Bloom.load_bytes(data, _spread)
        return loaded

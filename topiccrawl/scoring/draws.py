"""The two random numbers of RWB, drawn once per link and frozen.

P1, P2 ~ U[0, 1) are a function of (run seed, source id, target id) and of nothing else.  A resumed
crawl and several machines therefore agree on them, and IPageRank's operator stays the same from
iteration to iteration, without which it could not converge.

The mixing function is the finalizer of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom
number generators", OOPSLA 2014) with the constants of Stafford's variant 13.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import FloatArray, IdArray

_U64 = NDArray[np.uint64]
_MASK = (1 << 64) - 1
#: 2^64 divided by the golden ratio, odd: the step between the streams (SplitMix64).
_GAMMA = np.array([0x9E3779B97F4A7C15], dtype=np.uint64)
#: Multipliers of the finalizer (Stafford's variant 13).
_MIX_1 = np.array([0xBF58476D1CE4E5B9], dtype=np.uint64)
_MIX_2 = np.array([0x94D049BB133111EB], dtype=np.uint64)
#: A float64 in [0, 1) has 53 bits of fraction; the top bits of the hash fill them exactly.
_DOUBLE_BITS = 53


def _mix(z: _U64) -> _U64:
    # One-element arrays, not scalars: unsigned overflow of arrays wraps silently, of scalars warns.
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return z ^ (z >> np.uint64(31))


def _unit(bits: _U64) -> FloatArray:
    return (bits >> np.uint64(64 - _DOUBLE_BITS)).astype(np.float64) * 2.0**-_DOUBLE_BITS


def link_draws(run_seed: int, source: int, targets: IdArray) -> tuple[FloatArray, FloatArray]:
    """Return (P1, P2) of the links from page *source* to *targets*.

    Parameters
    ----------
    run_seed
        Any integer, taken modulo 2^64.
    source
        Link id of the page, a signed 64-bit integer.
    targets
        Link ids, shape (n,).

    Returns
    -------
    tuple of FloatArray
        Two arrays of shape (n,) in [0, 1).  Each entry depends on its own target only, so that a subset
        of the links gets the same numbers.
    """
    seed = np.array([run_seed & _MASK], dtype=np.uint64)
    origin = np.array([source & _MASK], dtype=np.uint64)
    # Each part is mixed before the next joins, so that swapping source and target changes the key.
    state = _mix(_mix(seed + _GAMMA) ^ origin)
    key = _mix((state + _GAMMA) ^ np.ascontiguousarray(targets, dtype=np.int64).view(np.uint64))
    return _unit(_mix(key + _GAMMA)), _unit(_mix(key + _GAMMA + _GAMMA))

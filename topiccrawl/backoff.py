"""Growing delays between repeated attempts."""

from __future__ import annotations

import math


def exponential_delay(
    attempt: int, *, base: float, factor: float = 2.0, cap: float = math.inf
) -> float:
    """Return the delay after the given attempt, ``min(base · factor^(attempt-1), cap)``.

    Parameters
    ----------
    attempt
        Number of the attempt that failed, from 1.
    base
        Delay after the first attempt, in seconds, >= 0.
    factor
        Growth from one attempt to the next, >= 1.
    cap
        Longest delay, in seconds.

    Returns
    -------
    float
        Seconds, in [0, cap]; *cap* also where the power overflows.

    Examples
    --------
    >>> [exponential_delay(attempt, base=10.0, cap=60.0) for attempt in (1, 2, 3, 4)]
    [10.0, 20.0, 40.0, 60.0]
    """
    try:
        return min(base * factor ** (attempt - 1), cap)
    except OverflowError:
        return cap if base > 0 else 0.0

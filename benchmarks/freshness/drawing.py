"""What the generators of change histories share."""

from __future__ import annotations

import numpy as np

Random = np.random.Generator
Made = tuple[dict[str, set[int]], list[str]]


def named(pages: int, directories: int, random: Random) -> list[str]:
    """Return names of pages in directories at random."""
    of_page = random.integers(directories, size=pages)
    return [f"d{directory}/{page}" for page, directory in enumerate(of_page)]


def poisson(names: list[str], rates: np.ndarray, days: int, random: Random) -> dict[str, set[int]]:
    """Return the days on which each page changes at random with its rate."""
    hit = random.random((len(names), days)) < -np.expm1(-rates)[:, None]
    return {name: set(np.flatnonzero(row).tolist()) for name, row in zip(names, hit, strict=True)}

"""A sentence encoder that knows two meanings: animals and other things."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

ANIMALS = ("mammals", "weasel", "otter")


class Encoder:
    """Two dimensions: animals and other things; the third is what all texts have in common."""

    def __init__(self, settles_after: int = 0) -> None:
        self.asked: list[list[str]] = []
        self.prepared = 0
        self.fails = False
        self.waits = settles_after

    def prepare(self) -> None:
        self.prepared += 1

    def settled(self, seconds: float) -> bool:
        assert seconds <= 0.05
        self.waits -= 1
        return self.waits < 0

    def remembered(self, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        return {}

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        if self.fails:
            return None
        self.asked.append(list(texts))
        animal = np.array([any(word in text for word in ANIMALS) for text in texts])
        rows = np.stack([animal, ~animal, np.full(len(texts), 2.0)], axis=1)
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

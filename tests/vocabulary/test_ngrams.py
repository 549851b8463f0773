"""Counting of n-grams: the same as by hand, in any text."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.vocabulary import ngrams
from topiccrawl.vocabulary.ngrams import CodedText, Grams, frequent_grams, neighbors

TEXTS = st.lists(st.text("天地人a,", max_size=30), max_size=4)


def counted(texts: list[str], length: int, least: int) -> dict[str, int]:
    """Return the n-grams of Han characters by counting strings."""
    grams = Counter(text[i : i + length] for text in texts for i in range(len(text) - length + 1))
    return {
        gram: count
        for gram, count in grams.items()
        if set(gram) <= set("天地人") and (count >= least or length == 1)
    }


def by_string(text: CodedText, grams: Grams) -> dict[str, int]:
    return dict(zip(text.strings(grams.first, grams.length), grams.counts.tolist(), strict=True))


@given(TEXTS, st.integers(1, 3))
def test_frequent_strings_are_counted_as_by_hand(texts: list[str], least: int) -> None:
    coded = CodedText.of(texts)
    for grams in frequent_grams(coded, 4, least):
        assert by_string(coded, grams) == counted(texts, grams.length, least)


@pytest.mark.parametrize("left", [True, False])
@given(texts=TEXTS)
def test_the_entropy_of_neighbors_is_that_of_the_text(left: bool, texts: list[str]) -> None:
    coded = CodedText.of(texts)
    *_, grams = frequent_grams(coded, 2, 1)
    if grams.length < 2:
        return
    beside = neighbors(grams, coded.codes, left=left)
    for gram, entropy, largest in zip(
        coded.strings(grams.first, 2), beside.entropy, beside.largest, strict=True
    ):
        around = Counter(
            (i, j) if character not in "天地人" else character
            for i, text in enumerate(texts)
            for j in range(len(text) - 1)
            if text[j : j + 2] == gram
            for character in [(f",{text},")[j if left else j + 3]]
        )
        total = around.total()
        shares = [count / total for count in around.values()]
        assert entropy == pytest.approx(-sum(p * math.log(p) for p in shares), abs=1e-9)
        inner = [count / total for key, count in around.items() if isinstance(key, str)]
        assert largest == pytest.approx(max(inner, default=0.0))


def test_a_text_that_is_read_in_pieces_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = CodedText.of(["天地人天地", "人天,地人天地人" * 5])
    whole = [by_string(text, grams) for grams in frequent_grams(text, 4, 2)]
    monkeypatch.setattr(ngrams, "_PIECE", 7)
    assert [by_string(text, grams) for grams in frequent_grams(text, 4, 2)] == whole


def test_a_mean_is_taken_over_the_occurrences_of_each_string() -> None:
    text = CodedText.of(["天地天地天人"])
    *_, grams = frequent_grams(text, 2, 1)
    means = grams.mean(lambda places: (places % 4 == 1).astype(np.int8))
    found = dict(zip(text.strings(grams.first, 2), means.tolist(), strict=True))
    assert found == {"天地": 0.5, "地天": 0.0, "天人": 1.0}

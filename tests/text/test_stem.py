"""Plural and singular of an English noun have one stem."""

from __future__ import annotations

import pytest

from topiccrawl.text.stem import stem


@pytest.mark.parametrize(
    "pair",
    [
        "birds bird", "countries country", "boxes box", "heroes hero", "cyclones cyclone",
        "leaves leaf", "mice mouse", "women woman", "children child", "fungi fungus",
        "crises crisis", "matrices matrix", "larvae larva", "species species", "buses bus", "lenses lens",
    ],
)  # fmt: skip
def test_plural_and_singular_have_one_stem(pair: str) -> None:
    plural, singular = pair.split()
    assert stem(plural) == stem(singular)


@pytest.mark.parametrize("pair", ["man main", "leaf leave", "life live", "index indicate"])
def test_other_words_keep_their_stems(pair: str) -> None:
    first, second = pair.split()
    assert stem(first) != stem(second)

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.text.vocabulary import Vocabulary, join_terms

ENTRIES = {
    ("华侨",): 1.0,
    ("华侨城",): 0.1,
    ("tropic", "cyclon"): 1.0,
    ("tropic",): 0.3,
    ("storm",): 0.8,
    ("storm", "drain"): 0.05,
    ("storm", "drain", "cover"): 0.02,
}
VOCABULARY = Vocabulary(ENTRIES)


@pytest.mark.parametrize(
    ("terms", "found", "why"),
    [
        (["华侨城", "上涨"], [("华侨城", 0.1)], "华侨城 is not 华侨"),
        (["华侨", "城市"], [("华侨", 1.0)], "and 华侨 is not 华侨城"),
        (["tropic", "cyclon"], [("tropic cyclon", 1.0)], "the longer one wins"),
        (["tropic", "fish"], [("tropic", 0.3)], "the shorter one where the longer does not fit"),
        (["storm", "drain"], [("storm drain", 0.05)], "a longer negative replaces its inner term"),
        (["storm", "drain", "cover"], [("storm drain cover", 0.02)], "longest of three"),
        (["storm", "storm"], [("storm", 0.8)] * 2, "each occurrence counts"),
        (["cyclon", "tropic"], [("tropic", 0.3)], "order matters; a tail may be cut off"),
        ([], [], "nothing"),
    ],
)
def test_longest_match(terms: list[str], found: list[tuple[str, float]], why: str) -> None:
    assert VOCABULARY.match(terms) == found, why


def test_matches_through_the_analyzer() -> None:
    analyzer = TextAnalyzer(["华侨城", "tropical cyclone"])
    terms = analyzer.terms("華僑城附近的 Tropical Cyclones，归国的華僑")
    found = [("华侨城", 0.1), ("tropic cyclon", 1.0), ("华侨", 1.0)]
    assert VOCABULARY.match(terms) == found


def naive(terms: list[str]) -> list[tuple[str, float]]:
    """Return the longest matches by trying every entry at every place."""
    found, i = [], 0
    while i < len(terms):
        fits = [k for k in ENTRIES if tuple(terms[i : i + len(k)]) == k]
        if fits:
            best = max(fits, key=len)
            found.append((join_terms(best), ENTRIES[best]))
            i += len(best)
        else:
            i += 1
    return found


@given(st.lists(st.sampled_from(["华侨", "华侨城", "tropic", "cyclon", "storm", "drain", "cover"])))
def test_equals_a_naive_matcher(terms: list[str]) -> None:
    assert VOCABULARY.match(terms) == naive(terms)
    spans = VOCABULARY.spans(terms)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))


def test_names_are_reported_in_place_of_terms() -> None:
    vocabulary = Vocabulary({("cyclon",): 1.0}, {("cyclon",): "Cyclones"})
    assert vocabulary.match(["cyclon"]) == [("Cyclones", 1.0)]
    assert len(vocabulary) == 1


def test_an_entry_without_terms_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one term"):
        Vocabulary({(): 1.0})


def test_terms_join_with_spaces_only_between_ascii() -> None:
    assert join_terms(["storm", "drain"]) == "storm drain"
    assert join_terms(["归国", "华侨"]) == "归国华侨"
    assert join_terms(["ai", "芯片"]) == "ai芯片"

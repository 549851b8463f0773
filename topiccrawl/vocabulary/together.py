"""In which texts words occur, as vectors: words of the same texts are alike."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

import numpy as np
from scipy.sparse import csr_matrix, diags

__all__ = ["MOST_TEXTS", "text_vectors"]

#: Texts of each sort that are looked at (a choice: enough to tell subjects apart, a few MB).
MOST_TEXTS: Final = 1_000


def text_vectors(terms: Sequence[str], texts: Sequence[AbstractSet[str]]) -> csr_matrix:
    """Return rows of norm 1 with the positive pointwise mutual information of each term and text.

    Shape (len(terms), len(texts)); a term in none of the texts has a row of zeros.
    """
    index = {term: i for i, term in enumerate(terms)}
    pairs = [(index[term], j) for j, text in enumerate(texts) for term in text if term in index]
    shape = (len(terms), max(1, len(texts)))
    if not pairs:
        return csr_matrix(shape)
    rows, columns = np.array(pairs).T
    of_term = np.bincount(rows, minlength=shape[0])
    of_text = np.bincount(columns, minlength=shape[1])
    values = np.log(len(pairs) / (of_term[rows] * of_text[columns].astype(np.float64)))
    matrix = csr_matrix((np.maximum(values, 0.0), (rows, columns)), shape=shape)
    norms = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return csr_matrix(diags(1.0 / np.maximum(norms, 1e-9)) @ matrix)

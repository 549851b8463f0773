"""The sentence encoder for several texts at a time, each of whose vectors is a function of its text alone.

The package multiplies the tokens of all texts that it is given by its matrices.  How a matrix product adds up depends
on the number of its rows, hence the last bits of a vector on the other texts; and alone, each text reads all 14 MB of
the matrices.  Here every product has either the rows of one text, or a fixed number of rows, filled up with zeros: then
the place of a row makes no difference, which is checked when the model is loaded.  What the first layers make of a
token does not depend on its neighbors, and is remembered.

The architecture is that of the package: embedding; for n-grams of 2, 3 and 5 tokens a projection and two
convolutions; the sum over the tokens; three dense layers.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

#: Rows of the products for tokens and for texts.  With 16, the place of a row makes a difference (OpenBLAS, 2026-11).
TOKENS: Final = 8
TEXTS: Final = 4
#: Tokens that are remembered, of 13 KB each: .82 to .90 of the tokens of leads are among them, .70 of those of short
#: link texts, with twice as many .91 to .93 and .75 (2026-11).
REMEMBERED: Final = 1_024
#: Dimensions of a token, and of one kind of n-grams.
_EMBEDDED: Final = 512
_WIDTH: Final = 256
#: Tokens of an n-gram, and how many of them are before its own.
_GRAMS: Final = ((2, 0), (3, 1), (5, 2))
_ALL_WIDTHS: Final = len(_GRAMS) * _WIDTH


class GroupedEncoder:
    """Encodes texts with the weights of the package."""

    def __init__(self, model: Any) -> None:
        """*model* is the package's backend; raises ``ValueError`` if its vectors would depend on their places."""
        self._model = model
        # Of each place in an n-gram, side by side.
        self._first = [np.concatenate(np.split(w, len(w) // _WIDTH), axis=1) for w in model.w1]
        width = _ALL_WIDTHS + sum(w.shape[1] for w in self._first)
        self._rows: Matrix = np.empty((REMEMBERED, width), dtype=np.float32)
        self._row_of: OrderedDict[int, int] = OrderedDict()
        by_token = [model.proj_W, *self._first]
        by_text = [getattr(model, name) for name in ("cnn_W", "d0", "d1", "d2", "d3", "p1", "p3")]
        with self._one_thread():
            for rows, matrices in ((TOKENS, by_token), (TEXTS, by_text)):
                if not all(places_are_equal(matrix, rows) for matrix in matrices):
                    raise ValueError("the rows of a matrix product depend on their places")

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return vectors of norm 1 of n texts, shape (n, 512)."""
        tokens = [self._model.sp.encode(text) for text in texts]
        with self._one_thread():
            groups = [self._encode(tokens[i : i + TEXTS]) for i in range(0, len(tokens), TEXTS)]
        return np.concatenate(groups) if groups else np.empty((0, _EMBEDDED), dtype=np.float32)

    def _one_thread(self) -> AbstractContextManager[object]:
        limit = self._model._threadpool  # ``None`` without threadpoolctl
        return limit(limits=1, user_api="blas") if limit else nullcontext()

    def _encode(self, texts: Sequence[Sequence[int]]) -> Matrix:
        used = dict.fromkeys(token for tokens in texts for token in tokens)
        few = len(used) <= REMEMBERED
        if few:
            self._remember(used)
        sums = np.zeros((TEXTS, _EMBEDDED + _ALL_WIDTHS), dtype=np.float32)
        counts = np.ones(TEXTS, dtype=np.float32)
        for i, tokens in enumerate(texts):
            at = [self._row_of[token] for token in tokens] if few else []
            sums[i] = self._sum(tokens, self._rows[at] if few else self._computed(tokens))
            counts[i] = len(tokens)
        m = self._model
        mean = sums @ m.cnn_W
        mean += counts[:, None] * m.cnn_b
        mean *= np.reciprocal(np.sqrt(counts))[:, None]
        y0 = np.maximum(mean @ m.d0, 0)
        y1 = mean @ m.p1
        y1 += y0 @ m.d1
        np.maximum(y1, 0, out=y1)
        y2 = np.maximum(y1 @ m.d2, 0)
        z = y1 @ m.p3
        z += y2 @ m.d3
        np.tanh(z, out=z)
        square = np.einsum("ij,ij->i", z, z)
        z *= np.reciprocal(np.sqrt(np.maximum(square, m.eps)))[:, None]
        return np.asarray(z[: len(texts)])

    def _sum(self, tokens: Sequence[int], rows: Matrix) -> Matrix:
        """Return the sum of what the convolutions make of n tokens with these *rows*, shape (1280,)."""
        m, n = self._model, len(tokens)
        found = np.empty((n, _EMBEDDED + _ALL_WIDTHS), dtype=np.float32)
        found[:, :_EMBEDDED] = self._embedded(np.array(tokens))
        at = _ALL_WIDTHS
        for i, (gram, before) in enumerate(_GRAMS):
            own = rows[:, i * _WIDTH : (i + 1) * _WIDTH]
            # Behind and before the text there are zeros.
            padded = np.zeros((n + gram - 1, _WIDTH), dtype=np.float32)
            hidden = padded[before : before + n]
            hidden += m.b1[i]
            for place in range(-before, gram - before):
                start, stop = max(0, -place), min(n, n - place)
                if start < stop:
                    hidden[start:stop] += rows[start + place : stop + place, at : at + _WIDTH]
                at += _WIDTH
            np.maximum(hidden, 0, out=hidden)
            hidden += own
            windows = np.concatenate([padded[place : place + n] for place in range(gram)], axis=1)
            out = windows @ m.w2[i]
            out += m.b2[i]
            np.maximum(out, 0, out=out)
            out += hidden
            found[:, _EMBEDDED + i * _WIDTH : _EMBEDDED + (i + 1) * _WIDTH] = out
        _normalize(found, m.ln_g, m.ln_b, m.eps)
        return np.asarray(found.sum(axis=0))

    def _embedded(self, tokens: NDArray[np.int64]) -> Matrix:
        """Return the embeddings of n tokens, shape (n, 512)."""
        m = self._model
        chunk = tokens % len(m.scale)
        found = m.table[tokens].astype(np.float32)
        found *= m.scale[chunk, None]
        found += m.lo[chunk, None]
        return np.asarray(found)

    def _remember(self, tokens: Iterable[int]) -> None:
        """Have the rows of different *tokens*, at most ``REMEMBERED``."""
        new = []
        for token in tokens:
            if token in self._row_of:
                self._row_of.move_to_end(token)
            else:
                new.append(token)
        for token, row in zip(new, self._computed(new), strict=True):
            free = len(self._row_of)
            at = free if free < REMEMBERED else self._row_of.popitem(last=False)[1]
            self._rows[at] = row
            self._row_of[token] = at

    def _computed(self, tokens: Sequence[int]) -> Matrix:
        """Return projections and products of n tokens, shape (n, 3328)."""
        m = self._model
        found = np.empty((len(tokens), self._rows.shape[1]), dtype=np.float32)
        for first in range(0, len(tokens), TOKENS):
            part = tokens[first : first + TOKENS]
            x = self._embedded(np.array([*part, *[0] * (TOKENS - len(part))])) @ m.proj_W
            x += m.proj_b
            _normalize(x, m.ln_g_all, m.ln_b_all, m.eps)
            columns = [np.ascontiguousarray(it) for it in np.split(x, len(_GRAMS), axis=1)]
            products = [it @ w for it, w in zip(columns, self._first, strict=True)]
            rows = np.concatenate([x, *products], axis=1)
            found[first : first + len(part)] = rows[: len(part)]
        return found


def places_are_equal(matrix: Matrix, rows: int) -> bool:
    """Return whether a product of *rows* rows with *matrix* is equal to the last bit wherever a row is."""
    draw = np.random.default_rng(0).standard_normal((2 * rows, len(matrix)), dtype=np.float32)
    own, others = draw[0], draw[rows:]
    found = []
    for place in range(rows):
        others[place] = own
        found.append((others @ matrix)[place])
    return all(np.array_equal(it, found[0]) for it in found)


def _normalize(rows: Matrix, gamma: Matrix, beta: Matrix, eps: float) -> None:
    """Give *rows* the mean 0 and the variance 1, then scale them, in place."""
    rows -= rows.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows) / rows.shape[-1]
    rows *= np.reciprocal(np.sqrt(variance + eps))[:, None]
    rows *= gamma
    rows += beta

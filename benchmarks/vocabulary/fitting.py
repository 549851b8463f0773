"""Fits the judge of new words: ``python -m benchmarks.vocabulary fit 199801.txt``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize

from benchmarks.vocabulary.news import Paragraph, Text, parts
from topiccrawl.scoring.arrays import FloatArray
from topiccrawl.text.normalize import normalize
from topiccrawl.text.segment import make_segmenter
from topiccrawl.vocabulary.dictionary import load_dictionary
from topiccrawl.vocabulary.features import FEATURES, find_candidates
from topiccrawl.vocabulary.ngrams import CodedText

#: Numbers of parts into which the corpus is cut, with the least count in each: texts of the size of the
#: public tests (180,000 characters), and of five times and ten times as many.
SIZES = ((10, 1), (2, 3), (1, 4))
#: Weight of a string that occurs once: they are most, and say little about those that recur (a guess).
_ONCE = 0.2
#: Penalty of the squared weights, of features scaled to a variance of 1.
_PENALTY = 1.0


def fit(paragraphs: Sequence[Paragraph]) -> tuple[FloatArray, FloatArray]:
    """Return the weights, shape (len(FEATURES), 2), and the two constants."""
    rows, labels, importance = [], [], []
    for number, least in SIZES:
        for text in parts(paragraphs, number):
            x, y = _examples(text, least)
            rows.append(x)
            labels.append(y)
            importance.append(np.where(x[:, FEATURES.index("once")] > 0, _ONCE, 1.0))
    x, y = np.concatenate(rows), np.concatenate(labels)
    mean, scale = x.mean(axis=0), x.std(axis=0) + 1e-9
    x = (x - mean) / scale
    weight = np.concatenate(importance)
    fitted = [_logistic(x, y[:, standard], weight) for standard in range(2)]
    weights = np.column_stack([f[1:] for f in fitted]) / scale[:, None]
    return weights, np.array([f[0] for f in fitted]) - mean @ weights


def _examples(text: Text, least: int) -> tuple[FloatArray, FloatArray]:
    found = list(
        find_candidates(
            CodedText.of([normalize(text.text)]), make_segmenter(), load_dictionary(), least
        )
    )
    labels = [[float(gold[w] > 0) for gold in text.words] for part in found for w in part.words]
    return np.concatenate([part.features for part in found]), np.array(labels)


def _logistic(x: FloatArray, y: FloatArray, weight: FloatArray) -> FloatArray:
    def loss(w: FloatArray) -> tuple[float, FloatArray]:
        z = x @ w[1:] + w[0]
        value = weight * (np.logaddexp(0.0, z) - y * z)
        rest = weight * (0.5 * (1.0 + np.tanh(0.5 * z)) - y)
        slope = np.concatenate([[rest.sum()], x.T @ rest + _PENALTY * w[1:]])
        return float(value.sum() + 0.5 * _PENALTY * w[1:] @ w[1:]), slope

    start = np.zeros(x.shape[1] + 1)
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B").x)


def as_module(weights: FloatArray, bias: FloatArray) -> str:
    """Return the text of ``topiccrawl/vocabulary/weights.py``."""
    lines = [
        '"""Weights of the judge of new words; written by ``python -m benchmarks.vocabulary fit``.',
        "",
        "Fitted to the People's Daily of January 1998 (1.9 million characters, as ten texts, two and one).",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "#: Constants: names cut, whole names.",
        f"BIAS = ({bias[0]:.4g}, {bias[1]:.4g})",
        "#: Weights of each feature: names cut, whole names.",
        "WEIGHTS = {",
        *(
            f'    "{name}": ({row[0]:.4g}, {row[1]:.4g}),'
            for name, row in zip(FEATURES, weights, strict=True)
        ),
        "}",
    ]
    return "\n".join(lines) + "\n"

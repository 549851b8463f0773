"""The learned title model: the odds that a candidate is the title of its page.

A logistic regression and a small forest of boosted trees on the features of a candidate
(:mod:`topiccrawl.page.title.features`).  ``python -m benchmarks.train_titles`` writes the parameters and
reports the quality on sites left out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from topiccrawl.page.learned import Forest, Logistic, forest_from, logistic_from

if TYPE_CHECKING:
    from topiccrawl.page.learned import Floats


@dataclass(frozen=True, slots=True)
class TitleModel:
    """Both models and their combination."""

    linear: Logistic
    trees: Forest

    def odds(self, matrix: Floats) -> Floats:
        """Return the mean of both models' log odds, shape (candidates,)."""
        return (self.linear.odds(matrix) + self.trees.odds(matrix)) / 2


def model_from(data: dict[str, Any]) -> TitleModel:
    """Return the models of a parsed model file."""
    return TitleModel(logistic_from(data["linear"]), forest_from(data["trees"]))


@cache
def title_model() -> TitleModel:
    """Return the models that come with the project."""
    path = files("topiccrawl.page.title") / "data" / "title.json"
    return model_from(json.loads(path.read_text("utf-8")))

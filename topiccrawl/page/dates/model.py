"""The learned date model: the odds that a day is that of the publication of its page.

A logistic regression and a small forest of boosted trees on the features of a day
(:mod:`topiccrawl.page.dates.candidates`).  ``python -m benchmarks.train_dates`` writes the parameters and
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
class DateModel:
    """Both models and their combination."""

    linear: Logistic
    trees: Forest

    def odds(self, matrix: Floats) -> Floats:
        """Return the mean of both models' log odds, shape (days,)."""
        return (self.linear.odds(matrix) + self.trees.odds(matrix)) / 2


def model_from(data: dict[str, Any]) -> DateModel:
    """Return the models of a parsed model file."""
    return DateModel(logistic_from(data["linear"]), forest_from(data["trees"]))


@cache
def date_model() -> DateModel:
    """Return the models that come with the project."""
    path = files("topiccrawl.page.dates") / "data" / "date.json"
    return model_from(json.loads(path.read_text("utf-8")))

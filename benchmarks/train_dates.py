"""Train the date model, and report its quality on sites and forms left out.

    python -m benchmarks.train_dates DATA [--folds 5] [--splits 1] [--out date.json]

DATA is a folder of real pages as in :mod:`benchmarks.train_body`; the project's own corpus is added.
Each page is used as it is and in the forms of :mod:`benchmarks.date_forms`.  With ``--folds`` each part
of the sites is judged with a model trained on the other sites and the first half of the formats and
words; the pages judged have those of the second half.  With ``--out`` a model trained on everything is
written.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.date_forms import FORMS, Form, NotPossibleError
from benchmarks.extraction_judge import when
from benchmarks.extraction_pages import Input, own, sets
from benchmarks.fitting import deal_sites, fit_forest, fit_logistic
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.page.dates.publication import DateCandidates, choose_moment, date_candidates
from topiccrawl.page.learned import Choice, Floats, choice_from
from topiccrawl.page.page import Page

#: Weights of the sets, and of pages that are as they are (not tuned).
WEIGHTS = {"dev": 1.0, "own": 0.2}
AS_IT_IS = "as it is"
AS_IT_IS_WEIGHT = 3.0
#: C of the logistic regression (not tuned).
PENALTY = 0.3
#: Drawings of each form of a real page.
DRAWS = 2
#: Drawing of the own corpus to train on; the tests use others.
OWN_SEED = 11


@dataclass(frozen=True, slots=True)
class Example:
    """The days that one page in one form names."""

    id: str
    group: str
    site: str
    form: str
    half: int
    """0 or 1: which formats and words the form has; -1 for a page as it is."""
    found: DateCandidates
    day: tuple[int, ...]
    clock: tuple[int, ...] | None

    @property
    def truth(self) -> Floats:
        """1 for the true day."""
        return np.asarray([float((d.year, d.month, d.day) == self.day) for d in self.found.days])


def examples_of(source: Input, group: str, rng: random.Random) -> Iterator[Example]:
    """Yield the examples of a page: as it is, and in each form with both halves."""
    day, clock = when(source.expected.published)
    if day is None:
        return
    page = Page(source.url, source.data, source.charset, now=source.fetched)
    outline = page.outline
    whole = Form(
        dict(outline.meta), list(outline.json_ld), list(outline.times), page.url, list(page.lines),
        page.title, day, clock, source.fetched or datetime.now(CHINA_TIME),
    )  # fmt: skip
    forms = [(AS_IT_IS, -1, whole)]
    for name, change in FORMS.items():
        for half in (0, 1):
            for _ in range(DRAWS if group != "own" else 1):
                try:
                    forms.append((name, half, change(whole, rng, half)))
                except NotPossibleError:
                    break
    expected = source.expected
    site = f"own {expected.group}" if group == "own" else expected.site
    for name, half, form in forms:
        found = date_candidates(
            now=form.now,
            lines=form.lines,
            title=form.title,
            meta=form.meta,
            times=form.times,
            json_ld=form.json_ld,
            url=form.url,
        )
        yield Example(expected.id, group, site, name, half, found, form.day, form.clock)


def fit(examples: Sequence[Example]) -> dict[str, Any]:
    """Train on the days of all pages."""
    used = [it for it in examples if len(it.found.days)]
    matrix = np.concatenate([it.found.matrix for it in used])
    truth = np.concatenate([it.truth for it in used])
    weights = np.concatenate(
        [
            np.full(
                len(it.found.days),
                WEIGHTS[it.group] * (AS_IT_IS_WEIGHT if it.form == AS_IT_IS else 1.0),
            )
            for it in used
        ]
    )
    return {
        "linear": fit_logistic(matrix, truth, weights, PENALTY),
        "trees": fit_forest(matrix, truth, weights),
    }


def is_right(model: Choice, page: Example) -> tuple[bool, bool | None]:
    """Return whether day and minute are right; None for the minute if it is not known."""
    found = choose_moment(page.found, model)
    day = (() if found is None else (found.year, found.month, found.day)) == page.day
    if page.clock is None:
        return day, None
    return day, day and found is not None and (found.hour, found.minute) == page.clock


class ByVote:
    """The day with the most votes, without a model, to compare with."""

    def odds(self, matrix: Floats) -> Floats:
        """Return the vote of each day."""
        from topiccrawl.page.dates.candidates import FEATURES

        return np.asarray(matrix[:, FEATURES.index("vote")])


def main() -> None:
    """Train and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument(
        "--wrong", action="store_true", help="print the pages as they are that are wrong"
    )
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rng = random.Random(1)
    examples = [
        example
        for group, pages in (("dev", sets(options.data).get("dev", [])), ("own", own(OWN_SEED)))
        for page in pages
        for example in examples_of(page, group, rng)
    ]
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    for split in range(options.splits if options.folds else 0):
        part = deal_sites([it.site for it in examples], options.folds, split)
        right: dict[tuple[str, str], list[bool]] = defaultdict(list)
        for fold in range(options.folds):
            model = choice_from(
                fit([it for it in examples if part[it.site] != fold and it.half != 1])
            )
            for page in (it for it in examples if part[it.site] == fold and it.half != 0):
                for by, judge in (("model", model), ("vote", ByVote())):
                    day, minute = is_right(judge, page)  # type: ignore[arg-type]
                    right[f"{page.group} {page.form}", f"{by} day"].append(day)
                    if minute is not None:
                        right[f"{page.group} {page.form}", f"{by} minute"].append(minute)
                    wrong = not day or minute is False
                    if options.wrong and by == "model" and page.form == AS_IT_IS and wrong:
                        print(split, page.id, page.site, page.day, choose_moment(page.found, model))
        for key, values in right.items():
            scores[key].append(float(np.mean(values)))
    for form in dict.fromkeys(form for form, _ in scores):
        cells = []
        for measure in ("model day", "model minute", "vote day", "vote minute"):
            shares = scores.get((form, measure), [float("nan")])
            cells.append(f"{measure} {np.mean(shares):.3f} ({min(shares):.3f}-{max(shares):.3f})")
        print(f"{form:22}", *cells)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(fit(examples), separators=(",", ":"))
        options.out.write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main()

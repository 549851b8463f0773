"""Train the title model, and report its quality on sites and forms left out.

    python -m benchmarks.train_titles DATA [--folds 5] [--splits 1] [--forms] [--out title.json]

DATA is a folder of real pages as in :mod:`benchmarks.train_body`; the project's own corpus is added.
English pages have no accepted titles: those count on which ``<title>``, ``og:title`` and one h1 agree.
Each page is used as it is and in the forms of :mod:`benchmarks.title_forms`.  With ``--folds`` each part
of the sites is judged with a model trained on the other sites and the first half of the names and
words; the pages judged have those of the second half.  With ``--forms`` each form is judged with a model
that was trained without it, too.  With ``--out`` a model trained on everything is written.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.extraction_judge import plain_title
from benchmarks.extraction_pages import Input, own, sets
from benchmarks.fitting import deal_sites, fit_forest, fit_logistic
from benchmarks.title_forms import FORMS, Form, altered
from topiccrawl.page.learned import Choice, Floats, choice_from
from topiccrawl.page.outline import link_text
from topiccrawl.page.page import Page
from topiccrawl.page.title.candidates import candidates_in_steps
from topiccrawl.page.title.places import places_of
from topiccrawl.page.title.selection import choose, site_names
from topiccrawl.page.title.site_names import plain

#: Weights of the sets, as those of the blocks' (not tuned), and of pages that are as they are.
WEIGHTS = {"dev": 1.0, "en": 0.4, "own": 0.3}
AS_IT_IS = "as it is"
AS_IT_IS_WEIGHT = 3.0
#: Weights of the forms that are rarer than others (a guess; at 1 other forms lose .01 to .02).
FORM_WEIGHTS = {AS_IT_IS: AS_IT_IS_WEIGHT, "name as heading": 0.4, "title alone": 0.15}
#: C of the logistic regression (not tuned).
PENALTY = 1.0
#: Drawing of the own corpus to train on; the tests use others.
OWN_SEED = 11
#: Share of altered pages that were reached by a link, and of those whose link has the title as its text;
#: else it has the text of another link, of one on the page, or the beginning of the title (guesses).
LINKED, LINKED_BY_TITLE, LINKED_BY_ANOTHER = 0.4, 0.6, 0.8
_OTHER_LINKS = ("详细", "[图文]", "更多 >>", "阅读全文", "查看原图", "下一篇：旧事")


@dataclass(frozen=True, slots=True)
class Example:
    """The candidates of one page in one form."""

    id: str
    group: str
    """One of :data:`WEIGHTS`."""
    site: str
    form: str
    half: int
    """0 or 1: which names and words the form has; -1 for a page as it is."""
    matrix: Floats
    truth: Floats
    """1 for the candidates that are accepted titles."""


def accepted(page: Page, source: Input) -> tuple[str, ...]:
    """Return the accepted titles of a page; empty if it is not to be used."""
    if not page.url.partition("://")[2].partition("/")[2] and page.url:
        return ()  # a front page has its own rule
    if source.expected.group != "en":
        return source.expected.titles
    stated = [plain(it) for it in (page.outline.title, page.meta.get("og:title", "")) if it]
    heads = [it.text for it in page.outline.headings if it.level == 1]
    heads = [it for it in heads if len(plain(it)) >= 8 and all(plain(it) in o for o in stated)]
    return (heads[0],) if len(heads) == 1 and stated else ()


def examples_of(source: Input, group: str, rng: random.Random) -> Iterator[Example]:
    """Yield the examples of a page: as it is, and in each form with both halves."""
    page = Page(source.url, source.data, source.charset, now=source.fetched)
    titles = accepted(page, source)
    if not titles:
        return
    places = places_of(page.outline, page.lines)
    forms = [(AS_IT_IS, -1, Form(page.outline, page.lines, titles, places))]
    forms += [
        (name, half, altered(name, page.outline, page.lines, titles, rng, half))
        for name in FORMS
        for half in (0, 1)
    ]
    expected = source.expected
    site = f"own {expected.group}" if group == "own" else expected.site
    for name, half, form in forms:
        outline = form.outline
        # The last step has all candidates.
        *_, found = candidates_in_steps(
            outline,
            form.lines,
            site_names(outline, page.url),
            (page.url, outline.canonical_href, outline.meta.get("og:url", "")),
            _link(form, rng) if half >= 0 and rng.random() < LINKED else "",
            form.places,
        )
        right = {plain_title(title) for title in form.titles}
        truth = np.asarray([float(plain_title(text) in right) for text in found.texts])
        yield Example(expected.id, group, site, name, half, found.matrix, truth)


def _link(form: Form, rng: random.Random) -> str:
    title, outline = form.titles[0], form.outline
    if rng.random() < LINKED_BY_TITLE:
        return title
    if rng.random() >= LINKED_BY_ANOTHER:
        return title[: max(4, len(title) // 2)]
    if outline.links and rng.random() < 0.5:
        return link_text(outline.text, rng.choice(outline.links))
    return rng.choice(_OTHER_LINKS)


def fit(examples: Sequence[Example]) -> dict[str, Any]:
    """Train on the candidates of all pages."""
    used = [it for it in examples if len(it.truth)]
    matrix = np.concatenate([it.matrix for it in used])
    truth = np.concatenate([it.truth for it in used])
    weights = np.concatenate(
        [
            np.full(
                len(it.truth),
                WEIGHTS[it.group] * FORM_WEIGHTS.get(it.form, 1.0),
            )
            for it in used
        ]
    )
    return {
        "linear": fit_logistic(matrix, truth, weights, PENALTY),
        "trees": fit_forest(matrix, truth, weights),
    }


def is_right(model: Choice, page: Example) -> bool:
    """Return whether the title that is chosen is an accepted one; where there is none, that none is chosen."""
    chosen = choose(page.matrix, model.odds(page.matrix))
    return not page.truth.any() if chosen is None else bool(page.truth[chosen])


def judged(
    examples: Sequence[Example], folds: int, seed: int, *, forms: bool
) -> dict[tuple[str, str], list[bool]]:
    """Judge each page with a model that saw neither its site nor its names and words."""
    part = deal_sites([it.site for it in examples], folds, seed)
    found: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for fold in range(folds):
        known = [it for it in examples if part[it.site] != fold and it.half != 1]
        asked = [it for it in examples if part[it.site] == fold and it.half != 0]
        whole = choice_from(fit(known))
        for form in (AS_IT_IS, *FORMS):
            model = whole
            if forms and form != AS_IT_IS:
                model = choice_from(fit([it for it in known if it.form != form]))
            for page in asked:
                if page.form == form:
                    found[page.group, form].append(is_right(model, page))
    return found


def main() -> None:
    """Train and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--forms", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rng = random.Random(1)
    real = sets(options.data)
    examples = [
        example
        for group, pages in (
            ("dev", real.get("dev", [])),
            ("en", real.get("en", [])),
            ("own", own(OWN_SEED)),
        )
        for page in pages
        for example in examples_of(page, group, rng)
    ]
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    for split in range(options.splits if options.folds else 0):
        for key, right in judged(examples, options.folds, split, forms=options.forms).items():
            scores[key].append(float(np.mean(right)))
    for (group, form), shares in scores.items():
        spread = f" ({min(shares):.3f}-{max(shares):.3f})" if len(shares) > 1 else ""
        print(f"{group:4} {form:26} {np.mean(shares):.3f}{spread}")
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(fit(examples), separators=(",", ":"))
        options.out.write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main()

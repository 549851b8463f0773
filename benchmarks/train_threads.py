"""Train the thread model, and report its quality on sites and templates left out.

    python -m benchmarks.train_threads DATA [--splits 5] [--out thread.json]

Pages: those of DATA (as in :mod:`benchmarks.train_body`), those of the project's own corpus, and those of
:mod:`benchmarks.thread_templates`, :mod:`benchmarks.thread_lookalikes`, :mod:`benchmarks.thread_families`,
:mod:`benchmarks.thread_layouts`, :mod:`benchmarks.other_layouts` and :mod:`benchmarks.thread_works`.  No page has its
address.  In each split the sites, templates, families and layouts are dealt into five parts, and each part is judged
with a model trained on the others.  With ``--out`` a model trained on everything is written.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.extraction_pages import own, sets
from benchmarks.fitting import deal_sites
from benchmarks.other_layouts import OTHER_LAYOUTS, other_layout
from benchmarks.thread_families import (
    ARTICLE_FAMILIES,
    PAGES,
    QUESTION_FAMILIES,
    THREAD_FAMILIES,
    Drawn,
    article_page,
    question_page,
    thread_page,
)
from benchmarks.thread_layouts import THREAD_LAYOUTS, thread_layout
from benchmarks.thread_lookalikes import LOOKALIKES
from benchmarks.thread_templates import DRAWS, THREADS
from benchmarks.thread_works import WORKS, work_page
from topiccrawl.page.body.blocks import blocks_of
from topiccrawl.page.body.thread import LEAST, evidence_of, states_thread
from topiccrawl.page.body.thread_evidence import AGAINST, EVIDENCE, FOR, WORDS
from topiccrawl.page.learned import Floats, Logistic, logistic_from, sigmoid
from topiccrawl.page.page import Page

#: Sites of the real pages that are threads: their true bodies contain the replies.  The others are articles.
THREAD_SITES = (
    "zhihu.com", "zhidao.baidu.com", "tieba.baidu.com", "nanshengbbs.top", "mlog.club", "learnku.com",
    "paopao.info", "movie.douban.com",
)  # fmt: skip
#: Posts of communities without a reply: nothing shows whether they are threads, and nothing depends on it.
UNDECIDED = frozenset(("im_9b1e5dcb", "mh_f_a2323d65", "mh_f_ad412ab2"))
#: Weights of pages by set (not tuned).
WEIGHTS = {
    "dev": 2.0,
    "en": 1.0,
    "own": 0.5,
    "drawn": 0.5,
    "family": 0.5,
    "layout": 0.5,
    "work": 0.25,
}
#: C of the logistic regression (not tuned).
PENALTY = 1.0
#: Weight of a page that is no thread: an article taken for a thread is the worse error (a guess).
OTHERS_WEIGHT = 2.0
#: Shares of the evidence in words that copies of a page lose.  Drawn threads have the words of some site;
#: others may have none of them, and what is seldom needed for the drawn ones is not learned.
LOST = (0.5, 1.0)
#: Drawing of the own corpus.
OWN_SEED = 11
#: Forms of a page: as it is, and without class and id names.
FORMS = ("whole", "nameless")


@dataclass(frozen=True, slots=True)
class Example:
    """The evidence of one page."""

    id: str
    group: str
    site: str
    half: int
    """Of a template: 0 or 1; else -1."""
    form: str
    evidence: Floats
    stated: bool
    """Whether the page states the address of a thread, or the software of forums."""
    thread: bool


def _example(
    page: Page, id: str, group: str, site: str, half: int, thread: bool
) -> Iterator[Example]:
    outline = page.outline
    for form in FORMS:
        if form == "nameless":
            outline.boxes.names[:] = [""] * len(outline.boxes)
        blocks = blocks_of(outline)
        if len(blocks):
            evidence = evidence_of(outline, blocks)
            stated = states_thread(outline)
            yield Example(id, group, site, half, form, evidence, stated, thread)


def examples(data: Path) -> Iterator[Example]:
    """Yield all examples."""
    real = sets(data)
    for group in ("dev", "en"):
        for source in real.get(group, []):
            page = Page("http://unknown.invalid/", source.data, source.charset)
            expected = source.expected
            path = source.url.partition("://")[2]
            thread = any(site in path for site in THREAD_SITES)
            if expected.id not in UNDECIDED:
                yield from _example(page, expected.id, group, expected.site, -1, thread)
    for source in own(OWN_SEED):
        page = Page("http://unknown.invalid/", source.data, source.charset)
        expected = source.expected
        if expected.kind != "list":
            site = f"own {expected.group}"
            yield from _example(page, expected.id, "own", site, -1, expected.kind == "thread")
    yield from _drawn(THREADS, thread=True)
    yield from _drawn(LOOKALIKES, thread=False)
    yield from _families("family", "threads", THREAD_FAMILIES, thread_page, thread=True)
    yield from _families("family", "questions", QUESTION_FAMILIES, question_page, thread=True)
    yield from _families("family", "articles", ARTICLE_FAMILIES, article_page, thread=False)
    yield from _families("layout", "layouts", THREAD_LAYOUTS, thread_layout, thread=True)
    yield from _families("layout", "others", OTHER_LAYOUTS, other_layout, thread=False)
    yield from _families("work", "works", WORKS, work_page, thread=False)


def _drawn(
    halves: Sequence[Mapping[str, Callable[[int], str]]], *, thread: bool
) -> Iterator[Example]:
    for half, templates in enumerate(halves):
        for name, draw in templates.items():
            for seed in range(DRAWS):
                page = Page("http://unknown.invalid/", draw(seed).encode())
                id, site = f"{name} {seed}", f"drawn {name}"
                yield from _example(page, id, "drawn", site, half, thread)


def _families(
    group: str, kind: str, count: int, draw: Callable[[int, int], Drawn], *, thread: bool
) -> Iterator[Example]:
    for family in range(count):
        for number in range(PAGES):
            page = Page("http://unknown.invalid/", draw(family, number).html.encode())
            site = f"{kind} {family}"
            yield from _example(page, f"{site}/{number}", group, site, -1, thread)


def fit(some: Sequence[Example]) -> dict[str, Any]:
    """Train on the evidence of all pages."""
    matrix = np.stack([it.evidence for it in some])
    truth = np.asarray([float(it.thread) for it in some])
    weights = np.asarray([WEIGHTS[it.group] * (1.0 if it.thread else OTHERS_WEIGHT) for it in some])
    return fit_signed(*_with_fewer_words(matrix, truth, weights))


def _with_fewer_words(
    matrix: Floats, truth: Floats, weights: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return the pages and copies of them without some of the evidence in words, of the same weight together."""
    draw = np.random.default_rng(0)
    worded = np.asarray([name in WORDS for name in EVIDENCE])
    copies = [np.where((draw.random(matrix.shape) < share) & worded, 0.0, matrix) for share in LOST]
    count = len(copies) + 1
    return np.concatenate((matrix, *copies)), np.tile(truth, count), np.tile(weights / count, count)


def fit_signed(matrix: Floats, truth: Floats, weights: Floats) -> dict[str, Any]:
    """Return a logistic regression whose weights have the sign that their evidence must have.

    Few real pages are threads, and drawn ones have habits of their templates: without the constraint a
    weight explains the habits.  SciPy is needed.
    """
    from scipy.optimize import minimize

    count = matrix.shape[1]

    def loss(x: Floats) -> tuple[float, Floats]:
        odds = matrix @ x[:count] + x[count]
        p = sigmoid(odds)
        each = np.logaddexp(0, odds) - truth * odds
        gradient = weights * (p - truth)
        penalty = 0.5 * float(x[:count] @ x[:count]) / PENALTY
        slope = np.append(matrix.T @ gradient + x[:count] / PENALTY, gradient.sum())
        return float(weights @ each) + penalty, slope

    bounds = [(0, None)] * len(FOR) + [(None, 0)] * len(AGAINST) + [(None, None)]
    found = minimize(loss, np.zeros(count + 1), jac=True, method="L-BFGS-B", bounds=bounds).x
    return {
        "weights": [round(float(w), 4) for w in found[:count]],
        "bias": round(float(found[count]), 4),
    }


def main() -> None:
    """Train and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--splits", type=int, default=0)
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--least", type=float, default=LEAST, help="log odds of a thread")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    found = list(examples(options.data))
    scores: dict[str, list[float]] = defaultdict(list)
    for split in range(options.splits):
        part = deal_sites([it.site for it in found], 5, split)
        right: dict[str, list[bool]] = defaultdict(list)
        for fold in range(5):
            known = [it for it in found if part[it.site] != fold]
            model: Logistic = logistic_from(fit(known))
            for page in found:
                if part[page.site] != fold:
                    continue
                odds = float(model.odds(page.evidence[None])[0])
                name = f"{page.group:5} {page.form:8} {'thread' if page.thread else 'other'}"
                ok = (odds >= options.least) == page.thread
                right[name].append(ok)
                right[f"{name} as stated"].append(
                    (odds >= options.least or page.stated) == page.thread
                )
                if page.site.startswith("questions"):
                    right[f"{name} questions"].append(ok)
                if page.group == "drawn":
                    right[f"{name} {page.site}"].append(ok)
                elif options.wrong and not ok and split == 0:
                    print(
                        f"{odds:.2f} {page.thread} {page.group} {page.form} {page.id} {page.site}"
                    )
        for name, values in right.items():
            scores[name].append(float(np.mean(values)))
    print("as stated: where the metadata name a thread or forum software, the page is one")
    for name, shares in sorted(scores.items()):
        print(f"{name:50} right {np.mean(shares):.3f} ({min(shares):.3f}-{max(shares):.3f})")
    if options.out:
        learned = fit(found)
        for name, weight in sorted(
            zip(EVIDENCE, learned["weights"], strict=True), key=lambda x: x[1]
        ):
            print(f"{name:18}{weight:8.2f}")
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(learned, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()

"""Train the block classifier, and report its quality on sites left out.

    python -m benchmarks.train_body DATA [--folds 5] [--splits 1] [--out body.json]

DATA is a folder with ``dev/`` (Chinese pages: ID.html and ID.json with "site", "url" and "body") and
optionally ``en/`` (``html/ID.html.gz``, ``ground-truth.json`` of the article extraction benchmark). Needs
scikit-learn. With ``--folds`` the sites are split into that many parts, and each part is judged with models
trained on the others; ``--splits`` repeats this with other splits. With ``--out`` models trained on all
pages are written, which is how ``topiccrawl/page/body/data/body.json`` was built. The model of parts behind
the text (:mod:`topiccrawl.page.body.other_parts`) learns from the probabilities of blocks of sites left out,
so that ``--out`` needs ``--folds``.

Each real page is used up to seven times: as it is; without class and id names, as on sites with generated
names; without boxes, as on old sites that put the whole text of a page into one cell or directly into its
body; twice with feeds of other pages or the next article behind its text, once with the text cut to one
or two paragraphs; and twice with short lines or one sentence in place of its text
(:mod:`benchmarks.body_forms`).
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.body_forms import Article, alike, altered, rewritten
from benchmarks.body_labels import labels
from benchmarks.extraction_pages import own
from benchmarks.extraction_score import normalized, page_f1
from benchmarks.fitting import ForestSize, deal_sites, fit_forest, fit_logistic
from benchmarks.thread_templates import DRAWS, THREADS
from topiccrawl.page.body.blocks import Blocks, blocks_of
from topiccrawl.page.body.completion import completed
from topiccrawl.page.body.context_features import context_features
from topiccrawl.page.body.features import PageFeatures, features_of
from topiccrawl.page.body.model import BodyModel, model_from
from topiccrawl.page.body.other_parts import parts_of, without_next_articles, without_other_parts
from topiccrawl.page.body.selection import select_body
from topiccrawl.page.learned import Floats, Logistic, logistic_from
from topiccrawl.page.outline import Boxes
from topiccrawl.page.page import Page

#: The copies of each real page and their weights (not tuned).
FORMS = {
    "whole": 1.0, "nameless": 0.3, "boxless": 0.2, "feed": 0.3, "short": 0.3, "verse": 0.2, "brief": 0.2,
}  # fmt: skip
#: The copies with other articles behind the text, and with another text, see :mod:`benchmarks.body_forms`.
FED, REWRITTEN = ("feed", "short"), ("verse", "brief")
#: Drawing of the feeds, and fewest characters of a line in one (a guess).
FEED_SEED, LEAST_IN_FEED = 5, 30
#: The copies of which English pages have half: without the others training takes a sixth less time.
THINNED = ("nameless", "boxless", "verse", "brief")
#: Share of the feeds whose articles are those most like the page (not tuned).
ALIKE = 0.5
#: Weights of pages: Chinese ones; English ones, because Chinese sites have such pages too; those of the
#: project's own corpus, which has kinds of pages that the real ones lack; and drawn threads, which are few
#: among the real pages (not tuned; without drawn threads the F1 of real ones is .02 less).
WEIGHTS = {"dev": 1.0, "en": 0.5, "own": 0.1, "drawn": 0.1}
#: Drawings of the own corpus to train on; the tests use others.
OWN_SEEDS = (11, 12)
#: Parameters of the forest.  With 80 trees of 8 leaves the F1 on sites left out is about .003 less on pages with
#: feeds; 160 of 16 leaves are no better on whole pages (2026-11).
FOREST = ForestSize(trees=120, leaves=12, depth=6, min_leaf=50)
#: C of the regression of parts: .1 gains .02 less on short texts above feeds (2026-11).
PARTS_PENALTY = 0.3
#: Folds for the first model's out-of-sample probabilities, on which the second model is trained.
INNER_FOLDS = 4
#: The second model learns from the blocks of which the first one has at least this probability, and at most 1 minus
#: it: a little more than those that it decides, see :data:`topiccrawl.page.body.model.SURE`.
LEARNED = 0.005


@dataclass(frozen=True, slots=True)
class Example:
    """A page with the labels of its blocks."""

    id: str
    site: str
    body: str
    tags: list[str]
    """The tags of the page's boxes."""
    blocks: Blocks
    features: PageFeatures
    truth: NDArray[np.float64]
    weights: NDArray[np.float64]
    """Shape (blocks,): square roots of the lengths, scaled to the page's weight in sum."""
    form: str
    """One of :data:`FORMS`."""
    kind: str
    """One of :data:`WEIGHTS`."""


def example(
    page: Page, id: str, site: str, body: str, kind: str, form: str = "whole"
) -> Example | None:
    """Return the training example of a page, None if it has no text."""
    outline = page.outline
    if form == "nameless":
        outline.boxes.names[:] = [""] * len(outline.boxes)
    elif form == "boxless":
        outline.boxes = Boxes()
        outline.boxes.open(0, "body", "", 0)
        outline.boxes.ends[:] = [len(outline.text)] * 2
    blocks = blocks_of(outline)
    if not len(blocks):
        return None
    features = features_of(outline, blocks, page.stated_title, page.url)
    size = np.asarray([len(normalized(text)) for text in blocks.texts], float)
    weights = np.sqrt(size) / max(1.0, float(np.sqrt(size).sum()))
    weights *= WEIGHTS[kind] * FORMS[form]
    truth = np.asarray(labels(body, blocks.texts))
    return Example(id, site, body, outline.boxes.tags, blocks, features, truth, weights, form, kind)


def read(data: Path) -> list[Example]:
    """Read all examples of a folder, each page in all forms."""
    found: list[tuple[str, str, str, str, bytes, bool]] = []
    for path in sorted((data / "dev").glob("*.json")):
        truth = json.loads(path.read_text("utf-8"))
        html = path.with_suffix(".html").read_bytes()
        found.append(
            (truth["id"], truth["site"], truth.get("url") or "", truth["body"], html, False)
        )
    if (data / "en").exists():
        truths = json.loads((data / "en" / "ground-truth.json").read_text("utf-8"))
        for key, truth in truths.items():
            html = gzip.decompress((data / "en" / "html" / f"{key}.html.gz").read_bytes())
            site = truth["url"].split("/")[2]
            found.append((key, site, truth["url"], truth["articleBody"], html, True))
    examples = []
    articles = {
        english: [
            Article(site, (texts[0][:24]), texts)
            for _, site, _, body, _, other in found
            if other == english and len(texts := _paragraphs(body)) > 1
        ]
        for english in (False, True)
    }
    rng = random.Random(FEED_SEED)
    for number, (key, site, url, body, html, english) in enumerate(found):
        kind = "en" if english else "dev"
        others = [it for it in articles[english] if it.site != site]
        for form in FORMS:
            if english and number % 2 and form in THINNED:
                continue
            page, true = Page(url or "http://unknown.invalid/", html), body
            if form in (*FED, *REWRITTEN):
                utf8 = page.text.encode("utf-8", "replace")
                if form in FED:
                    feed = alike(body, others) if rng.random() < ALIKE else others
                    other = altered(utf8, body, feed, rng, form == "short")
                else:
                    other = rewritten(utf8, body, rng, verse=form == "verse")
                if other is None:
                    continue
                page, true = Page(page.url, other.data, "utf-8"), other.body
            built = example(page, key, site, true, kind, form)
            if built is not None:
                examples.append(built)
    return examples


def _paragraphs(body: str) -> tuple[str, ...]:
    """Return the lines of a body that can stand in a feed."""
    return tuple(line for line in body.split("\n") if len(line) >= LEAST_IN_FEED)


def read_own(seed: int) -> list[Example]:
    """Return examples of the project's own corpus, whose names are not better than generated ones."""
    examples = []
    for sample in own(seed):
        page = Page(sample.url, sample.data, sample.charset, now=sample.fetched)
        expected = sample.expected
        # Sites of one family look alike: they are left out together.
        seen = example(page, expected.id, f"own {expected.group}", expected.bodies[0], "own")
        if seen is not None:
            examples.append(seen)
    return examples


def read_threads() -> list[Example]:
    """Return examples of drawn threads, with and without class and id names."""
    examples = []
    for name, template in (item for half in THREADS for item in half.items()):
        for seed in range(DRAWS):
            thread = template.thread(seed)
            body = "\n".join((thread.title, *(line for it in thread.posts for line in it.lines)))
            for form in ("whole", "nameless"):
                page = Page("https://bbs.example.cn/thread-1-1.html", template(seed).encode())
                seen = example(page, f"{name} {seed}", f"drawn {name}", body, "drawn", form)
                if seen is not None:
                    examples.append(seen)
    return examples


def fit(examples: Sequence[Example]) -> dict[str, Any]:
    """Train both models and return the content of a model file."""
    part = _deal(examples, INNER_FOLDS, seed=1)
    first: dict[int, NDArray[np.float64]] = {}
    for fold in range(INNER_FOLDS):
        # In single precision, which takes half the time: these are not kept.
        learned = _logistic([e for e in examples if part[e.site] != fold], np.float32)
        model = Logistic(np.asarray(learned["weights"]), learned["bias"])
        for i, seen in enumerate(examples):
            if part[seen.site] == fold:
                first[i] = model.predict(seen.features.matrix)
    matrix = np.concatenate(
        [
            np.column_stack((e.features.matrix, context_features(e.blocks, e.features, first[i])))
            for i, e in enumerate(examples)
        ]
    )
    p = np.concatenate([first[i] for i in range(len(examples))])
    unsure = (p > LEARNED) & (p < 1 - LEARNED)
    truth, weights = _columns(examples)
    return {
        "features": list(examples[0].features.names),
        "first": _logistic(examples),
        "second": fit_forest(matrix[unsure], truth[unsure], weights[unsure], FOREST),
    }


def _columns(examples: Sequence[Example]) -> tuple[Floats, Floats]:
    weights = np.concatenate([e.weights for e in examples])
    return np.concatenate([e.truth for e in examples]), weights / weights.mean()


def _logistic(
    examples: Sequence[Example], kind: type[np.floating[Any]] = np.float64
) -> dict[str, Any]:
    matrix = np.concatenate([e.features.matrix for e in examples]).astype(kind, copy=False)
    return fit_logistic(matrix, *_columns(examples))


def _deal(examples: Sequence[Example], parts: int, seed: int) -> dict[str, int]:
    return deal_sites([e.site for e in examples], parts, seed)


def selected(seen: Example, p: Floats) -> NDArray[np.bool_]:
    """Return the blocks that are selected as body, with what completes them."""
    body = select_body(p, seen.blocks, seen.features)
    if not seen.features.thread:
        body = completed(seen.tags, seen.blocks, seen.features, body, p)
        body = without_next_articles(seen.tags, seen.blocks, seen.features, body)
    return body


def f1_of(seen: Example, p: Floats, parts: Logistic | None = None) -> float:
    """Return the F1 of the body of a page, by the probabilities of its blocks."""
    body = selected(seen, p)
    if parts is not None and not seen.features.thread:
        body = without_other_parts(seen.tags, seen.blocks, seen.features, body, p, parts)
    text = "\n".join(seen.blocks.texts[i] for i in np.flatnonzero(body))
    return page_f1(seen.body, text)


def fit_parts(examples: Sequence[Example], predicted: Sequence[Floats]) -> dict[str, Any]:
    """Train the model of parts on the probabilities of blocks of sites that were left out."""
    matrices, truths, weights = [], [], []
    for seen, p in zip(examples, predicted, strict=True):
        body = selected(seen, p)
        found = parts_of(seen.tags, seen.blocks, seen.features, body, p)
        if seen.features.thread or found is None:
            continue
        inside = found.numbers >= 0
        rows, sizes = found.numbers[inside], seen.blocks.size[inside]
        size = np.bincount(rows, sizes)
        matrices.append(found.matrix)
        truths.append(np.bincount(rows, sizes * (seen.truth[inside] > 0.5)) >= 0.5 * size)
        weights.append(np.sqrt(size) * WEIGHTS[seen.kind] * FORMS[seen.form])
    weight = np.concatenate(weights)
    truth = np.concatenate(truths).astype(float)
    return fit_logistic(np.concatenate(matrices), truth, weight / weight.mean(), PARTS_PENALTY)


def report(name: str, scores: dict[str, list[float]]) -> None:
    """Print a line for each kind of page."""
    for kind, values in scores.items():
        share = sum(v >= 0.9 for v in values) / len(values)
        print(
            f"{name:16} {kind:18} {len(values):4} pages  F1 {statistics.mean(values):.4f}  "
            f"F1 >= .9: {share:.3f}",
            flush=True,
        )


def judge(
    examples: Sequence[Example],
    predicted: Sequence[Floats],
    parts: Logistic | None,
    scores: dict[str, list[float]],
) -> None:
    """Add the F1 of each page to the scores of its kind."""
    for seen, p in zip(examples, predicted, strict=True):
        kind = seen.kind if seen.form == "whole" else f"{seen.kind} {seen.form}"
        scores.setdefault(kind, []).append(f1_of(seen, p, parts))


def predict(model: BodyModel, examples: Sequence[Example]) -> list[Floats]:
    """Return the probabilities of the blocks of each page."""
    return [model.predict(seen.blocks, seen.features) for seen in examples]


def left_out(examples: Sequence[Example], part: dict[str, int], folds: int) -> list[Floats]:
    """Return the probabilities of the blocks of each page by models that have not seen its site."""
    found: list[Floats] = [np.zeros(0)] * len(examples)
    for fold in range(folds):
        model = model_from(fit([e for e in examples if part[e.site] != fold]))
        for i, seen in enumerate(examples):
            if part[seen.site] == fold:
                found[i] = model.predict(seen.blocks, seen.features)
    return found


def main() -> None:
    """Train and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if options.out and not options.folds:
        parser.error("--out needs --folds")
    examples = read(options.data)
    for seed in OWN_SEEDS:
        examples += read_own(seed)
    examples += read_threads()
    seen_by_parts: list[Example] = []
    predicted: list[Floats] = []
    for split in range(options.splits if options.folds else 0):
        part = _deal(examples, options.folds, seed=split)
        p = left_out(examples, part, options.folds)
        before: dict[str, list[float]] = {}
        scores: dict[str, list[float]] = {}
        for fold in range(options.folds):
            inside = [i for i, e in enumerate(examples) if part[e.site] == fold]
            others = [i for i, e in enumerate(examples) if part[e.site] != fold]
            parts = fit_parts([examples[i] for i in others], [p[i] for i in others])
            own_pages, own_p = [examples[i] for i in inside], [p[i] for i in inside]
            judge(own_pages, own_p, None, before)
            judge(own_pages, own_p, logistic_from(parts), scores)
        report(f"with all parts {split}", before)
        report(f"sites left out {split}", scores)
        seen_by_parts += examples
        predicted += p
    if options.out:
        learned = fit(examples)
        learned["parts"] = fit_parts(seen_by_parts, predicted)
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(learned, separators=(",", ":")) + "\n", "utf-8")
        model = model_from(learned)
        seen: dict[str, list[float]] = {}
        judge(examples, predict(model, examples), model.parts, seen)
        report("seen sites", seen)


if __name__ == "__main__":
    main()

"""Judge methods that decide whether two pages are copies of one text.

    python -m benchmarks.copies                                  # the demo web, edited
    python -m benchmarks.copies --labeled ../shared/data/extraction/dev --histories FILE.jsonl

Pairs are made by edits and traps (``edits.py``, ``traps.py``) of pages that are given, and of the versions
of pages in histories: files with a line of JSON for each page, ``{"source", "era", "key", "title",
"body"}``, where a key that occurs in two eras is one page (``histories.py`` writes such files).
Half of the sources are for fitting thresholds and weights, the other half is reported, in many splits.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.copies import fitting
from benchmarks.copies.edits import edited_pairs
from benchmarks.copies.histories import history_pairs
from benchmarks.copies.judging import by_splits, halves, score, summary
from benchmarks.copies.methods import METHODS
from benchmarks.copies.pages import Pair, SourcePage, articles, labeled_pages, read_jsonl, sample
from benchmarks.copies.traps import trap_pairs
from topiccrawl.dedup.relation import relate
from topiccrawl.demo.text import compose
from topiccrawl.demo.vocabulary import TOPICS


def demo_pages(count: int) -> list[SourcePage]:
    """Return generated articles, without any data from outside."""
    pages = []
    for number in range(count):
        topic = TOPICS[number % len(TOPICS)]
        story = compose(7, topic, str(number))
        source = f"demo {number % 12}"
        pages.append(SourcePage(source, story.title, "\n".join(story.paragraphs), "", str(number)))
    return pages


def given_pages(options: argparse.Namespace) -> tuple[list[SourcePage], list[SourcePage]]:
    """Return the pages to edit, and the pages with histories."""
    histories = [page for path in options.histories for page in read_jsonl(path)]
    if options.per_source:
        by_source: dict[str, dict[str, list[SourcePage]]] = defaultdict(lambda: defaultdict(list))
        for page in histories:
            by_source[page.source][page.key].append(page)
        rng = random.Random(options.seed)
        histories = [
            page
            for _, keys in sorted(by_source.items())
            for key in rng.sample(sorted(keys), min(options.per_source, len(keys)))
            for page in keys[key]
        ]
    pages = [page for folder in options.labeled for page in articles(labeled_pages(folder))]
    pages += sample(articles(histories), options.edited, options.seed)
    return pages or articles(demo_pages(options.edited)), histories


def report_methods(pairs: Sequence[Pair], splits: int, seed: int) -> None:
    """Print a line for each method."""
    copies = np.array([pair.copy for pair in pairs])
    sources = np.array([pair.source for pair in pairs])
    reported = halves([pair.source for pair in pairs], splits, seed)
    print(f"{'method':26}{'F1':17}{'precision':17}{'recall':17}{'pages/s':>9}{'pairs/s':>10}")
    for method in METHODS:
        found = score(method, pairs)
        results = by_splits(found.scores, copies, sources, reported, method.threshold)
        f1, precision, recall = summary(results)
        rates = f"{found.pages_per_second:9,.0f}{found.pairs_per_second:10,.0f}"
        print(f"{method.name:26}{f1:17}{precision:17}{recall:17}{rates}", flush=True)


def report_sorts(pairs: Sequence[Pair]) -> None:
    """Print for each edit and trap how often the decision and the kind are right."""
    right: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for pair in pairs:
        relation = relate(pair.first.compared(1), pair.second.compared(2))
        right[pair.sort].append((relation.is_copy == pair.copy, relation.kind in pair.kinds))
    print(f"\n{'pairs':34}{'number':>7}{'decision':>10}{'kind':>7}")
    for sort, results in sorted(right.items()):
        decision, kind = np.mean(results, axis=0)
        print(f"{sort:34}{len(results):7}{decision:10.3f}{kind:7.3f}")


def report_fit(pairs: Sequence[Pair], splits: int, seed: int) -> None:
    """Print the figures of weights that were fitted on the other half of the sources, and of all."""
    x, used = fitting.design(pairs)
    weights = fitting.weigh(pairs, used)
    copies = np.array([pair.copy for pair in pairs])
    sources = np.array([pair.source for pair in pairs])
    results = []
    for names in halves([pair.source for pair in pairs], splits, seed):
        test = np.isin(sources, list(names))
        w = fitting.fit(x, copies, np.where(test, 0.0, weights))
        here = used & test
        results += by_splits((x @ w)[here], copies[here], sources[here], [names], 0.0)
    print("\nweights fitted on the other half, pairs that the model decides:")
    print("F1 {}, precision {}, recall {}".format(*summary(results)))
    print("fitted on all:", fitting.named(fitting.fit(x, copies, weights)))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--histories", type=Path, action="append", default=[], metavar="JSONL")
    parser.add_argument(
        "--labeled", type=Path, action="append", default=[], metavar="FOLDER", help="pages to edit"
    )
    parser.add_argument("--edited", type=int, default=200, help="pages of histories to edit")
    parser.add_argument("--per-source", type=int, help="keys of each history, drawn at random")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fit", action="store_true", help="fit the weights of the model, too")
    options = parser.parse_args()
    pages, histories = given_pages(options)
    pairs = [*edited_pairs(pages, options.seed), *trap_pairs(pages, options.seed)]
    pairs += history_pairs(histories)
    copies = sum(pair.copy for pair in pairs)
    print(f"{len(pages)} pages edited, {copies} pairs of copies, {len(pairs) - copies} of others\n")
    report_methods(pairs, options.splits, options.seed)
    report_sorts(pairs)
    if options.fit:
        report_fit(pairs, options.splits, options.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Time and memory of the page classifier over a crawl of synthetic pages.

    python -m benchmarks.classifier PAGES [--terms 100] [--links 60] [--no-memory]

Pages are added one by one; a round of learning starts when it is due, and its steps are measured one by
one.  Times are processor time of this process.  Memory is what ``tracemalloc`` counts from the first page
on, in a second pass, without the pages themselves.
"""

from __future__ import annotations

import argparse
import sys
import time
import tracemalloc
from dataclasses import dataclass, field

import numpy as np

from topiccrawl.scoring.classifier import PageClassifier
from topiccrawl.scoring.strategy import N_FEATURES, LinkBatch, PageView

#: Channels of a site that each of its pages links to by their names.
MENUS = 20
#: Pages of a site, share of pages on topic, and words of the language.
SITE = 200
ON_TOPIC = 0.2
WORDS = 50_000
#: Similarity to the topic from which the keywords are sure.
THRESHOLD = 0.2


def synthetic_page(number: int, pages: int, terms: int, links: int) -> PageView:
    """Return page *number* of a web of *pages*: the same for the same arguments."""
    rng = np.random.default_rng((20021, number))
    topical = rng.random() < ON_TOPIC
    words = WORDS * rng.random(2 * terms) ** 3 + (WORDS if topical else 0)
    own = np.where(rng.random(2 * terms) < 0.3, words, words % WORDS)
    ids = np.unique(own.astype(np.int32))[:terms]
    weights = np.sort(rng.random(len(ids)))[::-1]
    # Half of the links stay on the site.
    inside = number // SITE * SITE + rng.integers(0, SITE, links // 2)
    outside = (4 * pages * rng.random(links - links // 2) ** 2).astype(np.int64)
    targets = _ids(np.unique(np.concatenate([inside, outside])))
    zero, no = np.zeros(len(targets)), np.zeros(len(targets), dtype=np.bool_)
    site = (number // SITE * 7_919) % N_FEATURES
    domain = number // SITE + 1
    fronts, names = site + np.arange(len(targets)), 1_000 + np.arange(len(targets)) % 97
    menus = np.stack([domain * N_FEATURES + fronts, names], axis=1)
    menus[MENUS:] = 0
    return PageView(
        id=int(_ids(np.array([number]))[0]),
        relevance=float(np.clip(rng.normal(0.25 if topical else 0.05, 0.1), 0, 1)),
        background=0.0,
        relevant=topical,
        depth=0,
        order=number + 1,
        inherited=0.0,
        links=LinkBatch(targets, zero, no, no, no, zero, zero, menus=menus),
        term_ids=ids,
        term_weights=weights / np.linalg.norm(weights),
        place=np.array([domain, site, site, 2], dtype=np.int32),
        title_hit=bool(topical and rng.random() < 0.3),
        folders=np.array([site, (site + 1 + number % 3) % N_FEATURES], dtype=np.int32),
        channels=np.array([site + 10, (site + 11 + number % 3) % N_FEATURES], dtype=np.int32),
        # One page in four has words of its metadata and of the link that led to it.
        borrowed_ids=ids[:0]
        if number % 4
        else np.arange(9 * WORDS, 9 * WORDS + 30, dtype=np.int32) % N_FEATURES,
        borrowed_weights=weights[:0] if number % 4 else rng.random(30) / np.linalg.norm(weights),
    )


def _ids(numbers: np.ndarray) -> np.ndarray:
    """Return spread link ids of page numbers."""
    return (numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)).astype(np.int64)


@dataclass(slots=True)
class Times:
    """Processor seconds."""

    add: float = 0.0
    steps: list[float] = field(default_factory=list)
    rounds: int = 0


def crawl(pages: int, terms: int, links: int) -> tuple[PageClassifier, Times]:
    """Judge *pages* pages and learn when it is due."""
    classifier, times = PageClassifier(THRESHOLD), Times()
    for number in range(pages):
        page = synthetic_page(number, pages, terms, links)
        begin = time.process_time()
        classifier.add(page)
        times.add += time.process_time() - begin
        if not classifier.due:
            continue
        times.rounds += 1
        steps = classifier.learn()
        done = object()
        begin = time.process_time()
        while next(steps, done) is not done:
            now = time.process_time()
            times.steps.append(now - begin)
            begin = now
        times.steps.append(time.process_time() - begin)
    return classifier, times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", type=int)
    parser.add_argument("--terms", type=int, default=100, help="terms of each page")
    parser.add_argument("--links", type=int, default=60, help="links of each page")
    parser.add_argument("--no-memory", action="store_true", help="skip the second pass")
    options = parser.parse_args()
    classifier, times = crawl(options.pages, options.terms, options.links)
    learning = sum(times.steps)
    print(
        f"{options.pages:,} pages, {times.rounds} rounds, threshold {classifier.threshold:.3f}\n"
        f"  add {times.add / options.pages * 1e3:.3f} ms/page, "
        f"learn {learning / options.pages * 1e3:.3f} ms/page, "
        f"together {(times.add + learning) / options.pages * 1e3:.3f} ms/page\n"
        f"  {len(times.steps):,} steps, median {np.median(times.steps) * 1e3:.1f} ms, "
        f"longest {max(times.steps) * 1e3:.1f} ms"
    )
    if not options.no_memory:
        tracemalloc.start()
        classifier, _ = crawl(options.pages, options.terms, options.links)
        now, peak = tracemalloc.get_traced_memory()
        print(f"  memory {now / 2**20:.1f} MiB, peak {peak / 2**20:.1f} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

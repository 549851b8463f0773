"""F1 of the categories of pages, on a stored web whose topics are taken as categories.

    python -m benchmarks.categories WEB [--every 2] [--samples 5] [--seeds 3]

WEB has ``web.sqlite``, ``topics.json`` and ``relevant/`` (docs/webs.md).  Pages are reduced to title and
keywords, as the console has them.  Samples are pages drawn for each topic; they are not judged.  Neither
are pages without keywords.
"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from topiccrawl.analysis.extraction import PageExtractor
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.insight.categories.division import categorize
from topiccrawl.insight.overview import Overview
from topiccrawl.store.headlines import PageHeadline
from topiccrawl.topics.definition import Category

#: Fewer relevant pages say little about a category.
_LEAST_PAGES = 15


def headlines(web: str, every: int) -> list[PageHeadline]:
    """Return every so many pages of a web as headlines."""
    extractor = PageExtractor(sentences=0)
    found = []
    stored = open_web(web)
    now = datetime.now(UTC)
    for url in sorted(stored.urls())[::every]:
        page = stored.get(url)
        record = extractor.extract(page.body, url, url) if page else {}
        keywords = record.get("keywords")
        if isinstance(keywords, list) and keywords:
            found.append(
                PageHeadline(
                    topic="web",
                    url=url,
                    title=str(record["title"] or ""),
                    language=str(record["lang"]),
                    first_seen=now,
                    fetched_at=now,
                    keywords=tuple(keywords),
                )
            )
    return found


def f1(found: NDArray[np.bool_], true: NDArray[np.bool_]) -> float:
    """Return the mean over categories of F1."""
    both = (found & true).sum(axis=0)
    return float(np.mean(2 * both / np.maximum(found.sum(axis=0) + true.sum(axis=0), 1)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("web")
    parser.add_argument("--every", type=int, default=2, help="read every so many pages")
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    pages = headlines(options.web, options.every)
    overview = Overview.of(pages)
    with_pages = [
        topic
        for topic in open_web(options.web).topics
        if sum(page.url in topic.relevant for page in pages) >= _LEAST_PAGES
    ]
    true = np.array([[page.url in topic.relevant for topic in with_pages] for page in pages])
    words = [Category(topic.name, tuple(topic.keywords)) for topic in with_pages]
    bare = [Category(topic.name) for topic in with_pages]
    print(f"{len(pages)} pages, {len(with_pages)} categories")
    print(f"words             F1 {f1(categorize(overview, words).members, true):.3f}")
    for name, categories in (("words and samples", words), ("samples", bare)):
        figures = []
        for seed in range(options.seeds):
            random = np.random.default_rng(seed)
            drawn = [
                random.choice(np.flatnonzero(column), options.samples, replace=False)
                for column in true.T
            ]
            samples = [[pages[row].keywords for row in rows] for rows in drawn]
            judged = np.ones(len(pages), dtype=np.bool_)
            judged[np.concatenate(drawn)] = False
            members = categorize(overview, categories, samples).members
            figures.append(f1(members[judged], true[judged]))
        print(f"{name:17} F1 {np.mean(figures):.3f} (standard deviation {np.std(figures):.3f})")


if __name__ == "__main__":
    main()

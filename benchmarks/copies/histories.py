"""Pairs of pages from the real histories of sources, and a command that writes such a history.

    python -m benchmarks.copies.histories SOURCE ERA FOLDER [--pages GLOB] >> histories.jsonl

writes a line of JSON for each page of an unpacked documentation: ``{"source", "era", "key", "title",
"body"}``.  HTML is read as the crawler reads it; of reStructuredText and Markdown, the first heading is
the title.  Two eras of one source, such as the documents of two versions, are a history.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.copies.pages import Pair, SourcePage
from topiccrawl.dedup.compared import RelationKind
from topiccrawl.dedup.shingles import shingles
from topiccrawl.page.page import Page

#: Of the pages most similar to a page, so many are traps.
NEAREST = 3
#: Shingles that more pages have are not counted.
MOST_PAGES = 200

_COPY: frozenset[RelationKind] = frozenset({"edited", "copy", "same-page"})
_OTHER: frozenset[RelationKind] = frozenset({"template", "different"})
_HEADING = re.compile(r"^(?:#+ *(?P<md>\S.*)|(?P<rst>[^=\-#*\s].*)\n[=\-#*~]{3,})$", re.MULTILINE)


def history_pairs(pages: Sequence[SourcePage]) -> Iterator[Pair]:
    """Yield the versions of each page, and the pages that are most similar to it and other pages.

    The traps of a page are the :data:`NEAREST` pages of its source with other keys, of any version, by
    shared shingles.  Those with exactly the same text are left out: they are copies under two keys.
    """
    by_source = defaultdict(list)
    for page in pages:
        by_source[page.source].append(page)
    for source in sorted(by_source):
        yield from _pairs(source, by_source[source])


def _pairs(source: str, pages: Sequence[SourcePage]) -> Iterator[Pair]:
    versions: dict[str, dict[str, SourcePage]] = defaultdict(dict)
    for page in pages:
        versions[page.key].setdefault(page.era, page)
    for eras in versions.values():
        ordered = [eras[era] for era in sorted(eras)]
        for old, new in itertools.pairwise(ordered):
            yield Pair(source, "history: versions", old, new, _COPY, True)
    texts = [shingles(page.body) for page in pages]
    having: dict[int, list[int]] = defaultdict(list)
    sampled = [text[text & np.uint64(7) == 0].tolist() for text in texts]
    for i, sample in enumerate(sampled):
        for shingle in sample:
            having[shingle].append(i)
    seen = set()
    for i, sample in enumerate(sampled):
        shared: Counter[int] = Counter()
        for shingle in sample:
            if len(having[shingle]) <= MOST_PAGES:
                shared.update(having[shingle])
        others = [j for j, _ in shared.most_common() if pages[j].key != pages[i].key]
        for j in others[:NEAREST]:
            pair = (min(i, j), max(i, j))
            if pair not in seen and not np.array_equal(texts[i], texts[j]):
                seen.add(pair)
                first, second = (pages[k] for k in pair)
                yield Pair(source, "history: nearest other page", first, second, _OTHER, False)


def read_page(path: Path) -> tuple[str, str]:
    """Return title and body of a page of a documentation."""
    if path.suffix in (".html", ".htm", ".xhtml"):
        page = Page(f"http://docs.example/{path.name}", path.read_bytes())
        return page.title, page.body
    text = path.read_text(encoding="utf-8", errors="replace")
    heading = _HEADING.search(text)
    title = (heading["md"] or heading["rst"]).strip() if heading else path.stem
    return title, re.sub(r"^[=\-#*~^]{3,}$\n?", "", text, flags=re.MULTILINE)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source")
    parser.add_argument("era", help="version or date; versions are compared in the order of names")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", default="**/*.html", help="which files; default: %(default)s")
    options = parser.parse_args()
    for path in sorted(options.folder.glob(options.pages)):
        title, body = read_page(path)
        key = path.relative_to(options.folder).as_posix()
        line = {"source": options.source, "era": options.era, "key": key}
        print(json.dumps(line | {"title": title, "body": body}, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Compare the page analysis of two checkouts: every field of every page, and the time of each stage.

    python -m benchmarks.page_equal OLD_TREE [--data FOLDER] [--webs WEB.sqlite ...] [--every 20] [--rounds 5]

OLD_TREE is another checkout, for example of ``git worktree add --detach OLD_TREE main``. Two processes, one
for each tree, read the same pages in turn, page by page, so that load on the machine affects both. Times are
CPU time.

Pages: the own corpus, mutated copies of it and hostile pages; ``dev`` and ``en`` of FOLDER, and every
``--every``-th page of the stored webs, if they exist.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sqlite3
import statistics
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import IO, Final

#: Stages of the analysis in the order of their computation, each with what it reads of a page.
STAGES: Final = (
    "decode", "outline", "lines", "title", "body", "links", "dates", "byline", "notice", "language",
    "digest", "markdown", "rest",
)  # fmt: skip
#: The stages that ``benchmarks.extraction --speed`` counts.
EXTRACTION: Final = ("decode", "outline", "lines", "title", "body", "links", "dates", "byline")
_NOW = datetime(2026, 11, 1, tzinfo=UTC)

_Page = tuple[bytes, str, str | None]
_Answer = tuple[dict[str, str], dict[str, float]]


def _serve(pages: IO[bytes], answers: IO[bytes]) -> None:
    """Analyze pages until there are no more; runs in a process of its own."""
    analyze = _analysis()
    while True:
        try:
            page = pickle.load(pages)
        except EOFError:
            return
        pickle.dump(analyze(*page), answers)
        answers.flush()


def _analysis() -> Callable[[bytes, str, str | None], _Answer]:
    """Return a function that computes everything of a page, with the time of each stage."""
    from topiccrawl.page.notcontent.recognition import recognize
    from topiccrawl.page.page import Page
    from topiccrawl.page.shell import content_of
    from topiccrawl.text.analyzer import TextAnalyzer
    from topiccrawl.text.idf import IdfTable
    from topiccrawl.text.language import detect_language
    from topiccrawl.text.summary import digest

    analyzer, idf = TextAnalyzer(), IdfTable().idf

    def analyze(data: bytes, url: str, charset: str | None) -> _Answer:
        page = Page(url, data, charset, now=_NOW, anchor_hint="侨批档案馆开放")
        fields: dict[str, Callable[[], object]] = {
            "decode": lambda: page.decoded,
            "outline": lambda: page.outline,
            "lines": lambda: page.lines,
            "title": lambda: (page.stated_title, page.used_anchor_hint),
            "body": lambda: (page.extraction, page.kind, page.title),
            "links": lambda: page.links,
            "dates": lambda: page.published,
            "byline": lambda: page.byline,
            "notice": lambda: (recognize(page), recognize(page, 404), content_of(page)),
            "language": lambda: detect_language(page.body or page.visible_text),
            "digest": lambda: digest(page.title, page.body, analyzer, idf),
            "markdown": lambda: (page.to_markdown(), page.markdown, page.images),
            "rest": lambda: (
                page.base_url, page.canonical_url, page.feeds, page.versions, page.main_image,
                page.trail, page.stated_words, page.site_name, page.source, page.source_url,
                page.comment_records, page.noindex, page.nofollow,
                Page(url, data, charset, extractor="text-density", now=_NOW).kind,
            ),
        }  # fmt: skip
        found, spent = {}, {}
        for name in STAGES:
            start = time.process_time()
            value = fields[name]()
            spent[name] = time.process_time() - start
            found[name] = repr(value)
        return found, spent

    return analyze


class _Tree:
    """A process that analyzes pages with the code of one checkout."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__, "--serve"],
            env={**os.environ, "PYTHONPATH": str(path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __call__(self, page: _Page) -> _Answer:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump(page, self._process.stdin)
        self._process.stdin.flush()
        answer: _Answer = pickle.load(self._process.stdout)
        return answer

    def close(self) -> None:
        self._process.communicate()


@dataclass
class _Tally:
    """Differences and times of one set of pages."""

    pages: int = 0
    different: int = 0

    def compare(self, label: str, old: dict[str, str], new: dict[str, str]) -> None:
        """Count a page, and print where its fields begin to differ."""
        self.pages += 1
        wrong = [name for name in STAGES if old[name] != new[name]]
        self.different += bool(wrong)
        for name in wrong if self.different <= 10 else ():
            pairs = zip(old[name], new[name], strict=False)
            at = next((i for i, (a, b) in enumerate(pairs) if a != b), -1)
            print(f"  {label} {name} at {at}:")
            print(f"    old {old[name][max(0, at - 40) : at + 80]}")
            print(f"    new {new[name][max(0, at - 40) : at + 80]}")


def compare(name: str, pages: Sequence[_Page], old: _Tree, new: _Tree, rounds: int) -> bool:
    """Print the differences of a set of pages and the times; return whether there are none."""
    tally = _Tally()
    times: list[tuple[dict[str, float], dict[str, float]]] = []
    for number in range(rounds + 1):
        spent = dict.fromkeys(STAGES, 0.0), dict.fromkeys(STAGES, 0.0)
        for i, page in enumerate(pages):
            # Each goes first for half of the pages.
            if (i + number) % 2:
                (was, was_spent), (now, now_spent) = old(page), new(page)
            else:
                (now, now_spent), (was, was_spent) = new(page), old(page)
            if number == 0:
                tally.compare(f"{name} {i} {page[1]}", was, now)
            for stage in STAGES:
                spent[0][stage] += was_spent[stage]
                spent[1][stage] += now_spent[stage]
        if number:
            times.append(spent)
    print(f"{name}: {tally.different} of {tally.pages} pages differ", flush=True)
    if times:
        _print_times(times, len(pages))
    return not tally.different


def _print_times(times: list[tuple[dict[str, float], dict[str, float]]], pages: int) -> None:
    """Print ms per page of both trees, and the ratio with its spread over the rounds."""
    rows: dict[str, Sequence[str]] = {stage: (stage,) for stage in STAGES}
    rows |= {"extraction": EXTRACTION, "everything": STAGES}
    print(f"  {'ms per page':<12}{'old':>8}{'new':>8}{'new/old':>9}{'spread':>16}")
    for label, stages in rows.items():
        pairs = [(sum(map(a.get, stages)), sum(map(b.get, stages))) for a, b in times]  # type: ignore[arg-type]
        ratios = [b / max(a, 1e-9) for a, b in pairs]
        was, now = (1000 * statistics.median(side) / pages for side in zip(*pairs, strict=True))
        print(
            f"  {label:<12}{was:8.2f}{now:8.2f}{statistics.median(ratios):9.2f}"
            f"     {min(ratios):.2f} to {max(ratios):.2f}",
            flush=True,
        )


def stored(path: Path, every: int) -> list[_Page]:
    """Return every *every*-th page of a stored web."""
    web = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    found = web.execute("SELECT body, url, charset FROM pages ORDER BY url")
    chosen = (page for i, page in enumerate(found) if i % every == 0)
    return [(zlib.decompress(body), url, charset) for body, url, charset in chosen]


def all_sets(options: argparse.Namespace) -> Iterator[tuple[str, list[_Page]]]:
    """Yield the sets of pages by name."""
    from benchmarks.extraction_pages import sets
    from tests.support.hostile_pages import HOSTILE_PAGES
    from tests.support.mutations import mutated

    found = sets(options.data)
    by_name: dict[str, list[_Page]] = {
        name: [(page.data, page.url, page.charset) for page in pages]
        for name, pages in found.items()
    }
    by_name["mutated"] = [
        (mutated(data, seed), url, charset)
        for seed, (data, url, charset) in enumerate(chain.from_iterable(by_name.values()))
    ]
    by_name["hostile"] = [
        (make(options.hostile_bytes), "http://a.example/1", None) for make in HOSTILE_PAGES.values()
    ]
    for path in options.webs:
        by_name[path.parent.name] = stored(path, options.every)
    yield from (
        (name, pages) for name, pages in by_name.items() if name in (options.sets or by_name)
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", type=Path)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/extraction"))
    parser.add_argument("--webs", type=Path, nargs="*", default=())
    parser.add_argument("--every", type=int, default=20)
    parser.add_argument("--hostile-bytes", type=int, default=30_000, help="of each hostile page")
    parser.add_argument("--sets", nargs="*", default=(), help="only these sets")
    parser.add_argument("--rounds", type=int, default=0, help="of the timing; 0 for none")
    options = parser.parse_args()
    here = Path(__file__).resolve().parents[1]
    old, new = _Tree(options.old.resolve()), _Tree(here)
    equal = True
    for name, pages in all_sets(options):
        equal &= compare(name, pages, old, new, options.rounds)
    old.close()
    new.close()
    return 0 if equal else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        _serve(sys.stdin.buffer, sys.stdout.buffer)
    else:
        sys.exit(main())

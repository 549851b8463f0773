"""``python -m benchmarks.markdown``: how well documents in many site templates come back as Markdown.

The score of a page is the tree edit similarity of the Markdown and the document, in [0, 1]; that of a
structure considers the parts of that kind only, on the pages that have some.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import defaultdict

from benchmarks.markdown.left_out import LEFT_OUT, SECOND
from benchmarks.markdown.pages import MarkdownPage, compared, pages
from benchmarks.markdown.peers import available, guarded
from benchmarks.markdown.similarity import Tree, only, parse, similarity
from benchmarks.markdown.templates import TEMPLATES

#: Kinds of nodes by the structure that a column is about.
STRUCTURES = {
    "table": frozenset({"table"}),
    "list": frozenset({"list", "ordered"}),
    "heading": frozenset({f"heading{level}" for level in range(1, 7)}),
    "code": frozenset({"code"}),
    "quote": frozenset({"quotation"}),
    "image": frozenset({"image"}),
}


def scores(page: MarkdownPage, markdown: str) -> dict[str, float]:
    """Return the similarity of a page as a whole and by structure."""
    found = compared(parse(markdown), page.title)
    best: dict[str, float] = {}
    for truth in page.truths:
        truth = compared(truth, page.title)
        values = {"all": similarity(found, truth)}
        for name, kinds in STRUCTURES.items():
            wanted = only(truth, kinds)
            if wanted.children:
                values[name] = similarity(only(found, kinds), wanted)
        if not best or values["all"] > best["all"]:
            best = values
    return best


def main(arguments: list[str] | None = None) -> int:
    """Compare the writers and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.markdown", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sites", type=int, default=2, help="sites of each template")
    parser.add_argument("--templates", choices=("all", "seen", "left-out", "second"), default="all")
    parser.add_argument("--by", choices=("template", "kind"), help="rows for each, ours only")
    parser.add_argument("--show", metavar="TEMPLATE/KIND", help="print the Markdown of a page")
    parser.add_argument("--ours", action="store_true", help="leave the others out")
    options = parser.parse_args(arguments)
    chosen = {
        "all": TEMPLATES + LEFT_OUT + SECOND,
        "seen": TEMPLATES,
        "left-out": LEFT_OUT,
        "second": SECOND,
    }[options.templates]
    drawn = list(pages(chosen, options.seed, options.sites))
    writers, absent = available()
    if options.ours or options.by or options.show:
        writers, absent = {"topiccrawl": writers["topiccrawl"]}, []
    if options.show:
        return _show(drawn, options.show)
    names = ["all", *STRUCTURES]
    print(f"{len(drawn)} pages of {len(chosen)} templates, seed {options.seed}")
    print(f"{'':16}" + "".join(f"{name:>9}" for name in names) + f"{'>= .95':>9}{'pages/s':>9}")
    for writer, write in writers.items():
        rows: dict[str, list[dict[str, float]]] = defaultdict(list)
        spent = time.process_time()
        written = [guarded(write, page.url, page.html) for page in drawn]
        spent = time.process_time() - spent
        for page, markdown in zip(drawn, written, strict=True):
            key = getattr(page, options.by) if options.by else writer
            rows[key].append(scores(page, markdown))
        for key, values in rows.items():
            print(_row(key, names, values) + ("" if options.by else f"{len(drawn) / spent:9.0f}"))
        if options.by:
            every = [value for values in rows.values() for value in values]
            print(_row("all", names, every))
    for name in absent:
        print(f"{name}: not installed", file=sys.stderr)
    return 0


def _row(key: str, names: list[str], values: list[dict[str, float]]) -> str:
    cells = []
    for name in names:
        known = [value[name] for value in values if name in value]
        cells.append(f"{statistics.mean(known):9.3f}" if known else f"{'':9}")
    good = sum(value["all"] >= 0.95 for value in values) / len(values)
    return f"{key:16}" + "".join(cells) + f"{good:9.3f}"


def _show(drawn: list[MarkdownPage], wanted: str) -> int:
    for page in drawn:
        if f"{page.template}/{page.kind}" == wanted:
            from benchmarks.markdown.peers import ours

            markdown = ours(page.url, page.html)
            print(page.html, markdown, scores(page, markdown), sep="\n\n")
            return 0
    print(f"no page {wanted}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())

__all__ = ["Tree", "main", "scores"]

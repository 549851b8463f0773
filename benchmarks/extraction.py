"""Quality and speed of page analysis, beside other extractors.

    python -m benchmarks.extraction [--data FOLDER] [--peers] [--seed N] [--worst 10]
    python -m benchmarks.extraction --speed [--peers] [--rounds 5]
    python -m benchmarks.extraction --linear
    python -m benchmarks.extraction --leave-sites-out 5 [--splits 3]

Pages: the project's own corpus (``--seed`` draws other sites of the same kinds), and ``dev`` and ``en`` of
FOLDER if they are there. Peers are taken if they are installed; see :mod:`benchmarks.extractors`. They read
the text that this project decoded, which is to their advantage in quality; their time includes it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.extraction_judge import Row, Score, grouped, judge, summarize
from benchmarks.extraction_pages import DATA, Input, sets
from benchmarks.extractors import available, ours
from topiccrawl.page.body.extractors import DEFAULT_EXTRACTOR, extractor_names

_COLUMNS = (
    "f1", "low", "high", "precision", "recall", "good", "site_f1", "title", "day", "minute", "kind",
    "author", "source", "lists",
)  # fmt: skip
_GROUP_COLUMNS = ("f1", "precision", "recall", "good", "title", "day", "minute", "kind", "lists")


def line(name: str, score: Score, columns: Sequence[str] = _COLUMNS) -> str:
    """A row of a table; a dash where nothing could be judged."""
    values = (getattr(score, column) for column in columns)
    cells = "".join("         –" if v != v else f"{v:10.3f}" for v in values)
    return f"{name:<22}{score.pages:6}{cells}"


def head(columns: Sequence[str] = _COLUMNS) -> str:
    """The first row of a table."""
    return f"{'':<22}{'pages':>6}" + "".join(f"{column:>10}" for column in columns)


def quality(name: str, pages: Sequence[Input], options: argparse.Namespace) -> None:
    """Print the tables of one set of pages."""
    print(f"\n{name}: {len(pages)} pages of {len({p.expected.site for p in pages})} sites")
    print(head())
    judged: dict[str, list[Row]] = {}
    for label, extract in available(peers=options.peers, only=options.only).items():
        judged[label] = [judge(page.expected, extract(page)) for page in pages]
        print(line(label, summarize(judged[label])), flush=True)
    for label in extractor_names():
        rows = judged.get(label)
        if rows is None:
            continue
        print(f"\n{name}, {label}, by kind\n{head(_GROUP_COLUMNS)}")
        for group, some in grouped(rows, lambda row: row.expected.group).items():
            print(line(group, summarize(some, 0), _GROUP_COLUMNS))
        if label == DEFAULT_EXTRACTOR:
            print(f"\n{name}, {label}, worst")
            texts = (row for row in rows if not row.is_list)
            for row in sorted(texts, key=lambda row: row.f1)[: options.worst]:
                print(
                    f"  {row.f1:.3f} precision {row.precision:.2f} recall {row.recall:.2f} "
                    f"{row.expected.id} {row.expected.site}"
                )


def speed(name: str, pages: Sequence[Input], options: argparse.Namespace) -> None:
    """Print pages per CPU second of a set; ours with links, which no peer makes."""
    from benchmarks.extraction_speed import speeds

    extractors = available(peers=options.peers, only=options.only)
    for label in set(extractor_names()) & set(extractors):
        extractors[label] = ours(label, links=True)
    # The default first: the ratios are against it.
    ordered = dict(sorted(extractors.items(), key=lambda item: item[0] != DEFAULT_EXTRACTOR))
    print(f"\n{name}: pages per CPU second, {options.rounds} rounds")
    print(f"{'':<22}{'median':>9}{'slowest':>9}{'fastest':>9}{'ratio':>9}")
    for label, found in speeds(ordered, pages, options.rounds).items():
        print(
            f"{label:<22}{found.median:9.1f}{found.slowest:9.1f}{found.fastest:9.1f}"
            f"{found.against_first:9.2f}",
            flush=True,
        )


def linear() -> None:
    """Print how the time of large pages grows."""
    from benchmarks.extraction_speed import LARGE, everything, growth

    print(f"\n{'CPU seconds':<22}{'n':>9}{'at n/2':>9}{'at n':>9}{'ratio':>9}")
    for name in extractor_names():
        for kind, (_, number) in LARGE.items():
            found = growth(everything(name), kind)
            print(
                f"{name:<13}{kind:<20}{number:>9}{found.half:9.3f}{found.full:9.3f}"
                f"{found.ratio:9.2f}",
                flush=True,
            )


def left_out(data: dict[str, list[Input]], options: argparse.Namespace) -> None:
    """Print the score of the learned extractor on sites it did not see."""
    from benchmarks.extraction_folds import fit_blocks, leave_sites_out

    # Never learned from: made by a generator, it would teach the generator's habits.
    others = {name: pages for name, pages in data.items() if name != "own"}
    if "dev" not in others:
        sys.exit("no real pages to learn from: --data must name a folder with dev/")
    print(f"\nsites left out, {options.leave_sites_out} parts\n{head()}")
    for split in range(options.splits):
        rows = leave_sites_out(
            fit_blocks,
            others["dev"],
            others.get("en", ()),
            parts=options.leave_sites_out,
            seed=split,
        )
        print(line(f"dev, split {split}", summarize(rows)), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--sets", nargs="*", default=("own", "dev", "en"))
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--only", nargs="*", default=(), help="extractors by name")
    parser.add_argument("--seed", type=int, default=1, help="of the own corpus")
    parser.add_argument("--worst", type=int, default=10)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--linear", action="store_true")
    parser.add_argument("--leave-sites-out", type=int, default=0, metavar="K")
    parser.add_argument("--splits", type=int, default=1)
    options = parser.parse_args()
    found = sets(options.data, options.seed)
    chosen = {name: pages for name, pages in found.items() if name in options.sets}
    if options.leave_sites_out:
        left_out(found, options)
    elif options.linear:
        linear()
    else:
        for name, pages in chosen.items():
            (speed if options.speed else quality)(name, pages, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Recognize made pages without content, and real pages with content.

    python -m benchmarks.notcontent
    python -m benchmarks.notcontent --every 1      # all real pages, some minutes

The templates of ``first`` were written together with the rules, each later set before it was known how the rules do on
it; the words were mended for all of them but ``fourth`` and ``seventh``.  docs/not-content.md has the figures before.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.notcontent.fifth import FIFTH, FIFTH_CONTENT
from benchmarks.notcontent.first import FIRST
from benchmarks.notcontent.fourth import FOURTH
from benchmarks.notcontent.real import SHARED, real_pages
from benchmarks.notcontent.scoring import f1_scores, made_content, recall, taken_for_none
from benchmarks.notcontent.second import SECOND
from benchmarks.notcontent.seventh import SEVENTH
from benchmarks.notcontent.sixth import SIXTH
from benchmarks.notcontent.third import THIRD

#: The sets of templates by name.
SETS = {
    "first": FIRST,
    "second": SECOND,
    "third": THIRD,
    "fourth": FOURTH,
    "fifth": FIFTH,
    "sixth": SIXTH,
    "seventh": SEVENTH,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Print recall by set, false alarms and F1."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.notcontent", description=__doc__)
    parser.add_argument("--shared", type=Path, default=SHARED, help="folder of real pages")
    parser.add_argument("--every", type=int, default=10, help="read every n-th page of the webs")
    options = parser.parse_args(argv)
    for name, templates in SETS.items():
        found = recall(templates)
        print(
            f"{name}: {found.found} of {found.pages} pages of {len(templates)} templates, "
            f"{found.right_kind} with the right kind; missed {dict(found.missed)}"
        )
    content = (*made_content(), *made_content(pages=FIFTH_CONTENT))
    wrong = [(title, kind) for title, kind in content if kind is not None]
    print(f"made pages with content taken for none: {len(wrong)} {wrong}")
    labeled = itertools.takewhile(lambda it: it.source in ("dev", "en"), real_pages(options.shared))
    webs = itertools.dropwhile(lambda it: it.source in ("dev", "en"), real_pages(options.shared))
    counts, false = taken_for_none(
        itertools.chain(labeled, itertools.islice(webs, 0, None, options.every))
    )
    print(f"real pages {dict(counts)}, taken for none: {len(false)}")
    for url, kind in false:
        print(f"  {url} {kind}")
    share = len(false) / max(1, counts.total())
    for name, templates in SETS.items():
        scores = f1_scores(templates, share)
        print(
            f"F1 {name}, 200 against 200: median {scores[len(scores) // 2]:.3f}, "
            f"5 % {scores[len(scores) // 20]:.3f}, least {scores[0]:.3f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

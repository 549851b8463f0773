"""``scrapy explain URL``: why a page was stored or dropped, and how its link was scored."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from topiccrawl.commandline.console import make_console, progress
from topiccrawl.commandline.store import (
    StoreCommand,
    choose_topic,
    one_argument,
    opened_store,
)
from topiccrawl.language import N_, _
from topiccrawl.reporting.explain import explain, find, nearest, outside
from topiccrawl.reporting.explain_text import lines
from topiccrawl.reporting.markup import clean

if TYPE_CHECKING:
    import argparse


class Command(StoreCommand):
    """Prints the store's records of one URL."""

    def syntax(self) -> str:
        """Return the arguments after the command's name."""
        return "URL [--topic TOPIC]"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return _("Explain why a URL was kept, dropped or queued")

    def long_desc(self) -> str:
        """Return the text of ``scrapy explain -h``."""
        return _(
            "Print from the store why URL was kept, dropped, failed or is waiting: "
            "probability and threshold with the parts of the probability, relevance with "
            "the terms that contributed to it, the link's score part by part, the pages "
            "that led to it back to the seed, and its duplicates. Exit code 1 if the URL "
            "is unknown."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add this command's options."""
        super().add_options(parser)
        parser.add_argument("--topic", metavar="TOPIC", help=_("topic (default: all in the store)"))

    async def work(self, args: list[str], opts: argparse.Namespace) -> int:
        """Print the explanation of the URL for each topic, or similar URLs if there is none."""
        url = one_argument(args, N_("URL"))
        if url is None:
            raise UsageError(_("which URL? usage: scrapy explain URL"), print_help=False)
        console = make_console(plain=True)
        async with opened_store(self.store_uri(opts)) as store:
            named = opts.topic is not None
            topics = [await choose_topic(store, opts.topic)] if named else await store.topics()
            found = 0
            for topic in sorted(topics):
                outcome = await find(store, topic, url)
                if outcome is None:
                    continue
                with progress(_("outcomes")) as tick:
                    explanation = await explain(store, outcome, tick)
                if found:
                    console.rule()
                found += 1
                for line in lines(explanation):
                    console.print(line, soft_wrap=True)
            if found:
                return 0
            for topic in sorted(topics):
                if (exclusion := await outside(store, topic, url)) is not None:
                    print(f"{topic}: {clean(url)} {clean(str(exclusion))}", file=sys.stderr)
            print(_("The store does not contain {url}").format(url=clean(url)), file=sys.stderr)
            with progress(_("outcomes")) as tick:
                near = await nearest(store, sorted(topics), url, tick)
        if near:
            print(_("Known URLs of the same host:"), file=sys.stderr)
        for outcome in near:
            print(f"  {clean(outcome.url)}  ({outcome.topic}, {outcome.verdict})", file=sys.stderr)
        return 1

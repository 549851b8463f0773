"""``scrapy demo``: run a real crawl on the generated demonstration web.

Exit codes: 0, pages on the topic were stored; 1, none were stored; 2, the crawl failed.
"""

from __future__ import annotations

import argparse
from typing import Any, ClassVar

from topiccrawl.commandline.command import Action, ActionCommand
from topiccrawl.language import N_, _

#: Default fetch limit, half of the default web: enough to find most of the topic, but not by
#: fetching everything.
PAGES = 400


class Command(ActionCommand):
    """Crawls the demonstration web, writes the report and prints the figures."""

    usage = "[--serve] [--pages N] [--size N] [--out DIR] [--keep] [-s NAME=VALUE]"
    summary = N_("Crawl a generated demonstration web, no internet needed")

    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def long_desc(self) -> str:
        """Return the text of ``scrapy demo -h``."""
        # Not at module level: see ActionCommand.
        from topiccrawl.demo.crawl import TOPIC

        return _(
            "Serve a generated web of about --size pages through a proxy on loopback, run "
            "`scrapy crawl topic -a topic={topic}` on it, write the report, and compare "
            "the stored pages with the ground truth. With --serve, only serve the web."
        ).format(topic=TOPIC)

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--serve", action="store_true", help=_("serve only, until Ctrl-C"))
        parser.add_argument(
            "--port", type=int, default=0, help=_("port of the proxy (default: a free one)")
        )
        parser.add_argument(
            "--pages",
            type=int,
            default=PAGES,
            help=_("most pages to fetch (default: {pages})").format(pages=PAGES),
        )
        parser.add_argument(
            "--size", type=int, default=800, help=_("pages of the web (default: 800)")
        )
        parser.add_argument(
            "--seed", type=int, default=7, help=_("seed of the web's random numbers (default: 7)")
        )
        parser.add_argument(
            "--out",
            default="demo-out",
            metavar="DIR",
            help=_("folder for store, report and log (default: demo-out)"),
        )
        parser.add_argument("--keep", action="store_true", help=_("continue the last demo's store"))

    def action(self) -> Action:
        from topiccrawl.actions.demo import demo

        return demo

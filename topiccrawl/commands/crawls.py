"""``scrapy crawls [TOPIC]``: which crawls run, how far they are; pause, continue or stop them."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, StoreCommand
from topiccrawl.language import N_, _


class Command(StoreCommand):
    """Reads the folder of the crawls; works for crawls that were started in any way."""

    usage = "[TOPIC] [--pause | --go-on | --stop] [--run RUN] [--json]"
    summary = N_("Show running crawls; pause, continue or stop them")
    description = N_(
        "Show the crawls of a store on this machine: those that run, and the last ones that have "
        "ended. With --pause, --go-on or --stop, ask all running crawls, those of TOPIC, or one RUN "
        "for it; they follow within seconds. A crawl that stops finishes the pages that it is "
        "fetching; the same command continues it. Of a queue in Redis, workers of other machines are "
        "listed, too. Exit code 1: there is no such crawl."
    )

    requires_project = False

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        asked = parser.add_mutually_exclusive_group()
        for name, wanted, text in (
            ("--pause", "pause", _("fetch nothing more until --go-on")),
            ("--go-on", "run", _("end a pause")),
            ("--stop", "stop", _("end in order")),
        ):
            asked.add_argument(name, dest="wanted", action="store_const", const=wanted, help=text)
        parser.add_argument("--run", metavar="RUN", help=_("only the run with this identity"))
        parser.add_argument(
            "--json", action="store_true", help=_("print one JSON object per crawl")
        )

    def action(self) -> Action:
        from topiccrawl.actions.crawls import crawls

        return crawls

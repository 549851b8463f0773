"""``scrapy forget TOPIC``: delete the data of a topic, or some of its pages."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, StoreCommand
from topiccrawl.language import N_, _


class Command(StoreCommand):
    """Counts the data of a topic, asks, and deletes them."""

    usage = "TOPIC [--judgments | --url URL | --site A,B,… | --person NAME | --before WHEN | --expired] [--yes]"
    summary = N_("Delete the data of a topic: pages, outcomes, runs and the queue")
    description = N_(
        "Delete what crawls of TOPIC have left: pages, near misses, outcomes and runs in the "
        "store, the queue with its journal, records that wait in the spool, and the states and logs "
        "of its runs. What there is, is shown first. The topic's folder stays, and so do your "
        "judgments and your decisions about words, unless --judgments is given. No "
        "crawl of the topic may be running.\n"
        "--url, --site, --person, --before and --published-before delete pages only, those for which all "
        "given conditions hold, with their versions and all else that is stored of them; no later "
        "crawl fetches them again. --expired deletes those that are older than "
        "TOPICCRAWL_RETENTION_DAYS."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--judgments",
            action="store_true",
            help=_("delete judgments and decisions about words, too"),
        )
        parser.add_argument(
            "--url", metavar="URL", action="append", help=_("delete the page with this address")
        )
        parser.add_argument(
            "--site",
            metavar="A,B,…",
            help=_("delete the pages of these hosts and of the hosts below them"),
        )
        parser.add_argument(
            "--person",
            metavar="NAME",
            action="append",
            help=_("delete pages that name this person, simplified or traditional"),
        )
        parser.add_argument(
            "--before", metavar="WHEN", help=_("delete pages first fetched before WHEN")
        )
        parser.add_argument(
            "--published-before", metavar="WHEN", help=_("delete pages published before WHEN")
        )
        parser.add_argument(
            "--expired",
            action="store_true",
            help=_("delete pages that are older than TOPICCRAWL_RETENTION_DAYS"),
        )
        parser.add_argument(
            "--allow-again",
            metavar="URL",
            action="append",
            help=_("delete nothing; let crawls fetch this deleted page again"),
        )
        parser.add_argument("--yes", action="store_true", help=_("do not ask"))

    def action(self) -> Action:
        from topiccrawl.actions.forget import forget_topic

        return forget_topic

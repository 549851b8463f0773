"""``scrapy alerts``: apply the rules of warnings to a stored collection, and send what they find."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, StoreCommand
from topiccrawl.language import N_, _


class Command(StoreCommand):
    """Makes one round of warnings, or one after the other."""

    usage = "[TOPIC] [--check | --test CHANNEL | --list | --every SECONDS] [options]"
    summary = N_("Warn of stories, new hosts, unusual volumes and crawls in trouble")
    description = N_(
        "Apply the rules of alerts.toml (TOPICCRAWL_ALERTS) to what is new in the collection of TOPIC, "
        "record each warning once, and send it to its channels: e-mail, webhook, DingTalk, WeCom, "
        "Feishu. The first round looks at the last run. Messages that a channel did not take are "
        "tried again by later rounds. A crawl with the setting does the same while it runs; both may "
        "run at the same time. Exit code 1: a message could not be sent."
    )

    file_options = StoreCommand.file_options | {"file", "feed"}

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        what = parser.add_mutually_exclusive_group()
        what.add_argument(
            "--check",
            action="store_true",
            help=_("read the file, show what would be found, record and send nothing"),
        )
        what.add_argument(
            "--test", metavar="CHANNEL", help=_("send a test message to one channel, or to: all")
        )
        what.add_argument(
            "--list", action="store_true", help=_("list recorded warnings, the newest first")
        )
        what.add_argument(
            "--every",
            type=float,
            metavar="SECONDS",
            help=_("make a round every SECONDS until Ctrl-C"),
        )
        parser.add_argument(
            "--file", metavar="FILE", help=_("rules and channels (default: TOPICCRAWL_ALERTS)")
        )
        parser.add_argument(
            "--since",
            metavar="WHEN",
            help=_("look at what is new since WHEN, instead of since the last round"),
        )
        parser.add_argument(
            "--feed",
            metavar="FILE",
            help=_("write an Atom feed to FILE; {date} in it is the day; - for standard output"),
        )
        parser.add_argument(
            "--limit", metavar="N", type=int, default=20, help=_("at most N rows (default: 20)")
        )
        parser.add_argument(
            "--json", action="store_true", help=_("print JSON, with --list and --check")
        )

    def action(self) -> Action:
        from topiccrawl.actions.alerts import alerts

        return alerts

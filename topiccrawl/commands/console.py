"""``scrapy console``: the web console of a store."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, StoreCommand
from topiccrawl.language import N_, _


class Command(StoreCommand):
    """Serves the console until Ctrl-C."""

    usage = "[--port PORT] [--write] [--open] [options]"
    summary = N_("Open the web console: search, read and follow what was collected")
    description = N_(
        "Serve the web console of the store until Ctrl-C, while crawls run or not. It answers to "
        "this machine only, and changes nothing without --write. With --host, other machines reach "
        "it: they need the token, which is read from --token-file or made and printed."
    )

    file_options = StoreCommand.file_options | {"token_file"}

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--host",
            default="127.0.0.1",
            metavar="ADDRESS",
            help=_("address to listen on (default: 127.0.0.1, this machine only)"),
        )
        parser.add_argument(
            "--port",
            type=int,
            default=None,
            help=_(
                "port to listen on; 0: a free one (default: 6880, or a free one if it is taken)"
            ),
        )
        parser.add_argument(
            "--write",
            action="store_true",
            help=_("allow judgments, notes, settings, crawls: everything that changes something"),
        )
        parser.add_argument(
            "--token-file",
            metavar="FILE",
            help=_("file with the token that browsers must present (mode 600)"),
        )
        parser.add_argument(
            "--allow-host",
            action="append",
            default=[],
            metavar="NAME",
            help=_("name under which the console may be reached; may be repeated"),
        )
        parser.add_argument(
            "--open", action="store_true", help=_("open the console in the browser of this machine")
        )

    def action(self) -> Action:
        from topiccrawl.actions.console import console

        return console

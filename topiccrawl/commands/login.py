"""``scrapy login TOPIC``: try the logins of a topic."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, ActionCommand
from topiccrawl.language import N_, _


class Command(ActionCommand):
    """Tries the logins of a topic."""

    usage = "TOPIC [--test | --dry]"
    summary = N_("Try the logins of a topic")
    description = N_(
        "Try each login of TOPIC, a topic or any word, and print a line about it; exit 1 if one"
        " does not succeed. No page is stored, and no secret is shown."
    )

    requires_project = False

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--test", action="store_true",
            help=_("try the logins (the default)"),
        )  # fmt: skip
        parser.add_argument(
            "--dry", action="store_true",
            help=_("send nothing: check the file and whether the secrets are there"),
        )  # fmt: skip

    def action(self) -> Action:
        from topiccrawl.actions.login import login

        return login

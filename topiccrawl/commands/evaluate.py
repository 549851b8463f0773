"""``scrapy evaluate``: compare crawl strategies on a stored web."""

from __future__ import annotations

import argparse
from typing import Any, ClassVar

from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES, Settings

from topiccrawl.commandline.command import Action, ActionCommand
from topiccrawl.language import N_, _

#: Prefix of the settings that an evaluation takes from the project and from ``-s``.
_PREFIX = "TOPICCRAWL_"
#: Exceptions: the evaluation sets these itself, or does not store anything.
_IGNORED = ("TOPICCRAWL_SEED", "TOPICCRAWL_STRATEGY", "TOPICCRAWL_TOPIC", "TOPICCRAWL_STORE_URI")


class Command(ActionCommand):
    """Compares strategies; prints tables, writes JSON and HTML."""

    usage = (
        "WEB [--topics T,…] [--seeds near,far,…] [--strategies S,…|all] [--json OUT] [--html OUT]"
    )
    summary = N_("Compare crawl strategies on a stored web")
    description = N_(
        "Crawl a stored web (a folder with web.sqlite and topics.json, a recorded "
        "crawl, a WARC file, demo:SIZE or portals:SIZE; see docs/webs.md) with each "
        "strategy, for each topic and seed set, and compare the pages found, and those "
        "that the crawler keeps, with the relevance judgments. With --json, each run "
        "is saved when it ends, and the same command continues after an interruption. "
        "docs/evaluation.md explains every figure."
    )

    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}
    file_options = ActionCommand.file_options | {"args", "json", "html", "orders"}

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--topics", default="", metavar="T,…", help=_("topics of the web (default: all)"))
        add(
            "--seeds",
            default="",
            metavar="S,…",
            help=_("seed sets (default: all of each topic); drawn:N draws N near and N far sets"),
        )
        add(
            "--strategies",
            default="",
            metavar="S,…",
            help=_("'all', or names (default: the usual); home-made is a spider as users write it"),
        )
        add("--max-pages", type=int, default=2_000, metavar="N", help=_("pages of a run (2000)"))
        add(
            "--mode",
            default="simulate",
            help=_("simulate (default), or crawl: the real scrapy crawl"),
        )
        add(
            "--repeats",
            type=int,
            default=5,
            metavar="R",
            help=_("runs of randomized strategies (5)"),
        )
        add(
            "--define",
            default="keywords",
            metavar="D",
            help=_("the topic is defined by keywords, examples, both, word or samples"),
        )
        add(
            "--concurrency",
            type=int,
            default=1,
            metavar="N",
            help=_("requests in flight at a time (1)"),
        )
        add("--judge", default="labels", help=_("labels (default) or classifier"))
        add(
            "--whole-web",
            action="store_true",
            help=_("after each run, let the crawler judge all pages of the web; takes time"),
        )
        add(
            "--baseline",
            default="",
            metavar="S",
            help=_("baseline of the tests (default: the best other strategy)"),
        )
        add(
            "--jobs",
            type=int,
            default=0,
            metavar="N",
            help=_("processes (default: 2 if cores allow)"),
        )
        add("--json", default="", metavar="OUT", help=_("results; continued if the file exists"))
        add("--fresh", action="store_true", help=_("start over even if the --json file exists"))
        add("--html", default="", metavar="OUT", help=_("one page with tables and curves"))
        add("--orders", default="", metavar="DIR", help=_("fetched URLs, one file per run"))

    def check_usage(self, args: list[str]) -> None:
        """Raise ``UsageError`` unless one web is named."""
        if len(args) != 1:
            raise UsageError(_("one WEB must be named, got {count}").format(count=len(args)))

    def action(self) -> Action:
        from topiccrawl.evaluation.main import run_evaluation

        return lambda args, opts, settings: run_evaluation(args[0], opts, _changed(settings))


def _changed(settings: Settings) -> dict[str, object]:
    """Return the crawl settings that differ from the project's defaults, or were given by ``-s``."""
    usual = Settings()
    usual.setmodule("topiccrawl.settings", "project")
    given = SETTINGS_PRIORITIES["cmdline"]
    return {
        str(name): settings[name]
        for name in settings
        if str(name).startswith(_PREFIX)
        and name not in _IGNORED
        and (settings[name] != usual.get(name) or (settings.getpriority(str(name)) or 0) >= given)
    }

"""``scrapy topics``: list, show, create and check topics, and browse the classification."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, ActionCommand
from topiccrawl.language import N_, _

#: Value of ``--tree`` without a code.
_ALL = ""


class Command(ActionCommand):
    """Manages topic folders; starts no crawl and shows no traceback."""

    usage = "[NAME] [--tree [CODE]] [--new NAME --keywords A,B --seeds URL,URL] [--check]"
    summary = N_("List, show, make and check topics")
    description = N_(
        "Without arguments, list the topics under seeds/. With NAME, show one topic: "
        "keywords, thresholds, seeds and the terms learned from its samples."
    )

    requires_project = False

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--tree", nargs="?", const=_ALL, metavar="CODE",
            help=_("browse 中国图书馆分类法 with the topics in it, from CODE down"),
        )  # fmt: skip
        parser.add_argument("--new", metavar="NAME", help=_("make the folder seeds/NAME"))
        parser.add_argument(
            "--keywords", metavar="A,B=0.8",
            help=_("keywords of the new topic, with their values (default: 1)"),
        )  # fmt: skip
        parser.add_argument("--seeds", metavar="URL,URL", help=_("seed URLs of the new topic"))
        parser.add_argument("--language", metavar="zh|en", help=_("its language (default: zh)"))
        parser.add_argument(
            "--url-tokens", metavar="A,B=0.4",
            help=_(
                "words in URLs, besides pinyin, initials and English names of the keywords, which are"
                " derived"
            ),
        )  # fmt: skip
        parser.add_argument(
            "--allow", metavar="A.cn,B.cn/x",
            help=_(
                "sites that a crawl of the new topic keeps to: hosts, host/path, * for any characters"
            ),
        )  # fmt: skip
        parser.add_argument("--deny", metavar="A.cn,/x", help=_("what it leaves out"))
        parser.add_argument(
            "--check", action="store_true", help=_("check all folders; exit 1 if bad")
        )

    def action(self) -> Action:
        from topiccrawl.actions.topics import topics

        return topics

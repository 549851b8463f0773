"""``scrapy topics``: list, show, create and check topics, and browse the classification."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from topiccrawl.commandline.console import make_console
from topiccrawl.commandline.errors import exit_code, fail, reject_unknown_options
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.topics.check import check_topics
from topiccrawl.topics.classification import load_classification
from topiccrawl.topics.folder import load_definition
from topiccrawl.topics.load import find_definition, project_folder, topic_folders
from topiccrawl.topics.scaffold import new_topic
from topiccrawl.topics.show import classification_tree, topic_parts, topics_table
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.scope import split_patterns

if TYPE_CHECKING:
    import argparse

    from topiccrawl.topics.definition import TopicDefinition

#: Options that go with ``--new``.
_FOR_NEW = ("keywords", "seeds", "language", "url_tokens", "allow", "deny")

#: Value of ``--tree`` without a code.
_ALL = ""


class Command(ScrapyCommand):
    """Manages topic folders; starts no crawl and shows no traceback."""

    requires_project = False
    requires_crawler_process = False

    def syntax(self) -> str:
        """Return the arguments after the command's name."""
        return "[NAME] [--tree [CODE]] [--new NAME --keywords A,B --seeds URL,URL] [--check]"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return _("List, show, make and check topics")

    def long_desc(self) -> str:
        """Return the text of ``scrapy topics -h``."""
        return _(
            "Without arguments, list the topics under seeds/. With NAME, show one topic: "
            "keywords, thresholds, seeds and the terms learned from its samples."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add this command's options."""
        super().add_options(parser)
        parser.add_argument(
            "--tree", nargs="?", const=_ALL, metavar="CODE",
            help=_("browse 中国图书馆分类法 with the topics in it, from CODE down"),
        )  # fmt: skip
        parser.add_argument("--new", metavar="NAME", help=_("make the folder seeds/NAME"))
        parser.add_argument("--keywords", metavar="A,B", help=_("keywords of the new topic"))
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

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the chosen action and set the exit code."""
        reject_unknown_options(args)
        asked = [bool(args), opts.tree is not None, opts.new is not None, opts.check]
        if sum(asked) > 1 or len(args) > 1:
            raise UsageError(_("give one of NAME, --tree, --new, --check"), print_help=False)
        for_new = [o for o in _FOR_NEW if getattr(opts, o) is not None]
        if for_new and opts.new is None:
            option = for_new[0].replace("_", "-")
            raise UsageError(
                _("--{option} goes with --new NAME").format(option=option), print_help=False
            )
        self.exitcode = exit_code(lambda: _run(args, opts))


def _run(args: list[str], opts: argparse.Namespace) -> int:
    if opts.new is not None:
        return _create(opts)
    if opts.check:
        return _check()
    if opts.tree is not None:
        return _show_tree(opts.tree)
    return _show(args[0]) if args else _list()


def _definitions() -> tuple[list[TopicDefinition], int]:
    """Return the valid topics and the exit code; print the errors of the others."""
    definitions = []
    code = 0
    for folder in topic_folders():
        try:
            definitions.append(load_definition(folder))
        except ConfigurationError as error:
            code = fail(str(error))
    return definitions, code


def _list() -> int:
    definitions, code = _definitions()
    if definitions or code:
        make_console().print(topics_table(definitions, load_classification()))
    else:
        print(_("no topics yet; make one: scrapy topics --new NAME --keywords A,B --seeds URL"))
    return code


def _show_tree(code: str) -> int:
    classification = load_classification()
    code = code.strip().upper()
    if code and classification.nearest(code) is None:
        raise ConfigurationError(
            _("--tree: {code!r} is no code of 中国图书馆分类法, such as D6").format(code=code)
        )
    definitions, exitcode = _definitions()
    make_console().print(classification_tree(classification, definitions, code or None))
    return exitcode


def _show(name: str) -> int:
    topic = Topic.learn(find_definition(name))
    console = make_console()
    for part in topic_parts(topic, load_classification()):
        console.print(part)
    return 0


def _create(opts: argparse.Namespace) -> int:
    folder = new_topic(
        project_folder(Path.cwd()) / "seeds",
        opts.new,
        keywords=_split(opts.keywords),
        seeds=_split(opts.seeds),
        language=opts.language or "zh",
        url_tokens=_split(opts.url_tokens),
        allow=split_patterns(opts.allow or ""),
        deny=split_patterns(opts.deny or ""),
    )
    load_definition(folder)  # a generated folder must pass our own checks
    print(folder)
    return 0


def _check() -> int:
    valid, errors = check_topics()
    for message in errors:
        fail(message)
    print(
        _("{valid} topics are valid, {mistakes} mistakes").format(
            valid=len(valid), mistakes=len(errors)
        )
    )
    return 1 if errors else 0


def _split(value: str | None) -> list[str]:
    """Split a list at commas: ASCII, full-width or ideographic."""
    return [part.strip() for part in re.split("[,，、]", value or "") if part.strip()]

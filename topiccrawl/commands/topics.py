"""``scrapy topics``: list, show, make and check topics, and browse the classification."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from topiccrawl.errors import ConfigurationError
from topiccrawl.topics.classification import load_classification
from topiccrawl.topics.folder import load_definition
from topiccrawl.topics.load import find_definition, project_folder, topic_folders

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from topiccrawl.topics.definition import TopicDefinition

_ALL = ""
"""``--tree`` without a code."""

PIPE_WIDTH = 200
"""Width of tables that do not go to a terminal: lines stay whole."""


class Command(ScrapyCommand):
    """Everything about topic folders; starts no crawl and never shows a traceback."""

    requires_project = False
    requires_crawler_process = False

    def syntax(self) -> str:
        """Return the arguments after the command's name."""
        return "[NAME] [--tree [CODE]] [--new NAME --keywords A,B --seeds URL,URL] [--check]"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return "List, show, make and check topics (主题：列出、查看、新建、检查)"

    def long_desc(self) -> str:
        """Return the text of ``scrapy topics -h``."""
        return (
            "Without arguments, list the topics under seeds/. With NAME, show one topic: keywords, "
            "thresholds, seeds and the terms learned from its samples."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add this command's options."""
        super().add_options(parser)
        parser.add_argument(
            "--tree", nargs="?", const=_ALL, metavar="CODE",
            help="browse 中国图书馆分类法 with the topics in it, from CODE down",
        )  # fmt: skip
        parser.add_argument("--new", metavar="NAME", help="make the folder seeds/NAME")
        parser.add_argument("--keywords", metavar="A,B", help="keywords of the new topic")
        parser.add_argument("--seeds", metavar="URL,URL", help="seed URLs of the new topic")
        parser.add_argument("--language", metavar="zh|en", help="its language (default: zh)")
        parser.add_argument("--check", action="store_true", help="check all folders; exit 1 if bad")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do what was asked and set the exit code."""
        unknown = [arg for arg in args if arg.startswith("-")]
        if unknown:
            raise UsageError(f"unknown option {unknown[0]}", print_help=False)
        asked = [bool(args), opts.tree is not None, opts.new is not None, opts.check]
        if sum(asked) > 1 or len(args) > 1:
            raise UsageError("give one of NAME, --tree, --new, --check", print_help=False)
        for_new = [o for o in ("keywords", "seeds", "language") if getattr(opts, o) is not None]
        if for_new and opts.new is None:
            raise UsageError(f"--{for_new[0]} goes with --new NAME", print_help=False)
        try:
            if opts.new is not None:
                self._new(opts)
            elif opts.check:
                self._check()
            elif opts.tree is not None:
                self._tree(opts.tree)
            elif args:
                self._show(args[0])
            else:
                self._list()
        except ConfigurationError as error:
            self._complain(str(error))
        except OSError as error:
            self._complain(f"{error.strerror or error}: {error.filename or ''}".rstrip(": "))

    def _complain(self, message: str) -> None:
        print(f"topiccrawl: {' '.join(message.split())}", file=sys.stderr)
        self.exitcode = 1

    def _definitions(self) -> list[TopicDefinition]:
        """Return the valid topics; say what is wrong with the others and go on."""
        definitions = []
        for folder in topic_folders():
            try:
                definitions.append(load_definition(folder))
            except ConfigurationError as error:
                self._complain(str(error))
        return definitions

    def _list(self) -> None:
        from topiccrawl.topics.show import topics_table

        definitions = self._definitions()
        if not definitions and not self.exitcode:
            print("no topics yet; make one: scrapy topics --new NAME --keywords A,B --seeds URL")
            return
        _console().print(topics_table(definitions, load_classification()))

    def _tree(self, code: str) -> None:
        from topiccrawl.topics.show import classification_tree

        classification = load_classification()
        code = code.strip().upper()
        if code and classification.nearest(code) is None:
            raise ConfigurationError(f"--tree: {code!r} is no code of 中国图书馆分类法, such as D6")
        _console().print(classification_tree(classification, self._definitions(), code or None))

    def _show(self, name: str) -> None:
        from topiccrawl.topics.show import topic_parts
        from topiccrawl.topics.topic import Topic

        topic = Topic.learn(find_definition(name))
        console = _console()
        for part in topic_parts(topic, load_classification()):
            console.print(part)

    def _new(self, opts: argparse.Namespace) -> None:
        from topiccrawl.topics.scaffold import new_topic

        root = project_folder(Path.cwd()) / "seeds"
        folder = new_topic(
            root,
            opts.new,
            keywords=_split(opts.keywords),
            seeds=_split(opts.seeds),
            language=opts.language or "zh",
        )
        load_definition(folder)  # what we write must be what we accept
        print(folder)

    def _check(self) -> None:
        from topiccrawl.topics.check import check_topics

        valid, errors = check_topics()
        for message in errors:
            self._complain(message)
        print(f"{len(valid)} topics are valid, {len(errors)} mistakes")


def _split(value: str | None) -> list[str]:
    """Return the parts of a list: separated by commas, ASCII, full-width or ideographic."""
    return [part.strip() for part in re.split("[,，、]", value or "") if part.strip()]


def _console() -> Console:
    from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=PIPE_WIDTH)

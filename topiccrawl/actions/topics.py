"""``scrapy topics``: list, show, create and check topics, and browse the classification."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from topiccrawl.commandline.console import make_console
from topiccrawl.commandline.errors import WrongUsageError, fail
from topiccrawl.commandline.url_lists import read_seeds
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _, listed, ngettext
from topiccrawl.topics.check import check_topics
from topiccrawl.topics.classification import load_classification
from topiccrawl.topics.folder import load_definition
from topiccrawl.topics.load import UnknownTopicError, find_definition, project_folder, topic_folders
from topiccrawl.topics.scaffold import new_topic
from topiccrawl.topics.show import classification_tree, topic_parts, topics_table
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.scope import split_patterns

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

    from topiccrawl.topics.definition import TopicDefinition

#: Options that go with ``--new``.
_FOR_NEW = ("keywords", "seeds", "language", "url_tokens", "allow", "deny")


def topics(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Run the chosen action and return the exit code."""
    asked = [bool(args), opts.tree is not None, opts.new is not None, opts.check]
    if sum(asked) > 1 or len(args) > 1:
        raise WrongUsageError(_("give one of NAME, --tree, --new, --check"))
    for_new = [o for o in _FOR_NEW if getattr(opts, o) is not None]
    if for_new and opts.new is None:
        option = for_new[0].replace("_", "-")
        raise WrongUsageError(_("--{option} goes with --new NAME").format(option=option))
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
    code = unicodedata.normalize("NFKC", code).strip().upper()
    if code and classification.nearest(code) is None:
        raise ConfigurationError(
            _("--tree: {code!r} is no code of 中国图书馆分类法, such as D6").format(code=code)
        )
    definitions, exitcode = _definitions()
    make_console().print(classification_tree(classification, definitions, code or None))
    return exitcode


def _show(name: str) -> int:
    code = 0
    try:
        definition = find_definition(name)
    except UnknownTopicError as error:
        code = fail(str(error))
        definition = find_definition(
            name, word_is_known=True
        )  # what a crawl for the word looks for
    topic = Topic.learn(definition)
    console = make_console()
    for part in topic_parts(topic, load_classification()):
        console.print(part)
    return code


def _create(opts: argparse.Namespace) -> int:
    folder = new_topic(
        project_folder(Path.cwd()) / "seeds",
        opts.new,
        keywords=_split(opts.keywords),
        seeds=read_seeds(opts.seeds or "", "--seeds"),
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
    topics = ngettext("{n} topic is valid", "{n} topics are valid", len(valid))
    mistakes = ngettext("{n} mistake", "{n} mistakes", len(errors))
    print(listed([topics.format(n=len(valid)), mistakes.format(n=len(errors))]))
    return 1 if errors else 0


def _split(value: str | None) -> list[str]:
    """Split a list at commas: ASCII, full-width or ideographic."""
    return [part.strip() for part in re.split("[,，、]", value or "") if part.strip()]

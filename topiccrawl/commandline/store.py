"""Helpers of the commands that read the store."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from topiccrawl.commandline.errors import CommandError, WrongUsageError
from topiccrawl.crawl.settings.store import StoreSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import N_, _, listed
from topiccrawl.store.factory import opened_store
from topiccrawl.text.normalize import normalize
from topiccrawl.text.numerals import natural_key
from topiccrawl.topics.load import find_definition

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from scrapy.settings import Settings

    from topiccrawl.store.contract import Store

__all__ = [
    "brief_list",
    "choose_run",
    "choose_topic",
    "defined_name",
    "missing_topic",
    "one_argument",
    "opened_store",
    "store_uri",
    "topic_argument",
]

#: Most names listed in an error message.
_LISTED = 20


def store_uri(opts: argparse.Namespace, settings: Settings) -> str:
    """Return the store's URI from ``--store`` or the settings.

    Raises:
        CommandError: neither of the two is given.
    """
    uri = opts.store or StoreSettings.from_settings(settings).store_uri
    if not uri:
        raise CommandError(_("no store is given: use --store FILE or set TOPICCRAWL_STORE_URI"))
    return str(uri)


async def choose_topic(store: Store, name: str | None) -> str:
    """Return the topic in *store* that *name* refers to; without a name, the only one there is.

    Traditional and simplified forms, and the aliases of a topic, are equivalent.

    Raises:
        CommandError: no topic matches, or more than one; the message lists the choices.
    """
    topics = sorted(await store.topics(), key=natural_key)
    if not topics:
        raise CommandError(_("the store is empty: nothing has been crawled yet"))
    if name is None:
        if len(topics) == 1:
            return topics[0]
        raise CommandError(
            _("several topics are in the store, name one: {topics}").format(
                topics=brief_list(topics)
            )
        )
    if name in topics:
        return name
    defined = _defined(name)
    wanted = {normalize(name), normalize(defined or name)}
    for topic in topics:
        if normalize(topic) in wanted:
            return topic
    near = get_close_matches(name, topics, n=3, cutoff=0.4)
    others = (topic for topic in topics if topic not in near)
    message = _("topic {name!r} is not in the store; there are: {topics}")
    if defined:
        message = _("topic {name!r} was not crawled yet; the store has: {topics}")
    raise CommandError(message.format(name=name, topics=brief_list([*near, *others])))


async def choose_run(store: Store, topic: str, wanted: str | None) -> str | None:
    """Return the run id that ``--run`` refers to, ``None`` for all runs.

    Raises:
        CommandError: the topic has no such run; the message lists the newest ones.
    """
    if wanted is None:
        return None
    runs = [run.id for run in await store.runs(topic)]
    if wanted == "last" and runs:
        return runs[-1]
    if wanted not in runs:
        raise CommandError(
            _("run {wanted!r} of topic {topic!r} is not in the store; there are: {runs}").format(
                wanted=wanted, topic=topic, runs=brief_list(reversed(runs)) or _("none")
            )
        )
    return wanted


def defined_name(name: str) -> str:
    """Return the name under which the topic *name* (an alias, a path) is crawled."""
    return _defined(name) or name


def is_defined(name: str) -> bool:
    """Return whether *name* refers to a definition of a topic."""
    return _defined(name) is not None


def _defined(name: str) -> str | None:
    try:
        return find_definition(name).name
    except (ConfigurationError, OSError):
        return None


def one_argument(args: list[str], what: str) -> str | None:
    """Return the only positional argument, or ``None``; ``WrongUsageError`` if there are more.

    *what* it is comes from the catalog: ``N_("topic")``.
    """
    if len(args) > 1:
        raise WrongUsageError(
            _("one {what} at a time, got {count}").format(what=_(what), count=len(args)),
        )
    return args[0] if args else None


def topic_argument(args: list[str], command: str) -> str:
    """Return the topic, the only positional argument of *command*; ``WrongUsageError`` without it."""
    name = one_argument(args, N_("topic"))
    if name is None:
        raise missing_topic(command)
    return name


def missing_topic(command: str) -> WrongUsageError:
    """Return the error of *command* without a topic."""
    return WrongUsageError(_("which topic? usage: scrapy {command} TOPIC").format(command=command))


def brief_list(names: Iterable[str]) -> str:
    """Return the names for an error message, at most 20 of them."""
    shown = list(names)
    tail = _(" … ({count} in all)").format(count=len(shown)) if len(shown) > _LISTED else ""
    return listed(shown[:_LISTED]) + tail

"""The user's judgments in a crawl, from the topic's file and from the journal, and decisions about words."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from topiccrawl.frontier.paths import frontier_path
from topiccrawl.language import _
from topiccrawl.sharedfiles import replace_file
from topiccrawl.topics.decisions import (
    DECISIONS_FILE,
    load_decisions,
    save_decisions,
    with_decisions,
)
from topiccrawl.topics.judgments import JUDGMENTS_FILE, load_judgments, save_judgments
from topiccrawl.topics.load import is_own_folder

if TYPE_CHECKING:
    from topiccrawl.frontier.backend import FrontierConfig
    from topiccrawl.topics.definition import Judgment, TopicDefinition


class Judgments(Mapping[str, bool]):
    """Whether the user judged a page relevant, by canonical URL; it changes while the crawl runs.

    Of two judgments of a URL from one file the one published later counts, whatever the clock was then, and
    of those from different files the one with the later time.  One without a time was written by hand, into
    the file, and counts as later than those that were published before.
    """

    def __init__(self, given: Iterable[Judgment] = ()) -> None:
        self._current: dict[str, Judgment] = {}
        self._published: dict[str, Judgment] = {}
        self._listeners: list[Callable[[str, bool | None], object]] = []
        self.forgotten: set[str] = set()
        """URLs whose judgment was deleted and that nobody has judged since."""
        self.wanted: tuple[str, ...] = ()
        """URLs judged relevant that are not in the store: they are fetched at the start."""
        for judgment in given:
            self._current[judgment.url] = judgment

    def __getitem__(self, url: str) -> bool:
        return self._current[url].relevant

    def __iter__(self) -> Iterator[str]:
        return iter(self._current)

    def __len__(self) -> int:
        return len(self._current)

    def subscribe(self, listener: Callable[[str, bool | None], object]) -> None:
        """Call *listener* with URL and judgment of every change from now on; ``None``: deleted."""
        self._listeners.append(listener)

    def receive(self, judgment: Judgment) -> None:
        """Take a judgment of the journal, in the order of the journal."""
        known = self._current.get(judgment.url)
        self._published[judgment.url] = judgment
        if known is None or _same_file(known, judgment) or not _is_later(known, judgment):
            self._set(judgment)

    def read_again(self, given: Iterable[Judgment]) -> None:
        """Take what is in the file after the journal was read: it is written before anything is published."""
        for judgment in given:
            known = self._current.get(judgment.url)
            if known is not None and _same_file(known, judgment):
                self._set(judgment)

    def _set(self, judgment: Judgment) -> None:
        known = self._current.get(judgment.url)
        self._current[judgment.url] = judgment
        self.forgotten.discard(judgment.url)
        if known is None or known.relevant != judgment.relevant:
            for listener in self._listeners:
                listener(judgment.url, judgment.relevant)

    def forget(self, url: str) -> None:
        """Take back the judgment of *url*; nothing happens if there is none."""
        self._published.pop(url, None)
        if self._current.pop(url, None) is not None:
            self.forgotten.add(url)
            for listener in self._listeners:
                listener(url, None)

    def deleted(self, files: Collection[str], urls: Collection[str]) -> list[str]:
        """Return the URLs whose judgment was published from one of *files*, which now judge *urls* only.

        Another machine's file is not looked at: it may never have had the lines of this one.
        """
        return [url for url, it in self._published.items() if it.file in files and url not in urls]

    def unpublished(self) -> list[Judgment]:
        """Return the judgments that the journal lacks, as far as it was read."""
        return [
            judgment
            for url, judgment in self._current.items()
            if url not in self._published or self._published[url].relevant != judgment.relevant
        ]


def file_name(file: Path) -> str:
    """Return the name of a file of judgments in the journal: the machine's and its path."""
    return f"{platform.node()}:{file.resolve()}"


def judgments_file(definition: TopicDefinition, config: FrontierConfig) -> Path:
    """Return the path of the topic's file of judgments.

    It is in the topic's folder.  For a topic that is only a word, that is part of the installed package,
    or whose folder cannot be written, it is beside the frontier, and moves into the folder once there is one.
    """
    return user_file(
        definition,
        config,
        JUDGMENTS_FILE,
        lambda own, other: save_judgments(own, load_judgments(other)),
    )


def file_names(definition: TopicDefinition, config: FrontierConfig) -> set[str]:
    """Return the names of the topic's file of judgments in the journal, of its former place, too."""
    file = judgments_file(definition, config)
    former = _beside_frontier(definition, config, JUDGMENTS_FILE)
    return {file_name(it) for it in (file, former) if it == file or not it.exists()}


def given_judgments(definition: TopicDefinition, config: FrontierConfig) -> list[Judgment]:
    """Return the judgments of the topic's definition and of its file, marked with the name of the file.

    Of two judgments of a URL, that of the file counts.
    """
    file = judgments_file(definition, config)
    name = file_name(file)
    found = {it.url: it for it in (*definition.judgments, *load_judgments(file))}
    return [replace(it, file=name) for it in found.values()]


def user_file(
    definition: TopicDefinition,
    config: FrontierConfig,
    name: str,
    add: Callable[[Path, Path], None],
) -> Path:
    """Return the path of a file of the user's in the topic's folder, or else beside the frontier.

    What a topic has beside the frontier moves into its folder: it was only a word before, or the folder could
    not be written.  *add* puts it, the later one, into a file that is in the folder already.
    """
    path = _beside_frontier(definition, config, name)
    if not (is_own_folder(definition) and os.access(definition.source, os.W_OK)):
        return path
    own = Path(definition.source) / name
    with suppress(OSError):
        if not own.exists():
            replace_file(own, path.read_bytes())
        elif path.exists() and os.access(path.parent, os.W_OK):  # added once
            add(own, path)
        path.unlink()
    return own


def folder_problem(definition: TopicDefinition) -> str:
    """Return why a file of the user's is beside the frontier though the topic has a folder, else ``""``."""
    if not is_own_folder(definition) or os.access(definition.source, os.W_OK):
        return ""
    return _("{folder} cannot be written: this is saved beside the queue instead").format(
        folder=definition.source
    )


def _beside_frontier(definition: TopicDefinition, config: FrontierConfig, name: str) -> Path:
    path = frontier_path(definition.name, config)
    return path.with_name(f"{path.stem}.{name}")


def decisions_file(definition: TopicDefinition, config: FrontierConfig) -> Path:
    """Return the path of the topic's file of decisions, in its folder or else beside the frontier."""
    return user_file(
        definition,
        config,
        DECISIONS_FILE,
        lambda own, other: save_decisions(own, load_decisions(other)),
    )


def decided(definition: TopicDefinition, config: FrontierConfig) -> TopicDefinition:
    """Return *definition* with the decisions that are not in its folder."""
    return with_decisions(definition, load_decisions(decisions_file(definition, config)))


def _same_file(known: Judgment, other: Judgment) -> bool:
    return known.file == other.file != ""


def _is_later(known: Judgment, other: Judgment) -> bool:
    """Return whether *known*, which may be from the file, is later than *other* of the journal."""
    return known.at is None or (other.at is not None and known.at > other.at)

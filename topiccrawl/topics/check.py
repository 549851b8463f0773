"""Checks all topic folders and reports every mistake, also those between two folders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.tables import TableError
from topiccrawl.text.normalize import normalize
from topiccrawl.topics.definition import TopicDefinition
from topiccrawl.topics.folder import parse_topic_file, read_definition
from topiccrawl.topics.load import topic_folders
from topiccrawl.topics.topic import Topic

#: An item of a list in the name of a value: ``seeds[3]`` of ``seeds[3].url``.
_ITEM = re.compile(r"(\w+)\[(\d+)\]")
#: Mistakes of one topic that are reported (a choice).
MOST_MISTAKES = 50


def check_topics() -> tuple[list[str], list[str]]:
    """Load and learn all topic folders, sorted by name, and check that no two share a name or alias.

    Returns the names of the valid topics, and a message for each mistake.
    """
    valid: list[str] = []
    errors: list[str] = []
    owners: dict[str, str] = {}
    for folder in topic_folders():
        definition, mistakes = check_folder(folder)
        errors += mistakes
        if mistakes or definition is None:
            continue
        valid.append(definition.name)
        for alias in dict.fromkeys(map(normalize, (definition.name, *definition.aliases))):
            if alias in owners:
                errors.append(
                    _("{file}: {alias!r} names the topic {topic!r} already").format(
                        file=definition.source, alias=alias, topic=owners[alias]
                    )
                )
            owners.setdefault(alias, definition.name)
    return valid, errors


def check_folder(folder: Path | Traversable) -> tuple[TopicDefinition | None, list[str]]:
    """Load and learn one topic; return it, and all its mistakes.

    A wrong value is left out to find the next one; without a definition that can be read, it is
    ``None``.
    """
    mistakes: list[str] = []
    left_out: list[str] = []
    try:
        parsed = parse_topic_file(folder)
        while len(mistakes) < MOST_MISTAKES:
            try:
                definition = read_definition(folder, parsed)
                if not mistakes:
                    Topic.learn(definition)
                return definition, mistakes
            except TableError as error:
                key = _original(error.key, left_out)
                if any(f"{name}.".startswith(f"{error.key}.") for name in left_out):
                    return None, mistakes  # Missing only because its values were left out.
                mistakes.append(str(error).replace(error.key, key, 1))
                removed = _leave_out(parsed, error.key)
                if not removed:
                    return None, mistakes
                left_out.append(_original(removed, left_out))
    except ConfigurationError as error:
        mistakes.append(str(error))
    return None, mistakes


def _original(key: str, left_out: Sequence[str]) -> str:
    """Return *key* with the index that its list item had before items were left out."""
    item = _ITEM.match(key)
    if item is None:
        return key
    index = int(item[2])
    for name in sorted(left_out, key=lambda name: (len(name), name)):
        other = _ITEM.fullmatch(name)
        if other is not None and other[1] == item[1] and int(other[2]) <= index:
            index += 1
    return f"{item[1]}[{index}]{key[item.end() :]}"


def _leave_out(parsed: dict[str, Any], key: str) -> str:
    """Remove the value *key*, or the list item or table that it belongs to; return its name.

    ``""`` if there is none.
    """
    found = {name: (container, at) for name, container, at in _values(parsed, "")}
    if (item := _ITEM.match(key)) is not None:
        key = item[0]
    while key and key not in found:
        key = key.rpartition(".")[0]
    if key:
        container, at = found[key]
        del container[at]
    return key


def _values(container: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield each value of nested tables and lists: its full name, its container, its key there."""
    if isinstance(container, dict):
        named = [(f"{path}.{key}" if path else key, key) for key in container]
    else:
        named = [(f"{path}[{i}]", i) for i in range(len(container))]
    for name, at in named:
        yield name, container, at
        if isinstance(container[at], dict | list):
            yield from _values(container[at], name)

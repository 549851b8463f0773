"""Looks for mistakes in all topic folders at once, beyond what stops a single one."""

from __future__ import annotations

from topiccrawl.errors import ConfigurationError
from topiccrawl.text.normalize import normalize
from topiccrawl.topics.load import load_definition, topic_folders
from topiccrawl.topics.topic import Topic


def check_topics() -> tuple[list[str], list[str]]:
    """Return (names of the valid topics, one message per mistake), by folder name.

    Each folder is loaded and learned; then a name or alias that two topics share is a mistake.
    """
    valid: list[str] = []
    errors: list[str] = []
    owners: dict[str, str] = {}
    for folder in topic_folders():
        try:
            definition = load_definition(folder)
            Topic.learn(definition)
        except ConfigurationError as error:
            errors.append(str(error))
            continue
        valid.append(definition.name)
        for alias in dict.fromkeys(map(normalize, (definition.name, *definition.aliases))):
            if alias in owners:
                errors.append(
                    f"{definition.source}: {alias!r} names the topic {owners[alias]!r} already"
                )
            owners.setdefault(alias, definition.name)
    return valid, errors

"""Checks all topic folders and reports every mistake, also those between two folders."""

from __future__ import annotations

from topiccrawl.errors import ConfigurationError
from topiccrawl.text.normalize import normalize
from topiccrawl.topics.load import load_definition, topic_folders
from topiccrawl.topics.topic import Topic


def check_topics() -> tuple[list[str], list[str]]:
    """Load and learn all topic folders, sorted by name, and check that no two share a name or alias.

    Returns
    -------
    valid : list of str
        Names of the valid topics.
    errors : list of str
        One message per mistake.
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

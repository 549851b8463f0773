"""Deleted pages leave the records of the desk: notes, warnings, briefings, tables of events."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from topiccrawl.store.deletion.choosing import person_pattern
from topiccrawl.store.desk import DeskStore
from topiccrawl.text.normalize import normalize

#: Kinds of the records that hold the table of events.
EVENT_TABLE: Final = "event-table"
EVENT_TABLE_PART: Final = "event-table-part"

#: Kinds whose keys are the addresses of pages: what users added in the console.
_KEYED: Final = ("note", "tags", "judgment")
#: Kinds whose values list pages, with titles and sentences.
_LISTING: Final = ("alert", "briefing")
#: Kinds that are computed from all pages, and are computed again when they are missing.
_COMPUTED: Final = (EVENT_TABLE, EVENT_TABLE_PART)
#: Marks what is to be left out.
_GONE: Final = object()


async def forget_in_desk(
    store: DeskStore, topic: str, urls: Collection[str], persons: Sequence[str]
) -> None:
    """Remove from the desk of *topic* what comes from the pages *urls* or names one of *persons*.

    Searches that the user saved, and notes and tags of other pages, stay.
    """
    gone, patterns = set(urls), [person_pattern(name) for name in persons]
    for kind in _KEYED:
        await store.delete_desk(topic, kind, list(gone))
    for kind in _LISTING:
        for record in [it async for it in store.desk(topic, kind)]:
            left = without_pages(record.value, gone, patterns)
            if left != record.value:
                await store.write(desk=[replace(record, value=left)])
    for kind in _COMPUTED:
        await store.delete_desk(topic, kind, [it.key async for it in store.desk(topic, kind)])


def without_pages(
    value: Mapping[str, Any], urls: Collection[str], patterns: Sequence[re.Pattern[str]] = ()
) -> dict[str, Any]:
    """Return the value of a record without the elements that have one of *urls* or name a person.

    An element is a mapping with an address (``url``), or a list in a list, such as a sentence with its address;
    it has the texts that are directly in it.  One that is not a member of a list becomes ``None``.

    >>> without_pages({"pages": [{"url": "http://a/"}, {"url": "http://b/"}]}, {"http://a/"})
    {'pages': [{'url': 'http://b/'}]}
    """
    return {key: _none(_left(it, urls, patterns)) for key, it in value.items()}


def _left(value: Any, urls: Collection[str], patterns: Sequence[re.Pattern[str]]) -> Any:
    """Return *value* without such elements, or :data:`_GONE` if it is one."""
    if isinstance(value, Mapping):
        if "url" in value and _is_gone(value.values(), urls, patterns):
            return _GONE
        return {key: _none(_left(it, urls, patterns)) for key, it in value.items()}
    if not _is_list(value):
        return value
    kept = [it for it in value if not (_is_list(it) and _is_gone(it, urls, patterns))]
    return [it for it in (_left(it, urls, patterns) for it in kept) if it is not _GONE]


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _none(value: Any) -> Any:
    return None if value is _GONE else value


def _is_gone(
    values: Iterable[Any], urls: Collection[str], patterns: Sequence[re.Pattern[str]]
) -> bool:
    """Whether one of the texts among *values* is an address of *urls*, or names a person."""
    texts = [it for it in values if isinstance(it, str)]
    if any(it in urls for it in texts):
        return True
    return bool(patterns) and any(
        pattern.search(plain) for plain in map(normalize, texts) for pattern in patterns
    )

"""What users add to pages: notes, tags, and whether a page interests them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from topiccrawl.console.forms import within
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.store.desk import DeskRecord, DeskStore

if TYPE_CHECKING:
    from topiccrawl.store.contract import PageRecord

#: Kinds of desk records; the key of each is the URL of the page.
NOTE: Final = "note"
TAGS: Final = "tags"
#: Characters of a note and of a tag, and tags of a page (guesses: more is never typed by hand).
_MOST_NOTE: Final = 20_000
_MOST_TAG: Final = 40
_MOST_TAGS: Final = 30
_SEPARATORS: Final = re.compile(r"[,，、;；\n\r\t]+")


@dataclass(frozen=True, slots=True)
class Annotated:
    """A page with what users have added to it."""

    url: str
    title: str
    note: str
    tags: Sequence[str]
    at: datetime | None


def tag_list(text: str) -> list[str]:
    """Return the tags of *text*, which are separated by commas, each once."""
    found = (" ".join(part.split()) for part in _SEPARATORS.split(text))
    return list(dict.fromkeys(it for it in found if it))


def merged_tags(present: Sequence[str], shown: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Return the *present* tags with what a user changed from the *shown* ones to the *wanted* ones."""
    theirs = [it for it in present if it not in shown]
    gone = [it for it in shown if it not in present]
    return [*(it for it in wanted if it not in gone), *(it for it in theirs if it not in wanted)]


async def read_annotations(store: DeskStore, topic: str, url: str) -> Annotated:
    """Return what users have added to the page *url*."""
    note = await store.desk_entry(topic, NOTE, url)
    tags = await store.desk_entry(topic, TAGS, url)
    return _annotated(url, note, tags)


async def annotated_pages(
    store: DeskStore, topic: str
) -> tuple[list[Annotated], Mapping[str, int]]:
    """Return all pages with notes or tags, the last changed first, and the number of each tag."""
    notes = {it.key: it async for it in store.desk(topic, NOTE)}
    tags = {it.key: it async for it in store.desk(topic, TAGS)}
    found = [_annotated(url, notes.get(url), tags.get(url)) for url in notes.keys() | tags.keys()]
    found.sort(key=lambda it: (-(it.at.timestamp() if it.at else 0.0), it.url))
    counts = Counter(tag for it in found for tag in it.tags)
    return found, dict(sorted(counts.items(), key=lambda it: (-it[1], it[0])))


async def write_note(store: DeskStore, page: PageRecord, text: str, at: datetime) -> None:
    """Set the note of *page*; an empty one deletes it.  Raises ``ConfigurationError`` if it is too long."""
    await _write(store, page, NOTE, "text", within(text.strip(), _MOST_NOTE), at)


async def write_tags(store: DeskStore, page: PageRecord, tags: Sequence[str], at: datetime) -> None:
    """Set the tags of *page*; none deletes them.

    Raises ``ConfigurationError`` if one is too long, or there are too many.
    """
    if len(tags) > _MOST_TAGS:
        raise ConfigurationError(
            _("a page has at most {most} tags, got {number}").format(
                most=_MOST_TAGS, number=len(tags)
            )
        )
    await _write(store, page, TAGS, "tags", [within(it, _MOST_TAG) for it in tags], at)


async def _write(
    store: DeskStore, page: PageRecord, kind: str, name: str, value: str | list[str], at: datetime
) -> None:
    if not value:
        await store.delete_desk(page.topic, kind, [page.url])
        return
    values = {name: value, "title": page.title}
    record = DeskRecord(topic=page.topic, kind=kind, key=page.url, at=at, value=values)
    await store.write(desk=[record])


def _annotated(url: str, note: DeskRecord | None, tags: DeskRecord | None) -> Annotated:
    records = [it for it in (note, tags) if it is not None]
    given = tags.value.get("tags") if tags else None
    return Annotated(
        url,
        next((str(it.value.get("title", "")) for it in records), ""),
        str(note.value.get("text", "")) if note else "",
        [str(it) for it in given] if isinstance(given, list | tuple) else [],
        max((it.at for it in records), default=None),
    )

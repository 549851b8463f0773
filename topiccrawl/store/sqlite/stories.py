"""Stories, tokens and what is to be compared in the SQLite file.

Functions that take a connection and write are called within a transaction.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.store.records import PAGES, record_id
from topiccrawl.store.sqlite import indexing, queries, texts
from topiccrawl.store.sqlite.rows import cell
from topiccrawl.store.sqlite.tables import TOKENS
from topiccrawl.store.stories import (
    COMPARISON,
    Membership,
    Merged,
    StoredStory,
    StoryOrder,
    membership_fields,
    merged,
    topic_tokens,
)
from topiccrawl.store.values import DAMAGE, from_milliseconds

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from topiccrawl.store.fields import Document

_SELECT_KNOWN: Final = (
    "SELECT title, withdrawn_at, fetched_at, first_seen, changed_at, "
    f"{', '.join(COMPARISON)}, {queries.TEXT_COLUMNS} "
    "FROM pages WHERE _id = ?"
)
_SELECT_RELATION: Final = "SELECT content_hash, story FROM pages WHERE _id = ?"
_SET_RELATION: Final = (
    f"UPDATE pages SET {', '.join(f'{it} = ?' for it in COMPARISON)} WHERE _id = ?"
)

_DELETE_NUMBERS: Final = "DELETE FROM numbers WHERE _id IN (SELECT value FROM json_each(?))"
_LAST_NUMBER: Final = "SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'numbers'"
_INSERT_NUMBERS: Final = "INSERT INTO numbers (page, _id) SELECT ? + key, value FROM json_each(?)"
_INSERT_TOKEN: Final = f"INSERT INTO {TOKENS[0]} (token, page) VALUES (?, ?)"
#: Pages whose tokens a table has at most before they move to the next one.  A large table has few rows of
#: a batch in each of its pages, so that each is rewritten for one or two of them.  With 60,000 pages of 40
#: tokens, a page took 1.1 ms to write instead of 2.3 with one table (batches of 100, 2026-11-22).
_TABLE_PAGES: Final = (2_000, 20_000)
_HAVING: Final = " UNION ALL ".join(
    f"SELECT page FROM {name} WHERE token = wanted.value" for name in TOKENS
)
# One statement for all tokens of a page: each costs more in Python than in SQLite.
SELECT_SHARING: Final = (
    "SELECT value, (SELECT group_concat(page) FROM "
    f"(SELECT page FROM ({_HAVING}) LIMIT ?2)) FROM json_each(?1) AS wanted"
)
# From the short rows of the headlines, and as one value: rows cost more than what is in them.
SELECT_NUMBERED: Final = (
    "SELECT json_group_object(numbers.page, headlines.url) FROM json_each(?) AS wanted "
    "CROSS JOIN numbers ON numbers.page = wanted.value "
    "CROSS JOIN headlines ON headlines._id = numbers._id WHERE headlines.withdrawn_at IS NULL"
)
_REOPEN: Final = (
    "UPDATE pages SET compared = 0 WHERE topic = ? AND story = ? AND story <> '' "
    "AND withdrawn_at IS NULL AND compared <> 0 AND _id <> ?"
)
_REOPEN_ORPHANS: Final = (
    "UPDATE pages SET compared = 0 WHERE topic = ?1 AND story = ?2 AND story <> '' "
    "AND withdrawn_at IS NULL AND copy_of <> '' AND compared <> 0 AND NOT EXISTS "
    "(SELECT 1 FROM pages AS first WHERE first.topic = ?1 AND first.url = pages.copy_of "
    "AND first.withdrawn_at IS NULL AND first.copy_of = '')"
)

_MEMBERS: Final = "topic = ? AND story = ? AND story <> '' AND withdrawn_at IS NULL"
SELECT_MEMBERS: Final = (
    f"SELECT {queries.PAGE_COLUMNS} FROM pages WHERE {_MEMBERS} ORDER BY fetched_at, _id"
)
#: Query for (topic, URL of the page).
SELECT_ATTACHMENTS: Final = (
    f"SELECT {queries.PAGE_COLUMNS} FROM pages WHERE topic = ? AND attached_to = ? "
    "AND attached_to <> '' AND withdrawn_at IS NULL ORDER BY url"
)
_BELOW: Final = "topic = ?1 AND withdrawn_at IS NULL AND compared < ?2"
_ABOVE: Final = "topic = ?1 AND withdrawn_at IS NULL AND compared > ?2"
#: Query for (topic, method, limit); each part follows the index, and the second comes after the first.
SELECT_UNCOMPARED: Final = (
    " UNION ALL ".join(
        f"SELECT * FROM (SELECT {queries.PAGE_COLUMNS} FROM pages WHERE {wanted} "
        "ORDER BY compared, fetched_at, _id LIMIT ?3)"
        for wanted in (_BELOW, _ABOVE)
    )
    + " LIMIT ?3"
)
COUNT_UNCOMPARED: Final = (
    f"SELECT (SELECT count(*) FROM pages WHERE {_BELOW}) + "
    f"(SELECT count(*) FROM pages WHERE {_ABOVE})"
)
COUNT_COPIES: Final = (
    "SELECT story, count(*) FROM pages WHERE topic = ? AND story <> '' AND withdrawn_at IS NULL "
    "AND copy_of <> '' GROUP BY story"
)
_STORY_ORDERS: Final[Mapping[StoryOrder, str]] = {
    "size": "members DESC, first, story",
    "newest": "last DESC, first, story",
}


def select_stories(order: StoryOrder) -> str:
    """Return the query for (topic, least, limit) that reads stories in *order*; limit -1 means all."""
    if order not in _STORY_ORDERS:
        raise ValueError(f"order must be one of {', '.join(_STORY_ORDERS)}; got {order!r}")
    return (
        "SELECT found.story, members, ifnull(url, ''), ifnull(title, ''), first, last FROM ("
        "SELECT story, count(*) AS members, min(fetched_at) AS first, max(fetched_at) AS last, "
        "min(iif(copy_of = '', printf('%020d', fetched_at) || _id, NULL)) AS led FROM pages "
        "WHERE topic = ? AND story <> '' AND withdrawn_at IS NULL GROUP BY story "
        f"HAVING count(*) >= ? ORDER BY {_STORY_ORDERS[order]} LIMIT ?) AS found "
        "LEFT JOIN pages ON pages._id = substr(led, 21) "
        f"ORDER BY {_STORY_ORDERS[order].replace('story', 'found.story')}"
    )


def stored_story(row: tuple[Any, ...]) -> StoredStory:
    """Return the story in a row of :func:`select_stories`."""
    story, members, url, title, first, last = row
    return StoredStory(
        story, members, url, title, from_milliseconds(first), from_milliseconds(last)
    )


def merge(db: sqlite3.Connection, documents: Iterable[Document]) -> list[Merged]:
    """Return what is to be written of the pages in *documents*: without the text where it is packed."""
    found = []
    for document in documents:
        cursor = db.execute(_SELECT_KNOWN, (document["_id"],))
        values = cursor.fetchone()
        if values is None:
            found.append(merged(document, None))
            continue
        row = dict(zip((it[0] for it in cursor.description), values, strict=True))
        packed = row["difference"] is not None
        result = merged(document, _known(row))
        if not result.same:
            # Before the text is replaced, without which the entry cannot be deleted.
            indexing.renumber(db, document["_id"])
        if packed and result.same:
            result = replace(result, document={**result.document, "body": ""})
        elif packed:
            texts.unpack(db, document["_id"])
        found.append(result)
    return found


def _known(row: dict[str, Any]) -> Document:
    """Return the stored version of a page; where it is damaged, one that differs from every other."""
    with suppress(*DAMAGE):
        # A text that cannot be read is read as an empty one, which may be what is written back.
        queries.restore(row)
    try:
        return queries.document(PAGES, row)
    except DAMAGE:
        defaults = {it.key: it.stored_default for it in PAGES.fields if not it.required}
        return {**defaults, "body": None}


def write_pages(db: sqlite3.Connection, merged: Sequence[Merged]) -> None:
    """Write the rows of pages: first those that are not copies, whose texts the others need."""
    statement = queries.upsert(PAGES)
    documents = [it.document for it in merged]
    heads = [queries.row(PAGES, it) for it in documents if not it["copy_of"]]
    db.executemany(statement, heads)
    for document in documents:
        topic, copy_of, key = document["topic"], document["copy_of"], document["_id"]
        if copy_of:
            # Before the row is written: a row that shrinks leaves its page of the file half empty.
            packed = texts.pack_text(db, topic, document["body"], key, record_id(topic, copy_of))
            row = {**document, "body": ""} if packed else document
            db.execute(statement, queries.row(PAGES, row))


def follow_up(db: sqlite3.Connection, written: Iterable[Merged]) -> None:
    """Write the tokens of pages that were *written*, and reopen what they concern."""
    stories = {}
    tokens = {}
    for it in written:
        document = it.document
        key, topic = document["_id"], document["topic"]
        if it.new_tokens:
            tokens[key] = topic_tokens(topic, document["tokens"])
        if it.left:
            db.execute(_REOPEN, (topic, it.left, key))
        if document["copy_of"]:
            stories[topic, document["story"]] = True
    set_tokens(db, tokens)
    db.executemany(_REOPEN_ORPHANS, list(stories))


def set_tokens(db: sqlite3.Connection, tokens: Mapping[str, Sequence[int]]) -> None:
    """Replace the tokens of pages, by id."""
    db.execute(_DELETE_NUMBERS, (json.dumps(list(tokens)),))
    found = [key for key, them in tokens.items() if them]
    if not found:
        return
    first = db.execute(_LAST_NUMBER).fetchone()[0] + 1
    db.execute(_INSERT_NUMBERS, (first, json.dumps(found)))
    # In the order of the table: neighbors are on the same page of the file.
    rows = sorted(
        (token, number) for number, key in enumerate(found, first) for token in tokens[key]
    )
    db.executemany(_INSERT_TOKEN, rows)
    last = first + len(found) - 1
    for (source, target), most in zip(pairwise(TOKENS), _TABLE_PAGES, strict=True):
        if (first - 1) // most != last // most:
            db.execute(f"INSERT INTO {target} SELECT token, page FROM {source}")
            db.execute(f"DELETE FROM {source}")


#: Topic, owner, its end, now.
LEASE_SETTLING: Final = (
    "INSERT INTO settling VALUES (?, ?, ?) ON CONFLICT (topic) DO UPDATE SET owner = excluded.owner, "
    "until = excluded.until WHERE owner = excluded.owner OR until <= ? OR until > ?"
)


def set_relations(db: sqlite3.Connection, topic: str, relations: Mapping[str, Membership]) -> None:
    """Set what a comparison found of pages."""
    codecs = {field.key: field.codec for field in PAGES.fields}
    stories = {}
    tokens = {}
    for url, membership in relations.items():
        key = record_id(topic, url)
        row = db.execute(_SELECT_RELATION, (key,)).fetchone()
        if row is None or membership.content_hash not in (None, row[0]):
            continue
        fields = membership_fields(membership)
        cells = [cell(codecs[name], fields[name]) for name in COMPARISON]
        db.execute(_SET_RELATION, (*cells, key))
        stories.update(dict.fromkeys(((topic, row[1]), (topic, fields["story"]))))
        if membership.tokens is not None:
            tokens[key] = topic_tokens(topic, membership.tokens)
    set_tokens(db, tokens)
    for url, membership in relations.items():
        if membership.copy_of:
            texts.pack(db, topic, record_id(topic, url), record_id(topic, membership.copy_of))
    db.executemany(_REOPEN_ORPHANS, list(stories))


#: Pages of a token that are read beside those that are wanted, in place of withdrawn pages and older sets of tokens
#: (a choice).  With 0, and eight times as many where these do not do, a look-up took 2.8 times as long in a crawl
#: of 10,000 pages that share their sentences (2026-11).
_SPARE: Final = 16


def sharing(
    db: sqlite3.Connection, topic: str, tokens: Sequence[int], most: int
) -> dict[int, list[str]]:
    """Return the URLs of kept pages by token, at most ``most + 1`` each."""
    # In the order of the tables, as for writing.
    limit, wanted = most + 1 + _SPARE, sorted(topic_tokens(topic, tokens))
    stored: dict[int, list[str]] = {}
    while wanted:
        rows = db.execute(SELECT_SHARING, (json.dumps(wanted), limit)).fetchall()
        pages = {token: listed.split(",") for token, listed in rows if listed}
        numbers = f"[{','.join(set().union(*pages.values()))}]"
        urls = json.loads(db.execute(SELECT_NUMBERED, (numbers,)).fetchone()[0])
        for token, listed in pages.items():
            if kept := [urls[number] for number in listed if number in urls]:
                stored[token] = kept[: most + 1]
        # Withdrawn pages and older sets of tokens may have taken the places of kept pages.
        wanted = [
            token
            for token, listed in pages.items()
            if len(listed) == limit and len(stored.get(token, ())) <= most
        ]
        limit *= 2
    return dict(zip(topic_tokens(topic, stored), stored.values(), strict=True))

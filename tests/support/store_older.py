"""Stores as topiccrawl 1 (format 1) left them: before author, source, editor, kind, summary, keywords."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from topiccrawl.store.documents import page_document, to_milliseconds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from topiccrawl.store.contract import PageRecord

ADDED = ("author", "source", "editor", "kind", "summary", "keywords")

_TABLES = """
CREATE TABLE pages (_id TEXT PRIMARY KEY, topic TEXT NOT NULL, url TEXT NOT NULL,
  fetched_at INTEGER NOT NULL, published_at INTEGER, relevance REAL NOT NULL, title TEXT NOT NULL,
  final_url TEXT NOT NULL, site TEXT NOT NULL, charset TEXT NOT NULL, language TEXT NOT NULL,
  content_hash TEXT NOT NULL, run_id TEXT NOT NULL, main_terms TEXT NOT NULL, link TEXT NOT NULL,
  body TEXT NOT NULL);
CREATE TABLE outcomes (_id TEXT PRIMARY KEY, topic TEXT NOT NULL, url TEXT NOT NULL,
  verdict TEXT NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL, at INTEGER NOT NULL,
  run_id TEXT NOT NULL, sequence INTEGER NOT NULL, title TEXT NOT NULL, site TEXT NOT NULL,
  relevance REAL, threshold REAL, main_terms TEXT NOT NULL, link TEXT NOT NULL);
CREATE TABLE runs (_id TEXT PRIMARY KEY, topic TEXT NOT NULL, run_id TEXT NOT NULL,
  started_at INTEGER NOT NULL, finished_at INTEGER, stop_reason TEXT NOT NULL,
  strategy TEXT NOT NULL, seed TEXT NOT NULL, stats TEXT NOT NULL);
CREATE TABLE html (_id TEXT PRIMARY KEY, html BLOB NOT NULL);
CREATE UNIQUE INDEX pages_topic_url ON pages (topic, url);
CREATE INDEX pages_fetched ON pages (topic, fetched_at, _id);
CREATE INDEX pages_relevance ON pages (topic, relevance DESC, fetched_at, _id);
CREATE INDEX pages_published ON pages (topic, published_at DESC, fetched_at, _id);
CREATE INDEX outcomes_time ON outcomes (topic, at, sequence, _id);
CREATE INDEX runs_started ON runs (topic, started_at, _id);
PRAGMA application_id = 1953522546;
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
"""


def without_details(page: PageRecord) -> PageRecord:
    """The page as it is read back from an older store."""
    return replace(page, author="", source="", editor="", kind="", summary="", keywords=())


def older_document(page: PageRecord) -> dict[str, Any]:
    """The document that format 1 kept of *page*."""
    return {name: value for name, value in page_document(page).items() if name not in ADDED}


def older_sqlite(path: Path, pages: Sequence[PageRecord]) -> None:
    """Make a SQLite store of format 1 that holds *pages*."""
    with closing(sqlite3.connect(path)) as file:
        file.executescript(_TABLES)
        for page in pages:
            values = older_document(page)
            html = values.pop("html")
            for name in ("fetched_at", "published_at"):
                values[name] = values[name] and to_milliseconds(values[name])
            for name in ("main_terms", "link"):
                values[name] = json.dumps(values[name], ensure_ascii=False)
            places = ", ".join(f":{name}" for name in values)
            file.execute(f"INSERT INTO pages ({', '.join(values)}) VALUES ({places})", values)
            if html is not None:
                file.execute("INSERT INTO html VALUES (?, ?)", (values["_id"], html))
        file.commit()


def older_frame(page: PageRecord) -> bytes:
    """The line that the spool of format 1 kept of *page*, which must have no HTML."""
    values = older_document(page)
    for name in ("fetched_at", "published_at"):
        values[name] = values[name] and to_milliseconds(values[name])
    payload = json.dumps(["page", values], separators=(",", ":")).encode("ascii")
    return b"%08x %s\n" % (zlib.crc32(payload), payload)

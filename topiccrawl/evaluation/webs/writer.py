"""Write a stored web in the format of docs/webs.md, page by page, durable against kill -9."""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.webs.sqlite import WEB_FILE
from topiccrawl.evaluation.webs.topics_file import Topics, write_topics
from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.evaluation.webs.web import StoredPage, Web
from topiccrawl.language import _
from topiccrawl.sqlitefiles import Connection

#: Tables of the file (docs/webs.md).
_SCHEMA = """
CREATE TABLE IF NOT EXISTS pages(
  url TEXT PRIMARY KEY, body BLOB, content_type TEXT, status INTEGER NOT NULL DEFAULT 200,
  location TEXT NOT NULL DEFAULT '', size INTEGER);
CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT);
INSERT OR IGNORE INTO meta VALUES ('format', 'topiccrawl-web 1');
"""
#: A page (status 200) is only ever replaced by another page.
_UPSERT = """
INSERT INTO pages(url, body, content_type, status, location, size) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT(url) DO UPDATE SET body = excluded.body, content_type = excluded.content_type,
  status = excluded.status, location = excluded.location, size = excluded.size
WHERE excluded.status = 200 OR pages.status <> 200
"""


class WebWriter:
    """A new or existing SQLite file to which pages are added.

    Each page is committed at once: kill -9 loses at most the one being written.  Not thread-safe.

    Raises:
        ConfigurationError: the file cannot be written or has another format.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, factory=Connection
        )
        try:
            # In WAL mode commits need no disk flush, and a power failure cannot corrupt the file.
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=NORMAL")
            self._database.executescript(_SCHEMA)
            self._database.execute("SELECT url, body, status, location, size FROM pages LIMIT 1")
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise ConfigurationError(
                _("{path} must be a new file or a web of this format: {error}").format(
                    path=path, error=error
                )
            ) from error

    def add(self, page: StoredPage) -> None:
        """Store *page* under its URL; a page replaces anything, other responses never a page.

        A redirect to a URL with the same key (http to https) is skipped.

        Raises:
            ValueError: the URL of the page is not a canonical key.
        """
        if web_key(page.url) != page.url:
            raise ValueError(f"the URL of a stored page must be canonical: {page.url!r}")
        if page.location and web_key(page.location) == page.url:
            return
        body = zlib.compress(page.body)
        row = (page.url, body, page.content_type, page.status, page.location, len(page.body))
        self._database.execute(_UPSERT, row)

    def close(self) -> None:
        """Leave WAL mode, so that the file can be read in a read-only folder, and close it."""
        # Fails while another process reads the file; WAL mode then remains, which does no harm.
        with contextlib.suppress(sqlite3.OperationalError):
            self._database.execute("PRAGMA journal_mode=DELETE")
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def write_web(
    folder: Path, pages: Iterable[StoredPage] | Web, topics: Topics | None = None
) -> Path:
    """Write a web to *folder* and return the folder; a :class:`Web` brings its own topics."""
    if not isinstance(pages, Iterable):
        web = pages
        topics = topics or Topics(web.language, tuple(web.topics))
        pages = (page for url in web.urls() if (page := web.get(url)) is not None)
    with WebWriter(folder / WEB_FILE) as writer:
        for page in pages:
            writer.add(page)
    if topics is not None:
        write_topics(folder, topics)
    return folder

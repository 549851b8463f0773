"""Read a stored web from a SQLite file in the format of docs/webs.md."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.webs.topics_file import read_topics
from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.evaluation.webs.web import StoredPage, WebTopic
from topiccrawl.language import _, listed
from topiccrawl.sqlitefiles import Connection

logger = logging.getLogger(__name__)

#: Name of the SQLite file in the folder of a web.
WEB_FILE = "web.sqlite"
#: Columns that must exist.
_NEEDED = ("url", "body")
#: Optional columns with the SQL expressions used in their place.
_OPTIONAL = {"content_type": "'text/html'", "status": "200", "location": "''"}
#: Bytes of an inflated page that are read: four times what a crawl fetches by default.  A kilobyte of a
#: web that someone has given you may inflate to a megabyte.
_MOST_BYTES = 16 * 1024 * 1024


class SqliteWeb:
    """The web in the file *path*, with the topics from the same folder.

    Several threads may read it at once.

    Raises:
        ConfigurationError: the file or topics.json does not have the format of docs/webs.md.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = path.parent.resolve().name if path.name == WEB_FILE else path.stem
        self._lock = threading.Lock()
        self._database = _open(path)
        # A damaged file may hold text that is not UTF-8.
        self._database.text_factory = lambda data: data.decode("utf-8", "replace")
        try:
            self._select = self._make_select()
            self._keys = self._read_keys()
            described = read_topics(path.parent, self._keys.__contains__)
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise ConfigurationError(
                _("{path} must be a SQLite file: {error}").format(path=path, error=error)
            ) from error
        except BaseException:
            self._database.close()
            raise
        self.language = described.language
        self.topics: Sequence[WebTopic] = described.topics

    def __len__(self) -> int:
        """Number of stored pages."""
        return len(self._keys)

    def urls(self) -> Iterator[str]:
        """Return the keys of all pages in a fixed order."""
        return iter(self._keys)

    def get(self, url: str) -> StoredPage | None:
        """Return the page with the key *url*, or ``None`` if it is not stored."""
        stored = self._keys.get(url)
        if stored is None:
            return None
        try:
            with self._lock:
                row = self._database.execute(self._select, (stored,)).fetchone()
        except sqlite3.DatabaseError as error:
            raise ConfigurationError(f"{self._path} is damaged: {error}") from error
        if row is None:
            return None
        body, content_type, status, location = row
        return StoredPage(
            url,
            _inflated(body),
            # Default for a page that was stored without the header.
            str(content_type) if content_type else "text/html",
            _status(status),
            str(location or ""),
        )

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def _make_select(self) -> str:
        rows = self._database.execute("SELECT name FROM pragma_table_info('pages')")
        columns = {str(name).lower() for (name,) in rows}
        if not columns:
            raise ConfigurationError(
                _("{path}: there must be a table pages, found none").format(path=self._path)
            )
        for name in _NEEDED:
            if name not in columns:
                raise ConfigurationError(
                    _("{path}: table pages must have a column {name}, it has {columns}").format(
                        path=self._path, name=name, columns=listed(sorted(columns))
                    )
                )
        chosen = [name if name in columns else value for name, value in _OPTIONAL.items()]
        return f"SELECT body, {', '.join(chosen)} FROM pages WHERE url = ?"

    def _read_keys(self) -> dict[str, str]:
        """Return stored URLs by key; for nearly all, both are equal."""
        keys: dict[str, str] = {}
        invalid: list[object] = []
        for (url,) in self._database.execute("SELECT url FROM pages"):
            own = web_key(url) if isinstance(url, str) else None
            if own is None:
                invalid.append(url)
            elif own == url:
                keys[url] = url
            else:
                keys.setdefault(own, url)
        if invalid:
            logger.warning(
                _("%(path)s: %(count)d rows of pages have no http(s) URL, the first is %(url)r"),
                {"path": self._path, "count": len(invalid), "url": invalid[0]},
            )
        if not keys:
            raise ConfigurationError(
                _("{path}: table pages must hold pages, it is empty").format(path=self._path)
            )
        return keys


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise ConfigurationError(
            _("{path} must be a SQLite file with a stored web: no such file").format(path=path)
        )
    read_only = f"file:{quote(str(path.resolve()))}?mode=ro"
    for uri in (read_only, f"{read_only}&immutable=1"):
        database = sqlite3.connect(uri, uri=True, check_same_thread=False, factory=Connection)
        try:
            database.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            # SQLite cannot open a file in WAL mode in a read-only folder, unless immutable=1
            # guarantees that no other process writes.
            database.close()
            failure: sqlite3.DatabaseError = error
        except sqlite3.DatabaseError as error:
            database.close()
            failure = error
            break
        else:
            return database
    raise ConfigurationError(
        _("{path} must be a SQLite file: {failure}").format(path=path, failure=failure)
    ) from failure


def _status(stored: Any) -> int:
    """Return the status of an answer; 200 for what is none."""
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        return int(stored or 200)
    return 200


def _inflated(body: object) -> bytes:
    """Return the bytes of a page, which may be stored zlib-compressed or not."""
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if not isinstance(body, bytes):
        return b""
    try:
        inflater = zlib.decompressobj()
        found = inflater.decompress(body, _MOST_BYTES)
        # A stream that was cut is not one: the page is stored as it is.
        return found if inflater.eof or inflater.unconsumed_tail else body
    except zlib.error:
        return body

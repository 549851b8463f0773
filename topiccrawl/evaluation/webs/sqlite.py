"""A stored web in a SQLite file, as docs/webs.md describes it; only read, never changed."""

from __future__ import annotations

import logging
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.webs.topics_file import read_topics
from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.evaluation.webs.web import StoredPage, WebTopic

__all__ = ["WEB_FILE", "SqliteWeb"]

logger = logging.getLogger(__name__)

WEB_FILE = "web.sqlite"
_NEEDED = ("url", "body")
#: What a file may lack, with the value that stands for it.
_OPTIONAL = {"content_type": "'text/html'", "status": "200", "location": "''"}


class SqliteWeb:
    """The web in the file *path*, with the topics that lie beside it.

    Several threads may read it at once.

    Raises:
        ConfigurationError: the file or topics.json is not what docs/webs.md says.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = path.parent.resolve().name if path.name == WEB_FILE else path.stem
        self._lock = threading.Lock()
        self._database = _open(path)
        try:
            self._select = self._make_select()
            self._keys = self._read_keys()
            described = read_topics(path.parent, self._keys.__contains__)
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise ConfigurationError(f"{path} must be a SQLite file: {error}") from error
        except BaseException:
            self._database.close()
            raise
        self.language = described.language
        self.topics: Sequence[WebTopic] = described.topics

    def __len__(self) -> int:
        """Number of stored pages."""
        return len(self._keys)

    def urls(self) -> Iterator[str]:
        """Return all canonical addresses in a fixed order."""
        return iter(self._keys)

    def get(self, url: str) -> StoredPage | None:
        """Return the page under a canonical address, or None if it is not stored."""
        stored = self._keys.get(url)
        if stored is None:
            return None
        with self._lock:
            row = self._database.execute(self._select, (stored,)).fetchone()
        if row is None:
            return None
        body, content_type, status, location = row
        return StoredPage(
            url,
            _inflated(body),
            # The header of a page that was stored without one.
            str(content_type) if content_type else "text/html",
            int(status or 200),
            str(location or ""),
        )

    def close(self) -> None:
        """Give the file back."""
        with self._lock:
            self._database.close()

    def _make_select(self) -> str:
        rows = self._database.execute("SELECT name FROM pragma_table_info('pages')")
        columns = {str(name).lower() for (name,) in rows}
        if not columns:
            raise ConfigurationError(f"{self._path}: there must be a table pages, found none")
        for name in _NEEDED:
            if name not in columns:
                raise ConfigurationError(
                    f"{self._path}: table pages must have a column {name}, "
                    f"it has {', '.join(sorted(columns))}"
                )
        chosen = [name if name in columns else value for name, value in _OPTIONAL.items()]
        return f"SELECT body, {', '.join(chosen)} FROM pages WHERE url = ?"

    def _read_keys(self) -> dict[str, str]:
        """Stored addresses by their key, which for nearly all is the same text."""
        keys: dict[str, str] = {}
        strange = []
        for (url,) in self._database.execute("SELECT url FROM pages"):
            own = web_key(url) if isinstance(url, str) else None
            if own is None:
                strange.append(url)
            elif own == url:
                keys[url] = url
            else:
                keys.setdefault(own, url)
        if strange:
            logger.warning(
                "%(path)s: %(count)d rows of pages have no http(s) address, the first is %(url)r",
                {"path": self._path, "count": len(strange), "url": strange[0]},
            )
        if not keys:
            raise ConfigurationError(f"{self._path}: table pages must hold pages, it is empty")
        return keys


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise ConfigurationError(f"{path} must be a SQLite file with a stored web: no such file")
    address = f"file:{quote(str(path.resolve()))}?mode=ro"
    for uri in (address, f"{address}&immutable=1"):
        database = sqlite3.connect(uri, uri=True, check_same_thread=False)
        try:
            database.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            # A file in WAL mode cannot be read in a folder that cannot be written, unless SQLite
            # is told that nobody else writes.
            database.close()
            failure: sqlite3.DatabaseError = error
        except sqlite3.DatabaseError as error:
            database.close()
            failure = error
            break
        else:
            return database
    raise ConfigurationError(f"{path} must be a SQLite file: {failure}") from failure


def _inflated(body: object) -> bytes:
    """The bytes of a page, stored compressed (zlib) or as they are."""
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if not isinstance(body, bytes):
        return b""
    try:
        return zlib.decompress(body)
    except zlib.error:
        return body

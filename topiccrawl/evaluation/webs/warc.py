"""Read a stored web from a WARC file; responses are located by an index of offsets.

The topics are in the same folder (topics.json, relevant/*.txt), as for a SQLite file.  See
docs/webs.md.  Needs warcio.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.webs.topics_file import read_topics
from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.evaluation.webs.web import StoredPage, WebTopic
from topiccrawl.imports.warc_index import WarcIndex, index_responses, read_response
from topiccrawl.language import _


class WarcWeb:
    """The web in the WARC file *path*; several threads may read it at once.

    Opening reads the whole file once.  Of several responses with the same key, the last page (status
    200) is used; if there is none, the last redirect; otherwise the last response.

    Raises:
        ConfigurationError: the file is not a WARC file, or is compressed as a whole.
    """

    def __init__(self, path: Path) -> None:
        self.name = path.name.removesuffix(".gz").removesuffix(".warc")
        self._index = index_warc(path)
        self._places = self._index.places
        if not self._places:
            raise ConfigurationError(
                _("{path} must contain responses, found none").format(path=path)
            )
        described = read_topics(path.parent, self._places.__contains__)
        self.language = described.language
        self.topics: Sequence[WebTopic] = described.topics
        self._lock = threading.Lock()
        self._file = path.open("rb")

    def __len__(self) -> int:
        """Number of stored pages."""
        return len(self._places)

    def urls(self) -> Iterator[str]:
        """Return the keys of all pages in the order of the file."""
        return iter(self._places)

    def get(self, url: str) -> StoredPage | None:
        """Return the response with the key *url*, its content encoding removed."""
        place = self._places.get(url)
        if place is None:
            return None
        with self._lock:
            found = read_response(self._file, place)
        return StoredPage(url, found.body, found.content_type, place.status, place.location)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()


def index_warc(path: Path) -> WarcIndex:
    """Read a WARC file and return the offsets of its responses by their keys in a stored web."""
    return index_responses(path, web_key)

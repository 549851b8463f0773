"""Record a crawl in a WARC file."""

from __future__ import annotations

import io
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.webs.warc import index_warc
from topiccrawl.evaluation.webs.web import StoredPage
from topiccrawl.language import _


class WarcSink:
    """A WARC file of response records, each compressed separately if the name ends with .gz.

    An existing file is continued after its last complete record.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = index_warc(path).whole if path.is_file() and path.stat().st_size else 0
        try:
            self._file = path.open("r+b" if path.is_file() else "xb")
        except OSError as error:
            raise ConfigurationError(
                _("{path} must be a writable file: {error}").format(path=path, error=error)
            ) from error
        # A record cut off by kill -9 would make everything after it unreadable.
        self._file.truncate(whole)
        self._file.seek(whole)
        self._writer = WARCWriter(self._file, gzip=path.name.lower().endswith(".gz"))

    def add(self, page: StoredPage) -> None:
        """Write one response record."""
        headers = [("Content-Type", page.content_type), ("Location", page.location)]
        http = StatusAndHeaders(
            f"{page.status} Stored",
            [(name, value) for name, value in headers if value]
            + [("Content-Length", str(len(page.body)))],
            protocol="HTTP/1.1",
        )
        record = self._writer.create_warc_record(
            page.url, "response", payload=io.BytesIO(page.body), http_headers=http
        )
        self._writer.write_record(record)
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

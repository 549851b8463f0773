"""What the requests of whole sites carry through the queue, and what the journal keeps of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Self

#: Keys of ``request.meta``: the request is for a file that lists pages; for an issue of an archive that may exist.
SITE_FILE: Final = "topic_site_file"
SITE_ISSUE: Final = "topic_site_issue"
#: Bytes of a file as it is sent, above DOWNLOAD_MAXSIZE: sitemaps of 50,000 addresses have some 6 MB (a choice).
MOST_FILE_BYTES: Final = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class FileMark:
    """A request for a file of a whole site."""

    site: str
    """Host without ``www.``."""
    robots: bool = False
    level: int = 1
    """1 for a file that the site states itself, 2 for one in an index, …"""
    usual: bool = False
    """Whether nobody states the file: it may be there, because it usually is."""
    again: bool = False
    """Whether what it lists is read again, because the crawl was finished before."""

    def meta(self) -> dict[str, Any]:
        """Return the meta of the request."""
        return {
            SITE_FILE: asdict(self),
            "download_maxsize": MOST_FILE_BYTES,
            "download_warnsize": 0,
        }

    @classmethod
    def of(cls, meta: Mapping[str, Any]) -> Self | None:
        """Return the mark of a request, ``None`` for that of a page or for a damaged one."""
        given = meta.get(SITE_FILE)
        if not isinstance(given, Mapping):
            return None
        try:
            return cls(**given)
        except TypeError:
            return None


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file of a whole site that a worker has read, or (without URL) the budget that it has granted."""

    site: str
    url: str
    sort: str
    """See :class:`~topiccrawl.sites.files.SiteFile`."""
    addresses: int
    """Pages of the site that it lists."""
    files: int
    """Further files that were queued."""
    stopped: str = ""
    """Why it was read in part only; empty if it was not."""


def packed(record: FileRead) -> bytes:
    """Return *record* as an entry of the journal."""
    return json.dumps([getattr(record, it.name) for it in fields(record)]).encode()


def unpacked_file(data: bytes) -> FileRead:
    """Rebuild a :class:`FileRead`; raises for anything else."""
    site, url, sort, addresses, files, stopped = json.loads(data)
    return FileRead(str(site), str(url), str(sort), int(addresses), int(files), str(stopped))

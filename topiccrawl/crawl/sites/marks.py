"""What the requests of whole sites carry through the queue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
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

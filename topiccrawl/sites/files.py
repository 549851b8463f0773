"""Read the files in which a site lists its pages: sitemaps, their indexes, feeds, robots.txt.

The sort of a file is recognized by its content, whatever its name and Content-Type.  Everything is read piece
by piece and behind limits, so that no file takes more than a few megabytes of memory beside its own bytes.
Sources: sitemaps.org/protocol.html; RSS 2.0, RSS 1.0, Atom (RFC 4287), paged feeds (RFC 5005).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Final, Literal
from urllib.parse import urljoin

from topiccrawl.sites.markup import EntitiesError, MarkupFeeder
from topiccrawl.sites.unpacking import DamagedFileError, pieces

Sort = Literal["sitemap", "index", "feed", "text", "robots", ""]
#: Why a file was read in part only: words of statistics and outcomes, which must not change.
Stop = Literal["", "bytes", "addresses", "entities", "damaged"]

#: Bytes that a file may unpack to: the limit of the protocol (sitemaps.org, 50 MB).
MOST_BYTES: Final = 52_428_800
#: Addresses of a file: the limit of the protocol (sitemaps.org).
MOST_ADDRESSES: Final = 50_000
#: Bytes of a robots.txt that count (RFC 9309, 2.5).
MOST_ROBOTS_BYTES: Final = 512 * 1024
#: Longer addresses are dropped: Scrapy's URLLENGTH_LIMIT.
_LONGEST: Final = 2_083
_LONGEST_TITLE: Final = 300
#: A text sitemap has one address per line; a longer line is none.
_LONGEST_LINE: Final = 4_096
_SITEMAP_LINE: Final = re.compile(r"\s*sitemaps?\s*:\s*(\S+)", re.IGNORECASE)
_TAGS: Final = re.compile(r"<[^<>]{0,200}>")


@dataclass(frozen=True, slots=True)
class Entry:
    """A page that a file lists."""

    url: str
    title: str = ""
    """Of a news sitemap or a feed."""
    modified: str = ""
    """When it was changed or published, as the file writes it."""


@dataclass(slots=True)
class Batch:
    """What one piece of a file lists."""

    entries: list[Entry] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    """Further files: of an index, a robots.txt, or a feed on several pages."""


class SiteFile:
    """One file, read by iterating over it.

    Parameters
    ----------
    url
        Address of the file, to which relative addresses refer.
    body
        Its bytes, a gzip file or plain.
    charset
        Encoding that the server states.
    robots
        Whether it is a robots.txt.

    Attributes
    ----------
    sort
        What it turned out to be; empty for anything else, such as an error page.
    stopped
        The limit that ended the reading; empty if all of it was read.
    addresses
        Addresses so far, those of further files included.
    """

    def __init__(
        self,
        url: str,
        body: bytes,
        *,
        charset: str = "",
        robots: bool = False,
    ) -> None:
        self.sort: Sort = ""
        self.stopped: Stop = ""
        self.addresses = 0
        self._url = url
        self._body = body
        self._charset = charset
        self._robots = robots
        self._most_bytes = MOST_ROBOTS_BYTES if robots else MOST_BYTES

    def __iter__(self) -> Iterator[Batch]:
        """Yield what each piece lists; a piece is little work, and may list nothing."""
        reader: _Lines | _Elements | None = None
        size = 0
        try:
            for piece in pieces(self._body):
                size += len(piece)
                if size > self._most_bytes:
                    self.stopped = "bytes"
                    break
                if reader is None:
                    if not piece.strip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n"):
                        continue
                    reader = self._reader(piece)
                reader.feed(piece)
                yield self._batch(reader)
                if self.stopped:
                    return
        except DamagedFileError:
            self.stopped = "damaged"
        except EntitiesError:
            self.stopped = "entities"
            return
        if reader is not None:
            if not self.stopped:
                reader.close()
            stopped = self.stopped
            yield self._batch(reader)
            self.stopped = stopped or self.stopped

    def _reader(self, piece: bytes) -> _Lines | _Elements:
        start = piece.replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
        if self._robots or not start.startswith(b"<"):
            return _Lines(robots=self._robots)
        return _Elements(self._url, self._charset)

    def _batch(self, reader: _Lines | _Elements) -> Batch:
        self.sort = reader.sort
        found, reader.found = reader.found, Batch()
        room = MOST_ADDRESSES - self.addresses
        if len(found.entries) + len(found.files) > room:
            self.stopped = "addresses"
            found.files = found.files[:room]
            found.entries = found.entries[: room - len(found.files)]
        self.addresses += len(found.entries) + len(found.files)
        base = self._url
        found.entries = [it for it in found.entries if it.url.startswith("http")]
        found.files = [url for url in (_absolute(base, it) for it in found.files) if url]
        return found


class _Lines:
    """A text sitemap: one address per line; or a robots.txt."""

    def __init__(self, *, robots: bool) -> None:
        self.sort: Sort = "robots" if robots else ""
        self.found = Batch()
        self._robots = robots
        self._rest = b""

    def feed(self, data: bytes) -> None:
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = rest[:_LONGEST_LINE]
        for line in lines:
            self._line(line)

    def close(self) -> None:
        self._line(self._rest)
        self._rest = b""

    def _line(self, line: bytes) -> None:
        text = line[:_LONGEST_LINE].decode("utf-8-sig", "replace").strip()
        if self._robots:
            if (found := _SITEMAP_LINE.match(text)) is not None:
                self.found.files.append(found[1])
        elif text.startswith(("http://", "https://")) and len(text) <= _LONGEST and " " not in text:
            self.sort = "text"
            self.found.entries.append(Entry(text))


class _Elements:
    """A sitemap, an index or a feed."""

    def __init__(self, url: str, charset: str) -> None:
        self.sort: Sort = ""
        self.found = Batch()
        self._url = url
        self._feeder = MarkupFeeder(self, charset)
        self._entry: dict[str, str] = {}
        self._before = 0

    def feed(self, data: bytes) -> None:
        self._feeder.feed(data)

    def close(self) -> None:
        """Do nothing: an entry without its end is none."""

    def begin(self, path: tuple[str, ...], attributes: Mapping[str, str]) -> None:
        name = path[-1]
        self._before += 1
        if self._before > _ELEMENTS_BEFORE:
            raise DamagedFileError("neither a sitemap nor a feed")
        if name in _ENTRIES and len(path) <= _DEEPEST_ENTRY:
            self._before = 0
            self._entry = {}
            # RSS 1.0 repeats the address there.
            if (about := _attribute(attributes, "about")) and name == "item":
                self._entry["about"] = about
        elif name == "link" and (href := attributes.get("href")):
            relations = attributes.get("rel", "alternate").lower().split()
            if path[-2:-1] == ("entry",):
                if "alternate" in relations:
                    self._entry.setdefault("link", href)
            elif {"next", "prev-archive"} & set(relations) and path[-2:-1] in (
                ("feed",),
                ("channel",),
            ):
                self.found.files.append(href[:_LONGEST])

    def end(self, path: tuple[str, ...], text: str) -> None:
        name = path[-1]
        if name in _ENTRIES and len(path) <= _DEEPEST_ENTRY:
            self._close_entry(name)
            self._entry = {}
        elif text and len(path) > 1 and path[-2] in _ENTRIES:
            if name == "guid" and not text.startswith("http"):
                return
            if name in _PARTS:
                self._entry.setdefault(name, text)
        elif text and name in _NEWS and "url" in path[:-1]:
            self._entry.setdefault(name.removeprefix("news:"), text)

    def _close_entry(self, name: str) -> None:
        entry = self._entry
        if name == "sitemap":
            self.sort = "index"
            if url := entry.get("loc", ""):
                self.found.files.append(url)
            return
        self.sort = "sitemap" if name == "url" else "feed"
        order = ("loc",) if name == "url" else ("link", "about", "guid", "id")
        url = next((entry[key] for key in order if entry.get(key)), "")
        if name != "url":
            url = unescape(url)
        if not (url := _absolute(self._url, url)):
            return
        modified = next((entry[key] for key in _DATES if key in entry), "")
        title = " ".join(_TAGS.sub("", unescape(entry.get("title", ""))).split())
        self.found.entries.append(Entry(url, title[:_LONGEST_TITLE], modified[:40]))


#: Elements that describe one page, or one further file.
_ENTRIES: Final = frozenset({"url", "sitemap", "item", "entry"})
#: Levels of the deepest of them: rss/channel/item, and Baidu's document/…/item.
_DEEPEST_ENTRY: Final = 4
#: Elements with the time of an entry, those of its last change first.
_DATES: Final = (
    "lastmod", "updated", "publication_date", "published", "pubdate", "date", "dc:date",
)  # fmt: skip
#: Parts of <news:news> within <url>.
_NEWS: Final = frozenset({"title", "news:title", "publication_date", "news:publication_date"})
#: Elements before the first entry (a guess: a channel has some twenty); more are a page of HTML.
_ELEMENTS_BEFORE: Final = 1_000
_PARTS: Final = frozenset({"loc", "link", "guid", "id", "title", *_DATES})


def _attribute(attributes: Mapping[str, str], name: str) -> str:
    return next((v for key, v in attributes.items() if key.rpartition("}")[2] == name), "")


def _absolute(base: str, url: str) -> str:
    """Return the absolute http(s) URL, empty for anything else."""
    # Some generators break the line within an address.
    url = "".join(url.split())
    if not url or len(url) > _LONGEST:
        return ""
    try:
        joined = urljoin(base, url).partition("#")[0]
    except ValueError:
        return ""
    return joined if joined.startswith(("http://", "https://")) else ""

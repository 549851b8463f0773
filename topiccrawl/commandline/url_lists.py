"""URLs that the user gives to begin with: written out, or in the file of a list."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from topiccrawl.errors import ConfigurationError
from topiccrawl.imports.kinds import HEAD_BYTES, file_kind
from topiccrawl.imports.limits import Limits
from topiccrawl.imports.lists import (
    csv_lines,
    is_url_list,
    listed_urls,
    narrow_schemes,
    with_scheme,
)
from topiccrawl.language import _
from topiccrawl.page.decoding import decode
from topiccrawl.sites.files import MOST_BYTES, SiteFile
from topiccrawl.sites.markup import EntitiesError, MarkupFeeder
from topiccrawl.sites.unpacking import DamagedFileError

logger = logging.getLogger(__name__)

#: Tables that documents are read from, by the endings of their names.
_TABLES: Final = frozenset({".xlsx", ".xlsm", ".xls", ".et", ".ods"})
#: Endings of lists, none of which is a domain of the internet.
_LISTS: Final = _TABLES | {".csv", ".tsv", ".txt", ".jsonl"}
#: Ending of files with a JSON object in each line, as ``scrapy export`` writes them.
_RECORDS: Final = ".jsonl"
#: Between URLs: white space and commas; other commas and stops only before a URL, of which they may be part.
_BETWEEN: Final = re.compile(
    r"[\s,]+|[，、；;]+(?=\s*(?:https?://|www\.|$))|[，、；]+(?=(?:[a-z\d-]+\.)+[a-z]{2,})",
    re.IGNORECASE,
)
#: How feeds, sitemaps and lists of feeds begin.
_XML: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml\b(?!.{0,500}<html\b)|rss\b|feed\b|rdf:|urlset\b|opml\b)",
    re.IGNORECASE | re.DOTALL,
)


def read_seeds(given: str, option: str = "-a seeds") -> list[str]:
    """Return the URLs that *option* gives: written out, or in the file of a list.

    Raises ``ConfigurationError`` if the file is not a list of URLs.
    """
    given = narrow_schemes(given)
    words = [word for word in _BETWEEN.split(given.strip()) if word]
    path = Path(given.strip())
    if not words or "://" in given or not _is_file(path):
        if path.suffix.lower() in _LISTS and "://" not in given:
            raise ConfigurationError(
                _("{option}: there is no file {path}").format(option=option, path=path)
            )
        return [with_scheme(it) for it in words]
    lines = read_url_list(path)
    if lines is None:
        raise ConfigurationError(
            _(
                "{option}: {path} must be a list of URLs: at least half of its lines must have one"
            ).format(option=option, path=path)
        )
    found = list(listed_urls(lines))
    for it in found:
        if not it.url:
            logger.warning(
                _("%(path)s, line %(line)d has no URL that can be fetched: %(text)s"),
                {"path": path, "line": it.line, "text": it.text[:200]},
            )
    return list(dict.fromkeys(it.url for it in found if it.url))


def read_url_list(path: Path) -> list[str] | None:
    """Return the lines of *path* if it is a list of URLs: a text, a table, a feed, a sitemap or OPML; else ``None``."""
    if not path.is_file():
        return None
    suffix = path.suffix.lower()
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
        kind = file_kind(head, path.name)
        if kind in ("text", "page") and _XML.match(head):
            return _entry_lines(head + file.read(MOST_BYTES))
        if kind == "text" and suffix == _RECORDS:
            return _record_urls(head + file.read(Limits().file_bytes))
        if kind == "text" or (kind == "document" and suffix == ".csv"):
            whole = head[: head.rfind(b"\n") + 1] if len(head) == HEAD_BYTES else head
            if not is_url_list(_text_lines(whole, suffix), named=True):
                return None
            return _text_lines(head + file.read(), suffix)
        if kind != "document" or suffix not in _TABLES:
            return None
        body = head + file.read(Limits().file_bytes)
    # Loads the readers of documents, which most lists do not need.
    from topiccrawl.documents.reading import read_document

    found = read_document(body, name=path.name)
    if found.kind == "xlsx" and not all(it.url for it in listed_urls(found.lines)):
        # Names of sites with a link behind them.
        found = read_document(body, name=path.name, addresses=True)
    lines = found.lines
    return lines if is_url_list(lines, named=True) else None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # too long for a name
        return False


def _entry_lines(raw: bytes) -> list[str] | None:
    """Return the addresses and titles of a feed, a sitemap or OPML; ``None`` if *raw* is none, or lists nothing."""
    file = SiteFile("", raw)
    entries = [entry for batch in file for entry in batch.entries]
    return [f"{entry.url}\t{entry.title}" for entry in entries] or _outline_lines(raw) or None


class _Outlines:
    """The subscriptions of an OPML file, which readers of feeds write: the site of each feed, else the feed."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def begin(self, path: tuple[str, ...], attributes: Mapping[str, str]) -> None:
        if path[0] != "opml" or path[-1] != "outline":
            return
        given = {name.lower(): " ".join(it.split()) for name, it in attributes.items()}
        if url := given.get("htmlurl") or given.get("xmlurl"):
            self.lines.append(f"{url}\t{given.get('title') or given.get('text', '')}")

    def end(self, path: tuple[str, ...], text: str) -> None: ...


def _outline_lines(raw: bytes) -> list[str]:
    outlines = _Outlines()
    with suppress(EntitiesError, DamagedFileError):
        MarkupFeeder(outlines).feed(raw)
    return outlines.lines


def _record_urls(raw: bytes) -> list[str] | None:
    """Return the ``url`` of each JSON object in *raw*, one in a line; ``None`` if a line is no such object."""
    urls = []
    for line in raw.removeprefix(b"\xef\xbb\xbf").splitlines():
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError:
            return None
        if not (isinstance(record, dict) and isinstance(record.get("url"), str)):
            return None
        urls.append(record["url"])
    return urls or None


def _text_lines(raw: bytes, suffix: str) -> list[str]:
    lines = decode(raw).text.splitlines()
    return csv_lines(lines) if suffix == ".csv" else lines

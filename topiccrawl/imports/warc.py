"""The pages of a WARC file.  Needs warcio."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from topiccrawl.imports.entries import Entry, File, Found, LeftOut, Origin, entry_key
from topiccrawl.imports.kinds import HEAD_BYTES, file_kind, is_asset
from topiccrawl.imports.origins import http_url, origin_of, without_pictures
from topiccrawl.imports.reasons import BEFORE
from topiccrawl.imports.warc_index import WarcPlace, WarcResponse, index_responses, read_response
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.redirects import REDIRECT_STATUSES

if TYPE_CHECKING:
    from topiccrawl.imports.limits import Limits


def warc_entries(
    file: File, path: Path, limits: Limits, known: Callable[[str], bool]
) -> Iterator[Found]:
    """Yield the pages of the WARC *file* at *path*, in the order of the file.

    Of several responses from one URL, the last page is used.
    """
    index = index_responses(path, _key)
    for __ in range(index.responses - len(index.places)):
        yield LeftOut(file.name, "repeated", file.url)
    for url in index.unresolved:
        yield LeftOut(url, "unchanged", url)
    for __ in range(index.damages):
        yield LeftOut(file.name, "damaged", file.url)
    with path.open("rb") as opened:
        for url, place in sorted(index.places.items(), key=lambda it: it[1].offset):
            if (reason := _refused(url, place)) is not None:
                yield LeftOut(url, reason, url)
                continue
            key = entry_key(f"{file.stamp}|{place.offset}")
            if known(key):
                yield LeftOut(url, BEFORE, url)
                continue
            found = read_response(opened, place, limits.file_bytes + 1)
            yield _entry(file, key, found, limits)


def page_places(path: Path) -> list[tuple[str, WarcPlace]]:
    """Return URL and place of the responses of a WARC file that may be pages, in the order of the file.

    Of several responses from one URL, the last page is used. Raises ``ConfigurationError`` if the file is not
    a WARC file, or is compressed as a whole.
    """
    places = index_responses(path, _key).places
    kept = ((url, place) for url, place in places.items() if _refused(url, place) is None)
    return sorted(kept, key=lambda it: it[1].offset)


def read_page(path: Path, place: WarcPlace, most: int) -> WarcResponse | None:
    """Return the response at *place* of a WARC file, at most *most* bytes of its body.

    ``None`` if it is neither a page nor a document: a picture, a script, data.
    """
    with path.open("rb") as file:
        found = read_response(file, place, most)
    kind = file_kind(found.body[:HEAD_BYTES], _name(found))
    if kind == "text" and "html" in found.content_type:
        kind = "page"
    return found if kind in ("page", "document") else None


def _name(found: WarcResponse) -> str:
    """Return the name by which the format is recognized, empty for what the server calls a page."""
    return "" if "html" in found.content_type else found.url.partition("?")[0]


def _entry(file: File, key: str, found: WarcResponse, limits: Limits) -> Found:
    if len(found.body) > limits.file_bytes:
        return LeftOut(found.url, "too-large", found.url)
    if found.damaged:
        return LeftOut(found.url, "damaged", found.url)
    kind = file_kind(found.body[:HEAD_BYTES], _name(found))
    if kind == "empty":
        return LeftOut(found.url, "empty", found.url)
    if kind == "text" and "html" in found.content_type:
        kind = "page"  # as the server states, and the bytes do not contradict it
    if kind not in ("page", "document"):
        return LeftOut(found.url, "not-a-page", found.url)
    body = without_pictures(found.body) if kind == "page" else found.body
    stated = origin_of(body) if kind == "page" else Origin()
    return Entry(
        key,
        "page" if kind == "page" else "document",
        f"{file.name}/{found.url}",
        file.url,
        body,
        found.content_type,
        Origin(
            http_url(found.url),
            True,
            _moment(found.date) or file.modified,
            stated.published_at,
            stated.publisher,
        ),
    )


def _key(url: str) -> str | None:
    return canonical_url(url) if http_url(url) else None


def _refused(url: str, place: WarcPlace) -> str | None:
    """Return why a response is left out before it is read."""
    if url.endswith("/robots.txt"):
        return "not-a-page"
    if place.status in REDIRECT_STATUSES:
        return "redirect"
    if place.status != 200:  # 206: a part of a page
        return "error-page"
    return "asset" if is_asset(url.partition("?")[0]) else None


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None

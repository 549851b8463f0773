"""Bodies of former versions, packed; and which versions are kept of a page that has many.

The first version of a page holds its whole body, compressed; later ones hold the difference to the
first, where that is smaller.  The first version is never deleted, so that there are no chains.

In SQLite, of texts of 11 KB the first version takes 8.4 KB, one in which 2 to 10 % of the sentences
were replaced 1.0 KB, its row and indexes included (1,800 versions of 300 texts of words, 2026-11-23).
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from topiccrawl.store.texts import difference, restored
from topiccrawl.store.values import storable
from topiccrawl.store.visits import VersionRecord

if TYPE_CHECKING:
    from topiccrawl.store.records import PageRecord

#: Bytes of an unpacked body: 150,000 characters take at most 600 KB; damaged data could expand further.
_MOST_BYTES: Final = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class PageVersion:
    """A version of a page, unpacked."""

    at: datetime
    """Time at which it was seen first."""
    title: str
    body: str
    """Empty where it is damaged."""
    replaced_at: datetime | None = None
    """Time at which another one was found in its place; ``None`` for the current version."""
    damaged: bool = False
    """Whether its body cannot be restored."""


def former_version(
    page: PageRecord, replaced_at: datetime, first: VersionRecord | None = None
) -> VersionRecord:
    """Return the version of the stored *page* that is replaced at *replaced_at*.

    *first* is the page's first version, if it has one already.
    """
    text, base = None, ""
    body = storable(page.body)
    if first is not None and not first.base:
        known = _whole(first.text)
        text = None if known is None else difference(body, known)
        base = "" if text is None else first.id
    return VersionRecord(
        topic=page.topic,
        url=page.url,
        at=page.changed_at or page.first_seen or page.fetched_at,
        replaced_at=replaced_at,
        title=page.title,
        digest=page.content_hash,
        text=zlib.compress(body.encode(), 9) if text is None else text,
        base=base,
    )


def unpack_versions(versions: Sequence[VersionRecord]) -> list[PageVersion]:
    """Return the *versions* of one page with their bodies, in the same order."""
    whole = {it.id: _whole(it.text) for it in versions if not it.base}
    found = []
    for it in versions:
        body = _difference(it.text, whole.get(it.base)) if it.base else whole[it.id]
        found.append(PageVersion(it.at, it.title, body or "", it.replaced_at, body is None))
    return found


def surplus_versions(times: Sequence[float], most: int) -> list[int]:
    """Return the indexes of the versions to delete of a page that has more than *most*.

    *times* are in order, oldest first.  The first and the last version always stay, and so does the
    newer half of *most*.  Of the older ones, that one goes, as often as needed, whose neighbors are
    nearest to each other in time: what stays is spread over the page's whole history.
    """
    kept = list(range(len(times)))
    while len(kept) > max(most, 2):
        older = range(1, max(2, len(kept) - max(most, 2) // 2))
        at = min(older, key=lambda i: (times[kept[i + 1]] - times[kept[i - 1]], i))
        del kept[at]
    stays = set(kept)
    return [index for index in range(len(times)) if index not in stays]


def _whole(text: bytes) -> str | None:
    inflater = zlib.decompressobj()
    try:
        body = inflater.decompress(text, _MOST_BYTES).decode()
    except (zlib.error, UnicodeDecodeError):
        return None
    return body if inflater.eof else None


def _difference(text: bytes, base: str | None) -> str | None:
    try:
        return restored(text, base)
    except ValueError:
        return None

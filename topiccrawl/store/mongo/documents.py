"""MongoDB's requirements for a document: names of fields, and at most 16 MB.

A field name may not be empty or contain NUL, and with ``.`` or a leading ``$`` it cannot be queried
(MongoDB 5) or is refused (older servers, FerretDB).  The only names that are not ours are those of
statistics (``downloader/exception_type_count/builtins.TimeoutError``) and of the parts of a score.
These characters are written as ``%2E``, ``%24``, ``%00``, and ``%`` itself as ``%25``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import bson

from topiccrawl.store.contract import RecordRejected
from topiccrawl.store.fields import Document

#: A document whose estimated size is smaller is not measured, because measuring encodes it once more.
#: A quarter of MongoDB's limit: the estimate counts characters, and one has up to four bytes.
_CERTAINLY_SMALL: Final = 4_000_000

_ESCAPES: Final = {"%": "%25", ".": "%2E", "$": "%24", "\x00": "%00"}
_TABLE: Final = str.maketrans(_ESCAPES)
#: The empty name; no escaped name is a lone percent sign.
_EMPTY: Final = "%"


def field_name(name: str) -> str:
    """Return *name* as a field name that every server accepts."""
    return name.translate(_TABLE) or _EMPTY


def plain_name(field: str) -> str:
    """Return the name that :func:`field_name` converted to *field*."""
    if field == _EMPTY:
        return ""
    # The percent sign last: it must not form a new escape with what follows it.
    for char, escape in reversed(_ESCAPES.items()):
        field = field.replace(escape, char)
    return field


def to_mongo(document: Document) -> Document:
    """Return *document* with safe field names and without a field for HTML that is not kept."""
    safe = _renamed(document, field_name)
    if safe.get("html", b"") is None:
        del safe["html"]
    return safe


def from_mongo(found: Mapping[str, Any]) -> Document:
    """Return the document that :func:`to_mongo` converted to *found*."""
    return _renamed(found, plain_name)


def fitted(document: Document, limit: int) -> tuple[Document, bool]:
    """Return *document* in at most *limit* bytes, and whether its HTML had to be left out.

    Raises:
        RecordRejected: it is too large even without HTML.
    """
    html = document.get("html") or b""
    if len(html) + len(document.get("body", "")) < min(_CERTAINLY_SMALL, limit // 4):
        return document, False
    size = len(bson.encode(document))
    if size <= limit:
        return document, False
    if html:
        bare = {name: value for name, value in document.items() if name != "html"}
        size = len(bson.encode(bare))
        if size <= limit:
            return bare, True
    raise RecordRejected(
        f"the document of {document.get('url')} has {size} bytes, MongoDB takes {limit}"
    )


def _renamed(mapping: Mapping[str, Any], rename: Callable[[str], str]) -> dict[str, Any]:
    """Rename the fields of *mapping* and of the mappings in it; our own names stay as they are."""
    return {
        rename(name): _renamed(value, rename) if isinstance(value, dict) else value
        for name, value in mapping.items()
    }

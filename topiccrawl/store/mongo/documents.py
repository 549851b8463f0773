"""What MongoDB asks of a document: names of fields, and at most 16 MB.

A field name may not be empty or hold NUL, and with ``.`` or a leading ``$`` it cannot be queried
(MongoDB 5) or is refused (older servers, FerretDB).  The only free names are those of statistics
(``downloader/exception_type_count/builtins.TimeoutError``) and of the parts of a score; these
characters are written there as ``%2E``, ``%24``, ``%00``, and ``%`` itself as ``%25``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import bson

from topiccrawl.store.contract import RecordRejected

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from topiccrawl.store.documents import Document

#: A document that is estimated to be smaller than this is not measured: measuring encodes it once
#: more.  Half of MongoDB's limit, because the estimate counts characters, not bytes.
_CERTAINLY_SMALL: Final = 4_000_000

_ESCAPES: Final = {"%": "%25", ".": "%2E", "$": "%24", "\x00": "%00"}
_TABLE: Final = str.maketrans(_ESCAPES)
#: The empty name; no escaped name is a lone per cent sign.
_EMPTY: Final = "%"


def field_name(name: str) -> str:
    """Return *name* as a field name that every server accepts."""
    return name.translate(_TABLE) or _EMPTY


def plain_name(field: str) -> str:
    """Return the name that :func:`field_name` made *field* of."""
    if field == _EMPTY:
        return ""
    # The per cent sign last: it may not make a new escape with what follows it.
    for char, escape in reversed(_ESCAPES.items()):
        field = field.replace(escape, char)
    return field


def to_mongo(document: Document) -> Document:
    """Return *document* with safe field names and without a field for HTML that is not kept."""
    made = dict(document)
    if made.get("html", b"") is None:
        del made["html"]
    if "link" in made:
        made["link"] = {**made["link"], "parts": _renamed(made["link"]["parts"], field_name)}
    if "stats" in made:
        made["stats"] = _renamed(made["stats"], field_name)
    return made


def from_mongo(found: Mapping[str, Any]) -> Document:
    """Return the document that :func:`to_mongo` made *found* of."""
    made = dict(found)
    if "link" in made:
        made["link"] = {**made["link"], "parts": _renamed(made["link"]["parts"], plain_name)}
    if "stats" in made:
        made["stats"] = _renamed(made["stats"], plain_name)
    return made


def fitted(document: Document, limit: int) -> tuple[Document, bool]:
    """Return *document* in at most *limit* bytes, and whether its HTML had to be left out for it.

    Raises:
        RecordRejected: it is too large without HTML, too.
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
    return {rename(name): value for name, value in mapping.items()}

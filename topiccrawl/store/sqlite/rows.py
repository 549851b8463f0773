"""Documents as rows of SQLite: times are milliseconds since 1970 UTC, lists and mappings JSON text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.store.values import Codec, Storage, from_milliseconds, to_milliseconds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topiccrawl.store.fields import StoredField


def cell(codec: Codec, value: Any) -> Any:
    """Return a value of a document as SQLite holds it."""
    if value is None:
        return None
    if codec.storage == "time":
        return to_milliseconds(value)
    if codec.storage == "json":
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value


#: Types of columns by storage.
_COLUMN_TYPES: Final = {
    "text": "TEXT",
    "integer": "INTEGER",
    "real": "REAL",
    "time": "INTEGER",
    "json": "TEXT",
    "bytes": "BLOB",
}

#: Types of the cells by storage.
_CELLS: Final[Mapping[Storage, Any]] = {
    "text": str,
    "integer": int,
    "real": (float, int),
    "time": int,
    "json": str,
    "bytes": bytes,
}


def document_value(codec: Codec, value: Any) -> Any:
    """Return the value of a document that :func:`cell` turned into *value*.

    Raises ValueError for a cell of another type: the file is damaged.
    """
    if value is None:
        if codec.nullable:
            return None
        raise ValueError("a value is missing")
    if not isinstance(value, _CELLS[codec.storage]):
        raise ValueError(f"{type(value).__name__} in place of {codec.storage}")
    if codec.storage == "time":
        return from_milliseconds(value)
    if codec.storage == "json":
        return json.loads(value)
    return value


def column_type(field: StoredField) -> str:
    """Return the type of the column of *field*, with its condition."""
    return _COLUMN_TYPES[field.codec.storage] + ("" if field.codec.nullable else " NOT NULL")

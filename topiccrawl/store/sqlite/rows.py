"""Documents as rows of SQLite: times are milliseconds since 1970 UTC, lists and mappings JSON text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from topiccrawl.store.values import from_milliseconds, to_milliseconds

if TYPE_CHECKING:
    from topiccrawl.store.values import Codec


def cell(codec: Codec, value: Any) -> Any:
    """Return a value of a document as SQLite holds it."""
    if value is None:
        return None
    if codec.storage == "time":
        return to_milliseconds(value)
    if codec.storage == "json":
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value


def document_value(codec: Codec, value: Any) -> Any:
    """Return the value of a document that :func:`cell` turned into *value*."""
    if value is None:
        return None
    if codec.storage == "time":
        return from_milliseconds(value)
    if codec.storage == "json":
        return json.loads(value)
    return value

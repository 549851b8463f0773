"""Conversion of values to what the cells of a table show: text, rounded numbers, local times."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.store.values import in_zone
from topiccrawl.text.normalize import SURROGATE

if TYPE_CHECKING:
    from topiccrawl.store.columns import Value

#: Decimal places of the numbers of a table; a relevance or probability has no more that mean anything.
DECIMALS = 4

# XML 1.0 cannot contain the C0 controls, and programs that read CSV stop at NUL.  C1 controls, DEL, and the
# characters that override the reading direction of what follows (UAX #9) are not seen, and change what is.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


def table_value(value: Value) -> str | int | float | datetime | None:
    """Return *value* as a cell shows it.

    Numbers are rounded, a time is the one in China without a zone, lists become
    ``侨务:0.2; 侨乡:0.1`` or ``侨务; 侨乡``, comments have a line each,
    text loses control and direction characters.  ``None`` is an empty cell.
    """
    if isinstance(value, datetime):
        return in_zone(value, CHINA_TIME).replace(tzinfo=None, microsecond=0)
    if isinstance(value, float):
        return round(value, DECIMALS) if math.isfinite(value) else None
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, str):
        return legal(value)
    parts: list[Any] = list(value.items() if isinstance(value, Mapping) else value)
    comments = any(isinstance(part, Mapping) for part in parts)
    return legal(("\n" if comments else "; ").join(map(_part, parts)))


def _part(part: str | tuple[str, float] | Mapping[str, str]) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Mapping):
        return _comment(part)
    return f"{part[0]}:{part[1]:.{DECIMALS}g}"


def _comment(comment: Mapping[str, str]) -> str:
    """Return a comment on lines of its own: ``某某 2023-04-01: 写得好``."""
    head = f"{comment['author']} {comment['time']}".strip()
    return f"{head}: {comment['text']}" if head else comment["text"]


def legal(text: str) -> str:
    """Return *text* without control and direction characters, and with ``U+FFFD`` for lone surrogates."""
    return _ILLEGAL.sub("", encodable(text))


def encodable(text: str) -> str:
    """Return *text* with ``U+FFFD`` for lone surrogates, which UTF-8 cannot encode."""
    return SURROGATE.sub("\ufffd", text)

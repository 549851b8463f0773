"""Personal data in exported columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.text.personal import masked

if TYPE_CHECKING:
    from topiccrawl.store.columns import Column, Value

#: Columns that are never masked: addresses, which would lead nowhere, and what topiccrawl itself writes.
KEPT: Final = frozenset(
    {
        "url", "final_url", "parent", "copy_of", "source_url", "attachments", "attached_to", "urls",
        "taken_from", "host", "id", "content_hash", "run_id", "story", "site", "charset", "language", "script",
        "kind", "relation", "media_type", "topic",
    }
)  # fmt: skip


def masked_value(value: Value) -> Value:
    """Return *value* with masks over personal data in its texts."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, Mapping) or value is None or not isinstance(value, Sequence):
        return value
    return [_masked_part(part) for part in value]  # type: ignore[return-value]


def _masked_part(part: str | tuple[str, float] | Mapping[str, str]) -> object:
    if isinstance(part, str):
        return masked(part)
    if isinstance(part, Mapping):
        return {name: masked(text) for name, text in part.items()}
    return masked(part[0]), part[1]


def masked_columns(columns: Sequence[Column]) -> list[Column]:
    """Return *columns* whose values are masked, except for those of :data:`KEPT`."""
    return [
        column if column.name in KEPT else replace(column, read=_masking(column.read))
        for column in columns
    ]


def masked_row(columns: Sequence[Column], row: Sequence[Value]) -> list[Value]:
    """Return the cells of a row under these *columns*, masked."""
    return [
        it if column.name in KEPT else masked_value(it)
        for column, it in zip(columns, row, strict=True)
    ]


def _masking(read: Callable[[Any], Value]) -> Callable[[Any], Value]:
    return lambda page: masked_value(read(page))

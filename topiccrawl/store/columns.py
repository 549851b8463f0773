"""A page as flat named columns, for exports and feeds, derived from the declared fields.

The link evidence becomes one column per part of it, and two columns are computed: the script of a
Chinese page and the key of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.store.records import PAGES
from topiccrawl.store.values import LINK, in_zone
from topiccrawl.text.language import script_of

if TYPE_CHECKING:
    from topiccrawl.store.records import PageRecord

#: What a column may contain.  Writers convert the last three types to what their format can hold.
Value = (
    str
    | int
    | float
    | datetime
    | None
    | Sequence[tuple[str, float]]
    | Sequence[str]
    | Mapping[str, float]
)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its place in the order, its name, and how to read its value."""

    position: int
    name: str
    read: Callable[[PageRecord], Any]
    zone: tzinfo = UTC
    """Time zone in which an export shows a time."""

    def exported(self, page: PageRecord) -> Value:
        """Return the value of *page*, times in the column's zone."""
        value: Value = self.read(page)
        return in_zone(value, self.zone) if isinstance(value, datetime) else value


#: Names of the columns of the link evidence, with the part that each one contains.
_LINK_COLUMNS: Final = {
    "link_score": "score",
    "link_parts": "parts",
    "parent": "parent",
    "anchor": "anchor",
    "depth": "depth",
}


def _columns() -> list[Column]:
    columns = [
        Column(320, "script", lambda page: script_of(page.language)),
        Column(530, "id", lambda page: page.id),
    ]
    for field in PAGES.fields:
        position = field.declaration.column
        if position is None:
            continue
        if field.codec is LINK:
            columns += [
                Column(position, name, attrgetter(f"{field.name}.{part}"))
                for name, part in _LINK_COLUMNS.items()
            ]
        else:
            zone = field.declaration.zone
            columns.append(Column(position, field.name, attrgetter(field.name), zone))
    return sorted(columns, key=lambda column: column.position)


#: Columns by name, in the order of a full export.
COLUMNS: Final[Mapping[str, Column]] = {column.name: column for column in _columns()}

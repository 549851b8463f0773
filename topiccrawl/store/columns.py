"""A page as flat named columns, for exports and feeds, derived from the declared fields.

The link evidence becomes one column per part of it, and two columns are computed: the script of a
Chinese page and the key of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from operator import attrgetter
from typing import Any, Final

from topiccrawl.store.records import PAGES, PageRecord
from topiccrawl.store.values import COMMENTS, LINK, in_zone
from topiccrawl.text.language import script_of

#: What a column may contain.  Writers convert the last four types to what their format can hold.
Value = (
    str
    | int
    | float
    | datetime
    | None
    | Sequence[tuple[str, float]]
    | Sequence[str]
    | Sequence[Mapping[str, str]]
    | Mapping[str, float]
)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its place in the order, its name, and how to read its value."""

    position: int
    name: str
    read: Callable[[PageRecord], Any]
    zh: str
    """Heading in Chinese."""
    en: str
    """Heading in English."""
    zone: tzinfo = UTC
    """Time zone in which an export shows a time."""

    def exported(self, page: PageRecord) -> Value:
        """Return the value of *page*, times in the column's zone."""
        value: Value = self.read(page)
        return in_zone(value, self.zone) if isinstance(value, datetime) else value


def table_columns(headings: Iterable[tuple[str, str, str]]) -> list[Column]:
    """Return the columns of a table whose rows are not pages, by name and headings in Chinese and English."""
    return [
        Column(place, name, lambda page: None, zh, en)
        for place, (name, zh, en) in enumerate(headings)
    ]


#: Columns of the link evidence: the part that each one contains, and its headings.
_LINK_COLUMNS: Final = {
    "link_score": ("score", "链接得分", "link score"),
    "link_parts": ("parts", "得分组成", "parts of the link score"),
    "parent": ("parent", "来源页面", "found on"),
    "anchor": ("anchor", "链接文字", "link text"),
    "depth": ("depth", "链接深度", "depth"),
}


def _comments(page: PageRecord) -> list[dict[str, str]]:
    return [comment._asdict() for comment in page.comment_records]


def _columns() -> list[Column]:
    columns = [
        Column(320, "script", lambda page: script_of(page.language), "字体", "script"),
        Column(530, "id", lambda page: page.id, "编号", "id"),
    ]
    for field in PAGES.fields:
        declared = field.declaration
        if declared.column is None:
            continue
        if field.codec is LINK:
            columns += [
                Column(declared.column, name, attrgetter(f"{field.name}.{part}"), zh, en)
                for name, (part, zh, en) in _LINK_COLUMNS.items()
            ]
        elif field.codec is COMMENTS:
            columns.append(Column(declared.column, field.name, _comments, declared.zh, declared.en))
        else:
            read = attrgetter(field.name)
            columns.append(
                Column(declared.column, field.name, read, declared.zh, declared.en, declared.zone)
            )
    return sorted(columns, key=lambda column: column.position)


#: Columns by name, in the order of a full export.
COLUMNS: Final[Mapping[str, Column]] = {column.name: column for column in _columns()}

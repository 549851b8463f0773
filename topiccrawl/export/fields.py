"""The columns of an export: names, and how each is read from a stored page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from topiccrawl.errors import ConfigurationError
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.text.language import script_of

if TYPE_CHECKING:
    from topiccrawl.store.contract import PageRecord

#: What a column may hold.  Writers turn the last three kinds into what their format can say.
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

#: Column name -> reader, in the order of a full export.
FIELDS: dict[str, Callable[[PageRecord], Value]] = {
    "title": lambda page: page.title,
    "url": lambda page: page.url,
    "site": lambda page: page.site,
    # China time, whatever a database made of the page's own zone: a day would else become the day
    # before.  The offset is written, so nothing is lost.
    "published_at": lambda page: page.published_at and page.published_at.astimezone(CHINA_TIME),
    "author": lambda page: page.author,
    "source": lambda page: page.source,
    "editor": lambda page: page.editor,
    "kind": lambda page: page.kind,
    "summary": lambda page: page.summary,
    "keywords": lambda page: page.keywords,
    "relevance": lambda page: page.relevance,
    "main_terms": lambda page: page.main_terms,
    "body": lambda page: page.body,
    "fetched_at": lambda page: page.fetched_at.astimezone(UTC),
    "language": lambda page: page.language,
    "script": lambda page: script_of(page.language),
    "charset": lambda page: page.charset,
    "topic": lambda page: page.topic,
    "link_score": lambda page: page.link.score,
    "link_parts": lambda page: page.link.parts,
    "parent": lambda page: page.link.parent,
    "anchor": lambda page: page.link.anchor,
    "depth": lambda page: page.link.depth,
    "final_url": lambda page: page.final_url,
    "content_hash": lambda page: page.content_hash,
    "run_id": lambda page: page.run_id,
    "id": lambda page: page.id,
}


def choose_fields(names: str | None) -> list[str]:
    """Return the columns named in *names* (comma-separated), all of them for ``None``.

    Raises :class:`ConfigurationError` that lists the choices.
    """
    if names is None:
        return list(FIELDS)
    chosen = [name.strip() for name in names.replace("，", ",").split(",") if name.strip()]
    for name in chosen:
        if name not in FIELDS:
            raise ConfigurationError(
                f"--fields: unknown field {name!r}; choose from {', '.join(FIELDS)}"
            )
    if not chosen:
        raise ConfigurationError(f"--fields names none; choose from {', '.join(FIELDS)}")
    if len(set(chosen)) < len(chosen):
        raise ConfigurationError(f"--fields names a field twice: {', '.join(chosen)}")
    return chosen


def read_fields(page: PageRecord, names: Sequence[str]) -> list[Value]:
    """Return the values of the named columns of one page."""
    return [FIELDS[name](page) for name in names]

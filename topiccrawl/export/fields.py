"""The columns of an export: which ones, and their headings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.store.columns import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from topiccrawl.store.columns import Column

#: What stands above the columns of a table: a name in Chinese or English, or that of the field.
Headings = Literal["zh", "en", "fields"]

#: Values of ``--lang``.
HEADINGS: tuple[str, ...] = get_args(Headings)


def heading(column: Column, headings: Headings) -> str:
    """Return the heading of *column*."""
    if headings == "fields":
        return column.name
    return column.zh if headings == "zh" else column.en[:1].upper() + column.en[1:]


def choose_columns(
    names: str | None,
    option: str = "--fields",
    *,
    known: Mapping[str, Column] = COLUMNS,
    on_request: Collection[str] = (),
) -> list[Column]:
    """Return the columns of *known* that *names* lists (comma-separated).

    ``None`` stands for all but those *on_request*.  *option* is the origin of the names, for messages.

    Raises :class:`ConfigurationError` with the choices for an unknown, missing or repeated name.
    """
    if names is None:
        return [column for column in known.values() if column.name not in on_request]
    chosen = [name.strip() for name in names.replace("，", ",").split(",") if name.strip()]
    for name in chosen:
        if name not in known:
            raise ConfigurationError(
                _("{option}: unknown field {name!r}; choose from {columns}").format(
                    option=option, name=name, columns=", ".join(known)
                )
            )
    if not chosen:
        raise ConfigurationError(
            _("{option} names none; choose from {columns}").format(
                option=option, columns=", ".join(known)
            )
        )
    if len(set(chosen)) < len(chosen):
        raise ConfigurationError(
            _("{option} names a field twice: {chosen}").format(
                option=option, chosen=", ".join(chosen)
            )
        )
    return [known[name] for name in chosen]

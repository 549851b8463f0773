"""The choice of columns of an export."""

from __future__ import annotations

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.store.columns import COLUMNS


def choose_fields(names: str | None) -> list[str]:
    """Return the columns named in *names* (comma-separated), or all of them for ``None``.

    Raises :class:`ConfigurationError` with the choices for an unknown, missing or repeated name.
    """
    if names is None:
        return list(COLUMNS)
    chosen = [name.strip() for name in names.replace("，", ",").split(",") if name.strip()]
    for name in chosen:
        if name not in COLUMNS:
            raise ConfigurationError(
                _("--fields: unknown field {name!r}; choose from {columns}").format(
                    name=name, columns=", ".join(COLUMNS)
                )
            )
    if not chosen:
        raise ConfigurationError(
            _("--fields names none; choose from {columns}").format(columns=", ".join(COLUMNS))
        )
    if len(set(chosen)) < len(chosen):
        raise ConfigurationError(
            _("--fields names a field twice: {chosen}").format(chosen=", ".join(chosen))
        )
    return chosen

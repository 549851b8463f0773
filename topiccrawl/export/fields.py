"""The choice of columns of an export."""

from __future__ import annotations

from topiccrawl.errors import ConfigurationError
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
                f"--fields: unknown field {name!r}; choose from {', '.join(COLUMNS)}"
            )
    if not chosen:
        raise ConfigurationError(f"--fields names none; choose from {', '.join(COLUMNS)}")
    if len(set(chosen)) < len(chosen):
        raise ConfigurationError(f"--fields names a field twice: {', '.join(chosen)}")
    return chosen

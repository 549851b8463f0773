"""Where the secrets of logins come from: variables of the environment and private files."""

from __future__ import annotations

import re
import stat
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from topiccrawl.access.login import NONE, Secret
from topiccrawl.errors import ConfigurationError, system_reason
from topiccrawl.language import _, labeled
from topiccrawl.tables import TableReader
from topiccrawl.userfiles import read_user_text

#: Largest file of secrets (a choice): browsers export some 100 KB of cookies.
MOST_BYTES: Final = 5_000_000
#: Bits of a mode that let others than the owner do anything.
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
#: Names of variables (POSIX), so that a password in place of a name is not shown.
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class MissingSecret(ConfigurationError):  # noqa: N818 - what is missing
    """A secret whose variable is not set, or whose file does not exist or is empty."""


def private_text(file: Path) -> str:
    """Return the text of a file that only its owner may read.

    Raises ``ConfigurationError`` if others may read it; the message names the file, the rule and the mode.
    """
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise (MissingSecret if missing else ConfigurationError)(
            _("{file}: cannot be read: {error}").format(file=file, error=system_reason(error))
        ) from None
    if mode & _OTHERS:
        raise ConfigurationError(
            _(
                "{file}: must have mode 600, so that only its owner can read it, got {mode:03o}: "
                "chmod 600 {file}"
            ).format(file=file, mode=mode)
        )
    return read_user_text(file, MOST_BYTES)


def reject_literals(
    reader: TableReader, name: str, literal: Collection[str], variable: str, files: str
) -> None:
    """Raise for a secret that stands in one of the tables ``[[name]]`` itself; its value is not shown.

    Raises ``ConfigurationError`` if a table has one of the keys.

    Parameters
    ----------
    reader
        The file.
    name
        Key of the tables.
    literal
        Keys that would hold a secret.
    variable, files
        Keys to use instead.
    """
    given = reader.raw(name)
    for i, table in enumerate(given if isinstance(given, list) else []):
        for key in literal:
            if isinstance(table, dict) and key in table:
                rule = _(
                    "must not be in the file: name an environment variable ({variable}) or a file of "
                    "mode 600 ({files})"
                )
                reader.reject(f"{name}[{i}].{key}", rule.format(variable=variable, files=files))


def read_secret(table: TableReader, key: str, folder: Path, environ: Mapping[str, str]) -> Secret:
    """Return the secret that ``<key>_env`` or ``<key>_file`` of *table* names, :data:`NONE` without either.

    Raises ``ConfigurationError`` if a value is wrong; :class:`MissingSecret` if what it names is not set,
    missing or empty.

    Parameters
    ----------
    table
        The table; messages never show the values of the two keys unless they are well-formed.
    key
        Name of the secret: ``user`` or ``password``.
    folder
        The folder that a relative path starts from.
    """
    in_variable, in_file = f"{key}_env", f"{key}_file"
    variable, file = table.raw(in_variable), table.raw(in_file)
    if variable is not None and file is not None:
        table.reject(in_variable, _("and {other} exclude each other").format(other=in_file))
    if variable is not None:
        if not isinstance(variable, str) or not _VARIABLE.fullmatch(variable):
            table.reject(in_variable, _("must be the name of an environment variable"))
        if value := environ.get(variable, ""):
            return Secret(value)
        rule = _("names the environment variable {name}, which is not set").format(name=variable)
        raise MissingSecret(labeled(table.file, f"{table.key(in_variable)} {rule}"))
    if file is None:
        return NONE
    if not isinstance(file, str) or not file.strip() or "\n" in file:
        table.reject(in_file, _("must be the path of a file"))
    text = private_text(folder / Path(file).expanduser()).strip("\r\n")
    if not text.strip():
        rule = _("names an empty file")
        raise MissingSecret(labeled(table.file, f"{table.key(in_file)} {rule}"))
    return Secret(text)

"""Where the secrets of logins come from: variables of the environment and private files."""

from __future__ import annotations

import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from topiccrawl.access.login import NONE, Secret
from topiccrawl.errors import ConfigurationError, system_reason
from topiccrawl.language import _
from topiccrawl.userfiles import read_user_text

__all__ = ["MOST_BYTES", "MissingSecret", "private_text", "read_secret"]

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

    Raises
    ------
    ConfigurationError
        If others may read it; the message names the file, the rule and the mode.
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


def read_secret(
    where: str, key: str, variable: object, file: object, folder: Path, environ: Mapping[str, str]
) -> Secret:
    """Return the secret that ``<key>_env`` or ``<key>_file`` names, :data:`NONE` without either.

    Parameters
    ----------
    where
        File and table, for messages.
    key
        Name of the secret: ``user`` or ``password``.
    variable, file
        Values of the two keys, unchecked; messages never show them unless they are well-formed.
    folder
        The folder that a relative path starts from.
    environ
        The environment.
    """

    def fail(
        name: str, rule: str, kind: type[ConfigurationError] = ConfigurationError
    ) -> ConfigurationError:
        return kind(f"{where}.{name} {rule}")

    if variable is not None and file is not None:
        raise fail(f"{key}_env", _("and {other} exclude each other").format(other=f"{key}_file"))
    if variable is not None:
        if not isinstance(variable, str) or not _VARIABLE.fullmatch(variable):
            raise fail(f"{key}_env", _("must be the name of an environment variable"))
        value = environ.get(variable, "")
        if not value:
            raise fail(
                f"{key}_env",
                _("names the environment variable {name}, which is not set").format(name=variable),
                MissingSecret,
            )
        return Secret(value)
    if file is None:
        return NONE
    if not isinstance(file, str) or not file.strip() or "\n" in file:
        raise fail(f"{key}_file", _("must be the path of a file"))
    text = private_text(folder / Path(file).expanduser()).strip("\r\n")
    if not text.strip():
        raise fail(f"{key}_file", _("names an empty file"), MissingSecret)
    return Secret(text)

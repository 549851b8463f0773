"""Read and write files of users, with errors that name the file; and the folder of the user's caches."""

from __future__ import annotations

import os
import re
import tomllib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from topiccrawl.errors import ConfigurationError, system_reason
from topiccrawl.language import N_, _, bracketed

#: An error of the TOML parser: the mistake, and its place.
_MISTAKE_AT: Final = re.compile(
    r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL
)
#: What the parser finds most often; its other messages are shown in its own words.
_MISTAKES: Final = (
    N_("Cannot declare {what} twice"),
    N_("Cannot overwrite a value"),
    N_("Duplicate inline table key {what}"),
    N_("Expected '=' after a key in a key/value pair"),
    N_("Expected ']' at the end of a table declaration"),
    N_("Expected ']]' at the end of an array declaration"),
    N_("Expected newline or end of document after a statement"),
    # The end of a line within a text.
    N_(r"Illegal character '\n'"),
    N_("Illegal character {what}"),
    N_("Invalid initial character for a key part"),
    N_("Invalid statement"),
    N_("Invalid value"),
    N_("Unclosed array"),
    N_("Unclosed inline table"),
    N_(r"Unescaped '\' in a string"),
    N_("Unterminated string"),
)
#: Signs of input methods in place of those of TOML.
_WIDE: Final = re.compile("[“”‘’＂＇＝［］｛｝，＃．０-９]")


def cache_folder() -> Path:
    """Return the user's own folder for caches and locks, ``~/.cache/topiccrawl``, made if that is possible.

    In a shared temporary folder any user of the machine could put files in their place.
    """
    base = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(base) if base else Path("~/.cache").expanduser()) / "topiccrawl"
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


@contextmanager
def writing(file: Path) -> Iterator[None]:
    """Turn an ``OSError`` while *file* is written into a :class:`ConfigurationError` that names it."""
    try:
        yield
    except OSError as error:
        raise ConfigurationError(
            _("{file}: cannot be written: {error}").format(file=file, error=system_reason(error))
        ) from None


def read_user_bytes(file: Path | Traversable, most: int | None = None) -> bytes:
    """Return the content of *file*, which has at most *most* bytes (files of packages may be larger).

    Raises ``ConfigurationError`` if it is not a file, is larger, or cannot be read.
    """
    try:
        missing = isinstance(file, Path) and not file.exists()
        if not missing and not file.is_file():
            raise ConfigurationError(_("{file}: must be a file").format(file=file))
        if isinstance(file, Path) and most is not None and file.stat().st_size > most:
            raise ConfigurationError(
                _("{file}: must have at most {most} MB").format(file=file, most=most / 1_000_000)
            )
        return file.read_bytes()
    except OSError as error:
        raise ConfigurationError(
            _("{file}: cannot be read: {error}").format(file=file, error=system_reason(error))
        ) from None


def read_user_text(file: Path | Traversable, most: int | None = None) -> str:
    """Return the text of *file*, see :func:`read_user_bytes`.

    Raises ``ConfigurationError`` if it is not UTF-8, too.
    """
    data = read_user_bytes(file, most)
    try:
        # utf-8-sig: Windows editors write a byte order mark.
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        # Editors on Windows call it Unicode.
        encoding = "UTF-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "GB18030"
        raise ConfigurationError(
            _(
                "{file}: must be UTF-8 text; line {line} holds the byte 0x{byte:02x}, which is "
                "not ({encoding}, perhaps: convert the file)"
            ).format(file=file, line=line, byte=data[error.start], encoding=encoding)
        ) from None


def read_user_toml(file: Path | Traversable, most: int | None = None) -> dict[str, Any]:
    """Return the table that *file*, in TOML, describes, see :func:`read_user_text`.

    Raises ``ConfigurationError`` if it is not TOML, too.
    """
    text = read_user_text(file, most)
    return parse_toml(text, str(file))


def parse_toml(text: str, file: str) -> dict[str, Any]:
    """Return the table that *text* describes; *file* names it in errors.

    Raises ``ConfigurationError`` if it is not TOML; the message names a full-width sign in the wrong line.
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ConfigurationError(
            _("{file}: is not valid TOML: nested too deeply").format(file=file)
        ) from None
    except ValueError as error:  # TOMLDecodeError, or an integer of more than 4,300 digits
        mistake, number = _mistake(str(error))
        message = _("{file}: is not valid TOML: {error}").format(file=file, error=mistake)
        line = text.splitlines()[number - 1 :][:1] if number else []
        if wide := "".join(dict.fromkeys(_WIDE.findall("".join(line)))):
            message += _("; that line has full-width signs, which must be ASCII: {signs}").format(
                signs=wide
            )
        raise ConfigurationError(message) from None


def _mistake(message: str) -> tuple[str, int]:
    """Return a *message* of the TOML parser in the user's language, and the line that it names, 0 for none."""
    found = _MISTAKE_AT.fullmatch(message)
    if found is None:
        return message, 0
    mistake, line, column = found.groups()
    for known in _MISTAKES:
        pattern = re.escape(known).replace(r"\{what\}", "(.+)")
        if named := re.fullmatch(pattern, mistake, re.DOTALL):
            mistake = _(known).format(what="".join(named.groups()))
            break
    place = _("at line {line}, column {column}") if line else _("at end of document")
    return mistake + bracketed(place.format(line=line, column=column)), int(line or 0)

"""Errors that stop a run before it starts; the messages are written for the user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from topiccrawl.language import N_, _, bracketed, labeled

#: What the system answers most often; its other answers are shown in its own words.
_SYSTEM_REASONS: Final = (
    N_("Address already in use"),
    N_("Bad file descriptor"),
    N_("Cannot assign requested address"),
    N_("Connection refused"),
    N_("Connection reset by peer"),
    N_("Disk quota exceeded"),
    N_("File exists"),
    N_("File name too long"),
    N_("Input/output error"),
    N_("Is a directory"),
    N_("Name or service not known"),
    N_("Network is unreachable"),
    N_("No space left on device"),
    N_("No route to host"),
    N_("No such file or directory"),
    N_("Not a directory"),
    N_("Operation not permitted"),
    N_("Permission denied"),
    N_("Read-only file system"),
    N_("Too many open files"),
)

#: ``sqlite3.SQLITE_FULL``; this module is used where no database may be imported.
_SQLITE_FULL: Final = 13


class ConfigurationError(ValueError):
    """A setting, an argument or a topic file is wrong: the run must not start.

    The message names the place (setting, argument, or file and key), the rule and the value:
    ``"TOPICCRAWL_IPAGERANK_EVERY_PAGES must be >= 1, got 0"``.  What it quotes of a file, also through
    messages of libraries, is shown without control characters.
    """

    def __str__(self) -> str:
        """Return the message; other characters than line breaks are escaped if a terminal obeys them."""
        return "\n".join(map(_escaped, super().__str__().split("\n")))


class OptionError(ConfigurationError):
    """The value of an option, or a combination of options, is wrong: the command line has to be changed."""


@contextmanager
def of_setting(name: str) -> Iterator[None]:
    """Name the setting before the message of a ``ConfigurationError`` about what it gives."""
    try:
        yield
    except ConfigurationError as error:
        raise ConfigurationError(labeled(name, str(error))) from error


class StoreUnavailable(ConnectionError):  # noqa: N818 - a state of the backend, not a fault
    """The store's backend cannot be reached at the moment; the write may be repeated."""


class StoreLocked(StoreUnavailable):
    """Another program holds the lock of the store's file."""


class StoreMoved(StoreUnavailable):
    """The store's file is no longer where it was opened: it was deleted, moved or replaced."""


def shown(value: object, most: int = 200) -> str:
    """Return *value* for an error message: its ``repr``, cut to *most* characters."""
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python writes
        return f"<{type(value).__name__}>"
    if len(text) <= most:
        return text
    return f"{text[:most]}…" + bracketed(_("{n} characters").format(n=len(text)))


class Shown:
    """A value whose ``repr``, in an error message, is short: see :func:`shown`."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __repr__(self) -> str:
        return shown(self._value)


def printable(text: str) -> str:
    """Return *text* as one line that no terminal takes for a command: other characters are escaped."""
    return _escaped(" ".join(text.split()))


def _escaped(line: str) -> str:
    """Return *line* with all characters escaped that cannot be printed."""
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def check_text(name: str, value: str) -> str:
    """Return *value*; raise :class:`ConfigurationError` for bytes that are not UTF-8.

    Python passes such bytes of the command line on as lone surrogates, which no file, no URL and no
    terminal accepts.
    """
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        given = value.encode("utf-8", "surrogateescape") if _stands_for_bytes(value) else value
        raise ConfigurationError(
            f"{name} must be UTF-8 text, got {given!r:.200} (character {error.start + 1})"
        ) from None
    return value


def _stands_for_bytes(value: str) -> bool:
    """Whether all lone surrogates stand for bytes."""
    return all(not "\ud800" <= c <= "\udfff" or "\udc80" <= c <= "\udcff" for c in value)


def described(error: BaseException) -> str:
    """Return an error in one line for a person: its message, with its class where that adds something.

    >>> described(MemoryError())
    'out of memory (MemoryError)'
    >>> described(KeyError("url"))
    "KeyError: 'url'"
    >>> described(ConfigurationError("TOPICCRAWL_TOPIC is empty"))
    'TOPICCRAWL_TOPIC is empty'

    A full disk is reported in the user's language, whichever way SQLite met it.
    """
    name, message = type(error).__name__, " ".join(str(error).split())
    if isinstance(error, MemoryError):
        return f"out of memory ({name}{': ' if message else ''}{message})"
    if isinstance(error, ConfigurationError):
        return message
    if getattr(error, "sqlite_errorcode", None) == _SQLITE_FULL:
        return _("No space left on device")
    return f"{name}: {message}" if message else name


def located(message: str, error: BaseException) -> str:
    """Return *message* with the files that the notes of *error* name."""
    where = "; ".join(dict.fromkeys(getattr(error, "__notes__", ())))
    return f"{message} ({where})" if where else message


def system_reason(error: OSError) -> str:
    """Return why the system refused something, in the user's language if the reason is a common one."""
    # Python adds the address to the reason why a port could not be opened; messages name it already.
    reason = (error.strerror or "").partition(" (while attempting")[0]
    return _(reason) if reason else str(error)


class MissingExtraError(ConfigurationError):
    """An optional dependency is not installed; the message contains the command that installs it."""

    def __init__(self, what: str, extra: str, module: str) -> None:
        super().__init__(
            _(
                '{what} needs {module}: pip install "topiccrawl[{extra}]" '
                '(in a checkout: pip install -e ".[{extra}]")'
            ).format(what=what, module=module, extra=extra)
        )
        self.extra = extra


@contextmanager
def needs_extra(extra: str, what: str) -> Iterator[None]:
    """Guard imports of optional dependencies.

    Raises ``MissingExtraError`` in place of the ``ModuleNotFoundError`` of a module that is not ours.

    Parameters
    ----------
    extra
        The extra of pyproject.toml that installs them.
    what
        What needs them; the subject of the message.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module in ("", "topiccrawl"):
            raise
        raise MissingExtraError(what, extra, module) from error

"""Why a Redis server cannot be used, in words for the user."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from redis.connection import SSLConnection
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    ClusterDownError,
    ConnectionError,
    OutOfMemoryError,
    ReadOnlyError,
    TimeoutError,
    TryAgainError,
)

from topiccrawl.language import N_, _

if TYPE_CHECKING:
    import redis

__all__ = ["error_code", "in_words", "is_away", "usual_cause"]

_AWAY = (
    ConnectionError,
    TimeoutError,
    BusyLoadingError,
    ReadOnlyError,
    ClusterDownError,
    TryAgainError,
    OutOfMemoryError,
)
#: Error codes of a server that cannot write for a while.  redis-py has classes for some of them only.
_AWAY_CODES: Final = frozenset(
    {"MISCONF", "NOREPLICAS", "UNBLOCKED", "BUSY", "OOM", "LOADING", "READONLY"}
)
_FULL: Final = N_("it is full and refuses writes (maxmemory)")
_READ_ONLY: Final = N_("it is a replica that accepts no writes")
_LOADING: Final = N_("it is still loading its data")
_WORDS: Final = {
    "OOM": _FULL,
    "READONLY": _READ_ONLY,
    "LOADING": _LOADING,
    "MISCONF": N_("it cannot save its data and refuses writes (is its disk full?)"),
}
_CLASSES: Final[dict[type[Exception], str]] = {
    OutOfMemoryError: _FULL,
    ReadOnlyError: _READ_ONLY,
    BusyLoadingError: _LOADING,
}


def is_away(error: Exception) -> bool:
    """Return whether *error* means that the server cannot be reached, or cannot write, for now."""
    return isinstance(error, _AWAY) or error_code(error) in _AWAY_CODES


def error_code(error: Exception) -> str:
    """Return the first word of an error reply, its code in the Redis protocol (RESP)."""
    return str(error).partition(" ")[0]


def in_words(error: Exception, client: redis.Redis) -> str:
    """Return what *error*, raised by *client*, means; the server's own words for other errors."""
    if isinstance(error, AuthenticationError):
        if client.get_connection_kwargs().get("password"):
            return _("it refuses the user or the password in the address")
        return _("it asks for a password: redis://:PASSWORD@host:port")
    return _(_CLASSES.get(type(error)) or _WORDS.get(error_code(error)) or str(error))


#: Files that an address may name for TLS, as redis-py calls them.
_TLS_FILES: Final = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")


def usual_cause(error: Exception, client: redis.Redis) -> str:
    """Return the usual cause of an *error* of the first connection, where TLS is one; else ""."""
    if not isinstance(error, ConnectionError | TimeoutError) or isinstance(
        error, AuthenticationError | BusyLoadingError
    ):
        return ""
    reason = str(error)
    if not issubclass(client.connection_pool.connection_class, SSLConnection):
        if "reset by peer" in reason or "closed by server" in reason:
            return _("if it speaks TLS at this port, write rediss:// in place of redis://")
        return ""
    options: dict[str, Any] = client.get_connection_kwargs()
    for name in _TLS_FILES:
        path = options.get(name)
        if path and not Path(path).is_file():
            return _("{name}: there is no file {path}").format(name=name, path=path)
    if "NO_CERTIFICATE" in reason:
        return _("a file that the address names for TLS has no certificate")
    if "CERTIFICATE_VERIFY_FAILED" in reason:
        return _(
            "name the certificate of your own authority: rediss://host:port/0?ssl_ca_certs=/path"
        )
    if isinstance(error, TimeoutError) or "WRONG_VERSION_NUMBER" in reason:
        return _("if it speaks no TLS at this port, write redis:// in place of rediss://")
    return ""

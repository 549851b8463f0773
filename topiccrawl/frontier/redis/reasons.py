"""Why a Redis server cannot be used, in words for the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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

__all__ = ["error_code", "in_words", "is_away"]

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

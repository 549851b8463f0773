"""The frontier backend that the settings name, or whose dotted path they give."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol, cast

from topiccrawl.errors import ConfigurationError, needs_extra
from topiccrawl.frontier.backend import Connect, FrontierBackend, FrontierConfig, OpenFrontier
from topiccrawl.language import _, listed

if TYPE_CHECKING:
    import redis

    from topiccrawl.frontier.options import FrontierLimits

# OpenFrontier: other projects import it from here.
__all__ = ["BackendError", "OpenFrontier", "Opener", "find_backend", "frontier_backend"]

#: Classes by name, as dotted paths: the driver of a backend is imported when the backend is used.
BACKENDS: Final[Mapping[str, str]] = {
    "memory": "topiccrawl.frontier.memory.backend.MemoryBackend",
    "redis": "topiccrawl.frontier.redis.backend.RedisBackend",
    "sqlite": "topiccrawl.frontier.sqlite.backend.SQLiteBackend",
}


class BackendError(ConfigurationError):
    """TOPICCRAWL_FRONTIER_BACKEND names no backend; *reason* is the exception of a failed import."""

    def __init__(self, name: str, reason: Exception | None = None) -> None:
        known = listed(sorted(BACKENDS))
        cause = "" if reason is None else f" ({reason})"
        super().__init__(
            _(
                "TOPICCRAWL_FRONTIER_BACKEND must be one of {known}, or the dotted path of a function "
                "that opens a frontier, got {name!r}{cause}"
            ).format(known=known, name=name, cause=cause)
        )
        self.reason = reason


class Opener(Protocol):
    """A function that opens frontiers, in place of a class of another project."""

    def __call__(
        self,
        topic: str,
        limits: FrontierLimits,
        config: FrontierConfig,
        connect: Connect,
        *,
        fresh: bool,
    ) -> OpenFrontier:
        """Open the frontier of *topic*, as :meth:`FrontierBackend.open` does."""


class _FunctionBackend(FrontierBackend):
    """A backend of which only the function is known that opens it."""

    def __init__(self, opener: Opener, config: FrontierConfig, connect: Connect) -> None:
        super().__init__(config, connect)
        self._opener = opener

    def open(self, topic: str, *, fresh: bool = False) -> OpenFrontier:
        limits = self._config.frontier_limits
        return self._opener(topic, limits, self._config, self._connect, fresh=fresh)


def _no_server() -> redis.Redis:
    raise AssertionError("frontier_backend was called without *connect*")


def frontier_backend(config: FrontierConfig, connect: Connect = _no_server) -> FrontierBackend:
    """Return the backend that *config* names.

    *connect* is needed to open queues and to look for them, not for ``local``, ``keeps_queue`` and
    ``may_have_queue``.  Raises :class:`BackendError`, which lists the known names.
    """
    return find_backend(config.frontier_backend)(config, connect)


def find_backend(name: str) -> Callable[[FrontierConfig, Connect], FrontierBackend]:
    """Return what makes a backend, given by *name* or as ``package.module.ClassOrFunction``.

    The path is that of a class derived from :class:`FrontierBackend`, or of an :class:`Opener`.
    Raises :class:`BackendError`, which lists the known names.
    """
    if name in BACKENDS:
        module, __, class_name = BACKENDS[name].rpartition(".")
        with needs_extra("cluster", f"TOPICCRAWL_FRONTIER_BACKEND {name}"):  # optional dependency
            return cast("type[FrontierBackend]", getattr(import_module(module), class_name))
    if "." not in name:
        raise BackendError(name)
    try:
        found = pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise BackendError(name, error) from error
    if not callable(found):
        raise BackendError(name)
    if isinstance(found, type) and issubclass(found, FrontierBackend):
        return found
    opener = cast("Opener", found)
    return lambda config, connect: _FunctionBackend(opener, config, connect)

"""Opening the store that TOPICCRAWL_STORE_URI names."""

from __future__ import annotations

from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _, listed
from topiccrawl.store.contract import Store
from topiccrawl.store.uri import FORMS, masked

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from topiccrawl.store.contract import StoreBackend

#: Class of the store by the scheme of its address, as a dotted path; drivers are imported when their
#: store is used.  A scheme that is itself a dotted path names the class of another project.
STORES: Final[Mapping[str, str]] = {
    "sqlite": "topiccrawl.store.sqlite.store.SQLiteStore",
    "mongodb": "topiccrawl.store.mongo.store.MongoStore",
    "mongodb+srv": "topiccrawl.store.mongo.store.MongoStore",
}

#: What a store has.
_INTERFACE: Final = [
    name for base in Store.__mro__[:-1] for name in vars(base) if not name.startswith("_")
]
#: Optional drivers by module, with the command that installs them.
_DRIVERS: Final = {"pymongo": 'pip install "pymongo>=4.13"'}


def open_store(uri: str, *, read_only: bool = False) -> Store:
    """Return the store that *uri* names; await its ``open`` before use.

    Raises ``ConfigurationError`` if the address has none of the supported forms, its class cannot be
    imported or makes no complete store, or a driver is missing.

    Parameters
    ----------
    uri : str
        An address ``scheme://…``.  The scheme is one of :data:`STORES` or the dotted path of a class
        with the methods of :class:`~topiccrawl.store.contract.Store` and the class method
        ``from_uri`` of :class:`~topiccrawl.store.contract.StoreBackend`:
        ``mypackage.stores.MyStore://whatever/it/needs``.
    read_only : bool
        Create nothing: neither file nor database nor index.
    """
    scheme, separator, __ = uri.partition("://")
    path = STORES.get(scheme, scheme if "." in scheme else None)
    if path is None or not separator:
        raise ConfigurationError(
            _("TOPICCRAWL_STORE_URI must be one of {forms}; got {uri!r}").format(
                forms=FORMS, uri=masked(uri)
            )
        )
    store = _backend(path, uri).from_uri(uri, read_only=read_only)
    if missing := [name for name in _INTERFACE if not hasattr(store, name)]:
        raise ConfigurationError(
            _("TOPICCRAWL_STORE_URI names {uri}, but the store of {path} lacks {missing}").format(
                uri=masked(uri), path=path, missing=listed(missing)
            )
        )
    return store


@asynccontextmanager
async def opened_store(uri: str, *, read_only: bool = True) -> AsyncIterator[Store]:
    """Open the store that *uri* names, by default only to read, and close it at the end."""
    store = open_store(uri, read_only=read_only)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def _backend(path: str, uri: str) -> StoreBackend:
    module, __, name = path.rpartition(".")
    try:
        backend = getattr(import_module(module), name)
    except ImportError as error:
        command = _DRIVERS.get((error.name or "").partition(".")[0])
        rule = _("which cannot be imported")
        if command:
            rule = _("which needs {module}: {command}").format(module=error.name, command=command)
        raise ConfigurationError(
            _("TOPICCRAWL_STORE_URI names {uri}, {rule} ({error})").format(
                uri=masked(uri), rule=rule, error=error
            )
        ) from error
    except AttributeError as error:
        raise ConfigurationError(
            _("TOPICCRAWL_STORE_URI names {uri}, but {module} has no {name}").format(
                uri=masked(uri), module=module, name=name
            )
        ) from error
    if not hasattr(backend, "from_uri"):
        raise ConfigurationError(
            _("TOPICCRAWL_STORE_URI names {uri}, but {path} has no class method from_uri").format(
                uri=masked(uri), path=path
            )
        )
    return cast("StoreBackend", backend)

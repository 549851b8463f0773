"""From TOPICCRAWL_STORE_URI to a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.errors import ConfigurationError
from topiccrawl.store.sqlite.store import SQLiteStore
from topiccrawl.store.uri import FORMS, masked, mongo_database, sqlite_path

if TYPE_CHECKING:
    from topiccrawl.store.contract import Store


def open_store(uri: str, *, read_only: bool = False) -> Store:
    """Return the store that *uri* names; await its ``open`` before use.

    With *read_only* nothing is created: neither file nor database nor index.

    Raises:
        ConfigurationError: the address is none of the known forms, or pymongo is missing.
    """
    scheme = uri.partition("://")[0]
    if scheme == "sqlite":
        return SQLiteStore(sqlite_path(uri), read_only=read_only)
    if scheme in ("mongodb", "mongodb+srv"):
        database = mongo_database(uri)
        try:
            from topiccrawl.store.mongo.store import MongoStore
        except ImportError as error:
            raise ConfigurationError(
                f"TOPICCRAWL_STORE_URI names {masked(uri)}, which needs pymongo: "
                f'pip install "pymongo>=4.13" ({error})'
            ) from error
        return MongoStore(uri, database, read_only=read_only)
    raise ConfigurationError(f"TOPICCRAWL_STORE_URI must be one of {FORMS}; got {masked(uri)!r}")

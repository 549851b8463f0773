"""Stores of every kind for the contract suite."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import mongo_server
from tests.support.forgetting import forgetting_project, left_spool  # noqa: F401
from tests.support.store_memory import URI_OF_TESTS
from topiccrawl.store.contract import Store
from topiccrawl.store.factory import open_store


@pytest.fixture(scope="session")
def mongo_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that stays up for the whole session."""
    uri, executable = mongo_server.given_uri(), mongo_server.given_executable()
    if uri is not None:
        yield uri
    elif executable is not None:
        server = mongo_server.MongoServer(executable, tmp_path_factory.mktemp("mongo"))
        server.start()
        yield server.uri
        server.kill()
    else:
        pytest.skip(mongo_server.HOW_TO_GET_ONE)


@pytest.fixture
def mongo_database_uri(mongo_uri: str) -> Iterator[str]:
    """The address of a database that exists for one test."""
    from pymongo import MongoClient

    name = f"topiccrawl_test_{secrets.token_hex(6)}"
    place, _, options = mongo_uri.partition("?")
    scheme, _, rest = place.partition("://")
    hosts, _, own = rest.partition("/")
    if "@" in hosts and "authsource" not in options.lower():
        # Else the name of our database would become the one that knows the user.
        options = f"authSource={own or 'admin'}&{options}"
    yield f"{scheme}://{hosts}/{name}?{options}"
    with MongoClient[dict[str, object]](mongo_uri) as client:
        client.drop_database(name)


@pytest.fixture
def killable_mongo(tmp_path: Path) -> Iterator[mongo_server.MongoServer]:
    """A running server of the test's own."""
    executable = mongo_server.given_executable()
    if executable is None:
        pytest.skip(mongo_server.HOW_TO_GET_A_KILLABLE_ONE)
    server = mongo_server.MongoServer(executable, tmp_path / "mongo")
    server.start()
    yield server
    server.kill()


#: Dotted path of a store of another project, to test in place of the others.
OWN_STORE = os.environ.get("TOPICCRAWL_TEST_STORE")


@pytest.fixture(params=["own"] if OWN_STORE else ["sqlite", "mongodb", "dotted path"])
def store_uri(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store, of each kind in turn."""
    if request.param == "own":
        return f"{OWN_STORE}://{tmp_path}/store"
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/资料/store.sqlite"
    if request.param == "dotted path":
        return f"{URI_OF_TESTS}{tmp_path}"
    uri: str = request.getfixturevalue("mongo_database_uri")
    return uri


@pytest.fixture
def make_store(store_uri: str) -> Callable[..., Store]:
    """Make one more store object on the same data; keywords as in ``open_store``."""

    def make(**options: bool) -> Store:
        return open_store(store_uri, **options)

    return make

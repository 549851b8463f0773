"""TOPICCRAWL_STORE_URI: what is understood, what is refused, and that passwords stay hidden."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from scrapy.settings import Settings

from tests.support.store_memory import URI_OF_TESTS, MemoryStore
from topiccrawl.crawl.settings.store import StoreSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.store.factory import open_store
from topiccrawl.store.mongo.store import MongoStore
from topiccrawl.store.sqlite.store import SQLiteStore
from topiccrawl.store.uri import address_of, masked, mongo_database, shown, sqlite_path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("sqlite:///data/topiccrawl.sqlite", "data/topiccrawl.sqlite"),
        ("sqlite:////var/lib/pages.db", "/var/lib/pages.db"),
        ("sqlite:///资料/侨情.db", "资料/侨情.db"),
        ("sqlite:///with%20blank%3F.db", None),  # an escaped question mark is one, too
        ("sqlite:///with%20blank.db", "with blank.db"),
    ],
)
def test_a_sqlite_address_names_a_file(uri: str, path: str | None) -> None:
    if path is None:
        with pytest.raises(ConfigurationError):
            sqlite_path(uri)
    else:
        assert sqlite_path(uri) == Path(path)
        assert isinstance(open_store(uri), SQLiteStore)


@pytest.mark.parametrize(
    ("uri", "database"),
    [
        ("mongodb://localhost", "topiccrawl"),
        ("mongodb://localhost/", "topiccrawl"),
        ("mongodb://localhost/?replicaSet=rs", "topiccrawl"),
        ("mongodb://a:1,b:2/pages?replicaSet=rs", "pages"),
        ("mongodb://me:p%40ss@host/%E4%BE%A8%E6%83%85", "侨情"),
        ("mongodb+srv://cluster.example/pages", "pages"),
    ],
)
def test_a_mongodb_address_names_a_database(uri: str, database: str) -> None:
    assert mongo_database(uri) == database
    store = open_store(uri)
    assert isinstance(store, MongoStore)
    assert store.database == database


@pytest.mark.parametrize(
    ("uri", "rule"),
    [
        ("", "must be one of"),
        ("data.db", "must be one of"),
        ("mysql://host/db", "must be one of"),
        ("SQLITE:///a.db", "must be one of"),
        ("sqlite://data.db", "three slashes"),
        ("sqlite:///", "name of the file is missing"),
        ("sqlite:///data/", "name of the file is missing"),
        ("sqlite:///:memory:", "would lose the crawl"),
        ("sqlite:///a.db?mode=ro", "options"),
        ("sqlite:///a%00.db", "NUL"),
        ("mongodb://", "host is missing"),
        ("mongodb:///db", "host is missing"),
        ("mongodb://me:se/cr@host/db", "must be percent-encoded"),
        ("mongodb://me:s@cr@host/db", "must be percent-encoded"),
        ("mongodb://host/a.b", "database name"),
        ("mongodb://host/" + "侨" * 22, "at most 63 bytes"),
    ],
)
def test_a_wrong_address_is_refused_with_the_rule_and_the_forms(uri: str, rule: str) -> None:
    with pytest.raises(ConfigurationError, match=rule) as caught:
        open_store(uri)
    assert "TOPICCRAWL_STORE_URI" in str(caught.value)
    assert "sqlite:///relative/file.db" in str(caught.value)
    assert "mongodb://host" in str(caught.value)


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        ("mongodb://me:secret@host/db", "mongodb://me:***@host/db"),
        ("mongodb://me:se/c?r@et@host/db", "mongodb://me:***@host/db"),
        ("mongodb://me@host/db", "mongodb://me@host/db"),
        ("mongodb://host/db?tlsCertificateKeyFilePassword=secret", "mongodb://host/db?…"),
        ("mysql://me:secret@host/db", "mysql://me:***@host/db"),
        ("sqlite:///a@b:c.db", "sqlite:///a@b:c.db"),
    ],
)
def test_no_password_is_shown(uri: str, shown: str) -> None:
    assert masked(uri) == shown


@pytest.mark.parametrize(
    ("uri", "rule"),
    [
        ("tests.nowhere.Store://x", "cannot be imported .*No module named 'tests.nowhere'"),
        ("tests.support.store_memory.Absent://x", "tests.support.store_memory has no Absent"),
        ("tests.support.store_memory.defaultdict://x", "has no class method from_uri"),
        ("tests.support.store_memory.MemoryStore", "must be one of"),
    ],
)
def test_a_class_that_is_no_store_is_refused_with_the_reason(uri: str, rule: str) -> None:
    with pytest.raises(ConfigurationError, match=f"TOPICCRAWL_STORE_URI.* {rule}"):
        open_store(uri)


def test_a_store_without_a_method_is_refused_when_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Half:
        """A store that can only be opened."""

        async def open(self) -> None: ...

    monkeypatch.setattr(MemoryStore, "from_uri", lambda uri, **options: Half())
    with pytest.raises(ConfigurationError, match=r"TOPICCRAWL_STORE_URI.* lacks close, write, "):
        open_store(URI_OF_TESTS)


def test_the_class_of_another_project_receives_the_whole_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    received, from_uri = [], MemoryStore.from_uri

    def noted(uri: str, **options: object) -> MemoryStore:
        received.append((uri, options))
        return from_uri(uri, **options)

    monkeypatch.setattr(MemoryStore, "from_uri", noted)
    uri = f"{URI_OF_TESTS}any/thing?x=1"
    assert isinstance(open_store(uri, read_only=True), MemoryStore)
    assert received == [(uri, {"read_only": True})]


def test_a_missing_pymongo_is_explained_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "topiccrawl.store.mongo.store", raising=False)
    monkeypatch.setitem(sys.modules, "pymongo", None)
    with pytest.raises(ConfigurationError, match=r'pip install "pymongo>=4\.13"') as caught:
        open_store("mongodb://me:secret@host/db")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("data/a b.sqlite", "sqlite:///data/a%20b.sqlite"),
        ("/tmp/侨情.DB", "sqlite:////tmp/%E4%BE%A8%E6%83%85.DB"),
        ("~/pages.sqlite3", "sqlite:///~/pages.sqlite3"),
        ("mongodb://a.example/b.db", "mongodb://a.example/b.db"),
        ("pages", "pages"),
        ("a\udcff.db", "a\udcff.db"),
        ("", ""),
    ],
)
def test_the_name_of_a_file_is_an_address_too(given: str, address: str) -> None:
    assert address_of(given) == address
    settings = Settings({"TOPICCRAWL_STORE_URI": Path(given) if given == "pages" else given})
    if given.isprintable():
        assert StoreSettings.from_settings(settings).store_uri == address


def test_an_address_is_shown_as_short_as_it_is_read() -> None:
    assert shown("sqlite:////tmp/a%20b.sqlite") == "/tmp/a b.sqlite"
    assert shown("sqlite:///data/pages") == "sqlite:///data/pages"
    assert (
        shown("mongodb://me:secret@db.example/pages.db") == "mongodb://me:***@db.example/pages.db"
    )

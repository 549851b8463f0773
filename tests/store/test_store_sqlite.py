"""SQLite alone: files, locks, kill -9, and what is said when the file cannot be used."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import tests.support.store_records as make
from tests.support.store_records import TOPIC, in_loop, listed, opened
from topiccrawl.errors import ConfigurationError
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.store.records import FORMAT
from topiccrawl.store.sqlite import file as sqlite_file
from topiccrawl.store.sqlite.store import SQLiteStore


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


WRITE_AND_DIE = """
import asyncio, os, signal, sys
sys.path[:0] = sys.argv[2:]
import tests.support.store_records as make
from topiccrawl.store.sqlite.store import SQLiteStore

async def main():
    store = SQLiteStore(sys.argv[1])
    await store.open()
    for number in range(5):
        await store.write([make.page(number)], [make.outcome(number)])
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


@in_loop
async def test_kill_9_right_after_write_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    paths = [folder for folder in sys.path if folder]
    command = [sys.executable, "-c", WRITE_AND_DIE, str(path), *paths]
    assert await asyncio.to_thread(subprocess.call, command, timeout=60) == -9
    async with opened(SQLiteStore(path)) as store:
        assert await listed(store.pages(TOPIC, with_html=True)) == [make.page(n) for n in range(5)]
        assert await listed(store.outcomes(TOPIC)) == [make.outcome(n) for n in range(5)]


@in_loop
async def test_a_crash_within_the_first_opening_leaves_a_usable_file(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    path.touch()
    async with opened(SQLiteStore(path)) as store:
        assert await store.topics() == {}


@in_loop
async def test_crawls_that_begin_at_once_on_a_new_file_all_open(tmp_path: Path) -> None:
    for attempt in range(20):
        stores = [SQLiteStore(tmp_path / f"{attempt}.sqlite") for _ in range(8)]
        try:
            await asyncio.gather(*(store.open() for store in stores))
        finally:
            await asyncio.gather(*(store.close() for store in stores))


@in_loop
async def test_every_commit_is_flushed_to_the_disk(tmp_path: Path) -> None:
    async with opened(SQLiteStore(tmp_path / "store.sqlite")) as store:
        assert isinstance(store, SQLiteStore)
        assert store._connection is not None
        assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@in_loop
async def test_reading_creates_nothing(tmp_path: Path) -> None:
    path = tmp_path / "none" / "store.sqlite"
    with pytest.raises(ConfigurationError, match="there is no such file") as caught:
        await SQLiteStore(path, read_only=True).open()
    assert str(path) in str(caught.value)
    assert names(tmp_path) == []


@in_loop
async def test_reading_a_store_at_rest_leaves_no_files_behind(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)) as store:
        await store.write([make.page()])
    before = path.read_bytes()
    async with opened(SQLiteStore(path, read_only=True)) as store:
        assert await store.count(TOPIC) == 1
    assert names(tmp_path) == ["store.sqlite"]
    assert path.read_bytes() == before


@in_loop
async def test_a_store_where_no_side_file_can_be_made_is_read_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)) as store:
        await store.write([make.page()])
    connect = sqlite3.connect

    def refuse_shared_memory(address: str, **options: object) -> sqlite3.Connection:
        if "immutable" not in address:
            raise sqlite3.OperationalError("unable to open database file")
        return connect(address, **options)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(sqlite3, "connect", refuse_shared_memory)
    async with opened(SQLiteStore(path, read_only=True)) as store:
        assert await store.count(TOPIC) == 1


@in_loop
async def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    content = "不是数据库，只是文字。".encode("gb18030") * 100
    path.write_bytes(content)
    for read_only in (False, True):
        with pytest.raises(ConfigurationError, match="not a SQLite database"):
            await SQLiteStore(path, read_only=read_only).open()
    assert path.read_bytes() == content


@in_loop
async def test_the_database_of_another_program_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "browser.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE bookmarks (url)")
    content = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(ConfigurationError, match="of another program"):
            await SQLiteStore(path, read_only=read_only).open()
    assert path.read_bytes() == content


@in_loop
async def test_an_empty_database_has_nothing_to_read(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    path.touch()
    with pytest.raises(ConfigurationError, match="empty database"):
        await SQLiteStore(path, read_only=True).open()


@pytest.mark.parametrize("version", [0, FORMAT + 1, 999])
@in_loop
async def test_another_format_is_refused_with_both_numbers(tmp_path: Path, version: int) -> None:
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)):
        pass
    with closing(sqlite3.connect(path)) as file:
        file.execute(f"PRAGMA user_version = {version}")
    for read_only in (False, True):
        with pytest.raises(
            ConfigurationError, match=f"has format {version}, .* formats up to {FORMAT};"
        ):
            await SQLiteStore(path, read_only=read_only).open()


@in_loop
async def test_missing_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "store.sqlite"
    async with opened(SQLiteStore(path)):
        assert path.is_file()


@in_loop
async def test_a_path_through_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "store.sqlite"
    with pytest.raises(
        ConfigurationError, match=r"TOPICCRAWL_STORE_URI .* folder cannot be created"
    ):
        await SQLiteStore(path).open()


@in_loop
async def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="it is a folder") as caught:
        await SQLiteStore(tmp_path).open()
    assert str(tmp_path) in str(caught.value)
    with pytest.raises(ConfigurationError, match="it is a folder"):
        await SQLiteStore(tmp_path, read_only=True).open()


@in_loop
async def test_a_file_that_sqlite_calls_read_only_is_refused_at_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real read-only connection: taking rights from the file would not stop root."""
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)):
        pass
    connect = sqlite3.connect

    def read_only(_: object, **options: object) -> sqlite3.Connection:
        return connect(f"{path.as_uri()}?mode=ro", uri=True, **options)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(sqlite3, "connect", read_only)
    with pytest.raises(ConfigurationError, match=r"cannot be opened for writing .*readonly"):
        await SQLiteStore(path).open()


@in_loop
async def test_a_full_disk_means_away_and_what_was_written_stays(tmp_path: Path) -> None:
    async with opened(SQLiteStore(tmp_path / "store.sqlite")) as store:
        assert isinstance(store, SQLiteStore)
        await store.write([make.page(1)])
        db = store._connection
        assert db is not None
        (used,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {used}")
        with pytest.raises(StoreUnavailable, match="full"):
            await store.write([make.page(2, body="满" * 100_000)])
        assert await store.count(TOPIC) == 1
        db.execute("PRAGMA max_page_count = 1000000")
        await store.write([make.page(2, body="满" * 100_000)])
        assert await store.count(TOPIC) == 2


@in_loop
async def test_the_event_loop_goes_on_while_another_process_holds_the_lock(
    tmp_path: Path,
) -> None:
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writing = asyncio.create_task(store.write([make.page(1)]))
            for _ in range(20):
                assert await store.count(TOPIC) == 0
            assert not writing.done()
            other.execute("COMMIT")
        await writing
        assert await store.count(TOPIC) == 1


@in_loop
async def test_a_lock_that_is_never_released_means_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "BUSY_SECONDS", 0.01)
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreUnavailable, match="locked"):
                await store.write([make.page(1)])
            assert await store.count(TOPIC) == 0
            other.execute("ROLLBACK")
        await store.write([make.page(1)])
        assert await store.count(TOPIC) == 1


@in_loop
async def test_a_batch_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    async with opened(SQLiteStore(tmp_path / "store.sqlite")) as store:
        with pytest.raises(ValueError, match="too large"):
            await store.write([make.page(1)], [make.outcome(1), make.outcome(2, sequence=2**63)])
        assert await store.count(TOPIC) == 0
        assert await listed(store.outcomes(TOPIC)) == []


@in_loop
async def test_two_stores_on_one_file_both_write(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)) as one, opened(SQLiteStore(path)) as two:
        await asyncio.gather(
            *(one.write([make.page(n, topic="甲")]) for n in range(20)),
            *(two.write([make.page(n, topic="乙")]) for n in range(20)),
        )
        assert await one.topics() == {"甲": 20, "乙": 20}


@in_loop
async def test_a_file_that_is_damaged_during_the_run_means_away(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)) as store:
        await store.write([make.page(n, body="文" * 5000) for n in range(50)])
    size = path.stat().st_size
    shutil.copy(path, tmp_path / "copy")
    async with opened(SQLiteStore(path)) as store:
        with path.open("r+b") as file:
            file.seek(8192)
            file.write(b"\xa7" * (size - 8192))
        with pytest.raises(StoreUnavailable):
            await listed(store.pages(TOPIC))


@in_loop
async def test_a_file_that_is_no_longer_there_means_away(tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "store.sqlite", tmp_path / "elsewhere.sqlite"
    async with opened(SQLiteStore(path)) as store:
        await store.write([make.page(1)])
        path.rename(elsewhere)
        with pytest.raises(StoreUnavailable, match="moved"):
            await store.write([make.page(2)])
        with pytest.raises(StoreUnavailable, match="moved"):
            await store.count(TOPIC)
        with pytest.raises(StoreUnavailable, match="moved"):
            await store.outcome(TOPIC, make.page(1).url)
        shutil.copy(elsewhere, path)
        with pytest.raises(StoreUnavailable, match="replaced"):
            await store.write([make.page(2)])
        elsewhere.rename(path)
        await store.write([make.page(2)])
    async with opened(SQLiteStore(path)) as store:
        assert await store.count(TOPIC) == 2

"""Damaged page stores: refused in one line, or what is sound is read; a crawl spools what it cannot write.

``TOPICCRAWL_FUZZ_CASES=50000`` runs 10,000 cases of each kind; each depends on its number alone.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.damaged_queues import damage
from tests.support.mutations import CASES
from tests.support.store_records import TOPIC, near_miss, outcome, page, run
from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.webs.sqlite import SqliteWeb
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.sqlitefiles import Connection
from topiccrawl.store.contract import RecordRejected, StoreUnavailable
from topiccrawl.store.near_misses import unpack_near_miss
from topiccrawl.store.records import PageRecord
from topiccrawl.store.sqlite.store import SQLiteStore

PAGES = 40
TABLES = ("pages", "outcomes", "runs", "near_misses", "html")
ODD: tuple[Any, ...] = (
    *(
        None,
        -1,
        2**62,
        1e308,
        "",
        "x",
        b"",
        b"\xff\xfe",
        "[",
        "[[]]",
        "[5]",
        "{}",
        '{"a": 1}',
        "null",
    ),
    *('[{"term": 5, "weight": "x"}]', '{"score": "x"}', '{"depth": [], "anchor": 3}', "[" * 5_000),
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "sound.sqlite"

    async def fill() -> None:
        store = SQLiteStore(path)
        await store.open()
        for number in range(PAGES):
            await store.write([page(number)], [outcome(number)], (), [near_miss(1_000 + number)])
        await store.write(runs=[run(1), run(2)])
        await store.close()

    asyncio.run(fill())
    return path


def work(path: Path) -> tuple[str, int]:
    """Read and write everything; return how it ended and how many pages were read."""
    found: list[PageRecord] = []

    async def use() -> None:
        store = SQLiteStore(path)
        await store.open()
        try:
            await store.topics()
            await store.size(TOPIC)
            found.extend([it async for it in store.pages(TOPIC, with_html=True)])
            async for near in store.near_misses(TOPIC):
                unpack_near_miss(near)
            async for it in store.outcomes(TOPIC):
                str(it)
            async for url, title in store.titles(TOPIC):
                assert url.isprintable() or title
            async for standing in store.standings(TOPIC):
                assert standing.probability is None or standing.probability < 2**70
            for each_run in await store.runs(TOPIC):
                str(each_run)
            await store.write([page(1), page(5_000)], [outcome(1)], [run(3)], [near_miss(7)])
            await store.page(TOPIC, page(2).url)
        finally:
            await store.close()

    try:
        asyncio.run(use())
    except ConfigurationError:
        return "refused", len(found)
    except (StoreUnavailable, RecordRejected) as error:
        return type(error).__name__, len(found)
    for item in found:
        # What reports and exports compute.
        assert all(isinstance(text, str) for text in (item.title, item.body, *item.keywords))
        assert item.relevance >= 0 or item.relevance < 0
        assert item.fetched_at.year > 0
        assert all(weight * 2 for _, weight in item.main_terms) or item.main_terms
    return "read", len(found)


def each(sound: Path, path: Path, change: Callable[[Path, int], object]) -> Counter[str]:
    ends: Counter[str] = Counter()
    for seed in range(CASES // 5):
        shutil.copy(sound, path)
        change(path, seed)
        try:
            end, _ = work(path)
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise
        ends[end] += 1
        for name in path.parent.glob(f"{path.name}*"):
            name.unlink()
    return ends


def test_damaged_files(sound: Path, tmp_path: Path) -> None:
    ends = each(sound, tmp_path / "s.sqlite", damage)
    assert {*ends} >= {"read", "refused", "StoreUnavailable"}


def poison(path: Path, seed: int) -> None:
    """Write odd values into some cells, whatever the tables demand of them."""
    draw = random.Random(seed)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for _ in range(draw.choice((1, 3))):
            table = draw.choice(TABLES)
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            column = draw.choice(columns)
            (row,) = draw.choice(connection.execute(f"SELECT rowid FROM {table}").fetchall())
            value = draw.choice(ODD)
            cast = draw.choice(("?", "CAST(? AS BLOB)"))
            try:
                connection.execute(
                    f"UPDATE {table} SET {column} = {cast} WHERE rowid = ?", (value, row)
                )
            except sqlite3.Error:
                continue  # the table forbids it


def test_poisoned_cells_cost_their_own_record_at_most(sound: Path, tmp_path: Path) -> None:
    ends = each(sound, tmp_path / "s.sqlite", poison)
    assert ends["read"] > CASES / 10
    assert set(ends) <= {"read", "RecordRejected"}


def test_a_page_with_a_poisoned_cell_is_left_out_and_the_others_are_read(
    sound: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "s.sqlite"
    shutil.copy(sound, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE pages SET keywords = '[5]' WHERE url LIKE '%/7.html%'")
        connection.execute(
            "UPDATE pages SET title = CAST(x'ff41' AS TEXT) WHERE url LIKE '%/8.html%'"
        )
    assert work(path) == ("read", PAGES - 1)
    assert caplog.text.count("is damaged: records that cannot be read are left out") == 1


def test_a_schema_that_is_no_text_is_damage_like_any_other(tmp_path: Path) -> None:
    path = tmp_path / "schema.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE pages (url TEXT PRIMARY KEY)")
    data = path.read_bytes()
    assert b"sqlite_autoindex" in data
    path.write_bytes(data.replace(b"sqlite_autoindex", b"sqlite_\xfcutoindex"))
    with closing(sqlite3.connect(path, factory=Connection)) as connection:
        with pytest.raises(sqlite3.DatabaseError, match="malformed database schema") as raised:
            connection.execute("SELECT 1 FROM sqlite_master")
        assert raised.value.sqlite_errorcode == sqlite3.SQLITE_CORRUPT


@pytest.mark.parametrize("make", [SQLiteStore, SqliteWeb, SQLiteFrontier])
def test_every_file_with_such_a_schema_is_refused(make: Any, tmp_path: Path) -> None:
    path = tmp_path / "pages.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE pages (url TEXT PRIMARY KEY)")
    path.write_bytes(path.read_bytes().replace(b"sqlite_autoindex", b"sqlite_\xfcutoindex"))

    async def use() -> None:
        await make(path).open()

    with pytest.raises(ConfigurationError):
        asyncio.run(use())

"""SQLite alone: which indexes and tables the queries use."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import tests.support.store_records as make
from tests.support.store_records import TOPIC, in_loop, opened
from topiccrawl.store.contract import PageRecord
from topiccrawl.store.sqlite import connections, queries, stories
from topiccrawl.store.sqlite.store import SQLiteStore
from topiccrawl.store.sqlite.tables import TOKENS


@in_loop
async def test_a_list_of_titles_does_not_read_bodies(tmp_path: Path) -> None:
    """By the plan and the layout: the title stands before the body, the HTML in another table."""
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)):
        pass
    with closing(sqlite3.connect(path)) as file:
        columns = [row[1] for row in file.execute("PRAGMA table_info(pages)")]
        plan = file.execute(
            "EXPLAIN QUERY PLAN SELECT url, title FROM pages WHERE topic = 'x' "
            "ORDER BY fetched_at, _id"
        ).fetchall()
    assert columns[-1] == "body"
    assert "html" not in columns
    assert [step[3] for step in plan] == ["SEARCH pages USING INDEX pages_fetched (topic=?)"]


INDEXED = {
    "a list": (
        queries.select_pages("relevance", with_html=False, withdrawn=False, copies=False),
        "SEARCH pages USING INDEX pages_relevance (topic=?)",
    ),
    "the number of pages": (
        queries.COUNT_PAGES,
        "SEARCH pages USING COVERING INDEX pages_standing (topic=? AND withdrawn_at=? AND copy_of=?)",
    ),
    "members": (
        stories.SELECT_MEMBERS,
        "SEARCH pages USING INDEX pages_story (topic=? AND story=?)",
    ),
    "attachments": (
        stories.SELECT_ATTACHMENTS,
        "SEARCH pages USING INDEX pages_attached (topic=? AND attached_to=?)",
    ),
    "copies": (stories.COUNT_COPIES, "SEARCH pages USING COVERING INDEX pages_story (topic=?)"),
    "stories": (
        stories.select_stories("size"),
        "SEARCH pages USING COVERING INDEX pages_story (topic=?)",
    ),
    "what must be compared": (
        stories.SELECT_UNCOMPARED,
        "SEARCH pages USING INDEX pages_compared (topic=? AND compared<?)",
    ),
    "how much must be compared": (
        stories.COUNT_UNCOMPARED,
        "SEARCH pages USING COVERING INDEX pages_compared (topic=? AND compared>?)",
    ),
    "pages by token": (stories.SELECT_SHARING, "SEARCH tokens USING PRIMARY KEY (token=?)"),
    "pages by number": (
        stories.SELECT_NUMBERED,
        "SEARCH numbers USING INTEGER PRIMARY KEY (rowid=?)",
    ),
}


@pytest.mark.parametrize(("query", "step"), INDEXED.values(), ids=INDEXED.keys())
@in_loop
async def test_queries_of_lists_and_stories_follow_an_index(
    tmp_path: Path, query: str, step: str
) -> None:
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)):
        pass
    with closing(sqlite3.connect(path)) as file:
        numbered = [it for it in (1, 2, 3) if f"?{it}" in query]
        values = ["x"] * (numbered[-1] if numbered else query.count("?"))
        plan = [it[3] for it in file.execute(f"EXPLAIN QUERY PLAN {query}", values)]
    assert step in plan
    assert not [it for it in plan if it.startswith("SCAN pages")]


@pytest.mark.parametrize("most", [0, connections.AT_ONCE_BYTES])
@in_loop
async def test_pages_are_found_by_tokens_in_whichever_table_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(connections, "AT_ONCE_BYTES", most)
    path = tmp_path / "store.sqlite"

    def written(first: int, last: int) -> list[PageRecord]:
        return [make.page(n, html=None, tokens=(n, -1), body="") for n in range(first, last + 1)]

    def rows() -> list[int]:
        with closing(sqlite3.connect(path)) as file:
            return [file.execute(f"SELECT count(*) FROM {it}").fetchone()[0] for it in TOKENS]

    def skip_numbers(last: int) -> None:
        """As if many more pages had been written."""
        with closing(sqlite3.connect(path)) as file:
            file.execute("UPDATE sqlite_sequence SET seq = ?", (last,))
            file.commit()

    async with opened(SQLiteStore(path)) as store:
        await store.write(written(1, 1))
        assert rows() == [2, 0, 0]
        skip_numbers(19_990)
        await store.write(written(2, 20))
        assert rows() == [0, 0, 40]
        skip_numbers(21_990)
        await store.write(written(21, 40))
        assert rows() == [0, 40, 40]
        await store.write(written(41, 42))
        assert rows() == [4, 40, 40]
        found = await store.sharing(TOPIC, [1, 30, 42, -1], most=50)
        assert [len(found[it]) for it in (1, 30, 42, -1)] == [1, 1, 1, 42]
        assert len((await store.sharing(TOPIC, [-1], most=30))[-1]) == 31
        await store.write([replace(it, tokens=(0,), body="新") for it in written(1, 1)])
        assert list(await store.sharing(TOPIC, [0, 1], most=5)) == [0]
        assert len((await store.sharing(TOPIC, [-1], most=50))[-1]) == 41
        await store.forget(TOPIC)
        assert rows() == [0, 0, 0]


@pytest.mark.parametrize("large", [False, True])
@in_loop
async def test_what_cannot_be_looked_up_at_once_is_read_in_the_thread(
    large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SQLiteStore(tmp_path / "store.sqlite")
    async with opened(store):
        page = make.page(1, tokens=(7,))
        await store.write([page], [make.outcome(1)])
        if large:
            monkeypatch.setattr(connections, "AT_ONCE_BYTES", 0)
        assert store._at_once is not None
        store._at_once.close()  # As if it could not read.
        assert await store.sharing(TOPIC, [7], most=5) == {7: [page.url]}
        assert await store.outcome(TOPIC, make.outcome(1).url) == make.outcome(1)


@pytest.mark.parametrize(("withdrawn", "most_read"), [(3, 81), (40, 81 + 162)])
@in_loop
async def test_withdrawn_pages_do_not_make_a_frequent_token_read_far_more_than_is_wanted(
    withdrawn: int, most_read: int, tmp_path: Path
) -> None:
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)) as store:
        pages = [make.page(number, tokens=(1,)) for number in range(600)]
        await store.write(pages)
        await store.write([replace(it, withdrawn_at=make.NOON) for it in pages[:withdrawn]])
    statements: list[str] = []
    with closing(sqlite3.connect(path)) as file:
        file.set_trace_callback(statements.append)
        found = stories.sharing(file, TOPIC, [1], most=64)
    assert found == {1: [it.url for it in pages[withdrawn : withdrawn + 65]]}
    # The numbers of pages whose addresses were looked up.
    numbers = [re.search(r"FROM json_each\('\[([\d,]+)\]'\)", it) for it in statements]
    read = [len(it[1].split(",")) for it in numbers if it and "json_group_object" in it.string]
    assert sum(read) <= most_read

"""Files of other programs, other versions or in use are refused clearly and left unchanged."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.frontier.contract_suite import NOW, a_link, an_id, popped_paths
from topiccrawl.frontier.contract import FrontierSize
from topiccrawl.frontier.errors import FileFault, FrontierFileError
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.paths import frontier_path
from topiccrawl.frontier.sqlite import locks
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.frontier.sqlite.schema import FORMAT_VERSION
from topiccrawl.frontier.sqlite.views import read_size

#: No worker dies by silence alone.
LONG = FrontierLimits(worker_seconds=1e9)


def opened(path: Path, limits: FrontierLimits = LONG) -> SQLiteFrontier:
    return SQLiteFrontier(path, limits, clock=lambda: NOW)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "侨情.frontier"


@pytest.fixture
def filled(path: Path) -> Path:
    with closing(opened(path)) as frontier:
        frontier.push([a_link(str(i), -float(i), anchor="侨" * 200) for i in range(500)])
    return path


def changed(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(sql)
        connection.commit()


def test_a_file_that_may_not_be_written_is_refused_at_start_with_what_denies_it(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log file that another user made; a real read-only connection, as root may write everything."""
    shared = filled.with_name(f"{filled.name}-shm")
    shared.touch()
    connect, access = sqlite3.connect, os.access

    def read_only(_: object, **options: Any) -> sqlite3.Connection:
        address = f"{filled.as_uri()}?mode=ro"
        return connect(address, **options | {"uri": True})  # type: ignore[no-any-return]

    def may(path: Path, mode: int) -> bool:
        return (path, mode) != (shared, os.W_OK) and access(path, mode)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    monkeypatch.setattr(os, "access", may)
    with pytest.raises(FrontierFileError, match="no permission to write") as raised:
        opened(filled)
    assert raised.value.reason is FileFault.UNUSABLE
    assert str(raised.value).endswith(f"no permission to write {shared})")


# -- reading only --------------------------------------------------------------------------------


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_queue_that_nobody_uses_is_counted_without_a_trace(filled: Path) -> None:
    before = contents(filled.parent)
    assert read_size(filled).queued == 500
    assert contents(filled.parent) == before


def test_a_queue_in_use_is_counted_beside_its_workers(filled: Path) -> None:
    with closing(opened(filled)) as frontier:
        popped_paths(frontier, n=1)
        assert read_size(filled) == FrontierSize(499, 0, 1, 0, 0, 1, elsewhere=1)
        assert len(list(filled.parent.glob("*-worker-*"))) == 1


@pytest.mark.parametrize("content", [None, b"", b"no queue" * 600])
def test_what_is_no_queue_is_refused_by_readers_and_left_alone(
    path: Path, content: bytes | None
) -> None:
    if content is not None:
        path.write_bytes(content)
    before = contents(path.parent)
    with pytest.raises(FrontierFileError):
        read_size(path)
    assert contents(path.parent) == before


@pytest.mark.parametrize("refused", ["file", "folder"])
def test_where_nothing_may_be_written_the_queue_is_only_read(
    filled: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    config: Any = SimpleNamespace(
        frontier_backend="sqlite", frontier_dir=str(filled.parent), store_uri="sqlite:///a.sqlite"
    )
    queue = frontier_path("侨情", config)
    filled.rename(queue)
    refused_path = queue if refused == "file" else queue.parent
    monkeypatch.setattr(os, "access", lambda file, mode: Path(file) != refused_path)
    before = contents(queue.parent)
    size = frontier_backend(config).size("侨情")
    assert size is not None
    assert size.queued == 500
    assert contents(queue.parent) == before


# -- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [FORMAT_VERSION + 1, 0])
def test_a_file_of_another_version_is_refused_with_both_versions(
    filled: Path, version: int
) -> None:
    changed(filled, f"PRAGMA user_version = {version}")
    before = filled.read_bytes()
    with pytest.raises(FrontierFileError) as refused:
        opened(filled)
    assert refused.value.reason is FileFault.OTHER_FORMAT
    for part in (str(filled), f"format {version}", f"format {FORMAT_VERSION}"):
        assert part in str(refused.value)
    assert filled.read_bytes() == before


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    changed(path, "CREATE TABLE links (precious)")
    before = path.read_bytes()
    with pytest.raises(FrontierFileError, match=r"侨情\.frontier.*another program"):
        opened(path)
    with pytest.raises(FrontierFileError, match="not be erased"):
        SQLiteFrontier.erase(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_text("notes\n" * 100)
    with pytest.raises(FrontierFileError, match=r"侨情\.frontier.*not a SQLite database"):
        opened(path)
    with pytest.raises(FrontierFileError, match="not be erased"):
        SQLiteFrontier.erase(path)
    assert path.read_text() == "notes\n" * 100


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(FrontierFileError, match=r"data.topic\.frontier.*folder cannot be created"):
        opened(tmp_path / "data" / "topic.frontier")


def test_a_file_cut_short_is_refused_as_damaged(filled: Path) -> None:
    data = filled.read_bytes()
    filled.write_bytes(data[: len(data) // 8])
    with pytest.raises(FrontierFileError, match=r"侨情\.frontier.*damaged"):
        opened(filled)


def test_damage_that_shows_later_is_reported_as_damage(filled: Path) -> None:
    page = 4096
    data = bytearray(filled.read_bytes())
    with closing(sqlite3.connect(filled)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'ids'"
        ).fetchone()
    data[(root - 1) * page : root * page] = b"\xee" * page
    filled.write_bytes(data)
    with (
        closing(opened(filled)) as frontier,
        pytest.raises(FrontierFileError, match=r"侨情\.frontier.*damaged") as refused,
    ):
        frontier.push([a_link("new", 1.0)])
    assert refused.value.reason is FileFault.DAMAGED


@pytest.mark.parametrize("missing", ["TABLE counts", "TABLE journal", "INDEX best"])
def test_a_table_or_index_that_is_missing_counts_as_damage(filled: Path, missing: str) -> None:
    changed(filled, f"DROP {missing}")
    with pytest.raises(FrontierFileError, match=rf"侨情\.frontier.*damaged.*{missing[6:]}"):
        opened(filled)


def test_a_file_that_is_no_longer_there_is_noticed_by_the_next_heartbeat(filled: Path) -> None:
    with closing(opened(filled)) as frontier:
        frontier.heartbeat(NOW)
        filled.rename(filled.with_name("elsewhere"))
        with pytest.raises(FrontierFileError, match="moved") as raised:
            frontier.heartbeat(NOW)
    assert raised.value.reason is FileFault.UNUSABLE


def test_an_empty_file_becomes_a_frontier(path: Path) -> None:
    path.touch()
    with closing(opened(path)) as frontier:
        frontier.push([a_link("1", 1.0)])
        assert frontier.size().queued == 1


# -- opening again and erasing -------------------------------------------------------------------


def test_a_frontier_goes_on_where_it_was_closed(path: Path) -> None:
    with closing(opened(path)) as frontier:
        frontier.push([a_link(str(i), -float(i)) for i in range(4)])
        popped_paths(frontier, n=2)
        frontier.ack([an_id("1")])
    with closing(opened(path)) as frontier:
        assert frontier.size() == FrontierSize(3, 0, 0, 1, 0, 1)
        assert popped_paths(frontier) == ["0", "2", "3"]


def test_a_size_limit_may_be_new_to_a_file(filled: Path) -> None:
    with closing(opened(filled, FrontierLimits(max_links=100))) as frontier:
        frontier.push([a_link("new", 1.0)])
        assert frontier.size().queued == 100
        assert popped_paths(frontier, n=2) == ["new", "0"]


def test_a_closed_frontier_leaves_one_file(filled: Path) -> None:
    assert list(filled.parent.iterdir()) == [filled]


def test_erasing_begins_afresh(filled: Path) -> None:
    SQLiteFrontier.erase(filled)
    assert list(filled.parent.iterdir()) == []
    SQLiteFrontier.erase(filled)
    with closing(opened(filled)) as frontier:
        assert frontier.size() == FrontierSize(0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("harm", ["PRAGMA user_version = 99", "DROP TABLE counts"])
def test_what_cannot_be_opened_can_be_erased(filled: Path, harm: str) -> None:
    changed(filled, harm)
    SQLiteFrontier.erase(filled)
    with closing(opened(filled)) as frontier:
        assert frontier.size() == FrontierSize(0, 0, 0, 0, 0, 0)


def test_a_frontier_in_use_is_not_erased(path: Path) -> None:
    with closing(opened(path)) as frontier:
        frontier.push([a_link("1", 1.0)])
        with pytest.raises(FrontierFileError, match="other workers are using it"):
            SQLiteFrontier.erase(path)
        assert popped_paths(frontier) == ["1"]
    SQLiteFrontier.erase(path)


# -- locks ---------------------------------------------------------------------------------------

if sys.platform == "win32":
    pytest.skip("Windows has no locks that go with a process", allow_module_level=True)


@pytest.fixture
def abandoned(path: Path) -> Iterator[Path]:
    """A frontier whose only worker released its lock without closing; it holds 1 and leads."""
    frontier = opened(path)
    frontier.push([a_link("1", 2.0), a_link("2", 1.0)])
    popped_paths(frontier, n=1)
    assert frontier.try_lead(NOW)
    frontier._workers.release()
    yield path
    frontier._file.close()


def test_a_dead_worker_s_links_return_when_the_file_is_opened(abandoned: Path) -> None:
    with closing(opened(abandoned)) as frontier:
        assert popped_paths(frontier) == ["1", "2"]
        assert frontier.try_lead(NOW)


def test_a_dead_worker_s_links_return_at_the_next_reap(path: Path) -> None:
    with closing(opened(path)) as other:
        frontier = opened(path)
        frontier.push([a_link("1", 2.0)])
        popped_paths(frontier)
        assert frontier.try_lead(NOW)
        assert other.reap(NOW) == 0
        assert not other.try_lead(NOW)
        frontier._workers.release()
        assert other.try_lead(NOW)
        assert other.reap(NOW) == 1
        assert popped_paths(other) == ["1"]
        frontier._file.close()


def test_locks_of_the_dead_are_cleared_away(abandoned: Path) -> None:
    left = abandoned.with_name(f"{abandoned.name}-worker-0123")  # killed before it was registered
    left.touch()
    with closing(opened(abandoned)):
        assert not left.exists()
        assert len(list(abandoned.parent.glob("*-worker-*"))) == 1
    assert not list(abandoned.parent.glob("*-worker-*"))


def test_a_lock_is_held_as_long_as_its_worker_lives(path: Path) -> None:
    lock = locks.WorkerLock(path)
    assert locks.is_held(path, lock.token)
    assert locks.any_held(path)
    locks.sweep(path)
    assert locks.is_held(path, lock.token)
    lock.release()
    lock.release()
    assert not locks.is_held(path, lock.token)
    assert not locks.any_held(path)

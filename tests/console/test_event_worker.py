"""The process that computes events: it ends with its console, and works alone on a store."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.console_server import console, fill
from tests.support.told_stories import TOPIC, told
from tests.support.waiting import wait_until
from tests.support.waiting_store import WaitingStore
from topiccrawl.children import import_path
from topiccrawl.console.paths import topic_path
from topiccrawl.console.stories import event_tables
from topiccrawl.console.stories.event_worker import BUSY, UNREADABLE, lock_file

#: Asks for the events of a store as a console does, and waits for them.
CONSOLE = """
import asyncio, sys
from topiccrawl.console.stories.event_tables import ask_worker
asyncio.run(ask_worker(sys.argv[1], "侨务"))
"""
#: Waits for the lock of a file.
LOCK = "import fcntl, sys; fcntl.flock(open(sys.argv[1]), fcntl.LOCK_EX)"
WORKER = (sys.executable, "-m", "topiccrawl.console.stories.event_worker")


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", import_path())


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


@contextmanager
def working(pipe: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a console whose worker has opened its store and waits."""
    process = subprocess.Popen([sys.executable, "-c", CONSOLE, address(pipe)])
    try:
        assert pipe.read_text() == "open\n"
        yield process
    finally:
        process.kill()
        process.wait()


def address(pipe: Path) -> str:
    return f"{WaitingStore.__module__}.{WaitingStore.__name__}://{pipe}"


def asked(uri: str) -> subprocess.CompletedProcess[bytes]:
    """Run a worker to its end."""
    request = json.dumps({"uri": uri, "topic": TOPIC}).encode() + b"\n"
    with subprocess.Popen(WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Timer(60, process.kill)
        late.start()
        process.stdin.write(request)
        process.stdin.flush()
        answer = process.stdout.read()
        late.cancel()
        return subprocess.CompletedProcess(WORKER, process.wait(), answer)


def test_the_worker_ends_when_its_console_is_killed(pipe: Path) -> None:
    with working(pipe) as console:
        console.kill()
        # The lock can be had when the worker has ended.
        words = [sys.executable, "-c", LOCK, str(lock_file(address(pipe)))]
        assert subprocess.run(words, timeout=30).returncode == 0


def test_a_second_worker_for_the_same_store_ends_at_once(pipe: Path) -> None:
    with working(pipe):
        assert asked(address(pipe)).returncode == BUSY


@pytest.mark.parametrize("readable", [True, False])
def test_a_worker_leaves_no_lock_file(tmp_path: Path, readable: bool) -> None:
    uri = fill(tmp_path / "pages.sqlite", lambda store: store.write(told()))
    if not readable:
        (tmp_path / "pages.sqlite").write_bytes(b"no database " * 200)
    assert asked(uri).returncode == (0 if readable else UNREADABLE)
    assert not lock_file(uri).exists()


def test_a_worker_for_another_store_works_beside_the_first(pipe: Path, tmp_path: Path) -> None:
    uri = fill(tmp_path / "pages.sqlite", lambda store: store.write(told()))
    with working(pipe):
        found = asked(uri)
    assert found.returncode == 0
    assert json.loads(found.stdout)["pages"] == 3


def test_the_log_names_a_store_by_what_the_user_gave(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = tmp_path / "pages.sqlite"
    uri = fill(store, lambda store: store.write(told()))
    with console(uri, options=Namespace(store=str(store))) as desk:
        store.write_bytes(b"no database " * 200)

        def is_logged() -> bool:
            # Once is not enough: the console may have read the store in advance.
            desk.get(topic_path(TOPIC, "trends"))
            return f"--store names the SQLite file {store}" in caplog.text

        wait_until(is_logged)
    assert "TOPICCRAWL_STORE_URI" not in caplog.text


def test_a_store_that_cannot_be_read_is_a_reason_in_the_log_and_no_traceback(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store, broken = tmp_path / "pages.sqlite", tmp_path / "broken.sqlite"
    uri = fill(store, lambda store: store.write(told()))
    broken.write_bytes(b"no database " * 200)
    # The console notices by itself what happens to its own file.
    ask = event_tables.ask_worker
    monkeypatch.setattr(
        event_tables, "ask_worker", lambda _, topic: ask(f"sqlite:///{broken}", topic)
    )
    with console(uri, options=Namespace(store=str(store))) as desk:
        desk.get(topic_path(TOPIC, "events"))
        wait_until(lambda: "were not computed" in caplog.text)
    assert f"--store names the SQLite file {broken}: it is not a SQLite database" in caplog.text
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("sqlite:///a/../pages.sqlite", "sqlite:///pages.sqlite"),
        ("mongodb://me:secret@db.example/pages", "mongodb://db.example/pages?w=1"),
    ],
)
def test_one_store_has_one_lock_however_its_address_is_written(first: str, second: str) -> None:
    assert lock_file(first) == lock_file(second)
    assert lock_file(first) != lock_file(first + "2")
    assert "secret" not in str(lock_file(first))

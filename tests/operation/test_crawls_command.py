"""What ``scrapy crawls`` prints of a crawl that is in trouble."""

from __future__ import annotations

import json
import os
import time
from argparse import Namespace
from contextlib import closing
from pathlib import Path

import pytest
from scrapy.settings import Settings

from tests.support.redis_support import needs_redis, running
from topiccrawl.actions.crawls import crawls
from topiccrawl.crawl.runs.folder import RunFiles
from topiccrawl.crawl.runs.state import LogEntry, RunState
from topiccrawl.frontier.redis.frontier import RedisFrontier
from topiccrawl.sharedfiles import HeldLock


def options(tmp_path: Path) -> Namespace:
    """The options of a user who asks for no crawl in particular."""
    return Namespace(store=f"sqlite:///{tmp_path}/a.sqlite", run="", wanted=None, json=False)


def list_with_a_worker_of_this_process(tmp_path: Path) -> None:
    """List the crawls while this process takes part in a queue in Redis."""
    with running(tmp_path) as server:
        settings = Settings({"TOPICCRAWL_FRONTIER_BACKEND": "redis", "REDIS_URL": server.url})
        with closing(RedisFrontier(server.client(), "侨情")) as frontier:
            frontier.heartbeat(frontier.clock())
            assert crawls([], options(tmp_path), settings) == 0


@needs_redis
def test_workers_of_a_shared_queue_on_other_machines_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opts = options(tmp_path)
    with running(tmp_path) as server:
        settings = Settings({"TOPICCRAWL_FRONTIER_BACKEND": "redis", "REDIS_URL": server.url})
        assert crawls([], opts, settings) == 1, "nobody is at work"
        capsys.readouterr()
        with closing(RedisFrontier(server.client(), "茶:艺*", worker="node7-12-ab")) as frontier:
            frontier.heartbeat(frontier.clock())
            assert crawls([], opts, settings) == 0
            shown = capsys.readouterr().out
            assert shown.startswith("node7-12-ab 茶:艺* on another machine, last heartbeat ")
            assert crawls(["茶:艺*"], opts, settings) == 0
            capsys.readouterr()
            opts.json = True
            assert crawls([], opts, settings) == 0
            assert json.loads(capsys.readouterr().out)["name"] == "node7-12-ab"
            assert crawls(["侨情"], opts, settings) == 1
            opts.json, opts.wanted = False, "stop"
            assert crawls([], opts, settings) == 1, "only crawls of this machine are asked"
        capsys.readouterr()
    opts.wanted = None
    assert crawls([], opts, settings) == 1
    assert "REDIS_URL" in capsys.readouterr().err, "the server is away"


@needs_redis
def test_a_killed_worker_of_this_machine_is_not_listed_as_one_of_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "crawls").mkdir()
    files = RunFiles(tmp_path / "crawls", "r1")
    files.write(
        RunState(
            run="r1", topic="侨情", pid=os.getpid(), started_at=time.time() - 60,
            updated_at=time.time(), phase="running",
        )
    )  # fmt: skip
    HeldLock(files.path(".lock")).release()
    list_with_a_worker_of_this_process(tmp_path)
    shown = capsys.readouterr().out
    assert "killed" in shown
    assert "another machine" not in shown


@needs_redis
def test_a_worker_of_another_data_folder_is_said_to_be_on_this_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    list_with_a_worker_of_this_process(tmp_path)
    shown = capsys.readouterr().out
    assert f"on this machine, without a state in {tmp_path}/crawls" in shown
    assert "another machine" not in shown


def test_without_crawls_a_user_who_asked_for_none_in_particular_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opts = options(tmp_path)
    assert crawls([], opts, Settings()) == 1
    assert "no crawl has left its state in" in capsys.readouterr().err
    assert crawls(["侨情"], opts, Settings()) == 1
    assert "侨情: no such crawl" in capsys.readouterr().err
    opts.run = "20240501T000000-00000001"
    assert crawls([], opts, Settings()) == 1
    assert "20240501T000000-00000001: no such crawl" in capsys.readouterr().err


def test_a_running_crawl_shows_what_it_waits_for_and_its_last_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "crawls").mkdir()
    files = RunFiles(tmp_path / "crawls", "r1")
    problems = (
        LogEntry(1_780_000_000.0, "WARNING", "x", "The store is unavailable"),
        LogEntry(1_780_000_600.0, "WARNING", "x", "Redis is away"),
    )
    waits = "nothing can be fetched until 12:00:00"
    now = time.time()
    files.write(
        RunState(
            run="r1", topic="侨情", pid=1, started_at=1_780_000_000.0, updated_at=now,
            phase="waiting", waits_for=waits, problems=problems, interval=2.0,
        )
    )  # fmt: skip
    opts = Namespace(store=f"sqlite:///{tmp_path}/a.sqlite", run="", wanted=None, json=False)
    lock = HeldLock(files.path(".lock"))
    assert crawls([], opts, Settings()) == 0
    lock.release()
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].endswith("since 2026-05-29 04:26 (UTC+8)")
    assert shown[1:] == [f"    {waits}", "    2026-05-29 04:36 (UTC+8) WARNING: Redis is away"]
    assert crawls([], opts, Settings()) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1, "it is dead now"


def test_revisits_are_shown_and_the_rate_is_named_as_that_of_the_first_judgments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "crawls").mkdir()
    RunFiles(tmp_path / "crawls", "r1").write(
        RunState(
            run="r1", topic="侨情", pid=1, started_at=1.0, updated_at=2.0, phase="ended", visits=110,
        )
    )  # fmt: skip
    opts = Namespace(store=f"sqlite:///{tmp_path}/a.sqlite", run="", wanted=None, json=False)
    assert crawls([], opts, Settings()) == 0
    shown = capsys.readouterr().out
    assert "harvest rate 0.0% as first judged" in shown
    assert ", 110 revisits" in shown


def test_a_crawl_that_is_asked_to_pause_is_shown_as_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "crawls").mkdir()
    files = RunFiles(tmp_path / "crawls", "r1")
    now = time.time()
    files.write(
        RunState(
            run="r1", topic="侨情", pid=1, started_at=now, updated_at=now, phase="running",
            interval=2.0,
        )
    )  # fmt: skip
    opts = Namespace(store=f"sqlite:///{tmp_path}/a.sqlite", run="", wanted="pause", json=False)
    lock = HeldLock(files.path(".lock"))
    assert crawls([], opts, Settings()) == 0
    assert "will pause" in capsys.readouterr().out
    opts.json, opts.wanted = True, "stop"
    assert crawls([], opts, Settings()) == 0
    assert json.loads(capsys.readouterr().out)["wanted"] == "stop"
    lock.release()


def test_a_folder_that_cannot_be_read_is_an_error_and_not_an_empty_one(tmp_path: Path) -> None:
    folder = tmp_path / "control"
    opts = Namespace(store=f"sqlite:///{tmp_path}/a.sqlite", run="", wanted=None, json=False)
    settings = Settings({"TOPICCRAWL_CONTROL_DIR": str(folder)})
    assert crawls([], opts, settings) == 1, "there is none yet"
    folder.touch()
    with pytest.raises(NotADirectoryError):
        crawls([], opts, settings)

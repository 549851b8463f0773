"""``scrapy alerts``: rounds, tests of channels, lists and feeds."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from scrapy.settings import Settings

from tests.support import crawl_runs
from tests.support.project import make_project
from tests.support.receivers import TOKEN, Receiver, receiving
from tests.support.store_records import TOPIC, in_loop
from tests.support.watched import NOW, collection, found, run
from topiccrawl.actions import alerts as actions
from topiccrawl.actions.alerts import alerts as watch
from topiccrawl.alerts.service import AlertService, Round
from topiccrawl.errors import StoreUnavailable
from topiccrawl.store.contract import Store
from topiccrawl.store.factory import opened_store

ROOT = Path(__file__).parents[2]
RULES = """
link = "http://127.0.0.1:6880/"
[[channels]]
name = "desk"
kind = "webhook"
url_env = "DESK_URL"
[[rules]]
name = "r"
kind = "words"
words = ["领事保护"]
"""


@pytest.fixture
def hook() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a store and a file of rules."""

    @in_loop
    async def fill() -> None:
        async with collection(f"sqlite:///{tmp_path}/pages.sqlite") as store:
            pages = [found(i, NOW, title=f"领事保护第{i}号\x1b[31m") for i in range(3)]
            await store.write(pages=pages, runs=[run(1, NOW, NOW)])

    fill()
    make_project(tmp_path, TOPIC)
    (tmp_path / "alerts.toml").write_text(RULES, encoding="utf-8")
    return tmp_path


def alerts(folder: Path, url: str, *words: str) -> tuple[int, str, str]:
    """Run ``scrapy alerts``; return exit code, output and errors."""
    environment = {
        **os.environ,
        "DESK_URL": f"{url}/{TOKEN}",
        "LANGUAGE": "en",
        "PYTHONPATH": str(ROOT),
    }
    given = ["alerts", TOPIC, "--store", f"sqlite:///{folder}/pages.sqlite", *words]
    done = crawl_runs.scrapy(given, environment, cwd=folder)
    assert TOKEN not in done.stdout + done.stderr
    return done.returncode, done.stdout, done.stderr


def test_check_shows_and_a_round_sends_what_a_second_round_does_not(
    folder: Path, hook: Receiver
) -> None:
    file = ("--file", str(folder / "alerts.toml"))
    code, out, _err = alerts(folder, hook.url, *file, "--check")
    assert code == 0
    assert "3 warnings since" in out
    assert hook.posted == []
    code, out, _err = alerts(folder, hook.url, *file)
    assert (code, len(hook.posted)) == (0, 1)
    assert "3 new warnings, 1 message sent" in out
    assert "\x1b" not in out
    code, out, _err = alerts(folder, hook.url, *file, "--feed", str(folder / "feed.atom"))
    assert (code, len(hook.posted)) == (0, 1)
    feed = ElementTree.parse(folder / "feed.atom").getroot()
    assert len(feed.findall("{http://www.w3.org/2005/Atom}entry")) == 3
    code, out, _err = alerts(folder, hook.url, *file, "--list", "--feed", str(folder / "list.atom"))
    assert (folder / "list.atom").read_bytes() == (folder / "feed.atom").read_bytes()
    for more in ((), ("--list",)):
        code, out, err = alerts(folder, hook.url, *file, *more, "--feed", "-")
        assert out.encode() == (folder / "feed.atom").read_bytes()
        assert "领事保护" in err or "0 new warnings" in err
    code, out, _err = alerts(folder, hook.url, "--list", "--json")
    listed = json.loads(out)
    assert [it["deliveries"][0]["state"] for it in listed] == ["sent"] * 3
    code, out, _err = alerts(folder, hook.url, "--list", "--limit", "2")
    assert len(out.splitlines()) == 2
    assert "desk sent" in out


def test_a_test_message_goes_to_the_channel_that_is_named(folder: Path, hook: Receiver) -> None:
    file = ("--file", str(folder / "alerts.toml"))
    assert alerts(folder, hook.url, *file, "--test", "desk")[:2] == (0, "desk: sent\n")
    code, _out, err = alerts(folder, hook.url, *file, "--test", "nobody")
    assert code == 1
    assert "'nobody'; there are: desk" in err
    hook.answer = lambda _posted: (401, {}, b"")
    code, _out, err = alerts(folder, hook.url, *file, "--test", "all")
    assert code == 1
    assert "desk: the server answers with status 401" in err


def test_a_test_without_channels_says_that_there_are_none(folder: Path, hook: Receiver) -> None:
    (folder / "none.toml").write_text(
        '[[rules]]\nname = "侨务"\nkind = "words"\nwords = ["侨务"]\n', "utf-8"
    )
    for name in ("all", "desk"):
        code, _out, err = alerts(
            folder, hook.url, "--file", str(folder / "none.toml"), "--test", name
        )
        assert code == 1
        assert "name no channel that could be tested" in err


def test_wrong_options_are_named(folder: Path, hook: Receiver) -> None:
    assert "TOPICCRAWL_ALERTS" in alerts(folder, hook.url)[2]
    file = ("--file", str(folder / "alerts.toml"))
    for wrong in ("0", "1e9", "nan"):
        shown = alerts(folder, hook.url, *file, "--every", wrong)[2]
        assert "--every must be 1 to 10,000,000 seconds, got " in shown
    assert "--since" in alerts(folder, hook.url, *file, "--since", "soon")[2]
    missing = alerts(folder, hook.url, "--file", "gone.toml")[2]
    assert missing.startswith("topiccrawl: gone.toml")
    of_setting = alerts(folder, hook.url, "-s", "TOPICCRAWL_ALERTS=gone.toml")[2]
    assert of_setting == missing.replace("gone.toml", "TOPICCRAWL_ALERTS: gone.toml", 1)


def test_a_message_that_is_refused_gives_exit_code_1(folder: Path, hook: Receiver) -> None:
    hook.answer = lambda _posted: (500, {}, b"")
    code, out, err = alerts(folder, hook.url, "--file", str(folder / "alerts.toml"))
    assert code == 1
    assert "3 new warnings" in out
    assert "desk: the server answers with status 500" in err


def test_repeated_rounds_go_on_when_the_store_is_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results: Iterator[Round | Exception] = iter(
        [StoreUnavailable("it has left"), Round(), UserEndsItError()]
    )
    asked: list[datetime | None] = []

    async def scripted_round(
        self: AlertService, *, since: datetime | None = None, more: object = None
    ) -> Round:
        asked.append(since)
        result = next(results)
        if isinstance(result, Exception):
            raise result
        return result

    monkeypatch.setattr(AlertService, "round", scripted_round)
    monkeypatch.setenv("DESK_URL", "http://127.0.0.1/")
    opts = argparse.Namespace(
        every=1.0, limit=10, since="2024-05-01", list=False, feed=None, check=False, test=None,
        json=False, file=str(folder / "alerts.toml"), store=f"sqlite:///{folder}/pages.sqlite",
    )  # fmt: skip
    with pytest.raises(UserEndsItError):
        asyncio.run(watch([TOPIC], opts, Settings()))
    said = capsys.readouterr()
    assert "the store does not answer: it has left" in said.err
    assert "0 new warnings" in said.out
    assert asked == [asked[0], asked[0], None], "what was asked for is made up for"


class UserEndsItError(Exception):
    """Stands for Ctrl+C."""


def watch_between(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    hook: Receiver,
    *steps: Callable[[], object],
    feed: str | None = None,
) -> None:
    """Make rounds with one of *steps* after each, until the last one has been made."""
    left = iter(steps)

    async def sleep(seconds: float) -> None:
        step = next(left, None)
        if step is None:
            raise UserEndsItError
        step()

    monkeypatch.setattr(actions, "asyncio", SimpleNamespace(sleep=sleep))
    monkeypatch.setenv("DESK_URL", f"{hook.url}/{TOKEN}")
    opts = argparse.Namespace(
        every=1.0, limit=10, since=None, list=False, feed=feed, check=False, test=None, json=False,
        file=str(folder / "alerts.toml"), store=f"sqlite:///{folder}/pages.sqlite",
    )  # fmt: skip
    with pytest.raises(UserEndsItError):
        asyncio.run(watch([TOPIC], opts, Settings()))


def test_rounds_go_on_with_the_file_that_stands_in_the_place_of_the_store(
    folder: Path,
    hook: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, away = folder / "pages.sqlite", folder / "away.sqlite"

    def bring_back() -> None:
        away.rename(file)
        with ThreadPoolExecutor(1) as thread:  # the loop of this one runs
            thread.submit(write_another).result()

    @in_loop
    async def write_another() -> None:
        async with collection(f"sqlite:///{file}") as store:
            await store.write(pages=[found(7, datetime.now(UTC), title="领事保护第7号")])

    watch_between(monkeypatch, folder, hook, lambda: file.rename(away), bring_back)
    said = capsys.readouterr()
    assert said.err.count("the store does not answer") == 1
    assert [it.split(",")[0] for it in said.out.splitlines() if " sent, " in it] == [
        "3 new warnings", "1 new warning",
    ]  # fmt: skip
    assert not away.exists(), "nothing is created in its place"


def test_rounds_begin_when_a_store_that_is_away_at_the_start_is_back(
    folder: Path,
    hook: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    refusals = iter([StoreUnavailable("it has left")])

    def unsteady(uri: str, **options: bool) -> AbstractAsyncContextManager[Store]:
        for error in refusals:
            raise error
        return opened_store(uri, **options)

    monkeypatch.setattr(actions, "opened_store", unsteady)
    watch_between(monkeypatch, folder, hook, lambda: None)
    said = capsys.readouterr()
    assert "the store does not answer: it has left" in said.err
    assert "3 new warnings" in said.out


def test_check_needs_no_secrets_and_says_which_are_missing(folder: Path) -> None:
    file = folder / "alerts.toml"
    quiet = '[[rules]]\nname = "quiet"\nkind = "words"\nwords = ["撤侨"]\n'
    file.write_text(RULES.replace("DESK_URL", "NOT_SET") + quiet, encoding="utf-8")
    code, out, err = alerts(folder, "", "--file", str(file), "--check")
    assert code == 1
    assert "3 warnings since" in out
    assert [line.split()[:2] for line in out.splitlines()[1:3]] == [["3", "r"], ["0", "quiet"]]
    assert "channels[0].url_env names the environment variable NOT_SET" in err
    code, out, err = alerts(folder, "", "--file", str(file), "--check", "--json")
    assert [it["kind"] for it in json.loads(out)] == ["story"] * 3
    code, out, err = alerts(folder, "", "--file", str(file))
    assert (code, out) == (1, "")


def test_a_message_that_failed_waits_and_an_empty_list_says_so(folder: Path) -> None:
    code, out, err = alerts(folder, "", "--list")
    assert (code, out, err) == (0, "", "no warnings are recorded\n")
    code, out, err = alerts(folder, "http://127.0.0.1:1", "--file", str(folder / "alerts.toml"))
    assert code == 1
    assert "0 messages sent, 1 wait" in out
    assert "1 message could not be sent" in err


def test_rounds_go_on_when_the_disk_of_the_feed_is_full(
    folder: Path,
    hook: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    feed = folder / "feed.atom"
    feed.symlink_to("/dev/full")

    def make_room() -> None:
        feed.unlink()

    watch_between(monkeypatch, folder, hook, make_room, feed=str(feed))
    said = capsys.readouterr()
    assert said.err.count("No space left on device: ") == 1
    assert said.err.rstrip().endswith("feed.atom")
    assert "<feed" in feed.read_text("utf-8")


def test_a_feed_in_a_folder_that_is_not_there_is_named_before_anything_is_sent(
    folder: Path, hook: Receiver
) -> None:
    file = ("--file", str(folder / "alerts.toml"))
    for more in ((), ("--every", "60")):
        code, out, err = alerts(folder, hook.url, *file, "--feed", "nowhere/feed.atom", *more)
        assert (code, out) == (1, "")
        assert "nowhere/feed.atom" in err
    assert hook.posted == []

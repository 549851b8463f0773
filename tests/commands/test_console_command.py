"""``scrapy console`` as a process: what it prints, whom it answers, how it ends."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.command_line import run_command, sqlite_store
from tests.support.console_server import fill
from tests.support.reporting_store import make_outcome, make_page, make_run
from topiccrawl.commands.console import Command

ROOT = Path(__file__).parents[2]
TOKEN = "a-token-of-24-characters"


@pytest.fixture(scope="module")
def uri(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("desk") / "pages.sqlite"
    return fill(path, lambda store: store.write([make_page()], [make_outcome()], [make_run()]))


@contextmanager
def command(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run ``scrapy console`` in an empty folder until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "scrapy", "console", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONUNBUFFERED": "1", "LANGUAGE": "en"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def address(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Return port and path of the address that the command prints when it answers."""
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://[^:/]+:(\d+)(/\S*)", line)
    assert found is not None, line or process.communicate()[1]
    return int(found[1]), found[2]


def status(port: int, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_answers_until_a_signal_and_leaves_no_traceback(uri: str, number: int) -> None:
    with command("--store", uri, "--port", "0") as process:
        port, path = address(process)
        assert (path, status(port, "/")) == ("/", 200)
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
        assert "Traceback" not in errors
        assert process.returncode in (0, 130, -signal.SIGTERM)


def test_for_other_machines_it_makes_a_token_and_prints_it(uri: str) -> None:
    with command("--store", uri, "--port", "0", "--host", "0.0.0.0") as process:
        port, path = address(process)
        assert status(port, "/") == 401
        assert status(port, path) == 303


def test_a_token_of_a_file_is_not_printed(uri: str, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o600)
    with command("--store", uri, "--port", "0", "--token-file", str(file)) as process:
        port, path = address(process)
        assert path == "/"
        assert (status(port, "/"), status(port, f"/?token={TOKEN}")) == (401, 303)


@pytest.mark.parametrize(
    ("content", "mode", "message"),
    [(TOKEN, 0o644, "must have mode 600"), ("short", 0o600, "at least 16 ASCII characters")],
)
def test_a_token_that_others_can_read_or_guess_is_an_error(
    uri: str, tmp_path: Path, content: str, mode: int, message: str
) -> None:
    file = tmp_path / "token"
    file.write_text(content)
    file.chmod(mode)
    with command("--store", uri, "--token-file", str(file)) as process:
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert message in errors
    assert content not in errors.replace(str(file), "")


def test_a_port_that_is_taken_and_a_missing_store_give_one_line(uri: str, tmp_path: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for arguments in (
            ("--store", uri, "--port", port),
            ("--store", f"sqlite:///{tmp_path}/none.sqlite", "--port", "0"),
        ):
            with command(*arguments) as process:
                _, errors = process.communicate(timeout=60)
            assert process.returncode == 1
            assert errors.count("\n") == 1, errors


@pytest.mark.parametrize(
    ("host", "reason"), [("127.0.0.1", "地址已被占用"), ("no.such.invalid", "没有这个主机名")]
)
def test_why_the_console_cannot_listen_is_in_the_language_of_the_user(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    host: str,
    reason: str,
) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        argv = ["--host", host, "--port", str(port)]
        assert run_command(Command(), argv, sqlite_store(tmp_path)) == 1
    assert f"--host {host} --port {port}：{reason}\n" in capfd.readouterr().err

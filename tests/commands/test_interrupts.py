"""Commands that are interrupted: a line, an exit code, and no half-written file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.command_line import sqlite_store
from tests.support.store_records import page
from tests.support.stored import from_store

ROOT = Path(__file__).parents[2]
#: With the exit codes that they are to have: a closed terminal sends SIGHUP.
ended_by_signals = pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGHUP, -signal.SIGHUP)],
)
#: A command that writes half of a file, says so, and takes its time for the other half.
HALF = """
import asyncio, sys, time
from pathlib import Path
from topiccrawl.commandline.errors import exit_code
from topiccrawl.export.atomic import atomic_file

async def write():
    with atomic_file(Path(sys.argv[1])) as stream:
        stream.write(b"half")
        print("begun", flush=True)
        await asyncio.sleep(60)

def write_at_once():
    with atomic_file(Path(sys.argv[1])) as stream:
        stream.write(b"half")
        print("begun", flush=True)
        time.sleep(60)

work = write_at_once if sys.argv[2] == "at once" else lambda: asyncio.run(write())
sys.exit(exit_code(work))
"""
RULES = """
[[rules]]
name = "r"
kind = "words"
words = ["领事保护"]
"""


def ignore_interrupts() -> None:
    """Do what a shell does with commands that a script runs in the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def take_interrupts() -> None:
    """Do what a shell does otherwise, however the tests were started."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@contextmanager
def running(*words: str, in_background: bool = False) -> Iterator[subprocess.Popen[str]]:
    """Run Python with *words*; it is killed at the end if it still runs."""
    process = subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "LANGUAGE": "en"},
        preexec_fn=ignore_interrupts if in_background else take_interrupts,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("way", ["at once", "in a loop"])
@ended_by_signals
def test_a_half_written_file_is_removed(tmp_path: Path, way: str, number: int, code: int) -> None:
    with running("-c", HALF, str(tmp_path / "out.csv"), way) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (code, "topiccrawl: interrupted\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("way", ["at once", "in a loop"])
def test_a_command_that_ignores_interrupts_ends_at_sigterm(tmp_path: Path, way: str) -> None:
    with running("-c", HALF, str(tmp_path / "out.csv"), way, in_background=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (-signal.SIGTERM, "topiccrawl: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_while_modules_are_imported_is_a_line() -> None:
    """It takes seconds: Scrapy has made all commands by then, and imports the spider."""
    words = "from topiccrawl.commands.export import Command; Command(); raise KeyboardInterrupt"
    with running("-c", words) as process:
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (-signal.SIGINT, "topiccrawl: interrupted\n")


@ended_by_signals
def test_rounds_of_warnings_end_with_a_line(tmp_path: Path, number: int, code: int) -> None:
    store = sqlite_store(tmp_path, pages=[page(url="https://a.example/1")])
    (tmp_path / "alerts.toml").write_text(RULES, "utf-8")
    words = ["alerts", "--every", "1000", "--file", str(tmp_path / "alerts.toml"), "--store", store]
    with running("-m", "scrapy", *words) as process:
        assert process.stdout is not None
        assert "new warning" in process.stdout.readline()
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == code
    assert errors.splitlines()[-1] == "topiccrawl: interrupted"
    assert "Traceback" not in errors


@pytest.mark.slow
@ended_by_signals
def test_an_interrupted_demonstration_lets_its_crawl_end(
    tmp_path: Path, number: int, code: int
) -> None:
    words = ["demo", "--out", str(tmp_path), "--size", "150", "-s", "LOG_FILE="]
    words += ["-s", "LOG_LEVEL=DEBUG", "-s", "DOWNLOAD_DELAY=60"]
    with running("-m", "scrapy", *words) as process:
        assert process.stderr is not None
        assert any("DEBUG: Crawled (200)" in line for line in process.stderr)
        process.send_signal(number)
        _, errors = process.communicate(timeout=120)
    assert process.returncode == code
    assert errors.splitlines()[-1] == "topiccrawl: interrupted"
    assert "Spider closed (shutdown)" in errors
    [run] = from_store(f"sqlite:///{tmp_path}/demo.sqlite", lambda store: store.runs("侨情"))
    assert run.stop_reason == "shutdown"


def test_a_command_that_is_to_survive_its_terminal_goes_on(tmp_path: Path) -> None:
    ignoring = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n{HALF}"
    with running("-c", ignoring, str(tmp_path / "out.csv"), "at once") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == -signal.SIGTERM

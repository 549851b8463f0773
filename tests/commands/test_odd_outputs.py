"""Outputs that are no files, streams that are closed, and arguments that are no text."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.command_line import run_command, sqlite_store
from tests.support.store_records import page
from topiccrawl.commandline.command import ActionCommand
from topiccrawl.commandline.errors import exit_code
from topiccrawl.commands.alerts import Command as Alerts
from topiccrawl.commands.brief import Command as Brief
from topiccrawl.commands.export import Command as Export
from topiccrawl.commands.extract import Command as Extract
from topiccrawl.commands.report import Command as Report
from topiccrawl.commands.stories import Command as Stories
from topiccrawl.commands.trends import Command as Trends
from topiccrawl.export.atomic import atomic_file, prepare_folder
from topiccrawl.reporting.scale import china_day


@pytest.fixture
def store(tmp_path: Path) -> str:
    return sqlite_store(tmp_path, pages=[page(url="https://a.example/1")])


def test_a_pipe_is_written_to_and_not_replaced_by_a_file(tmp_path: Path, store: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    argv = ["--out", str(pipe), "--format", "csv", "--fields", "url", "--store", store]
    assert run_command(Export(), argv) == 0
    assert b"https://a.example/1" in reader.communicate(timeout=20)[0]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_the_target_of_a_link_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with atomic_file(tmp_path / "link") as stream:
        stream.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


@pytest.mark.parametrize(
    ("command", "more"),
    [
        (Export(), ()),
        (Trends(), ()),
        (Stories(), ("--table", "pages")),
        (Report(), ("--format", "json")),
        (Brief(), ("--format", "md")),
        (Extract(), ("--format", "jsonl", "page.html")),
        (Alerts(), ("--list",)),
    ],
    ids=lambda it: type(it).__module__.rpartition(".")[2] if isinstance(it, ActionCommand) else "",
)
def test_every_file_that_is_written_may_have_the_day_in_its_name_and_be_in_the_home_folder(
    tmp_path: Path,
    store: str,
    monkeypatch: pytest.MonkeyPatch,
    command: ActionCommand,
    more: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.html").write_text("<title>t</title><p>text", "utf-8")
    option = "--feed" if isinstance(command, Alerts) else "--out"
    given = () if isinstance(command, Extract) else ("--store", store)
    before = set(tmp_path.iterdir())
    first = china_day(datetime.now(UTC))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert run_command(command, [*more, option, "~/侨情-{date}.csv", *given]) == 0
    days = {first, china_day(datetime.now(UTC))}
    [made] = {it.name for it in set(tmp_path.iterdir()) - before if it.suffix == ".csv"}
    assert made in {f"侨情-{day}.csv" for day in days}


#: Writes to a temporary file for the path that is given, says so, and waits to be killed.
HOLDING = """
import sys
from pathlib import Path
from topiccrawl.export.atomic import atomic_file
with atomic_file(Path(sys.argv[1])) as stream:
    stream.write(b"half")
    stream.flush()
    print("writing", flush=True)
    sys.stdin.read()
"""


def test_what_a_killed_export_leaves_is_removed_by_the_next_one_to_the_same_name(
    tmp_path: Path, store: str
) -> None:
    out = tmp_path / "[侨情] pages.csv"
    writers = []
    for name in (out, out, tmp_path / "other.csv"):
        writers.append(
            subprocess.Popen(
                [sys.executable, "-c", HOLDING, str(name)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        )
        assert writers[-1].stdout is not None
        assert writers[-1].stdout.readline() == b"writing\n"
    killed, living, other = writers
    for writer in (killed, other):
        writer.kill()
        writer.wait()
    foreign = [tmp_path / f".{out.name}.tmp", tmp_path / f".{out.name}.mine.tmp"]
    for path in foreign:
        path.write_bytes(b"")
    (tmp_path / f".{out.name}.abcdefgh.tmp").symlink_to(foreign[0])

    def left(name: str) -> int:
        return len([it for it in tmp_path.glob("*.tmp") if it.name.startswith(f".{name}.")])

    assert (left(out.name), left("other.csv")) == (5, 1)
    argv = ["--out", str(out), "--fields", "url", "--store", store]
    assert run_command(Export(), argv) == 0
    # What a living process writes, what others have named and what belongs to another name stays.
    assert (left(out.name), left("other.csv")) == (4, 1)
    assert all(it.exists() for it in foreign)
    living.communicate(b"", timeout=20)
    assert living.returncode == 0
    assert out.read_bytes() == b"half"
    assert left(out.name) == 3


def test_the_folder_of_a_later_output_is_made_or_its_lack_is_named(tmp_path: Path) -> None:
    prepare_folder(tmp_path / "reports" / "2026" / "night.html")
    assert list((tmp_path / "reports" / "2026").iterdir()) == []
    with pytest.raises(OSError, match="/dev/full"):
        prepare_folder(Path("/dev/full/reports/night.html"))
    with pytest.raises(IsADirectoryError):
        prepare_folder(tmp_path / "reports")


def test_a_device_takes_the_export_and_stays_a_device(store: str) -> None:
    out = f"/proc/{os.getpid()}/fd/{os.open(os.devnull, os.O_WRONLY)}"
    argv = ["--out", out, "--format", "xlsx", "--store", store]
    assert run_command(Export(), argv) == 0
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


@pytest.mark.parametrize(
    ("out", "reason"), [("missing/x.csv", "No such file"), ("", "Is a directory")]
)
def test_an_output_that_cannot_be_written_is_named_as_it_was_given(
    tmp_path: Path, store: str, capsys: pytest.CaptureFixture[str], out: str, reason: str
) -> None:
    argv = ["--out", str(tmp_path / out), "--format", "csv", "--store", store]
    assert run_command(Export(), argv) == 1
    assert (
        capsys.readouterr().err.strip()
        == f"topiccrawl: {reason} or directory: {tmp_path / out}".replace(
            "directory or directory", "directory"
        )
    )


def test_a_limit_of_any_size_is_accepted(tmp_path: Path, store: str) -> None:
    argv = ["--out", str(tmp_path / "x.csv"), "--limit", "9" * 30, "--store", store]
    assert run_command(Export(), argv) == 0


def test_an_argument_that_is_no_text_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(Export(), ["\udcff", "--out", "x.csv"]) == 1
    assert "argument 1 must be UTF-8 text, got b'\\xff'" in capsys.readouterr().err


def test_a_file_without_end_is_not_read_to_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("topiccrawl.analysis.extracting.MOST_BYTES", 1_000_000)
    (tmp_path / "zero.html").symlink_to("/dev/zero")
    argv = [str(tmp_path / "zero.html"), "--jsonl", str(tmp_path / "out")]
    assert run_command(Extract(), argv) == 1
    assert "zero.html: more than 1 MB" in capsys.readouterr().err


def test_a_url_that_cannot_be_requested_is_reported_without_its_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["http://me:secret@a:99999/", "--jsonl", str(tmp_path / "out")]
    assert run_command(Extract(), argv) == 1
    error = capsys.readouterr().err
    assert "http://***@a:99999/" in error
    assert "secret" not in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("redirection", "code", "error"),
    [
        (">&-", 1, "topiccrawl: Bad file descriptor"),
        ("2>&-", 0, ""),
        (">/dev/full", 1, "topiccrawl: No space left on device"),
    ],
)
def test_closed_and_full_streams_end_in_one_line(redirection: str, code: int, error: str) -> None:
    done = _shell(f"topics 侨情 {redirection}", PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stderr.strip()) == (code, error)


def test_ascii_streams_get_escape_sequences_in_place_of_chinese() -> None:
    done = _shell("topics 侨情", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u4fa8\\u60c5" in done.stdout


def _shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m scrapy {command}'],
        env={**os.environ, "LANGUAGE": "en", **environment},
        cwd=Path(__file__).parents[2],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_an_error_of_the_queues_file_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> int:
        error = sqlite3.OperationalError("database or disk is full")
        error.add_note("frontier data/a.frontier")
        raise error

    assert exit_code(work) == 1
    assert capsys.readouterr().err == (
        "topiccrawl: the queue cannot be used: OperationalError: database or disk is full "
        "(frontier data/a.frontier)\n"
    )


@pytest.mark.parametrize("words", [("trends",), ("search", "侨务"), ("topics",), ("stories",)])
def test_a_reader_that_leaves_is_no_failure(
    tmp_path: Path, store: str, words: tuple[str, ...]
) -> None:
    source, target = os.pipe()
    os.close(source)
    given = () if words == ("topics",) else ("--store", store)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "topiccrawl", *words, *given],
            cwd=tmp_path,
            env=environment,
            stdout=target,
            stderr=subprocess.PIPE,
            timeout=240,
        )
    finally:
        os.close(target)
    assert (done.returncode, done.stderr) == (0, b"")

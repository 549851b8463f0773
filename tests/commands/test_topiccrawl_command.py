"""The command ``topiccrawl``: what it loads, from where it runs, and how it ends."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: Packages that no analysis of a saved page needs.
NEVER = {
    "aiohttp", "console", "gensim", "jieba", "pandas", "pkg_resources", "pymongo", "redis", "rich", "scipy",
    "scrapy", "sklearn", "sqlite3", "starlette", "twisted", "uvicorn",
}  # fmt: skip
#: Those that reading a page needs, and showing the help does not.
ANALYSIS = {"lxml", "numpy", "opencc", "rjieba"}
PAGE = (
    "<title>侨批展览</title><h1>侨批展览</h1><p>江门侨批档案馆昨日正式开放，展出侨批三千余封。</p>"
)

#: Runs the command and prints what is loaded at its end, here and in a process for pages.
SCRIPT = """
import contextlib, io, json, sys
from pathlib import Path
from topiccrawl.__main__ import main
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()) as output:
    main(sys.argv[1:])
def packages():
    return sorted({name.partition(".")[0] for name in sys.modules})
command = packages()
if "--help" not in sys.argv:
    from topiccrawl.analysis.extracting import PageTask, PageWork
    PageWork("jsonl", "blocks", 3, 10)(PageTask("a", Path("a.html")))
print(json.dumps([command, packages(), output.getvalue()]))
"""


def environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    kept.pop("SCRAPY_SETTINGS_MODULE", None)
    return kept | {"PYTHONPATH": str(ROOT), "LANGUAGE": "en"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.html").write_text(PAGE, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def loaded(*words: str) -> tuple[set[str], set[str], str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    command, work, output = json.loads(done.stdout.splitlines()[-1])
    return set(command), set(work), output


def topiccrawl(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "topiccrawl", *words],
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_help_loads_nothing_that_reads_pages() -> None:
    command, __, output = loaded("extract", "--help")
    assert "--jobs" in output
    assert command & (NEVER | ANALYSIS) == set()


def test_extracting_a_page_loads_no_crawler_and_no_second_dictionary() -> None:
    command, work, __ = loaded("extract", "a.html", "--out", "a.jsonl")
    assert json.loads(Path("a.jsonl").read_text("utf-8"))["title"] == "侨批展览"
    assert command & NEVER == set()
    assert work & NEVER == set()
    assert work >= ANALYSIS


def test_without_keywords_and_summary_no_dictionary_of_words_is_loaded() -> None:
    script = """
import sys
from pathlib import Path
from topiccrawl.analysis.extracting import PageTask, PageWork
for name, most in (("text", 9), ("markdown", 9), ("jsonl", 0)):
    assert "侨批".encode() in PageWork(name, "blocks", most, most)(PageTask("a", Path("a.html")))
print("rjieba" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"


@pytest.fixture(name="web")
def web_server() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path == "/1.html"
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(PAGE.encode() if found else b"")

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_urls_are_fetched_outside_of_any_project_and_keep_their_place(web: str) -> None:
    words = [f"{web}/1.html", "a.html", f"{web}/2.html", f"{web}/1.html?b", "a.html"]
    words += ["-s", "DOWNLOAD_DELAY=0", "-s", "RETRY_ENABLED=False"]
    done = topiccrawl("extract", *words)
    ids = [json.loads(line)["id"] for line in done.stdout.splitlines()]
    assert ids == [f"{web}/1.html", "a", "a"], done.stderr
    assert f"{web}/2.html: HTTP 404" in done.stderr
    assert f"{web}/1.html?b: HTTP 404" in done.stderr
    assert done.returncode == 1


def test_the_other_commands_run_outside_of_any_project() -> None:
    done = topiccrawl("extract", "nothing.html")
    assert (done.returncode, done.stderr.count("\n")) == (1, 2)
    shown = topiccrawl()
    assert shown.returncode == 0
    names = {line.split()[0] for line in shown.stdout.splitlines() if line.startswith("  ")}
    assert {"crawl", "extract", "report"} <= names
    report = topiccrawl("report", "--store", "sqlite:///none.sqlite")
    assert report.returncode == 1
    assert "Traceback" not in report.stderr


def test_a_crawl_proposes_commands_that_work_where_it_was_started(web: str) -> None:
    words = ["crawl", "topic", "-a", "topic=侨批", "-a", f"seeds={web}/1.html,{web}/1.html?b"]
    words += ["-a", "pages=1", "-s", "TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED=127.0.0.1"]
    done = topiccrawl(*words)
    last = done.stderr.rstrip().splitlines()[-1]
    assert re.fullmatch(r"  continue: (\S*/)?topiccrawl crawl topic -a topic=侨批 .*", last), (
        done.stderr
    )


#: Whoever starts the tests in the background of a shell starts them with SIGINT ignored.
INTERRUPTIBLE = """
import signal
import sys

from topiccrawl.__main__ import main

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main())
"""


def test_ctrl_c_ends_the_processes_and_leaves_no_half_file(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "b.html").write_text(f"wait {folder / 'pipe'}", "utf-8")
    words = ["extract", "b.html", "a.html", "--jobs", "2", "--out", "out.jsonl"]
    words += ["--extractor", "tests.support.odd_extractors.Obedient"]
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, *words],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert (folder / "pipe").read_text("utf-8") == "waiting"
        os.killpg(process.pid, signal.SIGINT)
        # The pipes end when the processes have ended, too.
        out, errors = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert errors == "topiccrawl: interrupted: out.jsonl is not written\n"
    assert sorted(path.name for path in folder.iterdir()) == ["a.html", "b.html", "pipe"]


def test_progress_is_shown_on_a_terminal_and_messages_stay_readable(folder: Path) -> None:
    terminal, other = pty.openpty()
    words = ["extract", "a.html", "gone.html", "--out", "out.jsonl"]
    process = subprocess.Popen(
        [sys.executable, "-m", "topiccrawl", *words],
        env=environment() | {"TERM": "xterm", "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=other,
    )
    os.close(other)
    shown = b""
    with os.fdopen(terminal, "rb", buffering=0) as stream:
        try:
            while piece := stream.read(4096):
                shown += piece
        except OSError:  # Linux: the other end is closed
            pass
    assert process.wait(60) == 1
    assert b"0/2" in shown
    assert b"topiccrawl: gone.html: No such file or directory\r\n" in shown

"""The client of scrapyd's JSON API: what it sends, what it takes, and that credentials stay where they belong."""

from __future__ import annotations

import base64
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.support.clean_copy import ROOT
from tests.support.scrapyd_server import HOW_TO_GET_ONE
from tests.support.scrapyd_server import Scrapyd as RealScrapyd
from topiccrawl.crawl.scrapyd import Scrapyd, ScrapydError, servers
from topiccrawl.errors import ConfigurationError

JOBS = {
    "status": "ok",
    "pending": [{"id": "p", "spider": "topic"}],
    "running": [{"id": "r", "spider": "topic", "pid": 7, "start_time": "2026-01-01 00:00:00"}],
    "finished": [{"id": f"f{n}", "spider": "topic"} for n in range(300)] + ["strange"],
}


@contextmanager
def answering(
    status: int, body: bytes, **headers: str
) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """A server that answers everything the same; yields its address and the requests."""
    asked: list[dict[str, object]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            form = parse_qs(self.rfile.read(length).decode())
            login = self.headers.get("Authorization")
            asked.append({"path": self.path, "form": form, "login": login})
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 - named by the library

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_jobs_are_listed_running_ones_first_and_not_all_finished_ones() -> None:
    with answering(200, json.dumps(JOBS).encode()) as (place, asked):
        jobs = Scrapyd(f"http://{place}/").jobs()
    assert [job.id for job in jobs[:3]] == ["r", "p", "f299"]
    assert (jobs[0].state, jobs[0].pid) == ("running", 7)
    assert len(jobs) <= 102
    assert asked[0]["path"] == "/listjobs.json?project=topiccrawl"


def test_a_crawl_is_scheduled_with_its_topic_and_settings_and_credentials() -> None:
    answer = b'{"status": "ok", "jobid": "j1"}'
    with answering(200, answer) as (place, asked):
        server = Scrapyd(f"http://me:p%40ss@{place}", "mine")
        assert server.schedule("侨情 & 其他", pages=9, settings={"DOWNLOAD_DELAY": "2"}) == "j1"
        server.cancel("j1")
    assert asked[0]["form"] == {
        "project": ["mine"], "spider": ["topic"], "topic": ["侨情 & 其他"], "pages": ["9"],
        "setting": ["DOWNLOAD_DELAY=2"],
    }  # fmt: skip
    assert asked[1]["form"] == {"project": ["mine"], "job": ["j1"]}
    assert asked[0]["login"] == "Basic " + base64.b64encode(b"me:p@ss").decode()
    assert server.name == f"http://{place}"


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (401, b"", "HTTP 401"),
        (200, b"<html>", "not JSON"),
        (200, b"[1]", "refused"),
        (200, b'{"status": "error", "message": "no such spider"}', "no such spider"),
        (200, b"[" * 100_000, "not JSON"),
        (200, b'{"status": "ok", "running": {"a": 1}, "pending": null}', ""),
    ],
)
def test_a_strange_answer_is_an_error_in_one_line(status: int, body: bytes, reason: str) -> None:
    with answering(status, body) as (place, _asked):
        server = Scrapyd(f"http://me:Xk7open@{place}")
        if not reason:
            assert server.jobs() == []
            return
        with pytest.raises(ScrapydError, match=reason) as found:
            server.jobs()
    assert "Xk7open" not in str(found.value)


def test_credentials_do_not_follow_a_redirect() -> None:
    with (
        answering(200, b'{"status": "ok"}') as (other, stolen),
        answering(302, b"", Location=f"http://{other}/x") as (place, _asked),
        pytest.raises(ScrapydError),
    ):
        Scrapyd(f"http://me:secret@{place}").jobs()
    assert stolen == []


def test_a_server_that_is_away_is_an_error() -> None:
    with pytest.raises(ScrapydError, match=r"http://127\.0\.0\.1:9"):
        Scrapyd("http://127.0.0.1:9").jobs()


@pytest.mark.parametrize(
    "answer", [b"SSH-2.0-server\r\n", b"", b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"]
)
def test_a_server_of_another_protocol_is_an_error(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            taken, _address = listening.accept()
            with taken:
                taken.recv(10_000)
                taken.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(ScrapydError, match="scrapyd at"):
            Scrapyd(f"http://127.0.0.1:{listening.getsockname()[1]}").jobs()
        thread.join()


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1:6800",
        "ftp://a/",
        "http://",
        "http://me:Xk7@",
        "me:Xk7@127.0.0.1:6800",
        "http://127.0.0.1:port",
        "http://[::1",
        "ftp://me:Xk7://x@a",
    ],
)
def test_a_wrong_address_is_a_configuration_error_without_password(address: str) -> None:
    with pytest.raises(ConfigurationError, match="TOPICCRAWL_SCRAPYD") as found:
        servers(f"http://a:1 {address}")
    assert "Xk7" not in str(found.value)


@pytest.mark.parametrize("job", ["", "a b", "../x", "a\n"])
def test_an_odd_name_of_a_job_is_not_sent(job: str) -> None:
    with pytest.raises(ScrapydError, match="no job"):
        Scrapyd("http://127.0.0.1:9").cancel(job)


@pytest.mark.slow
def test_a_real_scrapyd_answers(tmp_path: Path) -> None:
    pytest.importorskip("scrapyd", reason=HOW_TO_GET_ONE)
    server = RealScrapyd(
        tmp_path,
        "http://127.0.0.1:9",
        more_options="[settings]\ntopiccrawl = topiccrawl.settings\n",
        more_environment={"PYTHONPATH": str(ROOT), "SCRAPY_SETTINGS_MODULE": "topiccrawl.settings"},
    )
    server.start()
    try:
        client = Scrapyd(server.url)
        assert client.jobs() == []
        with pytest.raises(ScrapydError):
            Scrapyd(server.url, "none").schedule("侨情")
        job = client.schedule("侨情", pages=3, settings={"TOPICCRAWL_SEED": "7"})
        assert job in [it.id for it in client.jobs()]
        client.cancel(job)
        # One that was canceled before it began is in no list.
        server.wait_for(lambda: all(it.state == "finished" for it in client.jobs()), "the end")
    finally:
        server.stop()

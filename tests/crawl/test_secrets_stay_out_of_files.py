"""A proxy's password, and the proxy itself, belong to one run: no file of it keeps them."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tests.support.crawl_runs import PATIENCE_SECONDS, crawl_words
from tests.support.forked import ForkedCommand
from topiccrawl.demo import DemoWeb
from topiccrawl.webserver.answers import Answer
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

pytestmark = pytest.mark.slow

USER, PASSWORD = "crawler", "Xk7-open-sesame"
BASIC = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
SETTINGS = ("CONCURRENT_REQUESTS=8", "LOG_LEVEL=DEBUG", "USER_AGENT=first-run")


class UnsteadyWeb:
    """A web whose every page fails at the first attempt, so that all requests return to the queue."""

    def __init__(self, web: DemoWeb) -> None:
        self._web = web

    def answer(self, url: str, attempt: int = 1) -> Answer | None:
        found = self._web.answer(url, attempt)
        if attempt == 1 and found is not None and found.status == 200 and "robots" not in url:
            return Answer(503, "text/html", b"busy")
        return found


def with_password(url: str) -> str:
    return url.replace("http://", f"http://{USER}:{PASSWORD}@")


def files_with(folder: Path, *words: str) -> list[str]:
    """Names of the files in *folder* that contain one of *words*."""
    found = []
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        found += [f"{path.name}: {word}" for word in words if word.encode() in data]
    return found


def test_the_proxy_and_its_password_are_in_no_file_and_do_not_come_back_after_a_kill(
    web: DemoWeb, tmp_path: Path
) -> None:
    with WebServer(UnsteadyWeb(web)) as first, WebServer(web) as second:
        words = crawl_words(tmp_path, web.seeds, 100_000, *SETTINGS)
        process = ForkedCommand(words, environment(with_password(first.url)))
        try:
            process.wait_until(lambda: len(first.requests) >= 40, PATIENCE_SECONDS)
        finally:
            process.kill()
            process.result(PATIENCE_SECONDS)
        # The write-ahead log, too, which only a killed process leaves.
        assert list(tmp_path.glob("*.frontier-wal"))
        assert files_with(tmp_path, PASSWORD, BASIC) == []
        queue = next(tmp_path.glob("*.frontier"))
        assert b"retry_times" in b"".join(
            path.read_bytes() for path in tmp_path.glob(f"{queue.name}*")
        ), "no request came back to the queue"
        assert files_with(tmp_path, f"127.0.0.1:{first.url.rpartition(':')[2]}") == []

        asked = len(first.requests)
        words = crawl_words(tmp_path, web.seeds, 15, "USER_AGENT=second-run")
        done = ForkedCommand(words, environment(second.url)).result(PATIENCE_SECONDS)
        assert done.returncode == 0, done.stderr
        assert len(first.requests) == asked
        assert len(second.requests) >= 15
        assert files_with(tmp_path, PASSWORD, BASIC) == []

"""Kill -9 of the console: crawls that it started go on, and the next console controls them."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from tests.support.console_server import console, fill
from tests.support.crawl_runs import ROOT, TOPIC
from tests.support.waiting import wait_until
from topiccrawl.crawl.runs.folder import find_runs
from topiccrawl.demo.web import DemoWeb
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

pytestmark = pytest.mark.slow


def test_a_crawl_survives_the_kill_of_its_console_and_the_next_one_stops_it(
    tmp_path: Path,
) -> None:
    store = fill(tmp_path / "a.sqlite", lambda store: store.write())
    folder = tmp_path / "crawls"
    ask = build_opener(ProxyHandler({})).open
    with WebServer(DemoWeb(5, 2_000)) as server:
        first = subprocess.Popen(
            [sys.executable, "-m", "scrapy", "console", "--port", "0", "--write", "--store", store],
            cwd=ROOT,
            env=environment(server.url),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert first.stdout is not None
        address = re.search(r"http://\S+", first.stdout.readline())
        assert address is not None
        url = address[0].rstrip("/")
        with ask(f"{url}/crawls") as answer:
            token = re.search(r'name="csrf" value="([^"]+)"', answer.read().decode())
        assert token is not None
        form = {"csrf": token[1], "topic": TOPIC, "settings": "DOWNLOAD_DELAY=0"}
        request = Request(f"{url}/crawls/start", urlencode(form).encode(), {"Origin": url})
        with ask(request) as answer:
            assert answer.status == 200
        wait_until(lambda: any(it.state.phase != "starting" for it in find_runs(folder)))
        first.send_signal(signal.SIGKILL)
        first.wait()
        first.stdout.close()
        (run,) = find_runs(folder)
        written = run.state.updated_at
        wait_until(lambda: find_runs(folder)[0].state.updated_at > written)
        with console(store, write=True, folder=ROOT) as desk:
            page = f"/crawls/{run.state.run}"
            assert "badge" in desk.get("/crawls").text
            assert desk.submit(page, f"{page}/ask", {"wanted": "stop"}).status == 303
            wait_until(lambda: not find_runs(folder)[0].alive)
    assert find_runs(folder)[0].health == "ended"

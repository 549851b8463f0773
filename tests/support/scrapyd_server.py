"""A real scrapyd with all its folders in one of the test's, and the demonstration web behind its jobs."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, build_opener

from tests.support.clean_copy import PATIENCE_SECONDS, ROOT
from tests.support.waiting import free_port
from topiccrawl.webserver.environment import environment

PROJECT = "topiccrawl"
HOW_TO_GET_ONE = "no scrapyd: pip install -r requirements-dev.txt"
#: There is no event to wait for in an HTTP API.
_POLL_SECONDS = 0.1
#: For tests only: jobs begin at once, two of them on one core, and their items are looked at.
_OPTIONS = "[scrapyd]\npoll_interval = 0.2\nmax_proc = 2\nitems_dir = items\n"


class Scrapyd:
    """One server, configured by deploy/scrapyd.conf; its jobs reach nothing but the proxy."""

    def __init__(
        self,
        folder: Path,
        proxy: str,
        *,
        more_options: str = "",
        more_environment: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self._environment = environment(proxy) | {"HOME": str(folder), "LC_ALL": "C"}
        self._environment |= more_environment or {}
        self._process: subprocess.Popen[bytes] | None = None
        # Loopback itself is never reached through a proxy.
        self._open = build_opener(ProxyHandler({})).open
        self.port = 0
        shutil.copy(ROOT / "deploy" / "scrapyd.conf", folder / "scrapyd.conf")
        (folder / ".scrapyd.conf").write_text(_OPTIONS + more_options, "utf-8")

    @property
    def url(self) -> str:
        """Without a trailing slash, as scrapy.cfg wants it."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start and wait until it answers; another port if somebody took ours."""
        for _ in range(5):
            self.port = free_port()
            with (self.folder / "scrapyd.out").open("ab") as out:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "scrapyd", "--pidfile="],
                    cwd=self.folder,
                    env=self._environment | {"SCRAPYD_HTTP_PORT": str(self.port)},
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=out,
                    start_new_session=True,
                )
            if self._answers():
                return
            self.stop()
        raise AssertionError((self.folder / "scrapyd.out").read_text("utf-8")[-2000:])

    def _answers(self) -> bool:
        assert self._process is not None
        end = time.monotonic() + PATIENCE_SECONDS
        while self._process.poll() is None and time.monotonic() < end:
            try:
                return bool(self.get("daemonstatus.json")["status"] == "ok")
            except URLError:
                time.sleep(_POLL_SECONDS)
        return False

    def stop(self) -> None:
        """End the server and every job that is left of it."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def signal_all(self) -> None:
        """SIGTERM to the server and to its jobs, as systemd sends it; wait until the server has ended."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGTERM)
        self._process.wait(PATIENCE_SECONDS)

    def text(self, path: str) -> str:
        """A page of scrapyd's own."""
        with self._open(f"{self.url}/{path.lstrip('/')}", timeout=PATIENCE_SECONDS) as answer:
            assert answer.status == 200
            return str(answer.read().decode("utf-8"))

    def get(self, name: str, **fields: str) -> dict[str, Any]:
        """The JSON answer of an API call that changes nothing."""
        answer: dict[str, Any] = json.loads(self.text(f"{name}?{urlencode(fields)}"))
        return answer

    def post(self, name: str, fields: Iterable[tuple[str, str]]) -> dict[str, Any]:
        """The JSON answer of an API call, as ``curl -d NAME=VALUE …`` makes it."""
        data = urlencode(list(fields)).encode()
        with self._open(f"{self.url}/{name}", data=data, timeout=PATIENCE_SECONDS) as answer:
            parsed: dict[str, Any] = json.loads(answer.read())
        assert parsed["status"] == "ok", parsed
        return parsed

    def schedule(self, fields: Iterable[tuple[str, str]], *settings: str) -> str:
        """Schedule a job and return its id."""
        more = [("setting", setting) for setting in settings]
        return str(self.post("schedule.json", [*fields, *more])["jobid"])

    def job(self, job: str) -> dict[str, Any]:
        """What the list of jobs says about one, with its state."""
        jobs = self.get("listjobs.json", project=PROJECT)
        for state in ("pending", "running", "finished"):
            for entry in jobs[state]:
                if entry["id"] == job:
                    return {**entry, "state": state}
        return {"state": "between two lists"}

    def wait_for(self, met: Callable[[], bool], what: str) -> None:
        """Poll until *met*; fail, with the server's last words, when it takes too long."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not met():
            assert time.monotonic() < end, (
                f"{what}: " + (self.folder / "scrapyd.out").read_text("utf-8")[-2000:]
            )
            time.sleep(_POLL_SECONDS)

    def finished(self, *jobs: str) -> list[str]:
        """Wait until *jobs* have ended; return their logs, read where scrapyd's pages link to."""

        def ended() -> bool:
            return all(self.job(job)["state"] == "finished" for job in jobs)

        self.wait_for(ended, f"the end of {', '.join(jobs)}")
        return [self.text(self.job(job)["log_url"]) for job in jobs]

    def deploy(self, tree: Path) -> subprocess.CompletedProcess[str]:
        """Run `scrapyd-deploy` in *tree*, whose scrapy.cfg is made to name this server."""
        config = tree / "scrapy.cfg"
        text, count = re.subn(r"(?m)^url = \S+$", f"url = {self.url}", config.read_text("utf-8"))
        assert count == 1
        config.write_text(text, "utf-8")
        environment = {k: v for k, v in os.environ.items() if "proxy" not in k.lower()}
        return subprocess.run(
            [str(Path(sys.executable).parent / "scrapyd-deploy")],
            cwd=tree,
            env=environment | {"PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_SECONDS,
        )

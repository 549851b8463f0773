"""The browser of the tests: where it is, and its processes."""

from __future__ import annotations

import os
import shutil
import signal
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""

needs_chromium = pytest.mark.skipif(
    not CHROMIUM or find_spec("playwright") is None,
    reason="install chromium and the extra browser to run",
)

#: Settings of crawls on loopback with the browser.
SETTINGS: dict[str, object] = {
    "TOPICCRAWL_BROWSER_EXECUTABLE": CHROMIUM,
    "TOPICCRAWL_BROWSER_SANDBOX": 0,
    "TOPICCRAWL_BROWSER_PAGES": 4,
    "CONCURRENT_REQUESTS": 8,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
}


def _parents() -> dict[int, int]:
    """The parent of each process."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, ValueError):
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
                found[int(entry.name)] = int(stat[1])
    return found


def kill_browsers() -> int:
    """Kill (-9) the browsers that descend from this process; return how many processes that were."""
    parents, killed = _parents(), 0
    for process in parents:
        line: list[int] = []
        above = process
        while above in parents and above not in line:
            line.append(above)
            above = parents[above]
        if os.getpid() not in line:
            continue
        with suppress(OSError):
            words = Path(f"/proc/{process}/cmdline").read_bytes()
            if b"no-network.invalid" in words and b"--type=" not in words:
                os.kill(process, signal.SIGKILL)
                killed += 1
    return killed

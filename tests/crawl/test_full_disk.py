"""A crawl on a file system that is full: store, spool, queue, journal and log at once."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.support.crawl_runs import crawl_words, scrapy
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from topiccrawl.demo import DemoWeb

pytestmark = pytest.mark.slow


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with room for some dozen pages."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    words = [mount or "mount", "-t", "tmpfs", "-o", "size=2500k", "tmpfs", str(folder)]
    if mount is None or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small file system needs root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.parametrize("log_on_disk", [False, True], ids=["log elsewhere", "log on it"])
def test_a_full_file_system_costs_one_line_for_each_thing_that_cannot_be_written(
    web: DemoWeb, tmp_path: Path, small_disk: Path, log_on_disk: bool
) -> None:
    log = (small_disk if log_on_disk else tmp_path) / "the.log"
    more = ("LOG_LEVEL=DEBUG",) if log_on_disk else ()
    with WebServer(web) as server:
        words = crawl_words(
            small_disk, web.seeds, 300, "CONCURRENT_REQUESTS=8", f"LOG_FILE={log}", *more
        )
        done = scrapy(words, environment(server.url))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr + log.read_text("utf-8", "replace")
    lines = [line for line in done.stderr.splitlines() if line.startswith("topiccrawl: ")]
    assert len(lines) == 1 + log_on_disk
    assert "full" in lines[-1] or "cannot be kept" in lines[-1] or "written" in lines[-1]
    # Queue, pages and the run's own record; where there is room, the last line is why the command failed.
    errors = [line for line in log.read_text("utf-8", "replace").splitlines() if " ERROR: " in line]
    assert sum("The command failed: " not in line for line in errors) <= 3
    assert ("The command failed: " in errors[-1]) is not log_on_disk

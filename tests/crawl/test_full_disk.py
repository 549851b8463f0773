"""A crawl on a file system that is full: store, spool, queue, journal and log at once."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import tests.support.store_records as make
from tests.support.crawl_runs import crawl_words, scrapy
from tests.support.stored import from_store, in_store
from topiccrawl.demo import DemoWeb
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.store.contract import PageRecord, Store
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

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


def test_a_store_on_a_full_file_system_can_be_read_and_the_reason_is_given(
    small_disk: Path,
) -> None:
    path, queue = small_disk / "pages.sqlite", small_disk / "queue.frontier"
    uri = f"sqlite:///{path}"
    in_store(uri, lambda store: store.write([make.page(1)]))
    SQLiteFrontier(queue).close()
    with (small_disk / "fill").open("wb", buffering=0) as fill, suppress(OSError):
        while True:
            fill.write(bytes(512))
    for _time in range(2):  # the first attempt leaves an empty log
        assert [it.url for it in from_store(uri, pages_of_topic)] == [make.page(1).url]
    with pytest.raises(ConfigurationError, match="No space left on device"):
        in_store(uri, lambda store: store.write([make.page(2)]))
    with pytest.raises(ConfigurationError, match="No space left on device"):
        SQLiteFrontier(queue)
    (small_disk / "fill").unlink()
    in_store(uri, lambda store: store.write([make.page(2)]))
    assert len(from_store(uri, pages_of_topic)) == 2


async def pages_of_topic(store: Store) -> list[PageRecord]:
    return [page async for page in store.pages(make.TOPIC)]

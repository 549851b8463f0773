"""kill -9 while copies are written: no text is lost, nothing half written, no copy hidden for good."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from tests.support import copy_writer
from tests.support.forked import ROOT
from tests.support.store_records import in_loop, opened
from topiccrawl.store.factory import open_store

#: Of a test.  With 20 kills of one and of three workers, and 20 with MongoDB, nothing was found (2026-11-22).
KILLS, WORKERS = 2, 2


def killed_after(uri: str, seed: int, steps: int, workers: int) -> None:
    """Run *workers* that write, and kill them when the first has taken so many steps."""
    command = [sys.executable, "-m", "tests.support.copy_writer", uri]
    running = [
        subprocess.Popen([*command, str(seed + it)], cwd=ROOT, stdout=subprocess.PIPE)
        for it in range(workers)
    ]
    try:
        output = running[0].stdout
        assert output is not None
        assert all(output.readline() for _ in range(steps))
    finally:
        for worker in running:
            worker.kill()
            worker.communicate()


async def kill_again_and_again(uri: str, workers: int) -> None:
    chance = random.Random(workers)
    for kill in range(KILLS):
        killed_after(uri, 10 * kill, chance.randrange(2, 12), workers)
        async with opened(open_store(uri)) as store:
            await copy_writer.check(store)


@in_loop
async def test_sqlite_holds_whole_steps_only(tmp_path: Path) -> None:
    await kill_again_and_again(f"sqlite:///{tmp_path}/store.sqlite", WORKERS)


@in_loop
async def test_what_mongodb_holds_of_a_step_is_whole_or_compared_again(
    mongo_database_uri: str,
) -> None:
    await kill_again_and_again(mongo_database_uri, 1)

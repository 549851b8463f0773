"""A damaged queue is refused, or ends the crawl with one report, or does no harm; it never hangs."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.support.damaged_queues import damage, fill, work
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier

#: Damages tried; the environment asks for more.
CASES = int(os.environ.get("TOPICCRAWL_FUZZ_CASES", "0")) or 48


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "q.frontier"
    frontier = SQLiteFrontier(path, exact_links=60)
    fill(frontier)
    frontier.close()
    assert not path.with_name(f"{path.name}-wal").exists()
    return path


def test_a_sound_queue_is_worked_off(sound: Path, tmp_path: Path) -> None:
    shutil.copy(sound, tmp_path / "q.frontier")
    assert work(lambda: SQLiteFrontier(tmp_path / "q.frontier", exact_links=60)) == ("sound", [])


def test_a_damaged_queue_ends_in_order(sound: Path, tmp_path: Path) -> None:
    ends: Counter[str] = Counter()
    for seed in range(CASES):
        path = tmp_path / f"{seed}.frontier"
        shutil.copy(sound, path)
        kind = damage(path, seed)
        try:
            end, reported = work(lambda path=path: SQLiteFrontier(path, exact_links=60))
        except BaseException as error:
            error.add_note(f"seed {seed}: {kind}")
            raise
        assert len(reported) == (end != "sound"), (seed, kind, reported)
        ends[end] += 1
        path.unlink()
    assert ends["refused"] > 0
    assert ends["lost"] > 0
    print(dict(ends))

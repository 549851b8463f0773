"""A rebuilding of a queue's file that was killed is repeated without a loss."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.damaged_queues import a_link
from topiccrawl.frontier.salvage import Salvage, refill
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.frontier.sqlite.rebuild import rebuild_file

LINKS = 20
ASIDE = "q.frontier.damaged-20261126T010203000000"


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """The queue of a crawl that was killed: most of it is in the log beside the file."""
    frontier = SQLiteFrontier(tmp_path / "crawl" / "q.frontier")
    frontier.push([a_link(number) for number in range(LINKS)])
    for part in ("", "-wal"):
        shutil.copy(tmp_path / "crawl" / f"q.frontier{part}", tmp_path / f"q.frontier{part}")
    frontier.close()
    return tmp_path / "q.frontier"


def rebuilt(path: Path) -> Path | None:
    """Rebuild the queue at *path*, and check that nothing is lost and the file is sound."""

    def fill(new: SQLiteFrontier, old: Salvage) -> None:
        assert old.complete
        refill(new, [old])

    kept = rebuild_file(path, fill)
    frontier = SQLiteFrontier(path)
    assert frontier.size().queued == LINKS
    frontier.close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return kept


@pytest.mark.parametrize("moved", [[], [""], ["", "-wal"]])
def test_whatever_was_moved_before_the_kill_every_link_comes_back(
    killed: Path, moved: list[str]
) -> None:
    for part in moved:
        killed.with_name(killed.name + part).rename(killed.with_name(ASIDE + part))
    kept = rebuilt(killed)
    assert kept is not None
    # The file that is kept has its log.
    frontier = SQLiteFrontier(kept)
    assert frontier.size().queued == LINKS
    frontier.close()


def test_what_a_killed_rebuilding_was_reading_is_removed(killed: Path) -> None:
    left = killed.with_name("q.frontier.rebuilt-ab12")
    left.mkdir()
    (left / "queue").write_bytes(b"links")
    rebuilt(killed)
    assert not left.exists()

"""A rebuilding of a queue's file that was killed is repeated without a loss."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tests.support.damaged_queues import NOW, a_link
from topiccrawl.frontier.contract import FrontierSize
from topiccrawl.frontier.salvage import Salvage, refill
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.frontier.sqlite.rebuild import rebuild_file, salvaged
from topiccrawl.frontier.sqlite.schema import PAGE_BYTES

LINKS = 20
#: Of these links, one is done, one is given up, and all others wait.
CONTENT = FrontierSize(LINKS - 2, 0, 0, 1, 1, LINKS - 2)
ASIDE = "q.frontier.damaged-20261126T010203000000"


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """The queue of a crawl that was killed: most of it is in the log beside the file."""
    frontier = SQLiteFrontier(tmp_path / "crawl" / "q.frontier")
    frontier.push([a_link(number) for number in range(LINKS)])
    done, given_up, _leased = (frontier.pop((), NOW) for _ in range(3))
    assert done is not None
    assert given_up is not None
    frontier.ack([done.id])
    frontier.fail(given_up.id, "404", None)
    frontier.journal.append([b"entry"])
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
    assert frontier.size() == CONTENT
    assert frontier.journal.read_new() == [b"entry"]
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
    assert frontier.size() == CONTENT
    frontier.close()


def test_what_a_killed_rebuilding_was_reading_is_removed(killed: Path) -> None:
    left = killed.with_name("q.frontier.rebuilt-ab12")
    left.mkdir()
    (left / "queue").write_bytes(b"links")
    rebuilt(killed)
    assert not left.exists()


def test_what_a_killed_rebuilding_has_written_is_not_kept(killed: Path) -> None:
    begun = SQLiteFrontier(killed.with_name("q.frontier.rebuilt"))
    begun.push([a_link(LINKS)])
    begun.journal.append([b"entry"])
    begun.close()
    rebuilt(killed)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_rebuilding_that_fails_leaves_nothing_and_may_be_repeated(
    killed: Path, error: BaseException
) -> None:
    before = {it.name: it.read_bytes() for it in killed.parent.iterdir() if it.is_file()}

    def fail(new: SQLiteFrontier, old: Salvage) -> None:
        refill(new, [old])
        raise error

    with pytest.raises(type(error)):
        rebuild_file(killed, fail)
    after = {it.name: it.read_bytes() for it in killed.parent.iterdir() if it.is_file()}
    assert after == before
    assert rebuilt(killed) is not None


def test_links_before_and_behind_a_page_that_cannot_be_read_are_kept(tmp_path: Path) -> None:
    path, count = tmp_path / "q.frontier", 3_000
    links = [a_link(number) for number in range(count)]
    frontier = SQLiteFrontier(path)
    frontier.push(links)
    ids = np.array([link.id for link in links])
    frontier.rescore(ids, np.arange(count) / count)
    frontier.journal.append([b"entry"])
    frontier.close()
    data = bytearray(path.read_bytes())
    at = data.index(links[count // 2].url.encode()) // PAGE_BYTES * PAGE_BYTES
    data[at : at + PAGE_BYTES] = bytes(PAGE_BYTES)
    path.write_bytes(data)
    before = path.read_bytes()
    found = salvaged(path, "q.frontier.rebuilt-")
    assert not found.complete
    scores = {link.url: link.evidence.score for link in found.waiting}
    assert len(scores) == len(found.waiting) > count - 200
    missing = [number for number in range(count) if links[number].url not in scores]
    assert count // 2 in missing
    assert missing == list(range(missing[0], missing[-1] + 1))
    assert scores == {
        link.url: number / count for number, link in enumerate(links) if number not in missing
    }
    assert found.journal == [b"entry"]
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]

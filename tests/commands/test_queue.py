"""``scrapy queue``: a damaged queue ends its crawl with one line, and is rebuilt."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.support.crawl_runs import crawl, scrapy
from topiccrawl.actions import crawl as crawl_command
from topiccrawl.demo import DemoWeb
from topiccrawl.demo.crawl import store_uri
from topiccrawl.frontier.errors import FrontierFileError
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.frontier.sqlite.rebuild import rebuild_file

pytestmark = pytest.mark.slow

PAGES = 25


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return DemoWeb(seed=7, size=300)


def zero_root(queue: Path, name: str) -> None:
    """Overwrite the first page of a table or an index with zeros."""
    connection = sqlite3.connect(queue)
    (page,) = connection.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)
    ).fetchone()
    connection.close()
    with queue.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(bytes(4096))


def rebuild(out: Path, *more: str) -> tuple[int, str, str]:
    words = ["queue", "侨情", "--store", store_uri(out), *more]
    done = scrapy(words)
    return done.returncode, done.stdout, done.stderr


def test_a_queue_whose_damage_shows_while_crawling_ends_in_order_and_is_rebuilt(
    web: DemoWeb, tmp_path: Path
) -> None:
    first = crawl(web, tmp_path, PAGES)
    assert first.code == 0
    kept = {page.url for page in first.pages}
    (queue,) = tmp_path.glob("*.frontier")
    _, before, _ = rebuild(tmp_path)
    zero_root(queue, "waiting")
    damaged = queue.read_bytes()
    (tmp_path / "crawl.log").unlink()

    broken = crawl(web, tmp_path, PAGES)
    assert broken.code == 1
    assert broken.stderr.count("\n") == 1
    assert "is damaged" in broken.stderr
    assert "scrapy queue 侨情 --rebuild" in broken.stderr
    assert "Traceback" not in broken.log
    copies = {outcome.url for outcome in broken.outcomes if outcome.verdict == "duplicate"}
    assert {page.url for page in broken.pages} | copies >= kept

    code, out, err = rebuild(tmp_path, "--rebuild")
    assert (code, err) == (0, "")
    (aside,) = tmp_path.glob("*.damaged-*[0-9]")
    assert str(aside) in out
    assert len(aside.read_bytes()) >= len(damaged)
    # The table of links was sound: nothing that waited is lost.
    assert waiting(out) >= waiting(before)

    (tmp_path / "crawl.log").unlink()
    last = crawl(web, tmp_path, PAGES)
    assert last.code == 0, last.stderr
    copies = {outcome.url for outcome in last.outcomes if outcome.verdict == "duplicate"}
    assert {page.url for page in last.pages} | copies > kept
    fetched = Counter([*first.fetched(), *last.fetched()])
    failed = {outcome.url for outcome in first.outcomes if outcome.verdict == "failed"}
    again = {url for url, times in fetched.items() if times > 1} - failed
    assert {url for url in again if url in kept} == set()


def waiting(output: str) -> int:
    """The links to fetch that the command printed."""
    words = output.rsplit("侨情: ", 1)[1].split(", ")
    return sum(int(part.split()[0]) for part in words[:3])


def test_a_queue_that_cannot_even_be_opened_is_rebuilt_from_the_store(
    web: DemoWeb, tmp_path: Path
) -> None:
    first = crawl(web, tmp_path, PAGES)
    (queue,) = tmp_path.glob("*.frontier")
    damaged = b"\0" * 8192
    queue.write_bytes(damaged)
    refused = crawl(web, tmp_path, PAGES)
    assert refused.code == 1
    assert "scrapy queue 侨情 --rebuild" in refused.stderr
    code, out, _ = rebuild(tmp_path, "--rebuild")
    assert code == 0
    assert "could not be read" in out
    (aside,) = tmp_path.glob("*.damaged-*[0-9]")
    assert aside.read_bytes() == damaged
    tried = {outcome.url for outcome in first.tried if outcome.verdict != "failed"}
    assert f"{len(tried)} done" in out
    queued = [outcome for outcome in first.outcomes if outcome.verdict == "queued"]
    assert waiting(out) >= len(queued) > 0


def test_a_queue_in_use_is_not_rebuilt(tmp_path: Path) -> None:
    frontier = SQLiteFrontier(tmp_path / "q.frontier")
    with pytest.raises(FrontierFileError, match="other workers are using it"):
        rebuild_file(tmp_path / "q.frontier", lambda new, old: None)
    frontier.close()


@pytest.mark.parametrize("reason", ["shutdown", "finished", "frontier_lost"])
def test_a_signal_does_not_hide_that_the_queue_was_lost(
    monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    control = SimpleNamespace(
        start_error=None, offline="", frontier_problem="it is damaged", store_lost=False
    )
    session = SimpleNamespace(control=control)
    monkeypatch.setattr(crawl_command, "find_session", lambda crawler: session)
    stats = SimpleNamespace(get_stats=lambda: {"finish_reason": reason})
    problem = crawl_command.run_problem(SimpleNamespace(stats=stats))
    assert problem == "the crawl stopped, its queue cannot be used: it is damaged"


def test_a_topic_without_a_queue_gets_none_by_asking(tmp_path: Path) -> None:
    code, out, err = rebuild(tmp_path)
    assert (code, out) == (1, "")
    assert "'侨情' has no queue" in err
    assert list(tmp_path.iterdir()) == []

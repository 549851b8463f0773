"""``scrapy explain URL`` shows when a page is visited next, and why."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.command_line import run_command, sqlite_store
from tests.support.reporting_store import make_outcome, make_page, make_run
from topiccrawl.commands.explain import Command
from topiccrawl.crawl.refreshing.marks import VisitKind
from topiccrawl.crawl.refreshing.records import new_history
from topiccrawl.store.contract import VisitRecord

DAY = 86_400.0
URLS = [f"http://qw.example.cn/n/{number}.html" for number in range(6)]
LIST = "http://qw.example.cn/list/"


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "en")


def visits(
    url: str, ago: list[float], changed: bool = False, kind: VisitKind = "article", links: int = 0
) -> VisitRecord:
    """The record of a page that was visited some days ago, and first 100 days ago."""
    now = datetime.now(UTC)
    history = new_history(url, now.timestamp() - 100 * DAY, kind)
    for days in ago:
        history = history.visited(now.timestamp() - days * DAY, changed, links)
    return VisitRecord(
        topic="侨情",
        url=url,
        kind=kind,
        history=json.dumps(history.to_json()),
        visited_at=now - timedelta(days=ago[-1]),
    )


def explained(
    folder: Path, url: str, records: list[VisitRecord], capsys: pytest.CaptureFixture[str]
) -> list[str]:
    """The lines about the next visit of *url*."""
    pages = [make_page(it) for it in URLS]
    outcomes = [make_outcome(it) for it in (*URLS, LIST)]
    store = sqlite_store(folder, pages, outcomes, [make_run()], visits=records)
    assert run_command(Command(), [url], store) == 0
    lines = capsys.readouterr().out.splitlines()
    return [it for it in lines if it.startswith(("next visit", "expected changes"))]


def test_an_article_has_a_place_in_the_order_and_an_expected_rate_of_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ago = [90.0 - 10 * step for step in range(9)]
    records = [visits(url, ago, changed=url == URLS[3]) for url in URLS]
    [when, rate] = explained(tmp_path, URLS[3], records, capsys)
    assert when == (
        "next visit: due now; no. 1 of 6 articles in the order age-index; "
        "reached within a day of 1000 visits"
    )
    assert rate.startswith("expected changes: one in ")


def test_an_article_that_was_just_visited_rests(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [visits(url, [50.0, 0.1 if url == URLS[0] else 20.0]) for url in URLS]
    [when, _] = explained(tmp_path, URLS[0], records, capsys)
    assert "next visit: from " in when
    assert "no. 6 of 6 articles" in when


@pytest.mark.parametrize(
    ("ago", "links", "expected"),
    [
        ([2.0, 1.5, 1.0], 5, "next visit: due now; a list, visited before new links have left it"),
        ([60.0, 40.0, 0.1], 0, "; a list that rests: it has had no new link for more than a day"),
    ],
)
def test_a_list_is_visited_for_its_new_links(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    ago: list[float],
    links: int,
    expected: str,
) -> None:
    [when] = explained(tmp_path, LIST, [visits(LIST, ago, False, "list", links)], capsys)
    assert when.endswith(expected)


def test_a_copy_and_a_page_that_was_dropped_are_not_visited_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = make_page(URLS[0], copy_of=URLS[1], relation="edited")
    dropped = make_outcome(URLS[2], verdict="dropped", reason="off-topic")
    outcomes = [make_outcome(URLS[0], verdict="duplicate", reason="edited"), dropped]
    store = sqlite_store(tmp_path, [copy], outcomes, [make_run()])
    assert run_command(Command(), [URLS[0]], store) == 0
    assert "next visit: none: copies are not visited again" in capsys.readouterr().out
    assert run_command(Command(), [URLS[2]], store) == 0
    assert "next visit" not in capsys.readouterr().out

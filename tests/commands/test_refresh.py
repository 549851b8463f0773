"""``scrapy refresh``: the real command on the demonstration web."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.known_web import KnownWeb
from tests.support.crawl_runs import crawl_words, scrapy
from tests.support.reporting_store import START, make_run
from topiccrawl.actions.refresh import reported_since
from topiccrawl.demo.crawl import store_uri
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

PAGES = 12
TOPIC = "侨情"


def refresh_words(folder: Path, *words: str, **settings: str) -> list[str]:
    """The words of a refresh of what :func:`crawl_words` stores in *folder*."""
    crawl = crawl_words(folder, ["http://x.example/"], 0)
    given = [word for at, word in enumerate(crawl) if at and crawl[at - 1] == "-s"]
    given += [f"{name}={value}" for name, value in settings.items()]
    pairs = [part for setting in given for part in ("-s", setting)]
    return ["refresh", TOPIC, *pairs, *words]


def test_a_night_reports_since_the_end_of_the_run_before_it() -> None:
    first = make_run("first", finished_at=START + timedelta(minutes=5))
    night = START + timedelta(hours=9)
    assert reported_since([first], night) == first.finished_at
    assert reported_since([], night) == night


def test_two_nights_at_once_both_report_what_they_found() -> None:
    before = make_run("before", finished_at=START + timedelta(minutes=5))
    night = START + timedelta(hours=9)
    other = make_run("other", started_at=night, finished_at=night + timedelta(minutes=40))
    assert reported_since([before, other], night + timedelta(seconds=1)) == night
    assert reported_since([before, other], night - timedelta(seconds=1)) == before.finished_at


@pytest.mark.slow
def test_a_refresh_visits_what_is_stored_prints_what_it_found_and_reports(tmp_path: Path) -> None:
    with WebServer(KnownWeb(PAGES, 2)) as server:
        crawled = scrapy(crawl_words(tmp_path, server.web.seeds, 0), environment(server.url))
        assert crawled.returncode == 0
        before = len(server.requests)
        report = tmp_path / "reports" / "night.txt"  # a folder that is not there yet
        words = refresh_words(
            tmp_path, "--report", str(report), TOPICCRAWL_REFRESH_LEAST_HOURS="0.01"
        )
        early = scrapy(words, environment(server.url))
        assert early.returncode == 0, early.stderr
        assert "none is due" in early.stderr or "没有" in early.stderr
        assert report.exists()
        assert len(server.requests) == before


def test_a_topic_that_has_nothing_stored_cannot_be_refreshed(tmp_path: Path) -> None:
    done = scrapy(["refresh", "没有的主题", "-s", f"TOPICCRAWL_STORE_URI={store_uri(tmp_path)}"])
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "there is no such file" in line


def test_a_report_that_could_not_be_written_is_refused_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    words = ["refresh", TOPIC, "--report", str(tmp_path / "file" / "night.txt")]
    done = scrapy([*words, "-s", f"TOPICCRAWL_STORE_URI={store_uri(tmp_path)}"])
    assert done.returncode == 1
    assert str(tmp_path / "file") in done.stderr.splitlines()[-1]


def test_a_report_without_a_format_names_the_option(tmp_path: Path) -> None:
    done = scrapy(["refresh", TOPIC, "--report", "-", "--store", store_uri(tmp_path)])
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith("topiccrawl: --report must be a file that ends with .html, ")


@pytest.mark.parametrize(
    "words", [["--pages", "-1"], ["--pages", "0"], ["--budget", "0"], ["a", "b"], ["--policy", "x"]]
)
def test_a_wrong_command_line_is_refused(words: list[str]) -> None:
    assert scrapy(["refresh", *words]).returncode == 2


def test_the_store_can_be_named_on_the_command_line(tmp_path: Path) -> None:
    done = scrapy(["refresh", "没有的主题", "--store", f"sqlite:///{tmp_path}/other.sqlite"])
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("topiccrawl: --store names the SQLite file")
    assert "other.sqlite" in last

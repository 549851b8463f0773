"""The end of a run on the terminal: what was stored, what was not and why, and what to type next."""

from __future__ import annotations

import asyncio
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.crawl_runs import crawl_words, scrapy
from tests.support.reporting_store import START, ReportingStore, make_outcome, make_page, make_run
from tests.support.store_memory import MemoryStore
from topiccrawl.actions.crawl import without_fresh
from topiccrawl.commandline.program import program
from topiccrawl.crawl.account.summary import Commands, quoted, read_summary, summary_lines
from topiccrawl.crawl.account.waiting import local_time
from topiccrawl.crawl.judgments.deciding import LEARNING_PAGES
from topiccrawl.demo.crawl import TOPIC
from topiccrawl.demo.web import DemoWeb
from topiccrawl.reporting.aggregates.collect import collect
from topiccrawl.store.contract import OutcomeRecord
from topiccrawl.store.records import NearMissRecord
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

RUN = make_run(
    stats={
        "topiccrawl/frontier/size/queued": 30,
        "topiccrawl/frontier/size/delayed": 4,
        "topiccrawl/pages/near_misses": 3,
    }
)


def near_misses(*numbers: int) -> list[NearMissRecord]:
    """Pages that are stored beside the collection."""
    return [
        NearMissRecord(topic="侨情", url=f"http://a.example/{n}", probability=0.3, packed=b"")
        for n in numbers
    ]


def shown(store: ReportingStore, commands: Commands | None = None) -> str:
    """The summary of the last run in *store*."""
    summary = asyncio.run(read_summary(store, "侨情"))
    assert summary is not None
    return "\n".join(summary_lines(summary, commands or Commands("侨情")))


@pytest.fixture
def store() -> ReportingStore:
    """Two runs: one page of the first, two pages and three rejected addresses of the second.

    Of the first a near miss is left, of the second two; a third one, /1, is kept by now.
    """
    store = ReportingStore()
    old = make_page("http://a.example/0", run_id="run-0", title="旧闻")
    pages = [make_page(f"http://a.example/{n}", relevance=n / 10, title=f"侨闻{n}") for n in (1, 2)]
    outcomes = [
        make_outcome(old.url, run_id="run-0"),
        *(
            make_outcome(page.url, sequence=n, title=page.title, relevance=page.relevance)
            for n, page in enumerate(pages)
        ),
        make_outcome("http://a.example/3", verdict="dropped", reason="off-topic", sequence=3),
        make_outcome("http://a.example/4", verdict="dropped", reason="off-topic", sequence=4),
        make_outcome("http://a.example/5", verdict="failed", reason="http-404", sequence=5),
    ]
    run_0 = make_run("run-0", started_at=START - timedelta(days=1))
    asyncio.run(store.write([old, *pages], outcomes, [run_0, RUN], near_misses(1, 3, 4, 6)))
    return store


def test_the_summary_says_what_the_last_run_has_brought(store: ReportingStore) -> None:
    text = shown(store)
    assert "侨情: 2 pages stored in this run, 3 in the collection" in text
    assert (
        "4 pages fetched, 50.0% on the topic, kept or not (harvest rate); 34 links are waiting"
        in text
    )
    assert "Stopped because the page limit was reached." in text
    assert text.index("侨闻2") < text.index("侨闻1")
    assert "旧闻" not in text
    assert "    2  off topic" in text
    assert "    1  HTTP 404 (failed)" in text
    assert "2 near misses: stored apart" in text


def test_pages_that_left_are_counted_where_the_collection_would_seem_too_small(
    store: ReportingStore,
) -> None:
    assert "left the collection" not in shown(store)
    left = make_run(stats={**RUN.stats, "topiccrawl/pages/withdrawn": 13})
    asyncio.run(store.write([], [], [left]))
    text = shown(store)
    assert "13 pages have left the collection, judged again" in text
    assert (
        text.index("in the collection\n") < text.index("13 pages") < text.index("Stopped because")
    )


def test_the_summary_and_the_report_have_the_same_figures(store: ReportingStore) -> None:
    report = asyncio.run(collect(store, "侨情", run_id="run-1", generated_at=START))
    assert f"{report.counts.harvest:.1%} on the topic" in shown(store)
    assert f"{report.counts.fetched} pages fetched" in shown(store)


def test_the_summary_is_chinese_for_a_chinese_user(
    store: ReportingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    left = make_run(stats={**RUN.stats, "topiccrawl/pages/withdrawn": 13})
    asyncio.run(store.write([], [], [left]))
    text = shown(store)
    assert "侨情：本次入库 2 页，库中共有 3 页" in text
    assert "重新判断后从库中撤回 13 页" in text
    assert "其中切题的占 50.0%（收获率" in text
    assert "    1  HTTP 404（失败）" in text
    assert "生成报告：scrapy report 侨情" in text


def test_one_near_miss_is_one(store: ReportingStore) -> None:
    url = "http://a.example/6"
    outcome = make_outcome(url, verdict="dropped", reason="off-topic", run_id="run-2")
    run = make_run("run-2", started_at=START + timedelta(1))
    asyncio.run(store.write(outcomes=[outcome], runs=[run]))
    assert "1 near miss: stored apart" in shown(store)


@pytest.mark.parametrize(
    ("learns", "how"),
    [(True, "-s TOPICCRAWL_BALANCE=recall"), (False, "lower TOPICCRAWL_RELEVANCE_THRESHOLD")],
)
def test_with_as_many_near_misses_as_stored_pages_the_summary_says_how_to_keep_more(
    store: ReportingStore, learns: bool, how: str
) -> None:
    # A young crawl stores any page that it does not keep.
    more = range(10, 10 + LEARNING_PAGES if learns else 10)
    dropped = [
        make_outcome(f"http://a.example/{n}", verdict="dropped", reason="off-topic", sequence=n)
        for n in more
    ]
    asyncio.run(store.write(outcomes=dropped, near_misses=near_misses(*more)))
    text = shown(store, Commands("侨情", learns=learns))
    assert f"  To keep more: {how}" in text
    asyncio.run(store.write(outcomes=[make_outcome("http://a.example/7", sequence=7)]))
    assert "3 pages stored in this run" in shown(store)
    assert "To keep more" not in shown(store, Commands("侨情", learns=learns))


def test_a_run_that_meets_shells_or_logins_says_what_helps() -> None:
    def outcomes(reason: str, count: int) -> list[OutcomeRecord]:
        return [
            make_outcome(
                f"http://{reason}.example/{n}", verdict="dropped", reason=reason, sequence=n
            )
            for n in range(1, count + 1)
        ]

    few, many = ReportingStore(), ReportingStore()
    for store, count in ((few, 1), (many, 3)):
        found = [*outcomes("shell", count), *outcomes("login", count), *outcomes("off-topic", 8)]
        asyncio.run(store.write(outcomes=found, runs=[make_run(stats={})]))
    assert "-a browser=1" not in shown(few)
    assert "logins.toml" not in shown(few)
    text = shown(many)
    assert "no text without scripts\n         to run the scripts: -a browser=1" in text
    assert "a login is needed\n         to log in: logins.toml" in text
    asyncio.run(many.write(runs=[make_run(stats={"topiccrawl/browser/pages": 3})]))
    assert "no text without scripts\n         to run" not in shown(many), "they were run"


def test_limits_that_have_kept_links_from_being_fetched_are_named() -> None:
    store = ReportingStore()
    stats = {
        "topiccrawl/windows/links": 30,
        "topiccrawl/windows/opens": int(START.timestamp()),
        "topiccrawl/frontier/over_budget": 1,
        "topiccrawl/proxies/known": 5,
        "topiccrawl/proxies/unusable": 2,
    }
    asyncio.run(store.write([], [make_outcome("http://a.example/")], [make_run(stats=stats)]))
    text = shown(store)
    assert "30 links wait for the time windows of their hosts (TOPICCRAWL_HOST_WINDOWS)" in text
    assert f"the first opens {local_time(START.timestamp())}." in text
    assert "1 link was not taken up: its host had reached its budget of pages" in text
    assert "2 of 5 proxies did not work at the end" in text


def test_one_page_is_one_and_visits_are_named() -> None:
    """Pages that changed are stored again by a run that only visits them; others are in no outcome of it."""
    store = ReportingStore()
    stats = {"topiccrawl/refresh/visited": 30, "topiccrawl/refresh/rewritten": 1}
    asyncio.run(store.write([make_page()], [make_outcome()], [make_run(stats=stats)]))
    text = shown(store)
    assert "侨情: 1 page stored in this run, 1 in the collection" in text
    assert "1 page fetched, 100.0% on the topic" in text
    assert (
        "30 pages and lists were visited again; pages stored again with another text: 1\n" in text
    )


def test_titles_cannot_control_the_terminal(store: ReportingStore) -> None:
    page = make_outcome("http://a.example/9", title="侨\x1b[2J闻\r\n", relevance=0.9)
    asyncio.run(store.write(outcomes=[page]))
    text = shown(store)
    assert "\x1b" not in text
    assert "\r" not in text


def test_a_run_without_pages_has_no_empty_parts() -> None:
    store = ReportingStore()
    asyncio.run(store.write(runs=[make_run(stats={})]))
    text = shown(store)
    assert (
        "0 pages fetched, 0.0% on the topic, kept or not (harvest rate); 0 links are waiting"
        in text
    )
    for heading in ("Best pages", "Not kept", "near miss"):
        assert heading not in text


def test_pages_are_not_read(store: ReportingStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(MemoryStore, "pages")
    assert "侨闻2" in shown(store)


def test_a_run_that_stores_nothing_proposes_what_to_change() -> None:
    store = ReportingStore()
    run = make_run()
    asyncio.run(store.write([], [make_outcome(verdict="dropped", reason="off-topic")], [run]))
    text = shown(store)
    assert "No page was on the topic. `scrapy topics 侨情` shows its words." in text
    assert "TOPICCRAWL_BALANCE=recall" in text


def test_without_a_record_of_the_run_there_is_no_summary() -> None:
    assert asyncio.run(read_summary(ReportingStore(), "侨情")) is None


def test_the_commands_call_the_program_as_the_user_does() -> None:
    commands = Commands("侨情", again=["crawl", "topic"], program=".venv/bin/scrapy")
    for line in commands.lines():
        assert ": .venv/bin/scrapy " in line
    assert list(commands.lines(collection=False, outcomes=False)) == [
        "  continue: .venv/bin/scrapy crawl topic"
    ]


def test_the_commands_name_topic_and_store_and_can_be_pasted() -> None:
    words = ["crawl", "topic", "-a", "topic=新 能源"]
    lines = "\n".join(Commands("新 能源", "sqlite:///a.sqlite", words).lines())
    assert "report: scrapy report '新 能源' --store sqlite:///a.sqlite" in lines
    assert "continue: scrapy crawl topic -a 'topic=新 能源'" in lines
    assert "continue" not in "\n".join(Commands("侨情").lines())
    assert "export 侨批/侨乡 --out 侨批_侨乡.csv" in "\n".join(Commands("侨批/侨乡").lines())


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (["topic", "-a", "topic=侨情"], ["topic", "-a", "topic=侨情"]),
        (["topic", "-a", "fresh=1", "--yes"], ["topic"]),
        (["topic", "-afresh=yes", "-s", "A=1"], ["topic", "-s", "A=1"]),
    ],
)
def test_the_command_that_continues_erases_nothing(words: list[str], left: list[str]) -> None:
    assert without_fresh(words) == ["crawl", *left]


@pytest.mark.parametrize(
    ("called", "name"),
    [
        ("/usr/bin/scrapy", "scrapy"),
        ("/usr/lib/scrapy/__main__.py", "scrapy"),
        ("/usr/bin/topiccrawl", "topiccrawl"),
        ("C:/Scripts/topiccrawl.exe", "topiccrawl"),
        ("/usr/lib/topiccrawl/__main__.py", "topiccrawl"),
    ],
)
def test_commands_are_proposed_as_they_were_called(
    monkeypatch: pytest.MonkeyPatch, called: str, name: str
) -> None:
    monkeypatch.setattr(sys, "argv", [called])
    assert Path(program()).name == name


@pytest.mark.parametrize(
    ("word", "expected"), [("侨情", "侨情"), ("a b", "'a b'"), ("a|b", "'a|b'"), ("$x", "'$x'")]
)
def test_words_are_quoted_for_the_shell_only_when_needed(word: str, expected: str) -> None:
    assert quoted(word) == expected


@pytest.mark.slow
def test_a_crawl_ends_with_the_summary_and_without_a_dump_of_statistics(tmp_path: Path) -> None:
    with WebServer(DemoWeb(size=150)) as server:
        words = crawl_words(tmp_path, server.web.seeds, 30, "LOG_FILE=")
        done = scrapy(words, environment(server.url))
        chinese = dict(environment(server.url)) | {"LANGUAGE": "zh_CN"}
        quiet = scrapy([*words, "--no-summary"], chinese)
    assert done.returncode == 0, done.stderr
    log, _, summary = done.stderr.partition("Spider closed (max_pages)")
    assert "Dumping Scrapy stats" not in log
    assert f"{TOPIC}: " in summary
    assert f"{program()} report {TOPIC} --store {tmp_path / 'demo.sqlite'}" in summary
    assert f"continue: {program()} crawl topic -a topic={TOPIC} -a seeds=" in summary
    # Only the version banner, progress and the like: a run of seconds fits on two screens and a half.
    assert len(done.stderr.splitlines()) < 150
    assert done.stdout == ""
    assert "INFO: 接着此主题的队列继续：" in quiet.stderr
    assert "INFO: 摘要：抓取 " in quiet.stderr
    assert quiet.stderr.rstrip().endswith("Spider closed (max_pages)")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["LeavingStore", "ReadableStore"])
def test_a_crawl_whose_store_has_gone_says_where_its_pages_wait(tmp_path: Path, kind: str) -> None:
    store = f"TOPICCRAWL_STORE_URI=tests.support.leaving_store.{kind}://{tmp_path}/a.sqlite"
    folders = (
        f"TOPICCRAWL_STORE_SPOOL_DIR={tmp_path}/spool",
        f"TOPICCRAWL_FRONTIER_DIR={tmp_path}",
    )
    with WebServer(DemoWeb(size=150)) as server:
        words = crawl_words(tmp_path, server.web.seeds, 20, "LOG_FILE=", store, *folders)
        done = scrapy(words, environment(server.url))
    assert done.returncode == 1, done.stderr
    (folder,) = (tmp_path / "spool").iterdir()
    assert done.stderr.splitlines()[-1] == (
        f"topiccrawl: {TOPIC}: 20 pages fetched in this run. The store does not answer, therefore no summary; what "
        f"was found waits in {folder}, and the same command writes it once the store is back"
    )

"""The views of crawls: what they show and start, and what they refuse."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from scrapy.settings import Settings

from tests.support.console_examples import RUNNING
from tests.support.console_project import STORE, enter_project
from tests.support.console_server import RunningConsole, console, fill
from tests.support.crawl_runs import ROOT, TOPIC
from tests.support.html_trees import html_tree
from tests.support.reporting_store import make_page, make_run
from tests.support.waiting import wait_until
from topiccrawl.console.config import ConsoleConfig
from topiccrawl.console.crawls.desk import CrawlDesk, StartForm
from topiccrawl.console.desk import Desk
from topiccrawl.crawl.runs.folder import RunFiles, find_runs
from topiccrawl.crawl.runs.state import HeadLink, HostState, LogEntry
from topiccrawl.demo.web import DemoWeb
from topiccrawl.errors import ConfigurationError
from topiccrawl.sharedfiles import HeldLock
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

HOSTILE = '<script>alert(1)</script>\u202e"><img src=x onerror=alert(2)>\x1b[31m'
STATE = replace(
    RUNNING,
    problems=(LogEntry(1.7e9, "ERROR", "x", f"failed {HOSTILE}"),),
    head=(
        HeadLink(
            "javascript:alert(3)", HOSTILE, 1.5, HOSTILE, "http://a.example/", 2, "", {"rw": 1.0}
        ),
        HeadLink("http://b.example/1", "b.example", 1.2, "侨务", "", 1, HOSTILE, {HOSTILE: 0.5}),
    ),
    hosts=(HostState("b.example", 40, 20, 1, 1.0, 2),),
    command=("crawl", "topic", "-a", f"topic={HOSTILE}"),
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one topic and a store, as working directory."""
    return enter_project(tmp_path, monkeypatch)


@pytest.fixture
def desk(project: Path) -> Iterator[RunningConsole]:
    with console(STORE, write=True, folder=project) as running:
        yield running


def leave_run(project: Path, **changes: object) -> RunFiles:
    files = RunFiles(project / "data" / "crawls", str(changes.get("run", STATE.run)))
    files.folder.mkdir(exist_ok=True)
    files.path(".lock").touch()
    files.path(".log").write_text('{"time": "t", "level": "INFO", "message": "<b>x"}\nnot json\n')
    files.write(replace(STATE, **changes))
    return files


def test_a_run_is_shown_with_curve_queue_hosts_problems_and_log(
    project: Path, desk: RunningConsole
) -> None:
    files = leave_run(project)
    for path in ("/crawls", "/t/侨情/crawls"):
        assert files.run in desk.get(path).text
    page = desk.get(f"/crawls/{files.run}").text
    for shown in ("60", "b.example", "polyline", "not json", "killed"):
        assert shown in page
    assert desk.get(f"/crawls/{files.run}/log").status == 200
    assert desk.get("/crawls/none").status == 404


def test_a_run_shows_what_left_and_entered_the_collection(
    project: Path, desk: RunningConsole
) -> None:
    files = leave_run(project, copies=3, left=2, entered=11)
    page = desk.get(f"/crawls/{files.run}").text
    assert "and 3 copies; judged again: 2 left, 11 entered" in page
    page = desk.get(f"/crawls/{files.run}", accept_language="zh").text
    assert "另有 3 个副本；复判：撤回 2，补入 11" in page
    leave_run(project, copies=0)
    assert "judged again" not in desk.get(f"/crawls/{files.run}").text


def test_an_ended_run_shows_what_left_and_entered_the_collection(
    project: Path, desk: RunningConsole
) -> None:
    stats = {"topiccrawl/pages/stored": 145, "topiccrawl/pages/withdrawn": 9}
    stats |= {"topiccrawl/pages/readmitted": 1, "topiccrawl/pages/admitted": 2}
    run = replace(make_run(), stats=stats)
    fill(project / "data" / "a.sqlite", lambda store: store.write([], [], [run]))
    page = html_tree(desk.get(f"/t/{quote(TOPIC)}/crawls").text)
    cell = page.xpath("//section[h2[@id='past-title']]//td[@data-label='Stored']")[0]
    assert " ".join(cell.text_content().split()) == "145 judged again: 9 left, 3 entered"


def test_the_form_offers_the_topic_of_the_last_run(project: Path, desk: RunningConsole) -> None:
    selected = re.compile(r'<option value="([^"]+)" selected>')
    assert selected.findall(desk.get("/crawls").text) == ["侨情"]
    leave_run(project, topic="绿化")
    assert selected.findall(desk.get("/crawls").text) == ["绿化"]
    assert selected.findall(desk.get("/t/侨情/crawls").text) == ["侨情"]


def test_nothing_of_a_hostile_state_is_markup_or_a_dangerous_link(
    project: Path, desk: RunningConsole
) -> None:
    files = leave_run(project, topic=HOSTILE, store=HOSTILE, machine=HOSTILE, waits_for=HOSTILE)
    for path in ("/crawls", f"/crawls/{files.run}", f"/crawls/{files.run}/live", "/metrics"):
        text = desk.get(path).text
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert 'href="javascript' not in text
        if path != "/metrics":  # which is plain text
            assert "<img src=x" not in text
            assert "<script>alert" not in text


def test_only_a_living_run_is_asked_and_only_for_what_it_understands(
    project: Path, desk: RunningConsole
) -> None:
    files = leave_run(project)
    path = f"/crawls/{files.run}/ask"
    assert desk.submit("/crawls", path, {"wanted": "pause"}).status == 409
    lock = HeldLock(files.path(".lock"))
    assert desk.submit("/crawls", path, {"wanted": "dance"}).status == 400
    assert desk.submit("/crawls", path, {"wanted": "pause", "next": "/crawls"}).status == 303
    assert files.wanted == "pause"
    assert desk.post(path, {"wanted": "stop"}).status == 403
    token = re.search(r'name="csrf" value="([^"]+)"', desk.get("/crawls").text)
    assert token is not None
    for origin in ("null", "http://[x", "http://a.example", "http://127.0.0.1:1"):
        fields = {"csrf": token[1], "wanted": "stop"}
        assert desk.post(path, fields, origin=origin).status == 403
    lock.release()
    assert files.wanted == "pause"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"topic": "没有"}, "not known"),
        ({"topic": "绿化", "pages": "-3"}, "whole number of at least 1"),
        ({"topic": "绿化", "workers": "99"}, "processes must be"),
        ({"topic": "绿化", "settings": "LOG_FILE=/etc/x"}, "LOG_FILE cannot be set here"),
        ({"topic": "绿化", "settings": "TOPICCRAWL_BODY_EXTRACTOR=os.system"}, "cannot be set"),
        ({"topic": "绿化", "settings": "DOWNLOAD_DELAY=-1"}, "DOWNLOAD_DELAY"),
        ({"topic": "绿化", "settings": "ROBOTSTXT_OBEY=0"}, "cannot be set"),
        ({"topic": "绿化", "settings": "x"}, "NAME=VALUE"),
        ({"topic": "绿化", "server": "1"}, "no such scrapyd"),
        ({"topic": "绿化", "settings": "TOPICCRAWL_RETENTION_DAYS=1"}, "cannot be set"),
        ({"topic": "绿化", "settings": "TOPICCRAWL_BROWSER_SANDBOX=0"}, "cannot be set"),
        ({"topic": "绿化", "settings": "TOPICCRAWL_MASK_FEEDS=0"}, "cannot be set"),
        ({"topic": "绿化", "settings": "TOPICCRAWL_PROXY_DIRECT=1"}, "cannot be set"),
        ({"topic": "绿化", "settings": "TOPICCRAWL_CONTROL_SECONDS=1e9"}, "cannot be set"),
        ({"topic": "绿化", "settings": "TOPICCRAWL_SCRAPYD=http://127.0.0.2:1"}, "cannot be set"),
        ({"topic": "绿化", "settings": "TOPICCRAWL_STORE_URI=sqlite:///x"}, "cannot be set"),
        ({"topic": "../绿化"}, "not known"),
        ({"topic": "绿化", "server": "http://127.0.0.2:1"}, "whole number"),
    ],
)
def test_a_wrong_start_is_refused_with_the_reason(
    desk: RunningConsole, project: Path, fields: dict[str, str], reason: str
) -> None:
    answer = desk.submit("/crawls", "/crawls/start", fields)
    assert answer.status == 422
    assert reason in re.sub(r"&#?\w+;", "'", answer.text)
    assert "Back button" in answer.text
    assert not list(project.glob("data/crawls/start-*"))


def test_a_read_only_console_starts_and_changes_nothing(project: Path) -> None:
    files = leave_run(project)
    with console(STORE, folder=project) as desk:
        for path in (
            "/crawls/start", "/crawls/cancel", f"/crawls/{files.run}/ask", "/definitions/绿化/save",
            "/definitions/绿化/seed", "/definitions/绿化/copy",
        ):  # fmt: skip
            assert desk.post(path, {"wanted": "stop"}).status == 403
        assert '<form method="post"' not in desk.get("/definitions/绿化").text


@pytest.mark.slow
def test_a_crawl_is_started_paused_and_survives_the_console_that_started_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    store = fill(tmp_path / "a.sqlite", lambda store: store.write([], [], []))
    with WebServer(DemoWeb(5, 2_000)) as server:
        for name, value in environment(server.url).items():
            monkeypatch.setenv(name, value)
        with console(store, write=True, folder=ROOT) as desk:
            settings = "DOWNLOAD_DELAY=0"
            fields = {"topic": "可再生能源", "settings": settings}
            known = re.findall(r'<option value="([^"]+)"', desk.get("/crawls").text)
            fields["topic"] = next(it for it in known if it == TOPIC)
            assert desk.submit("/crawls", "/crawls/start", fields).status == 303
            folder = tmp_path / "crawls"
            wait_until(lambda: any(it.state.phase != "starting" for it in find_runs(folder)))
            (run,) = find_runs(folder)
            assert run.state.launch.startswith("start-")
        # The console is gone.
        assert find_runs(folder)[0].alive
        with console(store, write=True, folder=ROOT) as desk:
            page = f"/crawls/{run.state.run}"
            assert desk.get(page).status == 200
            assert desk.submit(page, f"{page}/ask", {"wanted": "stop"}).status == 303
            wait_until(lambda: not find_runs(folder)[0].alive)
    assert find_runs(folder)[0].health == "ended"


@pytest.mark.slow
def test_a_store_in_a_folder_with_an_at_sign_can_be_crawled_into(project: Path) -> None:
    (project / "seeds" / "绿化" / "topic.toml").write_text('name = "绿化"\n', "utf-8")
    (project / "a@b").mkdir()
    uri = fill(project / "a@b" / "c.sqlite", lambda store: store.write([make_page()], [], []))
    with console(uri, write=True, folder=project) as desk:
        assert desk.submit("/crawls", "/crawls/start", {"topic": "绿化"}).status == 303
        wait_until(lambda: "keywords or samples" in desk.get("/crawls").text)


def test_the_password_of_a_store_is_not_given_to_a_process(project: Path) -> None:
    uri = "mongodb://me:secret@127.0.0.1:1/pages"
    desk = CrawlDesk(Desk(ConsoleConfig(uri, folder=project)))
    with pytest.raises(ConfigurationError, match="has a password"):
        asyncio.run(desk.start(StartForm("绿化"), {}))


@pytest.mark.slow
def test_a_start_that_fails_shows_the_reason(desk: RunningConsole, project: Path) -> None:
    (project / "seeds" / "绿化" / "topic.toml").write_text('name = "绿化"\n', "utf-8")
    assert desk.submit("/crawls", "/crawls/start", {"topic": "绿化"}).status == 303
    wait_until(lambda: "did not start" in desk.get("/crawls").text)
    assert "keywords or samples" in desk.get("/crawls").text
    # The piece that refreshes itself has it, too.
    assert "keywords or samples" in desk.get("/crawls/live").text
    assert "keywords or samples" not in desk.get("/crawls/live?topic=x").text


def test_the_figures_count_topics_and_processes(project: Path, desk: RunningConsole) -> None:
    files = leave_run(project)
    lock = HeldLock(files.path(".lock"))
    text = desk.get("/metrics").text
    lock.release()
    assert 'topiccrawl_crawls{topic="侨情"} 1.0' in text
    assert 'topiccrawl_queued{topic="侨情"} 5000.0' in text
    assert "topiccrawl_store_up 1.0" in text


def test_a_scrapyd_that_does_not_answer_is_a_line_and_no_failure(project: Path) -> None:
    settings = Settings({"TOPICCRAWL_SCRAPYD": "http://me:secret-word@127.0.0.1:9"})
    with console(STORE, write=True, folder=project, settings=settings) as desk:
        text = desk.get("/crawls").text
        revisit = {"topic": "绿化", "server": "1", "kind": "refresh"}
        refused = desk.submit("/crawls", "/crawls/start", revisit)
    assert refused.status == 422
    assert "on this machine only" in refused.text
    assert "scrapyd at http://127.0.0.1:9" in text
    assert "secret-word" not in text

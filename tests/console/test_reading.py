"""The reading view: text, evidence, versions, copies, snapshot; judgments, notes and tags."""

from __future__ import annotations

import asyncio
import random
import re
import threading
import zlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
from scrapy.settings import Settings

from tests.support.console_server import RunningConsole, console, fill
from tests.support.planted_copies import planted
from tests.support.read_page import READ, URL, page_in
from tests.support.reporting_store import START, make_outcome, make_page
from topiccrawl.console.reading.judging import JUDGMENT
from topiccrawl.console.views import judging as judging_view
from topiccrawl.console.views import reading as reading_view
from topiccrawl.crawl.judgments.recording import record_judgments
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.crawl.settling.settling import settle
from topiccrawl.store.contract import Store
from topiccrawl.store.desk import DeskRecord
from topiccrawl.store.versions import former_version
from topiccrawl.topics.definition import Judgment
from topiccrawl.topics.load import find_definition


def judgments_file() -> Path:
    """The file of judgments of the working folder."""
    (found,) = Path.cwd().rglob("*judgments.tsv")
    return found


def test_terms_are_marked_in_any_script_and_markup_stays_text(desk: RunningConsole) -> None:
    text = desk.get(READ).text
    assert "<mark>華僑</mark>" in text
    assert "&lt;b&gt;没有标记&lt;/b&gt;" in text
    assert "<mark>学校</mark>" in desk.get(f"{READ}&q=學校").text


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        ("evidence", ["侨务新闻", "0.410", "http://qw.example.cn/", ">+1.50<", ">0.8<"]),
        ("versions", ["<del>医院</del>", "<ins>学校</ins>"]),
        ("copies", ["转载", "http%3A%2F%2Fcopy.example.cn%2F9%3Fa%3D1%26b%3D2"]),
        ("snapshot", ["<iframe", 'sandbox=""']),
        ("text", ["附件", "<small>PDF<"]),
        ("no-such-view", ["<mark>華僑</mark>"]),
    ],
)
def test_each_view_shows_its_part(desk: RunningConsole, view: str, shown: list[str]) -> None:
    text = desk.get(f"{READ}&view={view}").text
    assert [it for it in shown if it not in text] == []


def test_the_snapshot_is_a_sandbox_without_scripts(desk: RunningConsole) -> None:
    answer = desk.get(f"/t/侨情/snapshot?url={URL}")
    assert answer.headers["content-security-policy"].startswith("sandbox")
    assert "捐资" in answer.text
    assert "script" not in answer.text
    assert "onclick" not in answer.text


@pytest.mark.parametrize(
    ("work", "path"),
    [
        ("terms_of", READ),
        ("paragraphs", f"{READ}&whole=1"),
        ("difference_of", f"{READ}&view=versions"),
        ("safe_document", f"/t/侨情/snapshot?url={URL}"),
    ],
)
def test_large_pages_do_not_keep_other_requests_waiting(
    desk: RunningConsole, work: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []
    done = getattr(reading_view, work)

    def noticed(*given: Any) -> Any:
        threads.append(threading.current_thread().name)
        return done(*given)

    monkeypatch.setattr(reading_view, work, noticed)
    assert desk.get(path).status == 200
    # The event loop runs in the thread that tests/support/console_server.py names so.
    assert threads
    assert "console" not in threads


def test_another_spelling_of_the_address_finds_the_page(desk: RunningConsole) -> None:
    assert desk.get("/t/侨情/page?url=QW.example.cn/1").status == 200
    assert desk.get("/t/侨情/page?url=http://qw.example.cn/none").status == 404
    assert desk.get("/t/侨情/page").status == 404


def test_a_missing_page_is_not_found_and_leads_back_to_the_topic(desk: RunningConsole) -> None:
    text = desk.get("/t/侨情/page?url=http://qw.example.cn/none").text
    assert "<h1>Not found</h1>" in text
    assert 'href="/t/%E4%BE%A8%E6%83%85/">To the overview of' in text


def test_a_page_judged_off_topic_leaves_and_returns_when_that_is_undone(
    desk: RunningConsole, uri: str
) -> None:
    before = page_in(uri)
    answer = desk.submit(READ, "/t/侨情/judgments/judge", {"url": URL, "verdict": "off"})
    assert answer.status == 303
    assert page_in(uri).withdrawn_at is not None
    assert judgments_file().read_text("utf-8").count(f"{URL}\tno") == 1
    assert "华侨捐资助学" in desk.get("/t/侨情/judgments").text
    assert desk.submit(READ, "/t/侨情/judgments/undo", {"url": URL}).status == 303
    after = page_in(uri)
    assert (after.withdrawn_at, after.probability) == (None, before.probability)
    assert URL not in judgments_file().read_text("utf-8")


def test_pages_of_the_same_text_leave_and_return_with_the_page(
    desk: RunningConsole, uri: str
) -> None:
    first, copy = (replace(it, topic="侨情") for it in planted(1)["story-0"][:2])
    outcomes = [make_outcome(first.url), make_outcome(copy.url)]

    async def compared(store: Store) -> None:
        await store.write([first, copy], outcomes)
        await settle(store, "侨情")

    fill(Path(uri.removeprefix("sqlite:///")), compared)
    read = f"/t/侨情/page?url={first.url}"
    desk.submit(read, "/t/侨情/judgments/judge", {"url": first.url, "verdict": "off"})
    assert page_in(uri, first.url).withdrawn_at is not None
    assert page_in(uri, copy.url).withdrawn_at is not None
    why = f"/t/侨情/page?url={copy.url}&view=evidence"
    assert "which the user judged off topic" in desk.get(why).text
    desk.submit(read, "/t/侨情/judgments/undo", {"url": first.url})
    assert page_in(uri, first.url).withdrawn_at is None
    assert page_in(uri, copy.url).withdrawn_at is None


def test_the_evidence_of_a_page_that_has_left_states_the_time_in_china(tmp_path: Path) -> None:
    at = datetime(2024, 5, 7, 20, 30, tzinfo=UTC)
    page = make_page(URL, withdrawn_at=at)
    uri = fill(
        tmp_path / "left.sqlite",
        lambda store: store.write([make_page("http://a.example/"), page], [make_outcome(URL)]),
    )
    with console(uri) as running:
        text = running.get(f"{READ}&view=evidence").text
    assert "2024-05-08 04:30" in text
    assert "20:30" not in text


def test_a_judgment_is_counted_at_once(desk: RunningConsole) -> None:
    def listed() -> bool:
        return f'{quote(URL, safe="")}">' in desk.get("/t/侨情/").text

    assert listed()
    desk.submit(READ, "/t/侨情/judgments/judge", {"url": URL, "verdict": "off"})
    assert not listed()
    desk.submit(READ, "/t/侨情/judgments/undo", {"url": URL})
    assert listed()


def test_a_page_judged_off_topic_leaves_the_proposed_briefing(desk: RunningConsole) -> None:
    proposal = "/t/侨情/briefing?since=2000-01-01"
    link = f'{quote(URL, safe="")}"'
    assert link in desk.get(proposal).text
    desk.submit(READ, "/t/侨情/judgments/judge", {"url": URL, "verdict": "off"})
    assert link not in desk.get(proposal).text


def test_a_page_that_states_only_its_day_shows_no_midnight(desk: RunningConsole) -> None:
    shown = desk.get("/t/侨情/").text
    assert ">2024-04-30</time>" in shown
    assert " 00:00</time>" not in shown


def test_a_judgment_that_waits_for_the_next_crawl_is_not_shown_as_an_error(
    desk: RunningConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def without_frontier(*_: object) -> list[str]:
        return ["the frontier cannot be used: away"]

    monkeypatch.setattr(judging_view, "judge_page", without_frontier)
    answer = desk.submit(READ, "/t/侨情/judgments/judge", {"url": URL, "verdict": "off"})
    assert answer.status == 200
    assert "The judgment is saved" in answer.text
    assert "the frontier cannot be used: away" in answer.text
    assert "Not answered" not in answer.text


@pytest.fixture
def topic_folder(project: Path) -> Path:
    """The folder of the topic 侨情 in the working folder."""
    folder = project / "seeds" / "侨情"
    folder.mkdir(parents=True)
    (folder / "topic.toml").write_text('name = "侨情"\n[keywords.core]\n"侨" = 1.0\n')
    return folder


def test_judgments_of_the_command_line_are_listed_and_counted(
    topic_folder: Path, desk: RunningConsole
) -> None:
    file = topic_folder / "judgments.tsv"
    file.write_text("http://qw.example.cn/list\tno\t\t只是列表\n")
    shown = desk.get("/t/侨情/judgments").text
    assert re.search(r"Judged</dt>\s*<dd[^>]*><b[^>]*>1</b>", shown)
    assert "http://qw.example.cn/list" in shown
    assert "只是列表" in shown
    assert str(file) in shown


def test_every_judgment_can_be_reached_from_the_list(topic_folder: Path, tmp_path: Path) -> None:
    written = [f"http://b.example/{n:03}" for n in range(120)]
    lines = "".join(f"{url}\tyes\n" for url in written)
    (topic_folder / "judgments.tsv").write_text(lines, encoding="utf-8")
    judged = [f"http://a.example/{n:03}" for n in range(130)]
    records = [
        DeskRecord(
            topic="侨情", kind=JUDGMENT, key=url, at=START - timedelta(minutes=n),
            value={"verdict": "on", "title": url},
        )
        for n, url in enumerate(judged)
    ]  # fmt: skip

    async def write(store: Store) -> None:
        await store.write([make_page(URL)], desk=records)

    with console(fill(tmp_path / "judged.sqlite", write)) as running:
        path, seen, pages = "/t/侨情/judgments", list[str](), 0
        while path:
            text = running.get(path).text.partition("Judged pages")[2]
            seen += re.findall(r"<bdi>(http://[ab].example/\d{3})</bdi>", text)
            following = re.search(r'rel="next" href="([^"]+)"', text)
            path, pages = unquote(unescape(following[1])) if following else "", pages + 1
    assert seen == [*judged, *written]
    assert pages == 3


def judge_on_the_command_line(uri: str, relevant: bool, at: datetime | None = None) -> None:
    settings = CrawlSettings.from_settings(Settings({"TOPICCRAWL_STORE_URI": uri}))
    given, problems = [Judgment(URL, relevant, at)], []
    recorded = record_judgments(
        find_definition("侨情"), given, settings, lambda: None, problems.append
    )
    asyncio.run(recorded)
    assert problems == []


def test_a_verdict_that_is_none_is_named(desk: RunningConsole) -> None:
    answer = desk.submit(READ, "/t/侨情/judgments/judge", {"url": URL, "verdict": "no"})
    assert answer.status == 400
    assert "verdict must be one of on, off, dull, got &#39;no&#39;" in answer.text


@pytest.mark.parametrize("verdict", ["on", "off", "dull"])
def test_the_console_shows_the_later_judgment_of_the_command_line(
    topic_folder: Path, desk: RunningConsole, uri: str, verdict: str
) -> None:
    before = page_in(uri)
    desk.submit(READ, "/t/侨情/judgments/judge", {"url": URL, "verdict": verdict})
    later = verdict == "off"
    judge_on_the_command_line(uri, later, datetime.now(UTC))
    assert (page_in(uri).withdrawn_at is None) is later
    pressed = f'value="{"on" if later else "off"}" aria-pressed="true"'
    assert pressed in desk.get(READ).text
    badge = re.compile(r'<span class="badge ([a-z]*)').findall(desk.get("/t/侨情/judgments").text)
    assert badge == ["" if later else "bad"]
    desk.submit(READ, "/t/侨情/judgments/undo", {"url": URL})
    after = page_in(uri)
    assert (after.withdrawn_at, after.probability) == (None, before.probability)
    assert "aria-pressed" not in desk.get(READ).text.partition("judgments/judge")[2]


def test_a_page_judged_on_the_command_line_is_shown_as_judged(
    topic_folder: Path, desk: RunningConsole, uri: str
) -> None:
    judge_on_the_command_line(uri, relevant=False)
    assert "Judged: off topic" in desk.get(READ).text
    # "Not interesting" is no judgment for the crawler: it takes the other one back.
    desk.submit(READ, "/t/侨情/judgments/judge", {"url": URL, "verdict": "dull"})
    assert page_in(uri).withdrawn_at is None
    assert URL not in judgments_file().read_text("utf-8")


@pytest.mark.parametrize("relevant", [True, False])
def test_a_judgment_of_the_command_line_is_undone_in_the_console(
    topic_folder: Path, desk: RunningConsole, uri: str, relevant: bool
) -> None:
    judge_on_the_command_line(uri, relevant)
    assert (page_in(uri).withdrawn_at is None) is relevant
    assert f'name="url" value="{URL}"' in desk.get("/t/侨情/judgments").text
    assert desk.submit(READ, "/t/侨情/judgments/undo", {"url": URL}).status == 303
    assert page_in(uri).withdrawn_at is None
    assert URL not in judgments_file().read_text("utf-8")


def test_a_page_that_the_command_line_confirmed_returns_when_the_console_takes_its_no_back(
    desk: RunningConsole, uri: str, topic_folder: Path
) -> None:
    judge_on_the_command_line(uri, relevant=True)
    desk.submit(READ, "/t/侨情/judgments/judge", {"url": URL, "verdict": "off"})
    assert page_in(uri).withdrawn_at is not None
    desk.submit(READ, "/t/侨情/judgments/undo", {"url": URL})
    assert URL not in judgments_file().read_text("utf-8")
    assert page_in(uri).withdrawn_at is None


def test_a_topic_with_a_wrong_file_is_not_judged_elsewhere(
    topic_folder: Path, desk: RunningConsole, uri: str
) -> None:
    (topic_folder / "judgments.tsv").write_text("http://qw.example.cn/9 no\n")
    answer = desk.submit(READ, "/t/侨情/judgments/judge", {"url": URL, "verdict": "off"})
    assert "judgments.tsv, line 1: must be a URL and yes or no" in answer.text
    assert page_in(uri).withdrawn_at is None
    assert "judgments.tsv, line 1" in desk.get("/t/侨情/judgments").text
    assert 'value="off" aria-pressed="true"' not in desk.get(READ).text


def test_a_dull_page_stays_in_the_collection(desk: RunningConsole, uri: str) -> None:
    desk.submit(READ, "/t/侨情/judgments/judge", {"url": URL, "verdict": "dull"})
    assert page_in(uri).withdrawn_at is None
    assert re.search(r'value="dull" aria-pressed="true"', desk.get(READ).text)
    # It teaches nothing: there is no judgment with which the crawler could agree.
    taught = desk.get("/t/侨情/judgments").text
    assert re.search(r"Agreement before</dt>\s*<dd><b>—</b>", taught)


def test_a_very_long_page_is_shown_in_part(project: Path) -> None:
    drawn = random.Random(4)
    text = "".join(chr(drawn.randrange(0x4E00, 0x9FA5)) for _ in range(150_000))
    long = make_page(
        body=text,
        comments=text,
        title=text,
        summary=text,
        author=text[:5_000],
        keywords=tuple(text[n : n + 100] for n in range(0, 3_000, 100)),
        html=zlib.compress(f"<p>{text}".encode()),
        charset="utf-8",
        changed_at=START + timedelta(days=1),
    )
    former = former_version(make_page(body=text[::-1]), START + timedelta(days=1))
    uri = fill(
        project / "long.sqlite",
        lambda store: store.write([long], [make_outcome(title=text)], versions=[former]),
    )
    with console(uri, write=True) as desk:
        paths = [f"{READ}&view={it}" for it in ("text", "evidence", "versions", "copies")]
        for path in (*paths, f"/t/侨情/snapshot?url={URL}", "/t/侨情/", "/t/侨情/search?q=一"):
            answer = desk.get(path, accept_encoding="gzip")
            assert answer.status == 200, path
            # Scripts and style sheet take 30 KB.
            assert len(answer.body) < 120_000, path
        assert "q=%E4%B8%80&amp;whole=1" in desk.get(f"{READ}&q=一").text

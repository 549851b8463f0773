"""Notes and tags; forms of the console: whose they are, and what becomes of what was typed."""

from __future__ import annotations

import http.client
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from html import unescape
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

from tests.support.console_server import RunningConsole, console, fill
from tests.support.html_trees import html_tree
from tests.support.read_page import READ, URL, page_in
from tests.support.reporting_store import START, make_page
from topiccrawl.console import desk as desk_module
from topiccrawl.console.reading.annotations import NOTE
from topiccrawl.store.contract import Store
from topiccrawl.store.desk import DeskRecord


def test_a_note_and_tags_are_kept_and_listed(desk: RunningConsole) -> None:
    fields = {"url": URL, "note": "核对\r\n日期", "tags": "要闻，侨批; 要闻"}
    assert desk.submit(READ, "/t/侨情/notes/save", fields).status == 303
    page = desk.get(READ).text
    assert 'value="要闻, 侨批"' in page
    assert "核对\n日期" in page
    listed = desk.get("/t/侨情/notes?tag=侨批").text
    assert "核对" in listed
    assert "核对" not in desk.get("/t/侨情/notes?tag=无").text
    desk.submit(READ, "/t/侨情/notes/save", {"url": URL, "note": "", "tags": " "})
    assert "核对" not in desk.get("/t/侨情/notes").text


@pytest.mark.parametrize(
    ("note", "tags", "reason"),
    [
        ("长" * 20_001, "要闻", "20,001 characters"),
        ("长", "签" * 41, "41 characters"),
        ("长", ",".join(map(str, range(31))), "at most 30 tags"),
    ],
)
def test_what_is_too_long_to_be_kept_is_refused_and_not_cut(
    desk: RunningConsole, note: str, tags: str, reason: str
) -> None:
    answer = desk.submit(READ, "/t/侨情/notes/save", {"url": URL, "note": note, "tags": tags})
    assert answer.status == 400
    assert reason in answer.text
    assert "Back button" in answer.text
    page = desk.get(READ).text
    assert "长</textarea>" not in page
    assert 'name="tags" value=""' in page


def test_a_note_as_long_as_allowed_is_kept_whole(desk: RunningConsole) -> None:
    desk.submit(READ, "/t/侨情/notes/save", {"url": URL, "note": "长\r\n" * 10_000})
    assert desk.get(READ).text.count("长\n") >= 9_999


@pytest.mark.parametrize("write", [True, False])
def test_notes_without_any_name_the_option_only_to_who_lacks_it(uri: str, write: bool) -> None:
    with console(uri, write=write) as running:
        text = running.get("/t/侨情/notes").text
    assert "No page has a note or a tag yet" in text
    assert ("--write" in text) is not write


def test_notes_and_tags_of_two_users_are_both_kept(desk: RunningConsole) -> None:
    shown = {name: hidden(desk, name) for name in ("was-note", "was-tags")}
    saved = "/t/侨情/notes/save"
    desk.submit(READ, saved, {"url": URL, "note": "甲", "tags": "要闻", **shown})
    desk.submit(READ, saved, {"url": URL, "note": "乙", "tags": "侨批", **shown})
    desk.submit(READ, saved, {"url": URL, "note": "", "tags": "", **shown})
    page = desk.get(READ).text
    assert "甲\n\n乙</textarea>" in page
    assert 'value="侨批, 要闻"' in page
    shown = {name: hidden(desk, name) for name in ("was-note", "was-tags")}
    desk.submit(READ, saved, {"url": URL, "note": "丙", "tags": "要闻", **shown})
    page = desk.get(READ).text
    assert "丙</textarea>" in page
    assert 'name="tags" value="要闻"' in page


def hidden(desk: RunningConsole, name: str) -> str:
    """The value of a hidden field of the page that is read."""
    found = re.search(f'name="{name}" value="([^"]*)"', desk.get(READ).text)
    assert found is not None
    return found[1]


def test_every_page_with_a_note_can_be_reached_from_the_list(tmp_path: Path) -> None:
    notes = [
        DeskRecord(
            topic="侨情", kind=NOTE, key=f"http://a.example/{n}", at=START + timedelta(minutes=n),
            value={"text": f"批注{n:03}。", "title": f"页{n}"},
        )
        for n in range(250)
    ]  # fmt: skip

    async def write(store: Store) -> None:
        await store.write([make_page(URL)], desk=notes)

    with console(fill(tmp_path / "notes.sqlite", write)) as running:
        path, seen = "/t/侨情/notes", list[str]()
        while path:
            text = running.get(path).text
            seen += re.findall(r"批注(\d{3})。", text)
            following = re.search(r'rel="next" href="([^"]+)"', text)
            path = unquote(unescape(following[1])) if following else ""
    assert seen == [f"{n:03}" for n in reversed(range(250))]


@contextmanager
def locked(uri: str) -> Iterator[None]:
    """Another program holds the lock of the store."""
    with closing(sqlite3.connect(uri.removeprefix("sqlite:///"), isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("ROLLBACK")


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("notes/save", {"url": URL, "note": '"看"\n<b>过</b>'}),
        ("judgments/judge", {"url": URL, "verdict": "off"}),
    ],
)
def test_a_locked_store_is_named_soon_and_the_form_can_be_sent_again(
    uri: str, monkeypatch: pytest.MonkeyPatch, path: str, fields: dict[str, str]
) -> None:
    monkeypatch.setattr(desk_module, "PATIENCE_SECONDS", 0.05)
    with console(uri, write=True) as desk:
        with locked(uri):
            answer = desk.submit(READ, f"/t/侨情/{path}", fields)
        assert answer.status == 503
        assert "has locked it; nothing was saved" in answer.text
        form = html_tree(answer.text).forms[-1]
        assert desk.post(unquote(form.action), dict(form.fields), origin=desk.url).status == 303
        shown = desk.get(READ).text
    assert "Judged: off topic" in shown or "&lt;b&gt;过" in shown


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("restored", [False, True])
def test_a_store_that_was_moved_or_replaced_is_named_with_what_to_do(
    uri: str, restored: bool, language: str
) -> None:
    path = Path(uri.removeprefix("sqlite:///"))
    with console(uri, write=True) as desk:
        backup = path.rename(path.with_name("backup.sqlite"))
        if restored:
            shutil.copy(backup, path)
        answer = desk.get("/", accept_language=language)
        assert answer.status == 503
        assert path.name in answer.text
        said = {
            "en": (
                "deleted, moved or replaced while the console was open",
                "stop the console and start",
            ),
            "zh": ("控制台打开期间被删除、移走或替换", "停止控制台，再重新启动"),
        }
        assert all(words in answer.text for words in said[language])
    if restored:
        with console(uri) as desk:
            assert desk.get("/").status == 200


@pytest.mark.parametrize("path", ["notes/save", "judgments/judge", "judgments/undo", "search/save"])
def test_forms_of_strangers_are_refused(desk: RunningConsole, path: str) -> None:
    fields = {"url": URL, "verdict": "off", "note": "x", "csrf": "guessed"}
    assert desk.post(f"/t/侨情/{path}", fields).status == 403
    token = re.search(r'name="csrf" value="([^"]+)"', desk.get(READ).text)
    assert token is not None
    fields["csrf"] = token[1]
    for headers in ({"origin": "http://evil.example"}, {"sec_fetch_site": "cross-site"}):
        assert desk.post(f"/t/侨情/{path}", fields, **headers).status == 403
    assert desk.get(f"/t/侨情/{path}").status == 405


def test_a_console_without_write_changes_nothing_and_shows_no_forms(uri: str) -> None:
    with console(uri) as desk:
        assert 'method="post"' not in desk.get(READ).text
        assert desk.post("/t/侨情/judgments/judge", {"url": URL, "verdict": "off"}).status == 403
    assert page_in(uri).withdrawn_at is None


def test_a_body_of_unknown_length_is_cut_off_without_a_failure(
    desk: RunningConsole, caplog: pytest.LogCaptureFixture
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", desk.port, timeout=30)
    try:
        kind = {"content-type": "application/x-www-form-urlencoded"}
        body = (b"&f=" + b"x" * 100_000 for _ in range(21))
        connection.request("POST", quote("/t/侨情/notes/save"), body, kind, encode_chunked=True)
        assert connection.getresponse().status == 413
    finally:
        connection.close()
    assert [it for it in caplog.records if it.exc_info] == []


def test_a_body_that_is_too_large_is_refused(desk: RunningConsole) -> None:
    assert desk.post("/t/侨情/notes/save", {"note": "x" * 2_100_000}).status == 413


def test_what_was_typed_before_the_console_was_restarted_can_be_sent_again(
    desk: RunningConsole, uri: str
) -> None:
    fields = {
        "csrf": "0" * 64, "url": URL, "tags": "重点", "was-tags": "", "note": '第一行\n"第二行"', "next": READ,
    }  # fmt: skip
    path = "/t/侨情/notes/save"
    answer = desk.post(path, fields, origin=desk.url)
    assert answer.status == 403
    (form,) = html_tree(answer.text).xpath("//main//form")
    again = {name: value or "" for name, value in form.form_values()}
    assert {**again, "csrf": fields["csrf"]} == fields
    assert again["csrf"] != fields["csrf"]
    assert desk.post(unquote(form.get("action")), again, origin=desk.url).status == 303
    assert "第一行" in desk.get(READ).text


@pytest.mark.parametrize("headers", [{}, {"origin": "http://a.example"}, {"origin": "null"}])
def test_forms_of_others_get_no_token(desk: RunningConsole, headers: dict[str, str]) -> None:
    answer = desk.post("/t/侨情/notes/save", {"csrf": "0", "url": URL, "note": "x"}, **headers)
    assert answer.status == 403
    assert 'name="csrf"' not in answer.text

"""Deletion of pages by address, person and date, retention, and the log of exports."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.briefings import briefing, candidate
from tests.support.command_line import run_command, sqlite_store
from tests.support.page_texts import WORDS, saying
from tests.support.reporting_store import make_outcome, make_page
from tests.support.store_records import near_miss, version
from tests.support.stored import in_store
from topiccrawl.alerts.records import Alert, AlertPage
from topiccrawl.alerts.texts import describe
from topiccrawl.briefing.storing import saved_briefings, store_briefing
from topiccrawl.commands.forget import Command
from topiccrawl.crawl.storing.deleted import DeletedPages
from topiccrawl.crawl.storing.retention import expired_pages
from topiccrawl.reporting.event_table import PART, compute_events, load_events, save_events
from topiccrawl.store.contract import Store
from topiccrawl.store.deletion.choosing import Condition, doomed_pages, person_pattern
from topiccrawl.store.deletion.desk import without_pages
from topiccrawl.store.deletion.leftovers import erase_leftovers
from topiccrawl.store.deletion.marks import delete_marked, marked_ids
from topiccrawl.store.desk import DeskRecord
from topiccrawl.store.ids import record_id
from topiccrawl.store.records import RunRecord
from topiccrawl.store.sqlite.file import lock_patience
from topiccrawl.store.uri import sqlite_path

TOPIC = "侨情"
NOW = datetime(2026, 11, 20, 4, tzinfo=UTC)
LONG_AGO = datetime(2020, 1, 1, 4, tzinfo=UTC)
NAME = "欧阳敏慧"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def forget(uri: str, *args: str) -> int:
    """Return the exit code of ``scrapy forget``."""
    return run_command(Command(), [TOPIC, *args], uri)


def page(number: int, **changes: Any) -> Any:
    values = {"fetched_at": NOW - timedelta(days=number), "run_id": "run-1", **changes}
    return make_page(f"http://www.example.cn/{number}", **values)


async def found(store: Store, condition: Condition) -> set[str]:
    return {it.url async for it in doomed_pages(store, TOPIC, condition)}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("欧阳敏慧", "侨领欧阳敏慧女士"),
        ("欧阳敏慧", "僑領歐陽敏慧"),
        ("歐陽敏慧", "欧阳 敏慧"),
        ("阿卜杜拉买买提", "阿卜杜拉·买买提"),
        ("Li Wei", "by LI  WEI, Beijing"),
        ("Li Wei", "Ｌｉ Ｗｅｉ"),
    ],
)
def test_a_person_is_found_in_every_spelling_of_the_name(name: str, text: str) -> None:
    from topiccrawl.text.normalize import normalize

    assert person_pattern(name).search(normalize(text))


def test_a_name_in_letters_is_found_as_whole_words_only() -> None:
    assert not person_pattern("Li Wei").search("ali weiss")
    with pytest.raises(ValueError, match="。"):
        person_pattern("。")


def test_pages_are_found_by_each_text_that_names_a_person(tmp_path: Path) -> None:
    # The main terms are words of the title and the body.
    fields = [name for name in WORDS if name != "main_terms"]
    named = [page(n, **saying(name, f"据{NAME}介绍")) for n, name in enumerate(fields, 100)]
    named += [
        page(6, summary=NAME, withdrawn_at=NOW),
        page(8, copy_of="http://www.example.cn/1", relation="copy", story="s", editor=NAME),
    ]
    uri = sqlite_store(tmp_path, [*named, page(20)], near_misses=[near_miss(30, body=NAME)])
    urls = in_store(uri, lambda store: found(store, Condition(persons=(NAME,))))
    assert urls == {it.url for it in named} | {near_miss(30).url}


def test_a_person_in_a_former_version_only_is_found(tmp_path: Path) -> None:
    from tests.support.store_records import page as whole_page

    uri = sqlite_store(tmp_path, [whole_page(1)], versions=[version(1, body=f"{NAME}，")])
    assert in_store(uri, lambda store: found(store, Condition(persons=(NAME,)))) == {
        whole_page(1).url
    }


def test_all_conditions_must_hold(tmp_path: Path) -> None:
    uri = sqlite_store(tmp_path, [page(n, published_at=None) for n in (1, 10, 100)])
    day = NOW - timedelta(days=5)
    assert len(in_store(uri, lambda store: found(store, Condition(before=day)))) == 2
    both = Condition(before=day, urls=frozenset({page(1).url, page(10).url}))
    assert in_store(uri, lambda store: found(store, both)) == {page(10).url}
    assert not in_store(uri, lambda store: found(store, Condition(published_before=NOW)))


def test_the_pages_of_a_site_are_deleted_and_those_of_others_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sites = ("www.qiaobao.cn", "QiaoBao.cn", "xqiaobao.cn", "qiaobao.cn.example.com")
    pages = [make_page(f"http://{site}/{n}", site=site) for n, site in enumerate(sites)]
    uri = sqlite_store(tmp_path, pages, near_misses=[near_miss(30, site="old.qiaobao.cn")])
    assert forget(uri, "--site", "http://qiaobao.cn/", "--yes") == 0
    assert "3 pages deleted" in capsys.readouterr().out
    assert in_store(uri, lambda store: found(store, Condition(sites=("cn", "com")))) == {
        it.url for it in pages[2:]
    }
    assert forget(uri, "--site", "qiaobao.cn/news", "--yes") == 2
    assert "--site must be hosts" in capsys.readouterr().err
    assert forget(uri, "--site", "qiaobao.cn", "--expired", "--yes") == 1


def test_nothing_of_a_deleted_page_is_left_in_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "琥珀鹧鸪"
    told = f"{secret}在座谈会上发言。" * 3
    uri = sqlite_store(
        tmp_path,
        [
            page(1, title=secret, body=told),
            page(2, body=f"{secret}。" + "另一段内容。" * 2_000),
            page(3, body="别的内容，仍然保留。"),
            page(4),
        ],
        [
            make_outcome(page(1).url, title=secret),
            make_outcome("http://x.example.cn/", title=secret),
        ],
    )
    assert forget(uri, "--person", secret, "--yes") == 0
    assert secret in capsys.readouterr().out
    data = b"".join(file.read_bytes() for file in tmp_path.glob("crawl.sqlite*"))
    for text in (secret, secret[:2], secret[2:]):
        assert text.encode() not in data
    assert "仍然保留".encode() in data
    kept = in_store(uri, lambda store: store.topics())
    assert kept == {TOPIC: 2}
    with closing(sqlite3.connect(tmp_path / "crawl.sqlite")) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    left = index_terms(tmp_path / "crawl.sqlite")
    (tmp_path / "other").mkdir()
    sqlite_store(tmp_path / "other", [page(3, body="别的内容，仍然保留。"), page(4)], [])
    assert left == index_terms(tmp_path / "other" / "crawl.sqlite")


def index_terms(path: Path) -> list[tuple[str, int]]:
    """Return the terms of the search index with the number of their pages."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, search, row)")
        return db.execute("SELECT term, doc FROM temp.terms ORDER BY term").fetchall()


def test_nothing_is_deleted_without_a_yes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = sqlite_store(tmp_path, [page(1)])
    assert forget(uri, "--url", page(1).url) == 1
    assert page(1).url in capsys.readouterr().out
    assert in_store(uri, lambda store: store.topics()) == {TOPIC: 1}


def test_pages_that_are_too_old_are_deleted_when_a_crawl_opens_the_store(tmp_path: Path) -> None:
    uri = sqlite_store(tmp_path, [page(1), page(20), page(40), page(41, withdrawn_at=NOW)])
    count, deleted = crawl_opens(uri, 30, NOW)
    assert count == 2
    assert page(40).url in deleted
    assert page(41).url in deleted
    assert page(1).url not in deleted
    assert in_store(uri, lambda store: expired_pages(store, TOPIC, 30, NOW)).urls == []


def test_a_single_page_that_is_too_old_is_counted_as_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    assert crawl_opens(sqlite_store(tmp_path, [page(1), page(20), page(40)]), 30, NOW)[0] == 1
    assert "1 page was older than 30 days and was deleted" in caplog.text


def test_a_clock_that_is_set_ahead_deletes_no_page(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    uri = sqlite_store(tmp_path, [page(number) for number in (0, 20, 40)])
    ahead = NOW + timedelta(days=400)
    for days in (30, 300):
        # The second crawl finds what the first one has stored with the wrong time.
        for moment in (ahead, ahead + timedelta(days=1)):
            caplog.clear()
            assert crawl_opens(uri, days, moment)[0] == (days == 30 and moment == ahead)
            assert "the clock may have been set ahead" in caplog.text
            assert "between 2026-11-20 and 2027-12-25" in caplog.text
            in_store(uri, lambda store, at=moment: put_run(store, at))
    # A year in which something was collected is one.
    for number in range(0, 400, 30):
        in_store(uri, lambda store, at=NOW + timedelta(days=number): put_run(store, at))
    assert crawl_opens(uri, 300, ahead)[0] == 2


def test_pages_that_only_a_clock_ahead_makes_too_old_need_the_date(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = sqlite_store(tmp_path, [make_page("http://www.example.cn/1", fetched_at=LONG_AGO)])
    words = ["--expired", "--yes", "-s", "TOPICCRAWL_RETENTION_DAYS=30"]
    assert forget(uri, *words) == 1
    said = capsys.readouterr().err
    assert "between 2020-01-01 and" in said
    assert "1 page is older than 30 days" in said
    command = re.search(r"scrapy forget (.*)", said)
    assert command is not None
    topic, *rest = command[1].split()
    assert topic == TOPIC
    assert forget(uri, *rest, "--yes") == 0
    assert in_store(uri, lambda store: store.topics()) == {}


@pytest.mark.parametrize("days", [10**6, 10**12])
def test_a_retention_of_any_length_can_be_counted(tmp_path: Path, days: int) -> None:
    uri = sqlite_store(tmp_path, [page(1), page(100)])
    assert crawl_opens(uri, days, NOW)[0] == 0


def crawl_opens(uri: str, days: int, now: datetime) -> tuple[int, DeletedPages]:
    """Return what a crawl deletes that keeps pages for so many days, and what it knows as deleted."""

    async def opened(store: Store) -> tuple[int, DeletedPages]:
        writer: Any = SimpleNamespace(store=store, topic=TOPIC)
        deleted = DeletedPages(writer, days, lambda: now)
        return await deleted.open(), deleted

    return in_store(uri, opened)


async def put_run(store: Store, at: datetime) -> None:
    await store.write(runs=[RunRecord(topic=TOPIC, id=at.isoformat(), started_at=at)])


def test_marks_hold_ids_and_no_addresses(tmp_path: Path) -> None:
    uri = sqlite_store(tmp_path, [page(1)])

    async def work(store: Store) -> set[str]:
        assert await delete_marked(store, TOPIC, [page(1).url], "request", NOW) == 1
        return await marked_ids(store, TOPIC)

    assert in_store(uri, work) == {record_id(TOPIC, page(1).url)}


def test_a_deleted_page_leaves_the_kept_briefings(tmp_path: Path) -> None:
    uri = sqlite_store(tmp_path, [page(1), page(2)])
    made = briefing([candidate(1, url=page(1).url), candidate(2, url=page(2).url)])
    in_store(uri, lambda store: store_briefing(store, made, NOW))
    assert forget(uri, "--url", page(1).url, "--yes") == 0

    async def urls(store: Store) -> list[str]:
        return [e.url async for it in saved_briefings(store, TOPIC) for e in it.entries()]

    assert in_store(uri, urls) == [page(2).url]


def desk_of_pages() -> list[DeskRecord]:
    """Records of all kinds about the pages 1 and 40, of which the second names NAME."""
    named = AlertPage(page(40).url, f"{NAME}获奖", "www.example.cn")
    other = AlertPage(page(1).url, "别的", "www.example.cn")
    warning = Alert(
        key="a", kind="story", rules=("r",), channels=("desk",), subject="s", at=NOW,
        facts={"words": {"r": ["获奖"]}}, pages=(named, other),
    )  # fmt: skip
    values: list[tuple[str, str, Any]] = [
        ("note", page(40).url, {"text": "x"}), ("tags", page(40).url, {"tags": ["x"]}),
        ("judgment", page(40).url, {"relevant": True}), ("note", page(1).url, {"text": "x"}),
        ("alert", "a", warning.value()), ("event-table", "", {"number": 1}),
        ("event-table-part", "00000001/000000", {"rows": [[NAME]]}),
        ("saved-search", "q", {"q": "获奖"}),
    ]  # fmt: skip
    return [DeskRecord(topic=TOPIC, kind=k, key=key, at=NOW, value=v) for k, key, v in values]


async def desk_left(store: Store) -> set[tuple[str, str]]:
    kinds = sorted({it.kind for it in desk_of_pages()})
    found = [it for kind in kinds async for it in store.desk(TOPIC, kind)]
    for it in found:
        if it.kind == "alert":
            assert [shown["url"] for shown in it.value["pages"]] == [page(1).url]  # type: ignore
            assert describe(Alert.of(it), "zh").headline == "别的"
    return {(it.kind, it.key) for it in found}


LEFT = {("note", page(1).url), ("alert", "a"), ("saved-search", "q")}


@pytest.mark.parametrize("options", [["--url", page(40).url], ["--person", NAME]])
def test_a_deleted_page_leaves_warnings_notes_and_tables_of_events(
    tmp_path: Path, options: list[str]
) -> None:
    uri = sqlite_store(tmp_path, [page(1), page(40, title=f"{NAME}获奖")])
    in_store(uri, lambda store: store.write(desk=desk_of_pages()))
    assert forget(uri, *options, "--yes") == 0
    assert in_store(uri, desk_left) == LEFT


def test_a_page_that_is_too_old_leaves_the_desk_too(tmp_path: Path) -> None:
    uri = sqlite_store(tmp_path, [page(1), page(20), page(40)])
    made = briefing([candidate(1, url=page(1).url), candidate(2, url=page(40).url)])

    async def expired(store: Store) -> list[str]:
        await store.write(desk=desk_of_pages())
        await store_briefing(store, made, NOW)
        await delete_marked(store, TOPIC, [page(40).url], "retention", NOW)
        assert await desk_left(store) == LEFT
        return [e.url async for it in saved_briefings(store, TOPIC) for e in it.entries()]

    assert in_store(uri, expired) == [page(1).url]


def test_of_a_record_only_the_elements_of_the_deleted_pages_go() -> None:
    gone, kept = page(1).url, page(2).url
    value = {
        "sentences": [["第一句", gone], ["第二句", kept], [f"{NAME}说", kept], [3, [gone], [kept]]],
        "pages": [{"url": kept, "title": "题", "best": {"url": gone}, "words": ["侨务"]}],
        "named": [{"url": kept, "title": f"访{NAME}"}, {"title": f"没有地址的{NAME}"}],
        "first": {"url": gone},
        "count": 3,
    }
    assert without_pages(value, {gone}, [person_pattern(NAME)]) == {
        "sentences": [["第二句", kept], [3, [kept]]],
        "pages": [{"url": kept, "title": "题", "best": None, "words": ["侨务"]}],
        "named": [{"title": f"没有地址的{NAME}"}],
        "first": None,
        "count": 3,
    }


def test_a_warning_whose_pages_were_deleted_can_be_shown() -> None:
    [value] = [it.value for it in desk_of_pages() if it.kind == "alert"]
    left = without_pages(value, {page(1).url, page(40).url})
    record = DeskRecord(topic=TOPIC, kind="alert", key="a", at=NOW, value=left)
    assert describe(Alert.of(record), "en").headline == "(untitled)"


def test_a_deleted_page_is_quoted_by_no_table_of_events(tmp_path: Path) -> None:
    uri = sqlite_store(tmp_path, [page(1), page(2)])

    async def saved(store: Store) -> None:
        await save_events(store, TOPIC, await compute_events(store, TOPIC, NOW))

    async def parts(store: Store) -> int:
        return len([it async for it in store.desk(TOPIC, PART)])

    in_store(uri, saved)
    assert in_store(uri, parts) == 1
    assert forget(uri, "--url", page(1).url, "--yes") == 0
    assert in_store(uri, parts) == 0
    assert in_store(uri, lambda store: load_events(store, TOPIC)) is None


def test_leftovers_are_erased_also_where_sqlite_leaves_them(tmp_path: Path) -> None:
    path = tmp_path / "any.sqlite"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA secure_delete = OFF")
        db.execute("CREATE TABLE texts (text)")
        db.execute("CREATE VIRTUAL TABLE words USING fts5(text)")
        for table in ("texts", "words"):
            db.execute(f"INSERT INTO {table} VALUES (?)", (f"zanahoria {NAME}" * 50,))
        db.commit()
        db.execute("DELETE FROM texts")
        db.execute("DELETE FROM words")
    assert NAME.encode() in path.read_bytes()
    assert erase_leftovers(f"sqlite:///{path}")
    assert NAME.encode() not in path.read_bytes()
    assert b"zanahoria" not in path.read_bytes()
    assert not erase_leftovers("mongodb://localhost")


def test_leftovers_that_another_program_keeps_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = sqlite_store(tmp_path, [page(1), page(2)])
    with closing(sqlite3.connect(sqlite_path(uri), isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM pages").fetchone()
        with lock_patience(0.1):
            assert forget(uri, "--url", page(1).url, "--yes") == 1
    assert "still holds text" in capsys.readouterr().err
    assert forget(uri, "--url", page(2).url, "--yes") == 0
    assert capsys.readouterr().err == ""

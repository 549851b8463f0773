"""``scrapy stories`` compares an older store, lists stories, and prints who took one from whom."""

from __future__ import annotations

import asyncio
import csv
import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.command_line import run_command, sqlite_store
from tests.support.store_records import opened
from topiccrawl.commandline import options
from topiccrawl.commands.report import Command as ReportCommand
from topiccrawl.commands.stories import Command
from topiccrawl.store.factory import open_store
from topiccrawl.store.records import PageRecord

NOON = datetime(2026, 3, 2, 4, tzinfo=UTC)


def text(seed: int) -> str:
    draw = random.Random(seed)
    return "".join(chr(draw.randrange(0x4E00, 0x9000)) for _ in range(500))


def page(name: str, hour: int, seed: int, source: str = "") -> PageRecord:
    url = f"http://{name}.example/{seed}.html"
    return PageRecord(
        topic="侨务",
        url=url,
        final_url=url,
        site=f"{name}.example",
        site_name=f"{name}日报",
        title=text(seed)[:16],
        body=text(seed),
        source=source,
        published_at=NOON + timedelta(hours=hour),
        fetched_at=NOON + timedelta(days=3, hours=hour),
        run_id="run",
    )


PAGES = [
    replace(page("a", 1, 1), comments="写得真好。"),
    page("b", 2, 1, "a日报"),
    page("c", 3, 1, "b日报"),
    page("d", 1, 2),
    page("a", 2, 2, "d日报"),
    page("b", 5, 3),
]


@pytest.fixture(scope="module", name="store")
def updated_store(tmp_path_factory: pytest.TempPathFactory) -> str:
    store = sqlite_store(tmp_path_factory.mktemp("stories"), PAGES)
    assert run_command(Command(), ["--update"], store) == 0
    return store


def stories(store: str, *argv: str) -> int:
    return run_command(Command(), argv, store)


@pytest.mark.parametrize(
    "moment", [datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)]
)
def test_pages_that_state_an_impossible_time_do_not_stop_anything(
    tmp_path: Path, moment: datetime, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = [replace(it, published_at=moment, body=f"昨日，泸定地震。{it.body}") for it in PAGES[:3]]
    store = sqlite_store(tmp_path, [*odd, *PAGES[3:]])
    assert stories(store, "--update") == 0
    for argv in (
        ("--json",),
        ("--story", odd[0].url),
        ("--story", odd[0].url, "--json"),
        ("--events",),
        ("--events", "--json"),
        ("--events", "--save"),
        *(
            ("--out", f"{tmp_path}/{it}.xlsx", "--table", it)
            for it in ("spread", "pages", "events")
        ),
    ):
        assert stories(store, *argv) == 0, argv
    assert run_command(ReportCommand(), ["--out", f"{tmp_path}/report.html"], store) == 0
    capsys.readouterr()
    assert stories(store, "--events", "--json") == 0
    first = PAGES[0].fetched_at
    assert {row["time"][:10] for row in json.loads(capsys.readouterr().out) if row["time"]} <= {
        f"{first - timedelta(days=1):%Y-%m-%d}"
    }


def test_stories_are_listed_by_their_copies(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert stories(store, "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(row["members"], row["url"]) for row in listed] == [
        (3, "http://a.example/1.html"),
        (2, "http://d.example/2.html"),
    ]
    assert stories(store, "侨务", "--limit", "1") == 0
    assert "http://d.example/2.html" not in capsys.readouterr().out


def test_lists_are_cut_where_they_are_printed_and_only_there(
    store: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(options, "PRINTED_ROWS", 1)
    for more, total in (((), 2), (("--events",), 3)):
        assert stories(store, *more) == 0
        assert sum(line[0] != " " for line in capsys.readouterr().out.splitlines()) == 1
        assert stories(store, *more, "--json") == 0
        assert len(json.loads(capsys.readouterr().out)) == total


def test_the_spread_of_a_story_is_printed_for_any_of_its_pages(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert stories(store, "--story", "http://c.example/1.html") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("http://")[-1][:6] for line in lines[1:]] == ["a.exam", "b.exam", "c.exam"]
    assert lines[3].startswith("   └─ ")


def test_the_spread_is_json(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert stories(store, "--story", "http://a.example/1.html", "--json") == 0
    story = json.loads(capsys.readouterr().out)
    assert story["first"] == "http://a.example/1.html"
    assert {(edge["copy"][7], edge["source"][7], edge["reason"]) for edge in story["edges"]} == {
        ("b", "a", "source-line"),
        ("c", "b", "source-line"),
    }


def test_events_are_listed(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert stories(store, "--events", "--json") == 0
    events = json.loads(capsys.readouterr().out)
    assert sum(event["stories"] for event in events) == 3
    assert sum(event["copies"] for event in events) == 3


@pytest.mark.parametrize(("table", "rows"), [("spread", 2), ("pages", 5), ("events", 3)])
def test_tables_are_written(store: str, table: str, rows: int, tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    assert stories(store, "--out", str(file), "--table", table, "--lang", "fields") == 0
    with file.open(encoding="utf-8-sig", newline="") as lines:
        assert len(list(csv.DictReader(lines))) == rows
    argv = ("--out", str(file), "--table", table, "--lang", "fields", "--limit", "1")
    assert stories(store, *argv) == 0
    with file.open(encoding="utf-8-sig", newline="") as lines:
        assert len(list(csv.DictReader(lines))) == 1


def test_the_evidence_of_a_copy_is_in_chinese_below_a_chinese_heading(
    store: str, tmp_path: Path
) -> None:
    out = tmp_path / "pages.csv"
    assert stories(store, "--out", str(out), "--table", "pages", "--lang", "zh") == 0
    found = {row["依据"] for row in csv.DictReader(out.read_text("utf-8-sig").splitlines())}
    assert found - {""}
    assert not any(text.isascii() for text in found - {""})


@pytest.mark.parametrize("url", ["https://b.example/1.html", "b.example/1.html#top"])
def test_a_story_is_found_by_any_spelling_of_an_address(
    store: str, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert stories(store, "--story", url) == 0
    assert "b日报" in capsys.readouterr().out


def test_the_propagation_table_names_publisher_reposting_sites_and_comments(
    store: str, tmp_path: Path
) -> None:
    file = tmp_path / "spread.jsonl"
    assert stories(store, "--out", str(file)) == 0
    row = json.loads(file.read_text("utf-8").split("\n")[0])
    assert (row["publisher"], row["reposted_by"]) == ("a日报", ["b日报", "c日报"])
    assert (row["copies"], row["comments"]) == (2, "写得真好。")


@pytest.mark.parametrize(
    "argv",
    [
        ["--story", "no-such-story"],
        ["--story", "http://b.example/nowhere.html"],
        ["--limit", "0"],
        ["--out", "table.doc"],
        ["no-such-topic"],
    ],
)
def test_what_is_not_there_is_an_error(
    store: str, argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert stories(store, *argv) == (2 if argv[0] in ("--limit", "--out") else 1)
    assert capsys.readouterr().err.count("\n") == 1


def test_updating_twice_changes_nothing(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert stories(store, "--update") == 0
    assert "0 pages compared" in capsys.readouterr().out


def test_updating_beside_a_process_that_does_the_same_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("topiccrawl.actions.stories._PATIENCE_SECONDS", 0.0)
    store = sqlite_store(tmp_path, PAGES)

    async def lease(seconds: float) -> None:
        async with opened(open_store(store)) as crawls:
            assert await crawls.lease_settling("侨务", "a crawl", seconds)

    asyncio.run(lease(60))
    assert stories(store, "--update") == 1
    error = capsys.readouterr().err
    assert "another process" in error
    assert error.count("\n") == 1
    asyncio.run(lease(0))
    assert stories(store, "--update") == 0


def test_a_topic_that_is_busy_keeps_no_other_from_being_updated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("topiccrawl.actions.stories._PATIENCE_SECONDS", 0.0)
    topics = ("侨务", "茶", "图书馆学")
    store = sqlite_store(tmp_path, [replace(it, topic=topic) for topic in topics for it in PAGES])

    async def lease() -> None:
        async with opened(open_store(store)) as crawls:
            assert await crawls.lease_settling("侨务", "a crawl", 60)

    asyncio.run(lease())
    assert stories(store, "--update") == 1
    shown = capsys.readouterr()
    lines = {line.partition(":")[0]: line for line in shown.out.splitlines()}
    assert "6 pages compared" in lines["茶"]
    assert "6 pages compared" in lines["图书馆学"]
    assert shown.err.startswith("topiccrawl: 侨务: another process")


def test_that_there_are_no_events_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = sqlite_store(tmp_path, [replace(PAGES[0], withdrawn_at=PAGES[0].fetched_at)])
    assert stories(store, "--events") == 0
    assert "there are no events" in capsys.readouterr().out
    assert stories(store, "--events", "--json") == 0
    assert json.loads(capsys.readouterr().out) == []

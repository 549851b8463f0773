"""``scrapy trends`` shows volume, bursts, terms and hosts, compares, and writes tables."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.command_line import run_command, sqlite_store
from tests.support.stored import from_store
from tests.support.trends_store import trend_page, trend_pages
from topiccrawl.commandline import options
from topiccrawl.commands.export import Command as Export
from topiccrawl.commands.trends import Command
from topiccrawl.export.trends import values
from topiccrawl.insight.reading import read_overview
from topiccrawl.store.contract import Store


@pytest.fixture(scope="module", name="store")
def filled_store(tmp_path_factory: pytest.TempPathFactory) -> str:
    return sqlite_store(tmp_path_factory.mktemp("trends"), trend_pages())


def trends(store: str, *argv: str) -> int:
    return run_command(Command(), argv, store)


def test_bursts_terms_and_hosts_are_printed(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert trends(store, "侨务", "--since", "2026-05-01") == 0
    shown = capsys.readouterr().out
    assert "2026-05-21 – 2026-05-22: 48 pages where 8" in shown
    assert "台风" in shown
    assert "c.example  40 pages" in shown
    assert re.search(r": (\d+) pages, \1 stories; \d+ in the period before", shown)
    assert "█" in shown
    assert "[3 domains: 83% from c.example]" in shown
    assert "[1 domain: 100% from c.example]" in shown


def test_progress_counts_as_many_pages_as_there_are(tmp_path: Path) -> None:
    pages = [replace(it, story="s") for it in trend_pages()[:20]]
    copies = [replace(it, copy_of=pages[0].url) for it in pages[13:]]
    uri = sqlite_store(tmp_path, [*pages[:13], *copies])

    async def counted(store: Store) -> tuple[int, int]:
        ticks = 0

        def tick() -> None:
            nonlocal ticks
            ticks += 1

        assert len(await read_overview(store, "侨务", tick)) == 20
        return ticks, await store.count("侨务")

    assert from_store(uri, counted) == (13, 13)


def test_a_table_is_written(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "days.csv"
    assert trends(store, "侨务", "--out", str(out), "--lang", "en", "--since", "2026-05-20") == 0
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["Pages"] for row in rows][:4] == ["4", "24", "24", "4"]
    assert rows[0]["Day"] == "2026-05-20"


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("bursts", {"term": "台风", "first": "2026-05-21", "last": "2026-05-22", "pages": 40}),
        (
            "bursts",
            {"term": "", "pages": 48, "domains": 3, "largest": "c.example", "one_sided": True},
        ),
        ("terms", {"term": "台风", "domains": 1, "largest": "c.example", "share": 1.0}),
        ("hosts", {"host": "c.example", "pages": 40, "new": True}),
        ("volume", {"day": "2026-05-21", "pages": 24}),
        ("terms", {"term": "台风", "pages": 40, "before": 0, "ratio": None}),
    ],
)
def test_tables_are_printed_as_json(
    store: str, table: str, expected: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ("侨务", "--table", table, "--json", "--since", "2026-04-20")
    assert trends(store, *argv) == 0
    rows = json.loads(capsys.readouterr().out)
    assert any(expected.items() <= row.items() for row in rows)


def test_a_limit_holds_in_files_and_json_which_have_all_rows_without_one(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    period = ("侨务", "--since", "2026-05-01", "--until", "2026-05-31")
    out = tmp_path / "days.csv"
    for limit, rows in (((), 31), (("--limit", "3"), 3)):
        assert trends(store, *period, "--json", *limit) == 0
        assert len(json.loads(capsys.readouterr().out)) == rows
        assert trends(store, *period, "--out", str(out), *limit) == 0
        assert len(list(csv.reader(out.read_text("utf-8-sig").splitlines()))) == rows + 1
        capsys.readouterr()
    assert trends(store, *period, "--json", "--limit", "0") == 2


def test_lists_are_cut_where_they_are_printed_and_only_there(
    store: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(options, "PRINTED_ROWS", 1)
    assert trends(store, "侨务", "--since", "2026-05-01") == 0
    assert capsys.readouterr().out.count(".example  ") == 1
    assert trends(store, "侨务", "--since", "2026-05-01", "--table", "hosts", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)) == 3


@pytest.mark.parametrize(
    ("table", "lang", "shown"),
    [
        ("comparison", "zh", {("总数", "网页"), ("站点", "c.example")}),
        ("comparison", "fields", {("total", "pages"), ("site", "c.example")}),
        ("hosts", "zh", {("c.example", "是"), ("a.example", "否")}),
        ("hosts", "en", {("c.example", "True"), ("a.example", "False")}),
    ],
)  # fmt: skip
def test_a_table_with_chinese_headings_has_chinese_words_below_them(
    store: str, tmp_path: Path, table: str, lang: str, shown: set[tuple[str, str]]
) -> None:
    out = tmp_path / "table.csv"
    argv = ["侨务", "--since", "2026-05-20", "--table", table, "--out", str(out), "--lang", lang]
    if table == "comparison":
        argv += ["--against", "2026-04-01..2026-05-19"]
    assert trends(store, *argv) == 0
    rows = list(csv.reader(out.read_text("utf-8-sig").splitlines()))[1:]
    assert shown <= {(row[0], row[1 if table == "comparison" else 7]) for row in rows}


@pytest.mark.parametrize(
    ("what", "name", "shown"),
    [("kind", "article", "文章"), ("language", "en", "英文"), ("term", "copies", "copies")],
)
def test_a_term_is_not_translated_for_its_being_a_word_of_ours(
    what: str, name: str, shown: str
) -> None:
    row = {"what": what, "name": name, "first": 1, "second": 2, "change": None}
    assert values("comparison", row, "zh")[1] == shown


def test_two_periods_are_compared(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ("侨务", "--since", "2026-05-15", "--until", "2026-05-31")
    assert trends(store, *argv, "--against", "2026-04-01..2026-04-17") == 0
    shown = capsys.readouterr().out
    assert "68 → 108" in shown
    assert "台风" in shown
    assert "c.example" in shown


def test_two_topics_are_compared(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ("侨务", "--against", "茶", "--json", "--since", "2026-03-01")
    assert trends(store, *argv) == 0
    rows = json.loads(capsys.readouterr().out)
    terms = {row["name"] for row in rows if row["what"] == "term"}
    assert terms >= {"茶", "侨务"}


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("--since", "soon"), "--since"),
        (("--since", "2026-05-02", "--until", "2026-05-01"), "--since must not be later"),
        (("--against", "2026-05-02..2026-05-01"), "FROM must not be later"),
        (("--against", "咖啡"), "咖啡"),
        (("--table", "comparison"), "--against"),
        (("--limit", "0"), "--limit"),
    ],
)
def test_wrong_options_are_named(
    store: str, argv: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trends(store, "侨务", *argv) == (1 if said == "咖啡" else 2)
    assert said in capsys.readouterr().err


def test_a_topic_without_kept_pages_has_no_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = trend_page(1, 1, ("侨务",), "a.example")
    uri = sqlite_store(tmp_path, [replace(page, withdrawn_at=page.fetched_at)])
    assert trends(uri, "侨务", "--json") == 0
    assert json.loads(capsys.readouterr().out) == []
    assert trends(uri, "侨务") == 0
    assert "no page was kept yet" in capsys.readouterr().out
    out = tmp_path / "days.csv"
    out.write_text("of yesterday", encoding="utf-8")
    assert trends(uri, "侨务", "--out", str(out), "--lang", "fields") == 0
    rows = list(csv.reader(out.read_text("utf-8-sig").splitlines()))
    assert rows == [["day", "pages", "stories", "expected"]]
    assert "0 rows" in capsys.readouterr().out


def test_imported_files_have_a_name_in_place_of_their_host(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [
        replace(trend_page(n, n, ("侨务",), ""), url=f"file:///pages/{n}.html") for n in (1, 2)
    ]
    assert trends(sqlite_store(tmp_path, pages), "侨务", "--since", "2026-01-01") == 0
    assert "imported files  2 pages" in capsys.readouterr().out


def test_categories_are_counted(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "seeds" / "侨务"
    folder.mkdir(parents=True)
    (tmp_path / "scrapy.cfg").touch()
    head = 'name = "侨务"\n[keywords.core]\n"侨务" = 1.0\n'
    (folder / "topic.toml").write_text(f'{head}[categories."天气"]\nwords = ["台风"]\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    argv = ("侨务", "--table", "categories", "--json", "--since", "2026-03-01")
    assert trends(store, *argv) == 0
    assert json.loads(capsys.readouterr().out) == [
        {"category": "天气", "pages": 40, "before": 0, "share": 0.09091},
        {"category": "", "pages": 400, "before": 0, "share": 0.9091},
    ]
    (folder / "topic.toml").write_text(head, "utf-8")
    assert trends(store, *argv) == 1
    assert "[categories.NAME]" in capsys.readouterr().err


def test_a_table_is_masked_and_noted_as_every_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = "13912345678"
    pages = [trend_page(n, n % 9, ("侨务", f"电话 {number}"), "a.example") for n in range(90)]
    pages += [trend_page(n, n % 9 - 9, ("侨务",), "a.example") for n in range(100, 190)]
    uri = sqlite_store(tmp_path, pages)
    out = tmp_path / "terms.csv"
    argv = ("侨务", "--table", "terms", "--out", str(out), "--since", "2026-03-02")
    assert trends(uri, *argv) == 0
    assert "139****5678" in out.read_text("utf-8-sig")
    assert trends(uri, *argv, "--unmasked") == 0
    assert number in out.read_text("utf-8-sig")
    capsys.readouterr()
    assert run_command(Export(), ["侨务", "--history"], uri) == 0
    shown = capsys.readouterr().out
    assert "trends, 1 row, masked" in shown
    assert "trends, 1 row, unmasked" in shown
    assert "--table terms" in shown
    assert shown.count("--unmasked") == 0


def test_the_log_of_exports_has_options_as_they_are_written(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["侨务", "--out", str(tmp_path / "all.csv"), "--copies", "--word", "华侨"]
    assert run_command(Export(), argv, store) == 0
    assert run_command(Export(), ["侨务", "--history"], store) == 0
    shown = capsys.readouterr().out
    assert "--copies --order fetched" in shown
    assert "--word 华侨" in shown

"""``scrapy export`` writes files that other programs read back unchanged, and never run."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.support.command_line import run_command, sqlite_store
from tests.support.reporting_store import START, make_page, make_run
from topiccrawl.commands.export import Command
from topiccrawl.export.story_columns import EXPORT_COLUMNS, ON_REQUEST
from topiccrawl.language import using_language
from topiccrawl.store.near_misses import pack_near_miss

PAGES = [
    make_page(
        "http://a.cn/1",
        title="僑務，“引号”,逗号\n换行",
        body="第一段\n第二段",
        relevance=0.5,
        fetched_at=START,
        site="a.cn",
    ),
    make_page(
        "http://a.cn/2",
        title="=HYPERLINK(1)",
        relevance=0.9,
        published_at=None,
        fetched_at=START + timedelta(days=1),
        site="www.a.cn",
    ),
    make_page(
        "http://b.cn/3",
        relevance=0.7,
        fetched_at=START + timedelta(days=2),
        site="b.cn",
        kind="thread",
        run_id="run-2",
    ),
]


@pytest.fixture(name="store")
def store_uri(tmp_path: Path) -> str:
    gone = make_page("http://a.cn/gone", withdrawn_at=START)
    near = pack_near_miss(make_page("http://a.cn/near"), 0.4)
    runs = [make_run(), make_run("run-2", started_at=START + timedelta(days=2))]
    copy = make_page(
        "http://c.cn/copy",
        copy_of="http://a.cn/1",
        relation="edited",
        story="s",
        fetched_at=START + timedelta(days=9),
        run_id="run-3",
    )
    return sqlite_store(tmp_path, [*PAGES, gone, copy], [], runs, [near])


def exported(store: str, out: Path, *options: str) -> Path:
    """Write the file *out*, and return it."""
    assert run_command(Command(), ["--out", str(out), *options], store) == 0
    return out


def csv_rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline="")))


def test_csv_opens_in_excel_with_chinese_and_reads_back(store: str, tmp_path: Path) -> None:
    out = exported(store, tmp_path / "页面.csv", "侨情", "--lang", "fields")
    assert out.read_bytes().startswith(b"\xef\xbb\xbf")
    rows = csv_rows(out)
    assert list(rows[0]) == [name for name in EXPORT_COLUMNS if name not in ON_REQUEST]
    assert rows[0]["title"] == PAGES[0].title
    assert rows[0]["body"] == PAGES[0].body
    assert rows[0]["main_terms"] == "华侨:0.2; 侨务:0.11"
    # The day in China, though the database keeps UTC.
    assert rows[0]["published_at"] == "2024-04-30 00:00:00"
    assert rows[1]["published_at"] == ""
    assert rows[1]["title"] == "'=HYPERLINK(1)"


@pytest.mark.parametrize(
    ("options", "urls"),
    [
        (["--new-since", "2024-05-03"], ["new", "new and gone"]),
        (["--changed-since", "2024年5月3日"], ["changed"]),
        (["--new-since", "2024-05-03", "--changed-since", "2024-05-03"], ["changed", "new", "new and gone"]),
        (["--new-since", "2024-05-03", "--limit", "1"], ["new"]),
        (["--new-since", "2024-05-04"], []),
        (["--new-since", "1d"], []),
    ],
)  # fmt: skip
def test_new_and_changed_pages_are_selected_by_when_they_were_first_seen(
    tmp_path: Path, options: list[str], urls: list[str]
) -> None:
    day = timedelta(days=1)
    pages = [
        make_page("old"),
        # Fetched again, which does not make it new.
        make_page(
            "changed", fetched_at=START + 2 * day, first_seen=START, changed_at=START + 2 * day
        ),
        make_page("new", fetched_at=START + 2.1 * day),
        make_page("new and gone", fetched_at=START + 2.2 * day, gone_at=START + 5 * day),
        make_page("gone", gone_at=START + 5 * day),
    ]
    store = sqlite_store(tmp_path, pages, [], [make_run()])
    argv = ["--fields", "url,gone_at", "--lang", "fields", *options]
    out = exported(store, tmp_path / "x.csv", *argv)
    rows = {row["url"]: row["gone_at"] for row in csv_rows(out)}
    assert sorted(rows) == urls
    assert rows.get("new and gone", "2024-05-06 10:00:00") == "2024-05-06 10:00:00"


def test_copies_and_events_of_stories_are_columns(tmp_path: Path) -> None:
    first = make_page("http://a.cn/1", story="s", title="桂林侨联走访归侨困难家庭")
    copy = make_page("http://b.cn/1", story="s", copy_of=first.url, relation="copy")
    other = make_page(
        "http://c.cn/2",
        title="明星演唱会门票开售",
        body="演唱会门票今日开售，歌迷排起长队。",
        keywords=("演唱会",),
        fetched_at=START + timedelta(days=40),
        published_at=START + timedelta(days=40),
    )
    store = sqlite_store(tmp_path, [first, copy, other], [], [make_run()])
    argv = ["--fields", "url,story,copies,event", "--lang", "fields", "--copies"]
    out = exported(store, tmp_path / "x.csv", *argv)
    rows = {row.pop("url"): row for row in csv_rows(out)}
    assert rows == {
        first.url: {"story": "s", "copies": "1", "event": "1"},
        copy.url: {"story": "s", "copies": "1", "event": "1"},
        other.url: {"story": "", "copies": "0", "event": "2"},
    }


def test_a_page_that_is_not_kept_has_no_event(store: str, tmp_path: Path) -> None:
    argv = ["--fields", "url,event", "--standing", "withdrawn"]
    out = exported(store, tmp_path / "x.jsonl", *argv)
    assert json.loads(out.read_text()) == {"url": "http://a.cn/gone", "event": None}


def test_json_lines_keep_text_and_structure_as_they_are(store: str, tmp_path: Path) -> None:
    text = exported(store, tmp_path / "pages.jsonl").read_text("utf-8")
    assert "僑務" in text
    rows = [json.loads(line) for line in text.splitlines()]
    assert rows[1]["title"] == "=HYPERLINK(1)"
    assert rows[1]["published_at"] is None
    assert rows[0]["main_terms"] == [["华侨", 0.2], ["侨务", 0.11]]
    assert rows[0]["link_parts"] == {"rw": 0.9, "rwb": 0.9}
    assert (rows[0]["parent"], rows[0]["depth"]) == ("http://qw.example.cn/", 1)


def test_excel_file_has_dates_numbers_and_no_formulas(store: str, tmp_path: Path) -> None:
    fields = "title,relevance,fetched_at,published_at"
    out = exported(store, tmp_path / "pages.xlsx", "--fields", fields, "--lang", "zh")
    rows = list(load_workbook(out)["页面"].iter_rows())
    assert [cell.value for cell in rows[0]] == ["标题", "相关度", "抓取时间", "发布"]
    assert (rows[2][0].value, rows[2][0].data_type) == ("=HYPERLINK(1)", "s")
    assert rows[1][1].value == 0.5
    assert rows[1][2].value == datetime(2024, 5, 1, 10)  # in China
    assert rows[1][3].value == datetime(2024, 4, 30)
    assert rows[2][3].value is None


CHOICES: dict[str, tuple[list[str], list[str]]] = {
    "all": ([], ["http://a.cn/1", "http://a.cn/2", "http://b.cn/3"]),
    "best first": (["--order", "relevance"], ["http://a.cn/2", "http://b.cn/3", "http://a.cn/1"]),
    "limit": (["--limit", "2"], ["http://a.cn/1", "http://a.cn/2"]),
    "since": (["--since", "2024-05-02"], ["http://a.cn/2", "http://b.cn/3"]),
    "limit counts written pages": (["--since", "2024-05-02", "--limit", "1"], ["http://a.cn/2"]),
    "zone": (["--since", "2024-05-02T12:00+08:00"], ["http://b.cn/3"]),
    "nothing": (["--until", "2000-01-01"], []),
    "until the end of a day": (
        ["--since", "2024-05-02", "--until", "2024-05-02"],
        ["http://a.cn/2"],
    ),
    "published until": (["--published-until", "2024-04-30"], ["http://a.cn/1", "http://b.cn/3"]),
    "published since": (["--published-since", "2024-05-01"], []),
    "word in the other script": (["--word", "侨务"], ["http://a.cn/1"]),
    "all words": (["--word", "引号", "--word", "第二段"], ["http://a.cn/1"]),
    "word in lower case": (["--word", "hyperlink"], ["http://a.cn/2"]),
    "site": (["--site", "a.cn,其他.cn"], ["http://a.cn/1", "http://a.cn/2"]),
    "domain": (["--site", "CN"], ["http://a.cn/1", "http://a.cn/2", "http://b.cn/3"]),
    "part of a host name": (["--site", "n"], []),
    "kind": (["--kind", "list，thread"], ["http://b.cn/3"]),
    "last run": (["--run", "last"], ["http://b.cn/3"]),
    "run": (["--run", "run-1"], ["http://a.cn/1", "http://a.cn/2"]),
    "copies": (["--copies", "--since", "2024-05-08"], ["http://c.cn/copy"]),
    "withdrawn with copies": (["--copies", "--standing", "withdrawn"], ["http://a.cn/gone"]),
    "withdrawn": (["--standing", "withdrawn"], ["http://a.cn/gone"]),
    "near misses": (["--standing", "near-miss"], ["http://a.cn/near"]),
    "near misses by word": (["--standing", "near-miss", "--word", "没有"], []),
}


@pytest.mark.parametrize(("options", "urls"), CHOICES.values(), ids=CHOICES)
def test_pages_can_be_chosen_and_ordered(
    store: str, tmp_path: Path, options: list[str], urls: list[str]
) -> None:
    out = exported(store, tmp_path / "x.csv", "--fields", "url", "--lang", "fields", *options)
    assert [row["url"] for row in csv_rows(out)] == urls


def test_a_site_with_a_name_in_chinese_is_found(tmp_path: Path) -> None:
    site = "www.xn--8sqv57i.xn--fiqs8s"
    store = sqlite_store(tmp_path, [make_page(f"http://{site}/1", site=site)])
    for written in ("侨网.中国", "HTTP://WWW.侨网.中国/", site):
        out = exported(store, tmp_path / "x.csv", "--site", written)
        assert len(csv_rows(out)) == 1, written


def test_a_wrong_extension_is_named_in_a_chinese_sentence(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with using_language("zh"):
        assert run_command(Command(), ["--out", "x.doc"], store) == 2
    assert "--out 的扩展名应为 csv、jsonl、xlsx 之一" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "--out FILE is needed; extensions: csv, jsonl, xlsx"),
        (["--out", "x.doc"], "the extension of --out must be one of csv, jsonl, xlsx, got 'doc'"),
        (["--out", "-"], "--out - needs --format: one of csv, jsonl"),
        (["--out", "-", "--format", "xlsx"], "--format must be one of csv, jsonl, got 'xlsx'"),
        (["--out", "x.csv", "--fields", "url,titel"], "unknown field 'titel'; choose from title,"),
        (["--out", "x.csv", "--fields", "url,url"], "--fields names a field twice"),
        (["--out", "x.csv", "--limit", "0"], "--limit must be a whole number >= 1, got '0'"),
        (["--out", "x.csv", "--since", "gestern"], "--since must be a date such as 2024-05-01"),
        (
            ["--out", "x.csv", "--published-until", "9999-12-31T23:59-08:00"],
            "--published-until must",
        ),
        (
            ["--out", "x.csv", "--since", "2024-05-02", "--until", "2024-05-01"],
            "--since must not be later than --until, got 2024-05-02 and 2024-05-01",
        ),
        (["--out", "x.csv", "--word", " "], "--word must not be empty"),
        (
            ["--out", "x.csv", "--site", "http://a.cn/news/"],
            "--site must be hosts such as www.example.cn",
        ),
        (
            ["--out", "x.csv", "--site", " , "],
            "--site must be names, separated by commas, got ' , '",
        ),
        (
            ["--out", "x.csv", "--kind", "图片"],
            "--kind must be one of article, list, thread, other",
        ),
        (["--out", "x.csv", "--run", "x"], "run 'x' of topic '侨情' is not in the store"),
        (["茶文化", "--out", "x.csv"], "topic '茶文化' is not in the store; there are: 侨情"),
    ],
)
def test_wrong_requests_are_one_clear_line_and_leave_no_file(
    store: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    argv: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert run_command(Command(), argv, store) == (1 if "is not in the store" in message else 2)
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "argv", [["--kind", "帖子"], ["--kind", "列表、帖子"], ["--site", "http://B.cn/"]]
)
def test_pages_are_chosen_by_what_tables_show(store: str, tmp_path: Path, argv: list[str]) -> None:
    file = exported(store, tmp_path / "pages.jsonl", *argv)
    assert [json.loads(line)["url"] for line in file.read_text().splitlines()] == ["http://b.cn/3"]


def test_chinese_tables_are_chinese_and_their_headings_choose_columns(
    store: str, tmp_path: Path
) -> None:
    argv = ["--fields", "标题，类型、语言,Script", "--kind", "thread", "--lang"]
    rows = {}
    for lang in ("zh", "fields"):
        file = exported(store, tmp_path / f"{lang}.csv", *argv, lang)
        rows[lang] = list(csv.reader(file.read_text("utf-8-sig").splitlines()))
    assert rows["zh"][0] == ["标题", "类型", "语言", "字体"]
    assert rows["zh"][1][1:] == ["帖子", "简体中文", "简体"]
    assert rows["fields"][0] == ["title", "kind", "language", "script"]
    assert rows["fields"][1][1:] == ["thread", "zh-Hans", "simplified"]
    book = exported(store, tmp_path / "pages.xlsx", *argv, "zh")
    assert [cell.value for cell in load_workbook(book).worksheets[0][2]][1:] == rows["zh"][1][1:]


def test_an_unknown_option_is_not_taken_for_a_topic(store: str) -> None:
    assert run_command(Command(), ["--outt", "x.csv", "--out", "y.csv"], store) == 2


def test_a_missing_folder_is_reported(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(Command(), ["--out", str(tmp_path / "no" / "x.csv")], store) == 1
    assert "No such file or directory" in capsys.readouterr().err


def test_a_missing_store_is_reported_and_not_created(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = f"sqlite:///{tmp_path / 'none.sqlite'}"
    assert run_command(Command(), ["--out", str(tmp_path / "x.csv"), "--store", uri]) == 1
    assert "none.sqlite" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_without_any_store_the_setting_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(Command(), ["--out", "x.csv"]) == 1
    assert "TOPICCRAWL_STORE_URI" in capsys.readouterr().err


def test_an_old_file_survives_an_export_that_breaks_off(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "pages.csv"
    out.write_text("old")

    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("topiccrawl.export.writers.CsvWriter.row", broken)
    assert run_command(Command(), ["--out", str(out)], store) == 1
    assert out.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".tmp"] == []


def test_topics_are_listed_when_there_are_several(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = sqlite_store(tmp_path, [make_page(), make_page(topic="茶文化")])
    assert run_command(Command(), ["--out", str(tmp_path / "x.csv")], uri) == 1
    error = capsys.readouterr().err
    assert "侨情" in error
    assert "茶文化" in error


def test_a_traditional_spelling_names_the_same_topic(store: str, tmp_path: Path) -> None:
    assert len(csv_rows(exported(store, tmp_path / "x.csv", "僑情", "--fields", "url"))) == 3


SCRIPT = """
import sys
sys.path[:0] = sys.argv[1].split({sep!r})
from tests.support.command_line import run_command
from topiccrawl.commands.export import Command
sys.exit(run_command(Command(), sys.argv[3:], sys.argv[2]))
"""


def in_process(store: str, *argv: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", SCRIPT.format(sep=os.pathsep), os.pathsep.join(sys.path)]
    return subprocess.Popen(
        [*command, store, *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_standard_output_gives_the_same_bytes_as_a_file(store: str, tmp_path: Path) -> None:
    out = exported(store, tmp_path / "pages.csv")
    process = in_process(store, "--out", "-", "--format", "csv")
    printed, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, b"")
    assert printed == out.read_bytes()


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    pages = [make_page(f"http://a.cn/{n}", body="侨" * 20_000) for n in range(20)]
    process = in_process(sqlite_store(tmp_path, pages), "--out", "-", "--format", "jsonl")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(100)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=60), errors) == (0, b"")

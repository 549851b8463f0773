"""``scrapy brief``, masks in files, and the log of exports."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pytest

from tests.support.briefings import NOW, hostile_pages
from tests.support.command_line import run_command, sqlite_store
from tests.support.reporting_store import make_outcome, make_page
from tests.support.stored import from_store
from topiccrawl.commands.brief import Command as Brief
from topiccrawl.commands.export import Command as Export
from topiccrawl.commands.report import Command as Report
from topiccrawl.commands.stories import Command as Stories
from topiccrawl.export.log import Export as Logged
from topiccrawl.export.log import logged_exports
from topiccrawl.reporting.scale import china_day
from topiccrawl.store.contract import Store

PHONE, MAIL, IDENTITY = "13912345678", "fang.min@example.com", "11010519491231002X"
PERSONAL = f"联系人方敏，手机{PHONE}，邮箱{MAIL}，身份证{IDENTITY}。"
SINCE = ["--since", "2024-01-01"]


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A store with a story of two sites; personal data are in every text of it."""
    common: dict[str, Any] = {
        "title": f"侨胞返乡投资 {PHONE}", "body": PERSONAL * 3, "summary": PERSONAL, "author": MAIL,
        "source": f"侨报 {PHONE}", "editor": MAIL, "comments": PERSONAL, "keywords": (PHONE, "侨胞"),
        "story": "s", "fetched_at": NOW, "published_at": NOW, "main_terms": ((PHONE, 0.5),),
    }  # fmt: skip
    pages = [
        make_page(f"http://a.example.cn/{PHONE}.html", site="a.example.cn", **common),
        make_page(
            "http://b.example.cn/1", site="b.example.cn", relation="copy",
            copy_of=f"http://a.example.cn/{PHONE}.html", **common,
        ),
    ]  # fmt: skip
    outcomes = [make_outcome(it.url, title=it.title) for it in pages]
    return sqlite_store(tmp_path, pages, outcomes)


def logged(uri: str) -> list[Logged]:
    async def read(store: Store) -> list[Logged]:
        return [it async for it in logged_exports(store, "侨情")]

    return from_store(uri, read)


def texts_of(file: Path) -> str:
    """The text of a file, unpacked; without the addresses of pages."""
    data = file.read_bytes()
    if file.suffix in (".docx", ".xlsx"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            text = "\n".join(
                archive.read(name).decode("utf-8", "replace") for name in archive.namelist()
            )
    else:
        text = data.decode("utf-8-sig")
    return text.replace("\\", "").replace(f"http://a.example.cn/{PHONE}.html", "URL")


COMMANDS = [
    (Brief, ["--out", "x.docx", *SINCE]),
    (Brief, ["--out", "x.html", *SINCE]),
    (Brief, ["--out", "x.md", *SINCE]),
    (Export, ["--out", "x.csv", "--copies"]),
    (Export, ["--out", "x.jsonl"]),
    (Export, ["--out", "x.xlsx"]),
    (Report, ["--out", "x.html"]),
    (Report, ["--out", "x.json", *SINCE]),
    (Stories, ["--out", "x.csv"]),
    (Stories, ["--out", "x.csv", "--table", "pages"]),
]  # fmt: skip


@pytest.mark.parametrize(("command", "args"), COMMANDS)
def test_personal_data_are_masked_unless_the_user_asks_for_them(
    store: str, tmp_path: Path, command: type, args: list[str]
) -> None:
    file = tmp_path / args[1]
    assert run_command(command(), args, store) == 0
    text = texts_of(file)
    for personal in (PHONE, MAIL, IDENTITY):
        assert personal not in text
    assert "139****5678" in text
    assert run_command(command(), [*args, "--unmasked"], store) == 0
    assert PHONE in texts_of(file)


@pytest.mark.parametrize(("command", "args"), COMMANDS)
def test_every_file_is_logged_with_who_what_and_when(
    store: str, tmp_path: Path, command: type, args: list[str]
) -> None:
    assert run_command(command(), args, store) == 0
    assert run_command(command(), [*args, "--unmasked"], store) == 0
    first, second = logged(store)
    assert first.what == command.__module__.rpartition(".")[2]
    assert "@" in first.who
    assert first.out == str(tmp_path / args[1])
    assert first.count >= 1
    assert (first.unmasked, second.unmasked) == (False, True)
    assert first.at <= second.at


def test_an_empty_period_names_the_day_of_the_newest_page(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run_command(
            Brief(), ["--out", "x.md", "--since", "2000-01-01", "--until", "2000-01-02"], store
        )
        == 0
    )
    day = china_day(NOW).isoformat()
    expected = f"侨情: no stories in this period; the newest page is of {day}"
    assert expected in capsys.readouterr().err
    assert run_command(Brief(), ["--out", "x.md", *SINCE], store) == 0
    assert capsys.readouterr().err == ""


def test_addresses_are_never_masked(store: str, tmp_path: Path) -> None:
    assert run_command(Export(), ["--out", "x.jsonl"], store) == 0
    row = json.loads((tmp_path / "x.jsonl").read_text("utf-8"))
    assert row["url"] == f"http://a.example.cn/{PHONE}.html"
    assert row["title"] == "侨胞返乡投资 139****5678"


def test_the_log_of_exports_can_be_read(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(Export(), ["--out", "x.csv", "--word", "侨胞"], store) == 0
    capsys.readouterr()
    assert run_command(Export(), ["--history"], store) == 0
    out = capsys.readouterr().out
    assert "x.csv" in out
    assert "--word" in out
    assert "export" in out


def test_an_export_from_a_store_that_cannot_be_written_is_made_and_says_so(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from topiccrawl.errors import ConfigurationError
    from topiccrawl.store.sqlite.store import SQLiteStore

    from_uri = SQLiteStore.from_uri

    def refuse(uri: str, *, read_only: bool = False) -> Any:
        if not read_only:
            raise ConfigurationError("read-only medium")
        return from_uri(uri, read_only=read_only)

    monkeypatch.setattr(SQLiteStore, "from_uri", refuse)
    assert run_command(Export(), ["--out", "x.csv"], store) == 0
    assert "read-only medium" in capsys.readouterr().err
    assert (tmp_path / "x.csv").is_file()


def test_a_proposal_that_is_kept_can_be_written_later(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(Brief(), ["--save", "--title", "侨情专报", *SINCE], store) == 0
    id_ = re.search(r"\d{8}-\d{6}-\w+", capsys.readouterr().out)
    assert id_ is not None
    assert run_command(Brief(), ["--list"], store) == 0
    assert "侨情专报" in capsys.readouterr().out
    assert run_command(Brief(), ["--saved", id_[0], "--out", "x.docx"], store) == 0
    document = docx.Document(str(tmp_path / "x.docx"))
    assert document.paragraphs[0].text == "侨情专报"
    renamed = ["--saved", id_[0], "--title", "侨情周报", "--organization", "市侨办"]
    assert run_command(Brief(), [*renamed, "--out", "x.docx"], store) == 0
    document = docx.Document(str(tmp_path / "x.docx"))
    assert document.paragraphs[0].text == "侨情周报"
    assert any("市侨办" in it.text for it in document.paragraphs)
    assert run_command(Brief(), ["--list"], store) == 0
    assert "侨情周报" not in capsys.readouterr().out
    assert run_command(Brief(), [*renamed, "--save"], store) == 0
    assert run_command(Brief(), ["--list"], store) == 0
    assert f"{id_[0]}  侨情周报" in capsys.readouterr().out
    assert run_command(Brief(), ["--saved", "none", "--out", "x.docx"], store) == 1
    assert id_[0] in capsys.readouterr().err


def test_a_briefing_on_standard_output_stands_there_alone(
    store: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    argv = ["--out", "x.md", "--out", "-", "--format", "md", "--save", *SINCE]
    assert run_command(Brief(), argv, store) == 0
    shown = capfdbinary.readouterr()
    assert shown.out == (tmp_path / "x.md").read_bytes()
    assert b"x.md: 1 of 1 stories" in shown.err
    assert b"kept as " in shown.err


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["--out", "x.pdf"],
        ["--out", "x.md", "--entries", "0"],
        ["--out", "x.md", "--since", "soon"],
        ["--out", "x.md", "--list"],
        ["--save", "--list"],
    ],
)
def test_wrong_options_are_refused_in_one_line(
    store: str, args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(Brief(), args, store) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_an_attacker_s_store_gives_sound_files(tmp_path: Path) -> None:
    uri = sqlite_store(tmp_path, hostile_pages())
    for name in ("x.docx", "x.html", "x.md"):
        assert run_command(Brief(), ["--out", name, "--entries", "100", *SINCE], uri) == 0
    assert run_command(Export(), ["--out", "x.xlsx"], uri) == 0
    assert len(docx.Document(str(tmp_path / "x.docx")).paragraphs) > 20
    book = openpyxl.load_workbook(tmp_path / "x.xlsx")
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert len(cells) > 500
    assert not [cell.coordinate for cell in cells if cell.data_type == "f"]
    for cell in cells:
        if cell.hyperlink is not None:
            assert cell.hyperlink.target.startswith(("http://", "https://"))
    with zipfile.ZipFile(tmp_path / "x.xlsx") as archive:
        assert not [name for name in archive.namelist() if "externalLink" in name or "vba" in name]

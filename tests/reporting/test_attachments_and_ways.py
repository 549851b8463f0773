"""Attachments of pages, and the ways by which pages were found: explained, reported, exported."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.support.command_line import run_command, sqlite_store
from tests.support.reporting_store import make_outcome, make_page
from topiccrawl import details
from topiccrawl.commands.explain import Command as Explain
from topiccrawl.commands.export import Command as Export
from topiccrawl.commands.report import Command as Report
from topiccrawl.scoring.evidence import LinkEvidence

PAGE = "http://qw.example.cn/notice.html"
FILE = "file:///home/a/%E4%BE%A8.html"
FOUND_BY = details.IMPORTED(file=FILE)


@pytest.fixture
def store(tmp_path: Path) -> str:
    documents = [
        make_page(
            f"http://qw.example.cn/{n}.pdf",
            title=f"附件{n}：<名单>",
            media_type="application/pdf",
            attached_to=PAGE,
        )
        for n in range(12)
    ]
    imported = make_page(FILE, title="侨乡", site="", found_by=FOUND_BY)
    pages = [make_page(PAGE, title="关于侨务的通知"), *documents, imported]
    outcomes = [make_outcome(it.url, title=it.title) for it in pages]
    waiting = make_outcome(
        "http://qw.example.cn/next",
        verdict="queued",
        link=LinkEvidence(
            1000.0, {"seed": 1.0}, found_by=details.LISTED(n=3, file="file:///l.txt")
        ),
    )
    return sqlite_store(tmp_path, pages, [*outcomes, waiting])


def test_a_page_is_explained_with_its_attachments_and_a_document_with_its_page(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(Explain(), [PAGE, "--store", store]) == 0
    out = capsys.readouterr().out
    assert "Attachments\n  http://qw.example.cn/0.pdf  附件0：<名单>" in out
    assert "… and 2 more" in out
    assert run_command(Explain(), ["http://qw.example.cn/3.pdf", "--store", store]) == 0
    out = capsys.readouterr().out
    assert f"Attachment of\n  {PAGE} 关于侨务的通知 (stored" in out
    assert "media type: application/pdf" in out


def test_the_way_a_page_was_found_is_explained_in_the_language_of_the_user(
    store: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_command(Explain(), ["file:///home/a/侨.html", "--store", store]) == 0
    assert f"found by: imported from {FILE}" in capsys.readouterr().out
    assert run_command(Explain(), ["http://qw.example.cn/next", "--store", store]) == 0
    out = capsys.readouterr().out
    assert "found by: line 3 of the list file:///l.txt" in out
    assert "This URL is a seed" not in out
    monkeypatch.setenv("LANGUAGE", "zh")
    assert run_command(Explain(), [FILE, "--store", store]) == 0
    assert f"发现途径：从 {FILE} 导入" in capsys.readouterr().out


def test_the_report_lists_attachments_below_their_page_and_counts_the_ways(
    store: str, tmp_path: Path
) -> None:
    out = tmp_path / "report.html"
    assert run_command(Report(), ["侨情", "--store", store, "--out", str(out)]) == 0
    text = out.read_text("utf-8")
    section = text[text.index('id="attachments"') :]
    section = section[: section.index("</section>")]
    assert section.count(".pdf") == 12
    assert section.count("关于侨务的通知") == 1
    assert "附件3：&lt;名单&gt;" in section
    assert f"imported from {FILE}" in text or f"从 {FILE} 导入" in text
    assert f'href="{FILE}"' not in text


def test_the_urls_of_attachments_are_a_column_on_request(store: str, tmp_path: Path) -> None:
    out = tmp_path / "pages.csv"
    words = ["侨情", "--store", store, "--out", str(out), "--fields", "url,attachments,found_by"]
    assert run_command(Export(), words) == 0
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = {row[0]: row for row in csv.reader(file)}
    assert [f"http://qw.example.cn/{n}.pdf" in rows[PAGE][1] for n in range(12)] == [True] * 12
    assert rows[FILE][1:] == ["", FOUND_BY]

"""File names in the forms in which servers send them, and titles from them."""

from __future__ import annotations

import time
from base64 import b64encode
from pathlib import Path
from urllib.parse import quote

import pytest

from topiccrawl.documents.formats import FORMATS
from topiccrawl.documents.kinds import kind_of, kind_of_name, may_be_document
from topiccrawl.documents.names import file_name, stem

NAME = "附件1：归侨登记表.docx"
URL = "http://www.qiao.example/download.jsp?id=3"


@pytest.mark.parametrize(
    "disposition",
    [
        f"attachment; filename*=UTF-8''{quote(NAME)}".encode(),
        f"attachment; filename=\"x.docx\"; filename*=UTF-8''{quote(NAME)}".encode(),
        b"attachment; filename*=GBK''" + quote(NAME, encoding="gbk").encode(),
        f'attachment; filename="{NAME}"'.encode(),
        f'attachment; filename="{NAME}"'.encode("gbk"),
        f"attachment;filename={NAME}".encode("gbk"),
        f'attachment; filename="{quote(NAME)}"'.encode(),
        f'attachment; filename="{quote(NAME, encoding="gbk")}"'.encode(),
        b'attachment; filename="=?UTF-8?B?' + b64encode(NAME.encode()) + b'?="',
        f'attachment; filename="{NAME}"'.encode().decode("latin-1").encode("utf-8"),
        f'attachment; filename="C:\\\\公文\\\\{NAME}"'.encode(),
    ],
)
def test_a_name_is_decoded_in_each_form(disposition: bytes) -> None:
    assert file_name(disposition, URL) == NAME


@pytest.mark.parametrize(
    "url",
    [
        f"http://a.example/files/{quote(NAME)}",
        f"http://a.example/files/{quote(NAME, encoding='gbk')}?v=2",
        f"http://a.example/download?filename={quote(NAME)}&id=4",
        f"http://a.example/d.jsp?id=4&path=/upload/{quote(NAME, encoding='gbk')}",
    ],
)
def test_without_a_header_the_url_names_the_file(url: str) -> None:
    assert file_name(b"", url) == file_name(b"attachment", url) == NAME


@pytest.mark.parametrize(
    "codec", ["punycode", "undefined", "idna", "unicode_escape", "utf-7", "zlib", "rot13", "none"]
)
def test_a_name_in_no_encoding_of_the_web_is_read_as_it_is(codec: str) -> None:
    stated = quote(NAME)
    for escaped in (stated, f"a-{'%5Cud800' * 5_000}", f"x-{'b9' * 60_000}"):
        begun = time.process_time()
        name = file_name(f"attachment; filename*={codec}''{escaped}".encode(), URL)
        assert name.isprintable()
        assert time.process_time() - begun < 1.0
    assert file_name(f"attachment; filename*={codec}''{stated}".encode(), URL) == NAME
    word = file_name(f'attachment; filename="=?{codec}?q?a=5Cud800-b9?="'.encode(), URL)
    assert word.isprintable()


@pytest.mark.parametrize(
    ("name", "title"),
    [
        (NAME, "归侨登记表"),
        ("附件二.归侨名册.pdf", "归侨名册"),
        ("归侨名册.pdf（点击下载）", "归侨名册"),
        ("侨务年报", "侨务年报"),
        ("附件.doc", "附件"),
    ],
)
def test_a_stem_is_the_name_without_ending_and_number(name: str, title: str) -> None:
    assert stem(name) == title


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("http://a.example/a.PDF", "pdf"),
        ("http://a.example/a.pdf?x=1", "pdf"),
        ("http://a.example/down.aspx?f=a.docx&x=1", "docx"),
        ("http://a.example.doc/index.html", ""),
        ("http://a.example/a.html", ""),
        ("登记表.wps", "doc"),
    ],
)
def test_a_url_or_name_states_a_format(name: str, kind: str) -> None:
    assert kind_of_name(name) == kind


def test_web_pages_and_pictures_are_no_documents() -> None:
    html = b"<!DOCTYPE html><html><p>x</p></html>"
    assert not may_be_document(html, "text/html", "http://a.example/")
    assert not may_be_document(html, "text/plain", "http://a.example/a.txt")
    assert not may_be_document(b"\x89PNG\r\n\x1a\n\0\0", "application/pdf", "a.pdf")
    assert not may_be_document(b"", "application/pdf", "a.pdf")
    assert kind_of(b"\xff\xd8\xff", "application/msword", "a.doc") == ""


@pytest.mark.parametrize("page", ["docs/documents.md", "docs/zh/documents.md"])
def test_each_format_is_documented(page: str) -> None:
    text = (Path(__file__).parents[2] / page).read_text("utf-8")
    usual = [it.endings.split()[0] for it in FORMATS.values() if it.endings]
    assert [ending for ending in usual if f"`.{ending}`" not in text] == []

"""WARC files as stored webs."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from tests.support.chinese_web import GBK, HOME, OLD, small_pages, small_topics
from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.topics_file import write_topics

Answer = tuple[str, str, list[tuple[str, str]], bytes]
HTML = ("Content-Type", "text/html")


def write_warc(path: Path, answers: list[Answer], compressed: bool = True) -> Path:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=compressed)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "test"}))
        for url, status, headers, body in answers:
            http = StatusAndHeaders(status, headers, protocol="HTTP/1.1")
            record = writer.create_warc_record(
                url, "response", payload=io.BytesIO(body), http_headers=http
            )
            request = writer.create_warc_record(
                url, "request", http_headers=StatusAndHeaders("GET / HTTP/1.1", [])
            )
            writer.write_request_response_pair(request, record)
    return path


def drawn() -> list[Answer]:
    return [
        (
            page.url,
            f"{page.status} X",
            [("Content-Type", page.content_type)]
            + ([("Location", page.location)] if page.location else []),
            page.body,
        )
        for page in small_pages(leaves=3)
    ]


@pytest.mark.parametrize("name", ["web.warc", "web.warc.gz"])
def test_responses_are_read_by_url_with_the_topics_next_to_them(tmp_path: Path, name: str) -> None:
    path = write_warc(tmp_path / name, drawn(), compressed=name.endswith("gz"))
    write_topics(tmp_path, small_topics(leaves=3))
    web = open_web(str(path))
    assert {url: web.get(url) for url in web.urls()} == {p.url: p for p in small_pages(leaves=3)}
    assert tuple(web.topics) == small_topics(leaves=3).topics
    assert (web.name, web.language, len(web)) == ("web", "zh", 8)
    assert web.get("http://a.example/none") is None
    web.close()
    assert len(open_web(str(tmp_path))) == 8, "a folder with one WARC file is a web"


def test_encodings_of_content_and_transfer_are_undone(tmp_path: Path) -> None:
    packed = gzip.compress(b"<p>packed")
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    headers = [HTML, ("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked")]
    web = open_web(str(write_warc(tmp_path / "a.warc", [(HOME, "200 OK", headers, chunked)])))
    page = web.get(HOME)
    assert page is not None
    assert page.body == b"<p>packed"


def test_a_page_counts_more_than_redirects_and_failures_and_redirects_become_absolute(
    tmp_path: Path,
) -> None:
    answers: list[Answer] = [
        ("https://a.example/", "200 OK", [HTML], b"1"),
        ("https://a.example/", "200 OK", [HTML], b"2"),
        ("http://a.example/", "301 Moved", [("Location", "https://a.example/")], b""),
        (HOME, "503 Busy", [HTML], b"3"),
        (OLD, "404 Gone", [HTML], b""),
        (OLD, "302 Found", [("Location", "new?a=b")], b""),
        ("dns:a.example", "200 OK", [HTML], b""),
    ]
    web = open_web(str(write_warc(tmp_path / "a.warc.gz", answers)))
    assert list(web.urls()) == [HOME, OLD]
    page, old = web.get(HOME), web.get(OLD)
    assert page is not None
    assert old is not None
    assert (page.body, page.status) == (b"2", 200)
    assert (old.status, old.location) == (302, "http://a.example/new?a=b")


@pytest.mark.parametrize("name", ["web.warc", "web.warc.gz"])
def test_a_file_that_was_cut_off_is_read_up_to_its_last_whole_record(
    tmp_path: Path, name: str
) -> None:
    path = write_warc(tmp_path / name, drawn(), compressed=name.endswith("gz"))
    whole = path.read_bytes()
    last = write_warc(tmp_path / "less", drawn()[:-1], compressed=name.endswith("gz"))
    path.write_bytes(whole[: last.stat().st_size + 60])
    web = open_web(str(path))
    assert list(web.urls()) == [page.url for page in small_pages(leaves=3)[:-1]]
    page = web.get(GBK)
    assert page is not None
    assert page.body == small_pages()[1].body


def test_a_file_that_is_no_warc_file_is_refused(tmp_path: Path) -> None:
    plain = write_warc(tmp_path / "plain", drawn(), compressed=False).read_bytes()
    cases = {
        "text.warc": (b"no archive at all\n" * 50, "must be a WARC file"),
        "whole.warc.gz": (gzip.compress(plain), "warcio recompress"),
        "empty.warc": (b"", "found none"),
    }
    for name, (content, said) in cases.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ConfigurationError, match=said) as raised:
            open_web(str(tmp_path / name))
        assert name in str(raised.value)

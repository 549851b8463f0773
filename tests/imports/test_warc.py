"""Pages of a WARC file: the last answer of each URL, with the URL and time of its record."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import random
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from topiccrawl.errors import ConfigurationError
from topiccrawl.imports.entries import Entry, LeftOut
from topiccrawl.imports.limits import Limits
from topiccrawl.imports.walk import Walk
from topiccrawl.imports.warc import page_places, read_page

PAGE = "<html><title>侨乡</title><p>侨乡文化</p>".encode()
HTML = "text/html; charset=utf-8"


def write_warc(
    path: Path,
    *records: tuple[str, int, str, bytes],
    packed: bytes = b"",
    chunked: bool = False,
) -> Path:
    """Write one response for each (URL, status, content type, body)."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=path.name.endswith(".gz"))
        for url, status, kind, body in records:
            headers = [("Content-Type", kind)]
            if status == 301:
                headers.append(("Location", "http://a.example.cn/moved"))
            if packed:
                headers.append(("Content-Encoding", packed.decode()))
            if chunked:
                headers.append(("Transfer-Encoding", "chunked"))
            http = StatusAndHeaders(f"{status} X", headers, protocol="HTTP/1.1")
            record = writer.create_warc_record(
                url,
                "response",
                payload=io.BytesIO(body),
                http_headers=http,
                warc_headers_dict={"WARC-Date": "2026-11-21T02:00:00Z"},
            )
            writer.write_record(record)
    return path


@pytest.mark.parametrize("name", ["w.warc", "w.warc.gz"])
def test_a_page_has_the_url_and_the_time_of_its_record(tmp_path: Path, name: str) -> None:
    path = write_warc(
        tmp_path / name,
        ("https://a.example.cn/1", 200, HTML, b"<p>old"),
        ("https://a.example.cn/1", 200, HTML, PAGE),
        ("http://a.example.cn/old", 301, HTML, b""),
        ("http://a.example.cn/gone", 404, HTML, b"<p>gone"),
        ("http://a.example.cn/robots.txt", 200, "text/plain", b"User-agent: *"),
        ("http://a.example.cn/x.css", 200, "text/css", b"p {}"),
        ("http://a.example.cn/picture", 200, "image/png", b"\x89PNG\r\n\x1a\n" + bytes(range(64))),
        ("dns:a.example.cn", 200, "text/dns", b"20261121"),
    )
    found = list(Walk(tmp_path).found())
    pages = [it for it in found if isinstance(it, Entry)]
    assert [(it.origin.url, it.body, it.content_type) for it in pages] == [
        ("https://a.example.cn/1", PAGE, HTML)
    ]
    assert pages[0].origin.sure
    assert pages[0].origin.saved_at == datetime(2026, 11, 21, 2, tzinfo=UTC)
    assert pages[0].url == f"file://{path.resolve()}"
    assert Counter(it.reason for it in found if isinstance(it, LeftOut)) == {
        "repeated": 1,
        "redirect": 1,
        "error-page": 1,
        "not-a-page": 2,
        "asset": 1,
    }


def test_a_compressed_answer_that_unpacks_to_too_much_is_left_out(tmp_path: Path) -> None:
    body = gzip.compress(b"<html>" + b" " * (8 << 20))
    write_warc(tmp_path / "w.warc", ("http://a.example.cn/1", 200, HTML, body), packed=b"gzip")
    found = list(Walk(tmp_path, limits=Limits(file_bytes=1 << 20)).found())
    assert [it.reason for it in found if isinstance(it, LeftOut)] == ["too-large"]


def test_a_record_that_is_cut_off_is_left_out_and_the_others_are_read(tmp_path: Path) -> None:
    path = write_warc(
        tmp_path / "w.warc",
        ("http://a.example.cn/1", 200, HTML, PAGE),
        ("http://a.example.cn/2", 200, HTML, PAGE),
    )
    path.write_bytes(path.read_bytes()[:-30])
    found = list(Walk(tmp_path).found())
    assert [it.origin.url for it in found if isinstance(it, Entry)] == ["http://a.example.cn/1"]


def test_records_that_are_known_are_not_read_again(tmp_path: Path) -> None:
    urls = [f"http://a.example.cn/{n}" for n in range(3)]
    write_warc(tmp_path / "w.warc", *((url, 200, HTML, PAGE) for url in urls))
    first = next(it.key for it in Walk(tmp_path).found() if isinstance(it, Entry))
    again = list(Walk(tmp_path, {first}.__contains__).found())
    assert [it.origin.url for it in again if isinstance(it, Entry)] == urls[1:]


def test_a_file_that_is_named_and_compressed_as_a_whole_is_an_error(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "w.warc", *[("http://a.example.cn/1", 200, HTML, PAGE)] * 2)
    packed = tmp_path / "p.warc.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(ConfigurationError, match="recompress"):
        list(Walk(packed).found())


def test_an_answer_in_chunks_and_packed_with_brotli_is_read(tmp_path: Path) -> None:
    packed = brotli.compress(PAGE)
    write_warc(
        tmp_path / "w.warc.gz",
        ("http://a.example.cn/1", 200, HTML, b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)),
        packed=b"br",
        chunked=True,
    )
    assert [it.body for it in Walk(tmp_path).found() if isinstance(it, Entry)] == [PAGE]


def test_a_body_that_does_not_unpack_is_left_out_and_the_others_are_read(tmp_path: Path) -> None:
    whole, cut = gzip.compress(PAGE), gzip.compress(PAGE)[:-12]
    write_warc(
        tmp_path / "w.warc",
        *((f"http://a.example.cn/{n}", 200, HTML, body) for n, body in enumerate((cut, whole))),
        packed=b"gzip",
    )
    cut_off, page = Walk(tmp_path).found()
    assert cut_off == LeftOut("http://a.example.cn/0", "damaged", "http://a.example.cn/0")
    assert isinstance(page, Entry)
    assert page.body == PAGE


@pytest.mark.parametrize("left", [14, 200, 400])
def test_a_packed_record_that_is_cut_off_anywhere_is_counted(tmp_path: Path, left: int) -> None:
    long = base64.b64encode(random.Random(1).randbytes(2_000))
    path = write_warc(
        tmp_path / "w.warc.gz",
        ("http://a.example.cn/1", 200, HTML, PAGE),
        ("http://a.example.cn/2", 200, HTML, PAGE + long),
    )
    content = path.read_bytes()
    path.write_bytes(content[: content.rindex(b"\x1f\x8b\x08") + left])
    page, cut_off = sorted(Walk(tmp_path).found(), key=lambda it: isinstance(it, LeftOut))
    assert isinstance(page, Entry)
    assert isinstance(cut_off, LeftOut)
    assert (page.origin.url, cut_off.reason) == ("http://a.example.cn/1", "damaged")


@pytest.mark.parametrize("filled_with", [b"\xff", b" "])
def test_a_packed_file_is_read_whose_first_record_is_damaged(
    tmp_path: Path, filled_with: bytes
) -> None:
    urls = [f"http://a.example.cn/{n}" for n in range(3)]
    path = write_warc(tmp_path / "w.warc.gz", *((url, 200, HTML, PAGE) for url in urls))
    content = bytearray(path.read_bytes())
    content[20:32] = filled_with * 12
    path.write_bytes(content)
    found = list(Walk(tmp_path).found())
    assert [it.origin.url for it in found if isinstance(it, Entry)] == urls[1:]
    assert [it.reason for it in found if isinstance(it, LeftOut)] == ["damaged"]


@pytest.mark.parametrize(("name", "within"), [("w.warc", 0), ("w.warc.gz", 0), ("w.warc.gz", 40)])
def test_records_before_and_after_a_damaged_one_are_read(
    tmp_path: Path, name: str, within: int
) -> None:
    urls = [f"http://a.example.cn/{n}" for n in range(5)]
    path = write_warc(tmp_path / name, *((url, 200, HTML, PAGE) for url in urls))
    content = bytearray(path.read_bytes())
    starts = [it.start() for it in re.finditer(rb"WARC/1\.0\r\n|\x1f\x8b\x08", content)]
    at = starts[-3] + within
    content[at : at + 12] = bytes(12)
    path.write_bytes(content)
    found = list(Walk(tmp_path).found())
    assert [it.origin.url for it in found if isinstance(it, Entry)] == urls[:2] + urls[3:]
    assert [it.reason for it in found if isinstance(it, LeftOut)] == ["damaged"]


def test_parts_of_pages_are_left_out(tmp_path: Path) -> None:
    write_warc(tmp_path / "w.warc", ("http://a.example.cn/1", 206, HTML, PAGE))
    assert [it.reason for it in Walk(tmp_path).found() if isinstance(it, LeftOut)] == ["error-page"]


def write_revisits(path: Path, *records: tuple[str, str, int, dict[str, str], bytes]) -> Path:
    """Write for each (type, URL, day, further WARC headers, body) a record with the status 200."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=path.name.endswith(".gz"))
        for kind, url, day, headers, body in records:
            record = writer.create_warc_record(
                url,
                kind,
                payload=io.BytesIO(body),
                http_headers=StatusAndHeaders("200 OK", [("Content-Type", HTML)], "HTTP/1.1"),
                warc_headers_dict={"WARC-Date": f"2026-11-{day}T02:00:00Z", **headers},
            )
            writer.write_record(record)
    return path


def test_an_unchanged_page_has_the_body_of_the_record_that_it_refers_to(tmp_path: Path) -> None:
    same, by_digest, by_date, gone = (f"http://a.example.cn/{n}" for n in range(4))
    digest = f"sha1:{base64.b32encode(hashlib.sha1(PAGE).digest()).decode()}"
    refers = {"WARC-Refers-To-Target-URI": same, "WARC-Refers-To-Date": "2026-11-21T02:00:00Z"}
    path = write_revisits(
        tmp_path / "w.warc.gz",
        ("response", same, 21, {}, PAGE),
        ("response", same, 22, {}, b"<p>new"),
        ("revisit", by_digest, 23, {"WARC-Payload-Digest": digest}, b""),
        ("revisit", by_date, 24, refers, b""),
        ("revisit", same, 25, {"WARC-Payload-Digest": digest}, b""),
        ("revisit", gone, 26, {"WARC-Payload-Digest": "sha1:ELSEWHERE"}, b""),
    )
    found = list(Walk(tmp_path).found())
    entries = [it for it in found if isinstance(it, Entry)]
    assert [(it.origin.url, it.body, it.content_type) for it in entries] == [
        (url, PAGE, HTML) for url in (by_digest, by_date, same)
    ]
    assert [it.origin.saved_at and it.origin.saved_at.day for it in entries] == [23, 24, 25]
    assert len({it.key for it in entries}) == 3
    assert [it for it in found if isinstance(it, LeftOut) and it.reason == "unchanged"] == [
        LeftOut(gone, "unchanged", gone)
    ]
    assert Counter(it.reason for it in found if isinstance(it, LeftOut))["repeated"] == 2
    places = dict(page_places(path))
    response = read_page(path, places[by_date], 1 << 20)
    assert response is not None
    assert (response.url, response.body) == (by_date, PAGE)


@pytest.mark.parametrize("headers", [{}, {"WARC-Refers-To-Target-URI": "http://a.example.cn/"}])
def test_a_revisit_that_refers_to_nothing_is_of_the_page_before(
    tmp_path: Path, headers: dict[str, str]
) -> None:
    url = "http://a.example.cn/"
    write_revisits(
        tmp_path / "w.warc",
        ("response", url, 21, {}, PAGE),
        ("revisit", url, 22, headers, b""),
        ("revisit", url, 23, headers, b""),
    )
    (entry,) = (it for it in Walk(tmp_path).found() if isinstance(it, Entry))
    assert (entry.body, entry.origin.saved_at) == (PAGE, datetime(2026, 11, 23, 2, tzinfo=UTC))

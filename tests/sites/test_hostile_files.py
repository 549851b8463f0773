"""Sitemaps and feeds that are small on the wire and costly to read."""

from __future__ import annotations

import gzip
import time

import pytest

from topiccrawl.sites.files import MOST_ADDRESSES, SiteFile

HEAD = b"<?xml version='1.0'?><urlset>"
BYTES = 6_000_000
#: CPU seconds for :data:`BYTES`; 7 s where names of attributes were searched at each of their letters.
MOST = 3.0


@pytest.mark.parametrize(
    "unit",
    [
        b"<a " + b"x" * 16_000 + b"/>",
        b"<a " + b"x " * 8_000 + b"/>",
        b"<a " + b"x=" * 8_000 + b"/>",
        b"<a x" + b" " * 16_000 + b"/>",
        b"<!-- <![CDATA[",
        b"<![CDATA[&#1;]]>",
        b"<title>" + b"&lt;b" * 900 + b"</title>",
    ],
    ids=["name", "names", "equal", "spaces", "comments", "sections", "references"],
)
def test_the_time_for_a_hostile_sitemap_is_bounded(unit: bytes) -> None:
    file = SiteFile("http://a.example/map.xml", gzip.compress(HEAD + unit * (BYTES // len(unit))))
    begun = time.process_time()
    assert not any(batch.entries for batch in file)
    assert time.process_time() - begun < MOST


def test_addresses_beyond_the_limit_of_the_protocol_are_dropped() -> None:
    unit = b"<url><loc>http://a.example/1</loc></url>"
    file = SiteFile("http://a.example/map.xml", gzip.compress(HEAD + unit * 200_000))
    assert sum(len(batch.entries) for batch in file) == MOST_ADDRESSES
    assert file.stopped == "addresses"


def test_entities_of_a_sitemap_are_not_expanded() -> None:
    names = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(12))
    bomb = (
        f'<!DOCTYPE urlset [<!ENTITY e0 "x">{names}]><urlset><url><loc>&e12;</loc></url></urlset>'
    )
    file = SiteFile("http://a.example/map.xml", bomb.encode())
    assert not any(batch.entries for batch in file)
    assert file.stopped == "entities"


@pytest.mark.parametrize(
    "line", ["http://a.example/" + "x" * BYTES, " " * BYTES, "sitemap:" * 99_999]
)
def test_a_line_without_end_lists_nothing(line: str) -> None:
    begun = time.process_time()
    assert not any(batch.entries for batch in SiteFile("http://a.example/map.txt", line.encode()))
    assert time.process_time() - begun < MOST


@pytest.mark.parametrize(
    "stated", ["utf-16", "UTF-16LE", "utf-32", "punycode", "idna", "cp037", "zlib", "rot13", "none"]
)
@pytest.mark.parametrize("by", ["header", "declaration"])
def test_a_false_encoding_costs_no_address(stated: str, by: str) -> None:
    declared = f' encoding="{stated}"' if by == "declaration" else ""
    text = (
        f"<?xml version='1.0'{declared}?><urlset><url><loc>http://a.example/侨</loc></url></urlset>"
    )
    charset = stated if by == "header" else ""
    file = SiteFile("http://a.example/map.xml", text.encode(), charset=charset)
    assert [it.url for batch in file for it in batch.entries] == ["http://a.example/侨"]
    assert file.stopped == ""


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_true_utf_16_is_read_with_its_mark_and_without(encoding: str) -> None:
    text = "<urlset><url><loc>http://a.example/侨</loc></url></urlset>"
    file = SiteFile("http://a.example/map.xml", text.encode(encoding))
    assert [it.url for batch in file for it in batch.entries] == ["http://a.example/侨"]


@pytest.mark.parametrize("stated", ["utf-7", "utf-16", "hz", "iso2022_kr", "punycode", "idna"])
def test_bytes_that_no_encoding_has_are_no_failure(stated: str) -> None:
    body = b"<urlset><url><loc>http://a.example/1</loc></url>" + bytes(range(256)) * 400
    list(SiteFile("http://a.example/map.xml", body, charset=stated))

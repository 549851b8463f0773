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

"""Certificates: not checked by default, as in Scrapy, and checked on demand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.loopback_sites import Site, article, crawl, serving
from tests.support.tls import tls_of_server

ALLOWED = {"TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED": "all"}


@pytest.fixture
def self_signed(tmp_path: Path) -> Iterator[Site]:
    context, _certificate = tls_of_server(tmp_path)
    with serving({"/": article("侨情首页")}, "127.0.0.1", tls=context) as site:
        yield site


def test_a_self_signed_certificate_is_accepted_by_default(
    tmp_path: Path, self_signed: Site
) -> None:
    done = crawl(tmp_path, [f"{self_signed.url}/"], **ALLOWED)
    assert done.titles == {"侨情首页"}


def test_a_self_signed_certificate_is_refused_on_demand(tmp_path: Path, self_signed: Site) -> None:
    done = crawl(
        tmp_path, [f"{self_signed.url}/"], **{**ALLOWED, "DOWNLOAD_VERIFY_CERTIFICATES": True}
    )
    assert done.code == 1
    assert done.pages == []
    assert "/" not in self_signed.asked
    assert done.outcomes[f"{self_signed.url}/"].reason == "certificate"
    assert len(done.lines("certificate verify failed")) >= 1

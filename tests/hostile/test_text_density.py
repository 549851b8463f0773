"""The other body extractor reads hostile pages, too."""

from __future__ import annotations

import time

import pytest

from tests.support.hostile_pages import HOSTILE_PAGES
from topiccrawl.page.page import Page

#: Large enough for numbers that Python refuses to read (4,300 digits).
BYTES = 6_000
#: CPU seconds of a page of 60 KB, which takes some milliseconds; quadratic time was 15.
LIMIT = 3.0


@pytest.mark.parametrize("name", HOSTILE_PAGES)
def test_every_hostile_page_has_a_body_and_a_kind(name: str) -> None:
    page = Page("http://a.example/1", HOSTILE_PAGES[name](BYTES), extractor="text-density")
    assert page.kind in {"article", "list", "thread", "other"}
    assert page.comments == ""


def test_an_unclosed_tag_with_a_long_name_takes_no_time() -> None:
    data = HOSTILE_PAGES["tag-name-unclosed"](10 * BYTES)
    start = time.process_time()
    assert "侨批档案馆" in Page("http://a.example/1", data, extractor="text-density").body
    assert time.process_time() - start < LIMIT

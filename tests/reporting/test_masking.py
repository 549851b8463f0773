"""What a report shows of pages has masks over personal data."""

from __future__ import annotations

import pytest

from tests.support.page_texts import WORDS, saying
from tests.support.reporting_store import make_page
from topiccrawl.reporting.masking import masked_page

NUMBER = "13912345678"
#: Fields that a report does not show.
NOT_SHOWN = {"body", "comments", "comment_records", "markdown"}


@pytest.mark.parametrize("field", sorted({*WORDS} - NOT_SHOWN))
def test_each_text_that_a_report_shows_is_masked(field: str) -> None:
    page = make_page("http://www.example.cn/1", **saying(field, f"电话{NUMBER}"))
    assert NUMBER in repr(page)
    assert NUMBER not in repr(masked_page(page))

"""``scrapy extract`` on documents."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.documents.forms import docx_of, pdf_of, scanned_pdf
from tests.documents.office_forms import zipped
from topiccrawl.analysis.extraction import PageExtractor
from topiccrawl.details import translated
from topiccrawl.documents.text import DocumentText, UnreadableDocumentError
from topiccrawl.documents.unreadable import unreadable_detail

TEXT = [
    "关于归侨登记的通知",
    "各区侨务办公室请于本月底以前报送归侨侨眷登记表。",
    "市侨务办公室",
    "2024年3月5日",
]


@pytest.fixture
def extractor() -> Iterator[PageExtractor]:
    extractor = PageExtractor()
    yield extractor
    extractor.close()


def test_a_document_has_a_record_like_a_page(extractor: PageExtractor) -> None:
    for body, name in ((docx_of(TEXT), "a.docx"), (pdf_of(TEXT), "b")):
        record = extractor.extract(body, "id", file_name=name)
        assert record["title"] == TEXT[0]
        assert record["body"] == "\n".join(TEXT)
        assert record["time"] == "2024-03-05"
        assert record["kind"] == "article"


def test_an_unreadable_document_raises_its_reason(extractor: PageExtractor) -> None:
    with pytest.raises(UnreadableDocumentError) as raised:
        extractor.extract(scanned_pdf(), "id", file_name="a.pdf")
    assert raised.value.reason == "no-text-layer"


def test_an_archive_is_no_damaged_document(extractor: PageExtractor) -> None:
    with pytest.raises(UnreadableDocumentError) as raised:
        extractor.extract(zipped({"a/1.html": b"<p>x</p>"}), "id", file_name="pages.zip")
    document = DocumentText(reason=raised.value.reason, detail=raised.value.detail)
    assert translated(unreadable_detail(document), "en").startswith(
        "the file is neither a page nor"
    )

"""Attachments in crawls of small webs: followed, read, judged, stored like pages."""

from __future__ import annotations

import pytest

from tests.documents.forms import docx_of, encrypted_pdf, pdf_of, scanned_pdf
from tests.support.small_web import (
    OFF_TOPIC,
    ON_TOPIC,
    SmallCrawl,
    SmallWeb,
    crawl_small,
    link,
    page,
    response,
)

HOME = "http://www.qiao.example/"
TITLE = "关于归侨侨眷身份认定工作的通知"
TEXT = [TITLE, ON_TOPIC, "海外侨胞与侨联的联系制度由侨务部门另行规定。"]


def web() -> SmallWeb:
    names = {
        "a.pdf": "附件1：身份认定通知",
        "b.docx": "归侨侨眷登记办法.docx",
        "copy.docx": "下载",
        "off.pdf": "足球比赛",
        "scan.pdf": "侨联侨眷名册（扫描件）",
        "plainscan.pdf": "附件2",
        "locked.pdf": "归侨数据",
        "download.jsp?id=7": "归侨登记表.pdf",
        "wrong.html": "侨务通知",
        "archive.zip": "全部附件",
    }
    links = "".join(link(f"{HOME}{name}", text) for name, text in names.items())
    word = [*TEXT, "第一条　归侨是指回国定居的华侨。", "第二条　侨眷是指华侨、归侨在国内的眷属。"]
    return SmallWeb({
        HOME: page("归侨侨眷身份认定", f"{ON_TOPIC}附件请下载。", links),
        f"{HOME}a.pdf": response(f"{HOME}a.pdf", pdf_of(TEXT), content_type="application/pdf"),
        f"{HOME}b.docx": response(
            f"{HOME}b.docx", docx_of(word), content_type="application/octet-stream"
        ),
        f"{HOME}copy.docx": response(f"{HOME}copy.docx", docx_of(word)),
        f"{HOME}off.pdf": response(
            f"{HOME}off.pdf", pdf_of(["足球比赛", OFF_TOPIC * 2]), content_type="application/pdf"
        ),
        f"{HOME}scan.pdf": response(
            f"{HOME}scan.pdf", scanned_pdf(), content_type="application/pdf"
        ),
        f"{HOME}plainscan.pdf": response(
            f"{HOME}plainscan.pdf", scanned_pdf(), content_type="application/pdf"
        ),
        f"{HOME}locked.pdf": response(
            f"{HOME}locked.pdf", encrypted_pdf(TEXT), content_type="application/pdf"
        ),
        f"{HOME}download.jsp?id=7": response(
            f"{HOME}download.jsp?id=7",
            pdf_of(["归侨登记表填写说明", f"请归侨侨眷如实填写登记表。{ON_TOPIC}"]),
            content_type="application/octet-stream",
            **{"Content-Disposition": "attachment; filename*=UTF-8''%E8%A1%A8.pdf"},
        ),
        f"{HOME}wrong.html": response(
            f"{HOME}wrong.html", pdf_of(["侨务工作会议纪要", f"会议听取侨情汇报。{ON_TOPIC}"])
        ),
    })  # fmt: skip


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> SmallCrawl:
    folder = tmp_path_factory.mktemp("documents")
    return crawl_small(
        web(),
        [HOME],
        TOPICCRAWL_STORE_URI=f"sqlite:///{folder}/pages.sqlite",
        TOPICCRAWL_STORE_SPOOL_DIR=str(folder / "spool"),
    )


def test_documents_on_the_topic_are_items_like_pages(crawl: SmallCrawl) -> None:
    items = {item.url: item for item in crawl.items}
    found = items[f"{HOME}a.pdf"]
    assert found.title == TITLE
    assert ON_TOPIC in found.body
    assert found.media_type == "application/pdf"
    assert found.attached_to == HOME
    assert found.link.anchor == "附件1：身份认定通知"
    assert found.kind == "article"
    assert found.relevance > 0.1
    assert items[f"{HOME}b.docx"].media_type.endswith("wordprocessingml.document")
    assert items[HOME].media_type == items[HOME].attached_to == ""


def test_content_counts_more_than_header_and_name(crawl: SmallCrawl) -> None:
    kinds = {item.url: item.media_type for item in crawl.items}
    assert kinds[f"{HOME}wrong.html"] == kinds[f"{HOME}download.jsp?id=7"] == "application/pdf"


def test_documents_off_the_topic_are_dropped(crawl: SmallCrawl) -> None:
    assert crawl.dropped[f"{HOME}off.pdf"] == "off-topic"


def test_a_document_with_the_text_of_another_is_its_copy(crawl: SmallCrawl) -> None:
    pair = [item for item in crawl.items if item.url in (f"{HOME}b.docx", f"{HOME}copy.docx")]
    assert len([item for item in pair if item.copy_of]) == 1


def test_what_cannot_be_read_has_its_reason(crawl: SmallCrawl) -> None:
    assert crawl.dropped[f"{HOME}locked.pdf"] == "document-encrypted"
    assert crawl.dropped[f"{HOME}plainscan.pdf"] == "document-no-text-layer"


def test_a_scan_with_a_telling_name_on_a_kept_page_is_stored(crawl: SmallCrawl) -> None:
    found = next(item for item in crawl.items if item.url == f"{HOME}scan.pdf")
    assert found.title == "侨联侨眷名册（扫描件）"
    assert found.body == ""
    assert found.attached_to == HOME


def test_archives_are_not_requested(crawl: SmallCrawl) -> None:
    assert not any(request.url.endswith(".zip") for request in crawl.scheduled)


def test_without_documents_their_links_are_not_followed() -> None:
    small = web()
    crawl = crawl_small(small, [HOME], TOPICCRAWL_DOCUMENTS=False)
    assert f"{HOME}a.pdf" not in small.asked
    assert crawl.dropped[f"{HOME}wrong.html"] == "not-html"

"""The corpus: documents of known text in all forms, and documents that cannot be read."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from typing import Any

import pikepdf

from tests.documents import office_forms as office
from tests.documents import ole_forms as ole
from tests.documents import pdf_forms as pdf
from tests.documents.corpus_texts import ARTICLE, ENGLISH, NOTICE, ROWS, TABLE, TRADITIONAL, Example
from tests.documents.corpus_word import readable_word
from tests.documents.forms import docx_of, encrypted_pdf, pdf_of, scanned_pdf


def _pdf(pages: list[list[pdf.Placed]], font: pdf.FontMaker, **more: Any) -> Callable[[], bytes]:
    return lambda: pdf.written(pages, font, **more)


def _readable_pdf() -> Iterator[Example]:
    prose = pdf.prose(NOTICE)
    fonts = {
        "embedded, with ToUnicode": pdf.embedded(mapped=True),
        "embedded, without ToUnicode": pdf.embedded(mapped=False),
        "GBK-EUC-H": pdf.predefined("GBK-EUC-H", "gbk"),
        "GBKp-EUC-H": pdf.predefined("GBKp-EUC-H", "gbk"),
        "GBK2K-H": pdf.predefined("GBK2K-H", "gb18030"),
        "UniGB-UCS2-H": pdf.predefined("UniGB-UCS2-H", "utf-16-be"),
        "UniGB-UTF16-H": pdf.predefined("UniGB-UTF16-H", "utf-16-be"),
        "Type 3": pdf.type3,
    }
    for name, font in fonts.items():
        yield Example(f"pdf, {name}", _pdf(prose, font), NOTICE)
    yield Example("pdf, reportlab", lambda: pdf_of(NOTICE), NOTICE)
    big5 = pdf.prose(TRADITIONAL)
    yield Example(
        "pdf, ETen-B5-H", _pdf(big5, pdf.predefined("ETen-B5-H", "big5", "CNS1")), TRADITIONAL
    )
    yield Example(
        "pdf, UniCNS-UCS2-H",
        _pdf(big5, pdf.predefined("UniCNS-UCS2-H", "utf-16-be", "CNS1")),
        TRADITIONAL,
    )
    gbk = fonts["GBK-EUC-H"]
    mapped = fonts["embedded, with ToUnicode"]
    long = pdf.with_margins(pdf.prose(ARTICLE), "侨乡研究　2024年第2期")
    yield Example("pdf, running headers and page numbers", _pdf(long, gbk), ARTICLE)
    yield Example("pdf, character by character", _pdf(long, mapped, by_character=True), ARTICLE)
    one = pdf.with_margins(pdf.prose(NOTICE), "某某市人民政府公报　2024年第3期")
    yield Example("pdf, a header on one page", _pdf(one, gbk), NOTICE)
    three = pdf.columns(ARTICLE, by_rows=True, count=3)
    yield Example("pdf, three columns", _pdf(three, mapped), ARTICLE)
    short = (NOTICE[0], *NOTICE[2:4])
    yield Example(
        "pdf, two columns", _pdf(pdf.columns(ARTICLE[:6], by_rows=False), gbk), ARTICLE[:6]
    )
    yield Example(
        "pdf, two columns written by rows",
        _pdf(pdf.columns(ARTICLE[:6], by_rows=True), mapped),
        ARTICLE[:6],
    )
    yield Example("pdf, vertical", _pdf(pdf.vertical(short), gbk), short)
    yield Example("pdf, table", _pdf(pdf.table(ROWS, TABLE[0]), gbk), TABLE)
    yield Example("pdf, English", _pdf(pdf.prose(ENGLISH, width=60, indent=0), mapped), ENGLISH)
    yield Example(
        "pdf, compressed objects",
        _pdf(prose, gbk, object_stream_mode=pikepdf.ObjectStreamMode.generate, linearize=True),
        NOTICE,
    )
    locked = pikepdf.Encryption(owner="secret", user="", allow=pikepdf.Permissions(extract=False))
    yield Example("pdf, copying forbidden", _pdf(prose, gbk, encryption=locked), NOTICE)
    yield Example(
        "pdf, a scan with recognized text", _pdf(prose, gbk, invisible=True, picture=True), NOTICE
    )
    yield Example("pdf, mail before it", lambda: b"\r\n\r\n" + pdf.written(prose, gbk), NOTICE)
    yield Example("pdf, end missing", lambda: pdf.written(prose, gbk)[:-300], NOTICE)
    radicals = {
        "一": "⼀",
        "人": "⼈",
        "口": "⼝",
        "工": "⼯",
        "文": "⽂",
        "日": "⽇",
        "月": "⽉",
        "见": "⻅",
        "门": "⻔",
    }
    kangxi = [
        [pdf.Placed(p.x, p.y, "".join(radicals.get(c, c) for c in p.text), p.size) for p in page]
        for page in prose
    ]
    yield Example("pdf, radicals for characters", _pdf(kangxi, mapped), NOTICE)
    yield Example(
        "pdf, named .doc",
        lambda: pdf_of(NOTICE),
        NOTICE,
        "",
        "application/msword",
        "通知.doc",
        "pdf",
    )
    yield Example(
        "pdf, as text/html",
        lambda: pdf_of(NOTICE),
        NOTICE,
        "",
        "text/html; charset=utf-8",
        "",
        "pdf",
    )


def _readable_tables() -> Iterator[Example]:
    rows = [[TABLE[0]], *ROWS, ["登记日期", date(2024, 3, 5)], ["人数", 1234], ["比率", 0.25]]
    truth = (*TABLE, "登记日期2024-03-05", "人数1234", "比率0.25")
    yield Example(
        "xlsx", lambda: office.excel([rows, [["第二张表", "说明"]]]), (*truth, "第二张表说明")
    )
    yield Example(
        "xlsx, a cell in the last row and column",
        lambda: office.excel([rows], last_row=True),
        truth,
    )
    yield Example(
        "xlsx, a million empty rows", office.excel_with_empty_rows, ("归侨人数统计",), costly=True
    )
    yield Example(
        "xls", lambda: ole.biff8([[TABLE[0]], *ROWS, ["人数", 1234]]), (*TABLE, "人数1234")
    )
    yield Example(
        "xls that is HTML",
        lambda: office.html_table([[TABLE[0]], *ROWS]),
        TABLE,
        "",
        "application/vnd.ms-excel",
        "a.xls",
        "html",
    )
    yield Example(
        "xls that is HTML in GBK",
        lambda: office.html_table([[TABLE[0]], *ROWS], "gbk"),
        TABLE,
        "",
        "application/octet-stream",
        "名册.xls",
        "html",
    )
    yield Example(
        "xls that is XML",
        lambda: office.excel_xml([[TABLE[0]], *ROWS]),
        TABLE,
        "",
        "application/vnd.ms-excel",
        "a.xls",
        "excel-xml",
    )
    yield Example(
        "xls that is xlsx",
        lambda: office.excel([[[TABLE[0]], *ROWS]]),
        TABLE,
        "",
        "application/vnd.ms-excel",
        "a.xls",
        "xlsx",
    )
    yield Example("pptx", lambda: office.slides([NOTICE[:3], NOTICE[3:]]), NOTICE)
    yield Example(
        "pptx, moved slides", lambda: office.slides([NOTICE[3:], NOTICE[:3]], order=(2, 1)), NOTICE
    )
    yield Example("ppt", lambda: ole.powerpoint97([NOTICE[:3], NOTICE[3:]]), NOTICE)


def _readable_ofd() -> Iterator[Example]:
    pages = office.ofd_prose(NOTICE)
    yield Example("ofd", lambda: office.ofd(pages), NOTICE)
    yield Example("ofd, several pages", lambda: office.ofd(office.ofd_prose(ARTICLE)), ARTICLE)
    yield Example(
        "ofd, two documents", lambda: office.ofd(pages, office.ofd_prose(TABLE)), (*NOTICE, *TABLE)
    )
    form = office.ofd_page(
        office.text_object("归侨侨眷身份认定申请表", 60, 30, 7),
        office.text_object("申请人", 25, 50),
    )
    filled = office.ofd_page(office.text_object("陈大明", 60, 50), template="5")
    yield Example(
        "ofd, template",
        lambda: office.ofd([filled], template=form),
        ("归侨侨眷身份认定申请表", "申请人陈大明"),
    )
    counts = 'CodePosition="0" CodeCount="1" GlyphCount="1"'
    glyphs = f"<ofd:CGTransform {counts}><ofd:Glyphs>12</ofd:Glyphs></ofd:CGTransform>"
    transformed = [page.replace("<ofd:TextCode", f"{glyphs}<ofd:TextCode") for page in pages]
    yield Example("ofd, glyphs beside the text", lambda: office.ofd(transformed), NOTICE)
    yield Example("ofd, glyphs in place of text", lambda: office.ofd_of_glyphs(NOTICE), NOTICE)
    scaled = office.ofd_page(*(
        office.text_object(x, 25, 30 + 10 * n, 1.0, CTM="4.2 0 0 4.2 0 0") for n, x in enumerate(ROWS[1])
    ))  # fmt: skip
    yield Example("ofd, transformed text", lambda: office.ofd([scaled]), ROWS[1])
    yield Example(
        "ofd, attachment", lambda: office.ofd(pages, **{"Doc_0/Attachs/a.xml": "<invoice>附件内容</invoice>"}),
        NOTICE, "", "application/octet-stream",
    )  # fmt: skip


def _readable_text() -> Iterator[Example]:
    whole = "\r\n".join(NOTICE)
    for encoding in ("utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16", "utf-16-le", "utf-16-be"):
        yield Example(
            f"text, {encoding}", partial(whole.encode, encoding), NOTICE, "", "text/plain", "通知.txt", "text",
        )  # fmt: skip
    yield Example(
        "text, big5",
        lambda: "\n".join(TRADITIONAL).encode("big5"),
        TRADITIONAL,
        "",
        "text/plain",
        "",
        "text",
    )


def _unreadable() -> Iterator[Example]:
    gbk = pdf.predefined("GBK-EUC-H", "gbk")
    yield Example("pdf, password", lambda: encrypted_pdf(NOTICE), reason="encrypted")
    yield Example("pdf, scan", lambda: scanned_pdf(3), reason="no-text-layer")
    yield Example(
        "pdf, a third of it", lambda: pdf.written(pdf.prose(ARTICLE), gbk)[:1500], reason="damaged"
    )
    yield Example("pdf, unpacks to a gigabyte", pdf.flate_bomb, reason="any", costly=True)
    yield Example("pdf, a form in itself", pdf.form_loop, reason="any", costly=True)
    yield Example("pdf, only its mark", lambda: b"%PDF-1.4\n%%EOF", reason="damaged")
    yield Example("docx, unpacks to a gigabyte", office.word_bomb, reason="too-large", costly=True)
    yield Example("docx, entities without end", office.entity_bomb, reason="any")
    yield Example(
        "docx, tables in tables without end", office.deep_tables, reason="any", costly=True
    )
    yield Example("docx, half of it", lambda: docx_of(ARTICLE)[:3_000], reason="damaged")
    yield Example(
        "docx, password",
        lambda: ole.compound({"EncryptedPackage": b"x" * 5000, "EncryptionInfo": b"y"}),
        reason="encrypted",
        file_name="a.docx",
    )
    yield Example("doc, password", lambda: ole.word97("x" * 100, flags=0x0100), reason="encrypted")
    yield Example(
        "doc, half of it",
        lambda: ole.word97("\r".join(ARTICLE))[:2_000],
        reason="damaged",
        file_name="a.doc",
    )
    yield Example("ofd, 100,000 members", office.many_members, reason="too-large", costly=True)
    yield Example(
        "ofd, glyphs without a font",
        lambda: office.ofd_of_glyphs(NOTICE, with_font=False),
        reason="unknown-characters",
    )
    yield Example("ofd, no pages", lambda: office.zipped({"OFD.xml": "<OFD/>"}), reason="damaged")
    yield Example(
        "zip of pictures",
        lambda: office.zipped({"1.jpg": b"x"}),
        reason="unsupported",
        file_name="a.zip",
    )
    yield Example("docx, empty", lambda: office.word(""), reason="empty")
    yield Example(
        "xlsx, noise",
        lambda: b"PK\x03\x04" + bytes(range(256)) * 40,
        reason="any",
        file_name="a.xlsx",
    )


def readable() -> list[Example]:
    """All documents with a text."""
    return [
        *_readable_pdf(), *readable_word(), *_readable_tables(), *_readable_ofd(), *_readable_text(),
    ]  # fmt: skip


def unreadable() -> list[Example]:
    """All documents without, each with its reason; ``any`` if more than one is right."""
    return list(_unreadable())


def character_error(truth: Sequence[str], text: str) -> float:
    """Return the edit distance of two texts without white space, relative to the true one.

    Myers, G. (1999): A fast bit-vector algorithm for approximate string matching, with long integers.
    """
    a, b = ("".join(unicodedata.normalize("NFC", x).split()) for x in ("".join(truth), text))
    if not a:
        return float(bool(b))
    places: dict[str, int] = {}
    for at, character in enumerate(a):
        places[character] = places.get(character, 0) | 1 << at
    mask, last = (1 << len(a)) - 1, 1 << (len(a) - 1)
    plus, minus, distance = mask, 0, len(a)
    for character in b:
        here = places.get(character, 0)
        vertical = here | minus
        horizontal = (((here & plus) + plus) ^ plus) | here
        up, down = minus | (mask & ~(horizontal | plus)), plus & horizontal
        distance += bool(up & last) - bool(down & last)
        up, down = (up << 1 | 1) & mask, down << 1 & mask
        plus, minus = down | (mask & ~(vertical | up)), up & vertical
    return distance / len(a)

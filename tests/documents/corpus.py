"""The corpus: documents of known text in all forms, and documents that cannot be read."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

import pikepdf

from tests.documents import office_forms as office
from tests.documents import ole_forms as ole
from tests.documents import pdf_forms as pdf
from tests.documents.forms import docx_of, encrypted_pdf, pdf_of, scanned_pdf

#: A notice, as offices write it.
NOTICE = (
    "关于做好归侨侨眷身份认定工作的通知",
    "各区、县（市）人民政府侨务办公室，市直有关单位：",
    "为进一步规范归侨侨眷身份认定工作，保护归侨侨眷的合法权益，根据《中华人民共和国归侨侨眷权益保护法》及其"
    "实施办法，结合我市实际，现就有关事项通知如下，请认真贯彻执行。",
    "一、提高认识，加强领导。各级侨务部门要充分认识身份认定工作的重要意义，把它作为一项基础性工作来抓，明确"
    "分管领导和经办人员，做到件件有落实、事事有回音，不得推诿扯皮，不得擅自增设条件。",
    "二、严格标准，规范程序。申请人应当向户籍所在地的县级侨务部门提出书面申请，填写《归侨侨眷身份认定申请表》"
    "一式三份，并提交身份证、户口簿、出国定居证明、亲属关系公证书等材料。受理部门自收到申请之日起20个工作日内"
    "作出认定，情况复杂的可以延长10个工作日，并书面告知申请人理由。",
    "三、建立台账，动态管理。各地要将认定结果录入侨情信息系统，每季度末月25日前报送统计数据，联系电话：0755-"
    "88128888，电子邮箱：qiaoban@example.gov.cn。",
    "附件：归侨侨眷身份认定申请表",
    "某某市人民政府侨务办公室",
    "2024年3月5日",
)
#: A longer text, of several pages.
ARTICLE = (
    "华侨与近代侨乡的茶叶贸易",
    *(
        f"第{number}，{text}"
        for number in "一二三四五六"
        for text in (
            "十九世纪中叶以后，闽南和潮汕一带的乡民大批出洋，沿海的侨批局随之兴起，银信往来不绝。侨批既是家书，又是"
            "汇票，水客和批局把海外亲人的问候与银元一并送到偏僻的山村，侨眷凭此购置田产、修建祠堂、兴办学堂。",
            "茶叶是侨乡输出的大宗货物。安溪的铁观音、武夷的岩茶经厦门、福州装船，运往新加坡、槟城、曼谷和旧金山；茶商"
            "多在两地设号，子侄轮流出洋照料生意，账簿用苏州码子记数，至今仍有数百册保存在档案馆里。",
            "抗战爆发以后，海路断绝，侨汇锐减，茶庄纷纷歇业。战后虽一度恢复，终因时局动荡而未能重现旧观。改革开放以来，"
            "海外乡亲重返故里，捐资助学、修桥铺路，茶文化节成为联络乡情的纽带。",
        )
    ),
)
ROWS = (
    ("姓名", "原侨居国", "回国年份"),
    ("陈大明", "印度尼西亚", "1960"),
    ("林秀英", "马来西亚", "1953"),
    ("黄国强", "越南", "1978"),
    ("郑美玉", "新加坡", "1965"),
)
TABLE = ("归侨登记名册", *("".join(row) for row in ROWS))
TRADITIONAL = (
    "僑務委員會關於華文學校的公告",
    "為鼓勵海外僑胞子女學習華語文，僑務委員會自即日起受理各地華文學校申請教材補助，請於期限內提出計畫書及預算表，逾期"
    "恕不受理。各校應將執行成果報會備查，並妥善保存單據，以供查核。",
)
ENGLISH = (
    "Overseas Chinese Affairs",
    "The office assists returned overseas Chinese and their relatives in the protection of their rights and "
    "interests, and it coordinates the educational, cultural and economic exchange with the communities abroad.",
)


@dataclass(frozen=True)
class Example:
    """A document of the corpus."""

    name: str
    make: Callable[[], bytes]
    truth: Sequence[str] = ()
    """Its paragraphs; none if it cannot be read."""
    reason: str = ""
    """The expected reason; of a damaged document the truth is what may be read at most."""
    content_type: str = ""
    file_name: str = ""
    kind: str = ""
    """The expected format, where that is a question."""
    costly: bool = False
    """Whether it takes seconds: for the benchmark only."""


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


def _readable_word() -> Iterator[Example]:
    yield Example("docx", lambda: docx_of(NOTICE), NOTICE)
    tracked = office.paragraph(
        "为规范", f'<w:ins w:id="1">{office.run("归侨侨眷")}</w:ins>',
        '<w:del w:id="2"><w:r><w:delText>华侨华人</w:delText></w:r></w:del>', "身份认定工作，",
        f'<w:moveFrom w:id="3">{office.run("特此")}</w:moveFrom>', "制定本办法，",
        f'<w:moveTo w:id="3">{office.run("自发布之日起施行。")}</w:moveTo>',
    )  # fmt: skip
    yield Example(
        "docx, tracked changes",
        lambda: office.word(NOTICE[0], tracked, *NOTICE[2:]),
        (NOTICE[0], "为规范归侨侨眷身份认定工作，制定本办法，自发布之日起施行。", *NOTICE[2:]),
    )
    boxed = office.paragraph(NOTICE[1], office.text_box(office.paragraph("内部资料　注意保存")))
    yield Example(
        "docx, text boxes",
        lambda: office.word(NOTICE[0], boxed, *NOTICE[2:]),
        (*NOTICE[:2], "内部资料　注意保存", *NOTICE[2:]),
    )
    yield Example(
        "docx, headers, footers and notes",
        lambda: office.word(
            *NOTICE,
            header1=office.header("市侨办文件"),
            footnotes=office.notes("本法自1991年施行。"),
        ),
        (*NOTICE, "本法自1991年施行。"),
    )
    nested = office.table(
        office.row("项目", "内容"),
        office.row("亲属", office.table(office.row("配偶", "林某"), office.row("子女", "陈某"))),
        office.row("说明", office.paragraph(NOTICE[2]) + office.paragraph(NOTICE[3])),
    )
    yield Example(
        "docx, tables in tables",
        lambda: office.word("归侨登记表", nested, NOTICE[-1]),
        (
            "归侨登记表",
            "项目内容",
            "亲属配偶林某子女陈某",
            "说明",
            NOTICE[2],
            NOTICE[3],
            NOTICE[-1],
        ),
    )
    parts = (
        f"<w:hyperlink>{office.run('侨务网')}</w:hyperlink>"
        f"<w:sdt><w:sdtContent>{office.run('公布的')}</w:sdtContent></w:sdt>"
        f"<w:smartTag>{office.run('名单')}</w:smartTag>"
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        "<w:r><w:ruby><w:rt><w:r><w:t>qiáo</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>侨</w:t></w:r>"
        "</w:rubyBase></w:ruby></w:r>" + office.run("隐藏", "<w:vanish/>") + office.run("眷。")
    )
    yield Example(
        "docx, links, fields, ruby, hidden text",
        lambda: office.word(NOTICE[0], office.paragraph(parts), *NOTICE[2:]),
        (NOTICE[0], "侨务网公布的名单侨眷。", *NOTICE[2:]),
    )
    html = "<html><body>" + "".join(f"<p>{x}</p>" for x in NOTICE) + "</body></html>"
    yield Example(
        "docx, embedded HTML",
        lambda: office.zipped(
            {
                "word/document.xml": '<w:document xmlns:w="w"><w:body><w:altChunk/></w:body></w:document>',
                "word/afchunk.htm": html.encode("utf-8"),
            }
        ),
        NOTICE,
    )
    yield Example(
        "docx, named .doc",
        lambda: docx_of(NOTICE),
        NOTICE,
        "",
        "application/msword",
        "a.doc",
        "docx",
    )
    yield Example(
        "docx, named .pdf", lambda: docx_of(NOTICE), NOTICE, "", "application/pdf", "a.pdf", "docx"
    )
    yield Example("doc", lambda: ole.word97("\r".join(NOTICE) + "\r"), NOTICE)
    yield Example(
        "doc, one byte for a character",
        lambda: ole.word97("\r".join(NOTICE) + "\r", narrow="No. 5\r"),
        ("No. 5", *NOTICE),
    )
    extras = ole.word97(
        "\r".join([*NOTICE, '\x13 HYPERLINK "http://a.cn" \x14侨务网\x15的说明\x02']) + "\r",
        footnotes="\x02 注：见侨务年鉴。\r", headers="页眉文字\r", boxes="方框文字\r",
    )  # fmt: skip
    yield Example(
        "doc, fields, notes, headers", lambda: extras,
        (*NOTICE, "侨务网的说明", "方框文字", "注：见侨务年鉴。"),
    )  # fmt: skip
    cells = "归侨登记名册\r" + "".join("\x07".join(row) + "\x07\x07" for row in ROWS)
    yield Example("doc, table", lambda: ole.word97(cells + "\r"), TABLE)
    yield Example("doc of Word 95", lambda: ole.word95("\r".join(NOTICE)), NOTICE)
    yield Example(
        "wps",
        lambda: ole.word97("\r".join(NOTICE)),
        NOTICE,
        "",
        "application/octet-stream",
        "通知.wps",
        "doc",
    )
    page = "".join(f"<p>{x}</p>" for x in NOTICE)
    word_html = f'<html xmlns:w="urn:schemas-microsoft-com:office:word"><meta charset=gbk><body>{page}</body></html>'
    yield Example(
        "doc that is HTML",
        lambda: word_html.encode("gbk"),
        NOTICE,
        "",
        "application/msword",
        "a.doc",
        "html",
    )
    yield Example(
        "doc that is a web archive",
        lambda: office.mhtml(NOTICE),
        NOTICE,
        "",
        "application/msword",
        "a.doc",
        "mhtml",
    )
    yield Example(
        "doc that is Word XML",
        lambda: office.word_xml(NOTICE),
        NOTICE,
        "",
        "application/msword",
        "a.doc",
        "word-xml",
    )
    yield Example(
        "doc that is RTF",
        lambda: office.rtf(NOTICE),
        NOTICE,
        "",
        "application/msword",
        "a.doc",
        "rtf",
    )
    yield Example(
        "rtf, Unicode escapes",
        lambda: office.rtf(NOTICE, unicode=True),
        NOTICE,
        "",
        "application/rtf",
    )
    yield Example("odt", lambda: office.open_document(NOTICE, ROWS), (*NOTICE, *TABLE[1:]))


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
        *_readable_pdf(), *_readable_word(), *_readable_tables(), *_readable_ofd(), *_readable_text(),
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

"""Word documents of the corpus: .docx in all its forms, .doc and what is named so."""

from __future__ import annotations

from collections.abc import Iterator

from tests.documents import office_forms as office
from tests.documents import ole_forms as ole
from tests.documents.corpus_texts import NOTICE, ROWS, TABLE, Example
from tests.documents.forms import docx_of


def readable_word() -> Iterator[Example]:
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

"""Zip and text formats: Word, Excel, PowerPoint, OpenDocument, OFD, RTF, HTML; and zip bombs."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

import xlsxwriter

from tests.documents.pdf_forms import truetype

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_WORD = (
    f'<w:document xmlns:w="{W}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:wps="wps" xmlns:v="urn:schemas-microsoft-com:vml"><w:body>{}</w:body></w:document>'
)


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    """A zip archive."""
    output = BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return output.getvalue()


def run(text: str, properties: str = "") -> str:
    """A run of Word."""
    inside = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{inside}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def paragraph(*runs: str, properties: str = "") -> str:
    """A paragraph of Word; plain texts become runs."""
    inside = "".join(x if x.startswith("<") else run(x) for x in runs)
    return f"<w:p><w:pPr>{properties}</w:pPr>{inside}</w:p>"


def row(*cells: str) -> str:
    """A row of a table of Word."""
    inside = "".join(
        f"<w:tc><w:tcPr/>{cell if cell.startswith('<') else paragraph(cell)}</w:tc>"
        for cell in cells
    )
    return f"<w:tr>{inside}</w:tr>"


def table(*rows: str) -> str:
    """A table of Word."""
    return f"<w:tbl><w:tblPr/>{''.join(rows)}</w:tbl>"


def text_box(*paragraphs: str) -> str:
    """A run with a text box, in its new form and its old one."""
    inside = f"<w:txbxContent>{''.join(paragraphs)}</w:txbxContent>"
    return (
        "<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx>"
        f"{inside}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>"
        f"{inside}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )


def word(*blocks: str, **parts: str | bytes) -> bytes:
    """A Word file of blocks in XML; *parts* are further parts below ``word/``."""
    inside = "".join(x if x.startswith("<w:") else paragraph(x) for x in blocks)
    return zipped({
        "[Content_Types].xml": "<Types/>",
        "word/document.xml": _WORD.replace("{}", inside),
        **{f"word/{name}.xml": content for name, content in parts.items()},
    })  # fmt: skip


def notes(*texts: str, kind: str = "footnotes") -> str:
    """The part of footnotes."""
    inside = "".join(f"<w:footnote>{paragraph(text)}</w:footnote>" for text in texts)
    return f'<w:{kind} xmlns:w="{W}">{inside}</w:{kind}>'


def header(text: str) -> str:
    """The part of a header."""
    return f'<w:hdr xmlns:w="{W}">{paragraph(text)}</w:hdr>'


def excel(
    sheets: Sequence[Sequence[Sequence[object]]], *, last_row: bool = False, **options: object
) -> bytes:
    """An Excel file; *last_row* puts a blank into the last cell of the last of 1,048,576 rows."""
    output = BytesIO()
    book = xlsxwriter.Workbook(output, {"default_date_format": "yyyy-mm-dd", **options})
    for rows in sheets:
        sheet = book.add_worksheet()
        for number, cells in enumerate(rows):
            sheet.write_row(number, 0, cells)
        if last_row:
            sheet.write_string(1_048_575, 16_383, " ")
    book.close()
    return output.getvalue()


def excel_with_empty_rows() -> bytes:
    """An Excel file with a row, and formatted rows without content up to the last one."""
    rows = "".join(f'<row r="{n}"><c r="A{n}" s="1"/></row>' for n in range(2, 1_048_577))
    content = '<c r="A1" t="inlineStr"><is><t>归侨人数统计</t></is></c>'
    return zipped({
        "xl/workbook.xml": "<workbook/>",
        "xl/worksheets/sheet1.xml": f'<worksheet><sheetData><row r="1">{content}</row>{rows}</sheetData></worksheet>',
    })  # fmt: skip


def slides(texts: Sequence[Sequence[str]], order: Sequence[int] = ()) -> bytes:
    """A PowerPoint file; the presentation shows its slides in *order*, by their numbers."""
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"
    listed = "".join(f'<p:sldId id="{255 + at}" r:id="rId{at}"/>' for at in order)
    related = "".join(
        f'<Relationship Id="rId{at}" Type="slide" Target="slides/slide{at}.xml"/>' for at in order
    )
    namespaces = 'xmlns:p="p" xmlns:r="r"'
    members = {
        "ppt/presentation.xml": f"<p:presentation {namespaces}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": f"<Relationships>{related}</Relationships>",
    }
    for number, lines in enumerate(texts, start=1):
        inside = "".join(f"<a:p><a:r><a:t>{escape(x)}</a:t></a:r></a:p>" for x in lines)
        members[f"ppt/slides/slide{number}.xml"] = (
            f'<p:sld xmlns:p="p" xmlns:a="{a}">{inside}</p:sld>'
        )
    return zipped(members)


def open_document(lines: Sequence[str], rows: Sequence[Sequence[str]] = ()) -> bytes:
    """An OpenDocument text."""
    inside = "".join(f"<text:p>{escape(line)}</text:p>" for line in lines)
    cells = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{x}</text:p></table:table-cell>" for x in cells)
        + "</table:table-row>"
        for cells in rows
    )
    return zipped({
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": '<office:document xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:body>'
        f"{inside}<table:table>{cells}</table:table></office:body></office:document>",
        "META-INF/manifest.xml": "<manifest/>",
    })  # fmt: skip


def rtf(paragraphs: Sequence[str], *, unicode: bool = False, more: str = "") -> bytes:
    """An RTF file in GBK, or with Unicode escapes."""

    def escaped(text: str) -> str:
        if unicode:
            return "".join(
                x if ord(x) < 128 else f"\\u{ord(x) - 65536 if ord(x) > 32767 else ord(x)}?"
                for x in text
            )
        return "".join(
            x if ord(x) < 128 else "".join(f"\\'{b:02x}" for b in x.encode("gbk")) for x in text
        )

    body = "\\par\n".join(escaped(x) for x in paragraphs)
    fonts = "{\\fonttbl{\\f0\\fnil\\fcharset134 SimSun;}}"
    head = "{\\header\\pard " + escaped("页眉文字") + "\\par}" + more
    return f"{{\\rtf1\\ansi\\ansicpg936\\deff0{fonts}{head}\\f0 {body}\\par}}".encode("ascii")


def html_table(rows: Sequence[Sequence[str]], charset: str = "utf-8") -> bytes:
    """A table in HTML, which web systems send with the name of an Excel file."""
    inside = "".join("<tr>" + "".join(f"<td>{x}</td>" for x in cells) + "</tr>" for cells in rows)
    return (
        '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head>'
        f'<meta http-equiv=Content-Type content="text/html; charset={charset}">'
        f"<style>td {{mso-number-format:General}}</style></head><body><table>{inside}</table></body></html>"
    ).encode(charset)


def excel_xml(rows: Sequence[Sequence[str]]) -> bytes:
    """A table in XML Spreadsheet 2003."""
    inside = "".join(
        "<Row>"
        + "".join(f'<Cell><Data ss:Type="String">{x}</Data></Cell>' for x in cells)
        + "</Row>"
        for cells in rows
    )
    return (
        '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>'
        '<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"'
        ' xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="1"><Table>'
        f"{inside}</Table></Worksheet></Workbook>"
    ).encode()


def word_xml(paragraphs: Sequence[str]) -> bytes:
    """A Word 2003 XML file."""
    inside = "".join(f"<w:p><w:r><w:t>{escape(x)}</w:t></w:r></w:p>" for x in paragraphs)
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><?mso-application progid="Word.Document"?>'
        '<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml">'
        f"<w:body>{inside}</w:body></w:wordDocument>"
    ).encode()


def mhtml(paragraphs: Sequence[str]) -> bytes:
    """A web archive as Word saves it."""
    body = "<html><body>" + "".join(f"<p>{x}</p>" for x in paragraphs) + "</body></html>"
    return (
        b'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="B"\r\n\r\n--B\r\n'
        b'Content-Type: text/html; charset="gb2312"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n'
        + body.encode("gbk")
        + b"\r\n--B--\r\n"
    )


# -- OFD -------------------------------------------------------------------------------------------

_OFD = 'xmlns:ofd="http://www.ofdspec.org/2016"'


def text_object(text: str, x: float, y: float, size: float = 4.2, **more: str) -> str:
    """A line of text in OFD, in mm from the upper left corner."""
    attributes = "".join(f' {name}="{value}"' for name, value in more.items())
    steps = f'DeltaX="g {len(text) - 1} {size:g}"' if len(text) > 1 else ""
    return (
        f'<ofd:TextObject ID="1" Font="1" Size="{size:g}" Boundary="{x:g} {y:g} 200 {size:g}"{attributes}>'
        f'<ofd:TextCode X="0" Y="{size:g}" {steps}>{escape(text)}</ofd:TextCode></ofd:TextObject>'
    )


def ofd_page(*objects: str, template: str = "", size: str = "") -> str:
    """A page of OFD."""
    area = f"<ofd:Area><ofd:PhysicalBox>{size}</ofd:PhysicalBox></ofd:Area>" if size else ""
    below = f'<ofd:Template TemplateID="{template}" ZOrder="Background"/>' if template else ""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><ofd:Page {_OFD}>{area}{below}<ofd:Content>'
        f'<ofd:Layer ID="2">{"".join(objects)}</ofd:Layer></ofd:Content></ofd:Page>'
    )


def ofd_prose(paragraphs: Sequence[str], width: int = 38) -> list[str]:
    """Pages of wrapped paragraphs."""
    pages: list[list[str]] = [[text_object(paragraphs[0], 105 - 3.5 * len(paragraphs[0]), 30, 7)]]
    y = 45.0
    for text in paragraphs[1:]:
        at = 0
        while at < len(text):
            indent = 0 if at else 2
            piece = text[at : at + width - indent]
            if y > 265:
                pages.append([])
                y = 30.0
            pages[-1].append(text_object(piece, 25 + 4.2 * indent, y))
            at += len(piece)
            y += 7
    return [ofd_page(*page) for page in pages]


def ofd(*documents: Sequence[str], template: str = "", **more: Any) -> bytes:
    """An OFD file of documents with pages; *more* are further members."""
    members: dict[str, str | bytes] = {}
    bodies = ""
    for number, pages in enumerate(documents):
        folder = f"Doc_{number}"
        bodies += (
            "<ofd:DocBody><ofd:DocInfo><ofd:DocID>1</ofd:DocID><ofd:Author>侨办</ofd:Author></ofd:DocInfo>"
            f"<ofd:DocRoot>{folder}/Document.xml</ofd:DocRoot></ofd:DocBody>"
        )
        listed = "".join(
            f'<ofd:Page ID="{at + 10}" BaseLoc="Pages/Page_{at}/Content.xml"/>'
            for at in range(len(pages))
        )
        below = '<ofd:TemplatePage ID="5" BaseLoc="Tpls/Tpl_0/Content.xml"/>' if template else ""
        members[f"{folder}/Document.xml"] = (
            f"<ofd:Document {_OFD}><ofd:CommonData><ofd:PublicRes>PublicRes.xml</ofd:PublicRes>"
            "<ofd:PageArea><ofd:PhysicalBox>0 0 210 297"
            f"</ofd:PhysicalBox></ofd:PageArea>{below}</ofd:CommonData><ofd:Pages>{listed}</ofd:Pages>"
            "</ofd:Document>"
        )
        for at, page in enumerate(pages):
            members[f"{folder}/Pages/Page_{at}/Content.xml"] = page
        if template:
            members[f"{folder}/Tpls/Tpl_0/Content.xml"] = template
    return zipped(
        {"OFD.xml": f'<ofd:OFD {_OFD} Version="1.1">{bodies}</ofd:OFD>', **members, **more}
    )


def ofd_of_glyphs(paragraphs: Sequence[str], *, with_font: bool = True) -> bytes:
    """An OFD file whose text is placeholders, with the glyphs of an embedded font."""
    characters = sorted(set("".join(paragraphs)))
    glyphs = {c: at + 1 for at, c in enumerate(characters)}
    objects = []
    for number, text in enumerate(paragraphs):
        named = " ".join(str(glyphs[c]) for c in text)
        count = len(text)
        placed = text_object("\u00a4" * count, 10, 20 + 10 * number, 2.5)
        transform = (
            f'<ofd:CGTransform CodePosition="0" CodeCount="{count}" GlyphCount="{count}">'
            f"<ofd:Glyphs>{named}</ofd:Glyphs></ofd:CGTransform><ofd:TextCode"
        )
        objects.append(placed.replace("<ofd:TextCode", transform))
    resources = (
        f'<ofd:Res {_OFD} BaseLoc="Res"><ofd:Fonts><ofd:Font ID="1" FontName="Boxes">'
        "<ofd:FontFile>font_1.ttf</ofd:FontFile></ofd:Font></ofd:Fonts></ofd:Res>"
    )
    data = truetype("".join(characters)) if with_font else b""
    more: dict[str, Any] = {"Doc_0/Res/font_1.ttf": data, "Doc_0/PublicRes.xml": resources}
    return ofd([ofd_page(*objects)], **more)


# -- bombs -----------------------------------------------------------------------------------------


def word_bomb(megabytes: int = 1_000) -> bytes:
    """A Word file of a megabyte whose text unpacks to a gigabyte."""
    output = BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("word/document.xml", "w", force_zip64=True) as member:
            member.write(_WORD.partition("{}")[0].encode())
            piece = paragraph("侨务" * 10).encode() * 5_000
            for _ in range(megabytes * 2**20 // len(piece)):
                member.write(piece)
    return output.getvalue()


def entity_bomb() -> bytes:
    """A Word file with entities that expand to gigabytes (billion laughs)."""
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    text = f'<!DOCTYPE d [<!ENTITY a0 "侨务侨务侨务侨务">{entities}]>' + _WORD.replace(
        "{}", "<w:p><w:r><w:t>&a9;</w:t></w:r></w:p>"
    )
    return zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": text})


def deep_tables(depth: int = 100_000) -> bytes:
    """A Word file with tables in tables in tables."""
    text = "<w:tbl><w:tr><w:tc>" * depth + "<w:p/>" + "</w:tc></w:tr></w:tbl>" * depth
    return word(text)


def many_members(count: int = 100_000) -> bytes:
    """An OFD file with very many empty members."""
    return zipped({"OFD.xml": "<OFD/>", **{f"m{n}": b"" for n in range(count)}})

"""PDF files in the encodings and layouts of Chinese offices, written object by object."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Any

import pikepdf
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from pikepdf import Array, Dictionary, Name, Pdf, Stream

#: A4 in points.
WIDTH, HEIGHT = 595.0, 842.0


@dataclass(frozen=True)
class Placed:
    """A piece of text on a page."""

    x: float
    y: float
    text: str
    size: float = 12.0


Encoder = Callable[[str], bytes]
#: Makes the font of a file for its characters: the font, and the encoding of texts.
FontMaker = Callable[[Pdf, str], tuple[pikepdf.Object, Encoder]]


@cache
def truetype(characters: str) -> bytes:
    """A TrueType font whose glyphs are boxes, for the given characters."""
    codes = sorted(set(characters))
    names = [".notdef", *(f"uni{ord(c):04X}" for c in codes)]
    pen = TTGlyphPen(None)
    for at, point in enumerate([(100, 0), (100, 800), (900, 800), (900, 0)]):
        (pen.lineTo if at else pen.moveTo)(point)
    pen.closePath()
    box = pen.glyph()
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(c): f"uni{ord(c):04X}" for c in codes})
    builder.setupGlyf(dict.fromkeys(names, box))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (1000, 0)))
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=880, sTypoDescender=-120, usWinAscent=880, usWinDescent=120)
    builder.setupPost()
    output = BytesIO()
    builder.save(output)
    return output.getvalue()


def to_unicode(pairs: Iterable[tuple[int, str]], digits: int = 4) -> bytes:
    """A ToUnicode CMap."""
    lines = [f"<{code:0{digits}X}> <{text.encode('utf-16-be').hex()}>" for code, text in pairs]
    blocks = [lines[at : at + 100] for at in range(0, len(lines), 100)]
    body = "\n".join(f"{len(b)} beginbfchar\n" + "\n".join(b) + "\nendbfchar" for b in blocks)
    top = "F" * digits
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        f"1 begincodespacerange <{'0' * digits}> <{top}> endcodespacerange\n{body}\n"
        "endcmap CMapName currentdict /CMap defineresource pop end end"
    ).encode()


def _descriptor(pdf: Pdf, name: str, **more: Any) -> pikepdf.Object:
    return pdf.make_indirect(
        Dictionary(
            Type=Name.FontDescriptor, FontName=Name(f"/{name}"), Flags=4, FontBBox=[0, -120, 1000, 880],
            ItalicAngle=0, Ascent=880, Descent=-120, CapHeight=700, StemV=80, **more,
        )
    )  # fmt: skip


def embedded(*, mapped: bool, vertical: bool = False) -> FontMaker:
    """A TrueType font with Identity-H, with or without a ToUnicode table."""

    def make(pdf: Pdf, characters: str) -> tuple[pikepdf.Object, Encoder]:
        codes = sorted(set(characters))
        font = truetype("".join(codes))
        glyphs = {c: at + 1 for at, c in enumerate(codes)}
        file = pdf.make_indirect(Stream(pdf, font, Length1=len(font)))
        child = Dictionary(
            Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name("/ABCDEF+Boxes"), DW=1000,
            CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
            FontDescriptor=_descriptor(pdf, "ABCDEF+Boxes", FontFile2=file),
            CIDToGIDMap=Name.Identity,
        )  # fmt: skip
        whole = Dictionary(
            Type=Name.Font, Subtype=Name.Type0, BaseFont=Name("/ABCDEF+Boxes"),
            Encoding=Name("/Identity-V" if vertical else "/Identity-H"),
            DescendantFonts=Array([pdf.make_indirect(child)]),
        )  # fmt: skip
        if mapped:
            table = to_unicode((glyph, c) for c, glyph in glyphs.items())
            whole.ToUnicode = pdf.make_indirect(Stream(pdf, table))
        return pdf.make_indirect(whole), lambda text: b"".join(
            glyphs[c].to_bytes(2, "big") for c in text
        )

    return make


def predefined(cmap: str, encoding: str, ordering: str = "GB1", name: str = "SimSun") -> FontMaker:
    """A font that is not embedded, with one of the predefined CMaps of Chinese."""

    def make(pdf: Pdf, characters: str) -> tuple[pikepdf.Object, Encoder]:
        child = Dictionary(
            Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name(f"/{name}"), DW=1000,
            CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=ordering.encode(), Supplement=2),
            FontDescriptor=_descriptor(pdf, name),
        )  # fmt: skip
        whole = Dictionary(
            Type=Name.Font, Subtype=Name.Type0, BaseFont=Name(f"/{name}-{cmap}"),
            Encoding=Name(f"/{cmap}"), DescendantFonts=Array([pdf.make_indirect(child)]),
        )  # fmt: skip
        return pdf.make_indirect(whole), lambda text: text.encode(encoding)

    return make


def type3(pdf: Pdf, characters: str) -> tuple[pikepdf.Object, Encoder]:
    """A Type 3 font of drawn glyphs with a ToUnicode table, for at most 255 characters."""
    codes = {c: at + 1 for at, c in enumerate(sorted(set(characters)))}
    assert len(codes) < 256
    draw = pdf.make_indirect(Stream(pdf, b"1000 0 d0 100 0 800 800 re f"))
    procedures = Dictionary({f"/g{code}": draw for code in codes.values()})
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontBBox=[0, 0, 1000, 1000],
        FontMatrix=[0.001, 0, 0, 0.001, 0, 0], CharProcs=procedures, Resources=Dictionary(),
        FirstChar=0, LastChar=255, Widths=[1000] * 256,
        Encoding=Dictionary(
            Type=Name.Encoding,
            Differences=Array([0, *([Name("/g0")] + [Name(f"/g{x}") for x in codes.values()])]),
        ),
        ToUnicode=pdf.make_indirect(Stream(pdf, to_unicode(((v, k) for k, v in codes.items()), 2))),
    )  # fmt: skip
    return pdf.make_indirect(font), lambda text: bytes(codes[c] for c in text)


def written(
    pages: Sequence[Sequence[Placed]],
    font: FontMaker,
    *,
    by_character: bool = False,
    invisible: bool = False,
    picture: bool = False,
    **saving: Any,
) -> bytes:
    """A PDF with the given pieces of text; *saving* are arguments of pikepdf's ``save``."""
    output = BytesIO()
    with pikepdf.new() as pdf:
        characters = "".join(piece.text for page in pages for piece in page)
        made, encode = font(pdf, characters)
        for pieces in pages:
            page = pdf.add_blank_page(page_size=(WIDTH, HEIGHT))
            page.Resources = Dictionary(Font=Dictionary(F=made))
            content = [b"BT 3 Tr" if invisible else b"BT"]
            for piece in pieces:
                parts = (
                    [(piece.x + at * piece.size, c) for at, c in enumerate(piece.text)]
                    if by_character
                    else [(piece.x, piece.text)]
                )
                for x, text in parts:
                    content.append(
                        f"/F {piece.size:g} Tf 1 0 0 1 {x:.2f} {piece.y:.2f} Tm "
                        f"<{encode(text).hex()}> Tj".encode()
                    )
            content.append(b"ET")
            if picture:
                page.Resources.XObject = Dictionary(P=_picture(pdf))
                content.insert(0, b"q 595 0 0 842 0 0 cm /P Do Q")
            page.Contents = Stream(pdf, b"\n".join(content))
        pdf.save(output, **saving)
    return output.getvalue()


def _picture(pdf: Pdf) -> pikepdf.Object:
    return Stream(
        pdf, bytes(64), Type=Name.XObject, Subtype=Name.Image, Width=8, Height=8,
        ColorSpace=Name.DeviceGray, BitsPerComponent=8,
    )  # fmt: skip


def prose(
    paragraphs: Sequence[str],
    *,
    x: float = 72,
    top: float = 770,
    bottom: float = 90,
    width: int = 37,
    size: float = 12,
    step: float = 20,
    indent: int = 2,
) -> list[list[Placed]]:
    """Pages of wrapped paragraphs; the first one is a title."""
    pages: list[list[Placed]] = [[]]
    title = paragraphs[0]
    pages[0].append(Placed(WIDTH / 2 - 10 * len(title), top, title, 20))
    y = top - 2 * step
    for paragraph in paragraphs[1:]:
        at = 0
        while at < len(paragraph):
            first = indent if at == 0 else 0
            piece = paragraph[at : at + width - first]
            if y < bottom:
                pages.append([])
                y = top
            pages[-1].append(Placed(x + first * size, y, piece, size))
            at += len(piece)
            y -= step
    return pages


def with_margins(pages: list[list[Placed]], header: str) -> list[list[Placed]]:
    """The pages with a running header and page numbers."""
    return [
        [
            Placed(72, HEIGHT - 40, header, 9),
            *page,
            Placed(WIDTH / 2 - 20, 36, f"- {number} -" if number % 2 else f"— {number} —", 10),
        ]
        for number, page in enumerate(pages, start=1)
    ]


def columns(paragraphs: Sequence[str], *, by_rows: bool, count: int = 2) -> list[list[Placed]]:
    """A page with columns below its title, written column by column or row by row."""
    width, size = 36 // count, 12 if count == 2 else 10
    whole = prose(paragraphs, x=60, width=width, size=size, step=1.5 * size, bottom=-10_000)[0]
    title, lines = whole[0], whole[1:]
    height = -(-len(lines) // count)
    placed = []
    for at, line in enumerate(lines):
        column, row = divmod(at, height)
        x = line.x + 500 / count * column
        placed.append(Placed(x, lines[0].y - 1.5 * size * row, line.text, line.size))
    if by_rows:
        placed.sort(key=lambda piece: (-piece.y, piece.x))
    return [[title, *placed]]


def table(rows: Sequence[Sequence[str]], title: str) -> list[list[Placed]]:
    """A page with a table."""
    placed = [Placed(WIDTH / 2 - 10 * len(title), 770, title, 20)]
    for number, row in enumerate(rows):
        placed += [Placed(72 + 150 * at, 720 - 24 * number, cell) for at, cell in enumerate(row)]
    return [placed]


def vertical(paragraphs: Sequence[str]) -> list[list[Placed]]:
    """A page written from top to bottom, in lines from right to left, character by character."""
    placed = []
    x = WIDTH - 80.0
    for paragraph in paragraphs:
        for start in range(0, len(paragraph), 45):
            for at, character in enumerate(paragraph[start : start + 45]):
                placed.append(Placed(x, 780 - 15 * at, character))
            x -= 24
    return [placed]


def flate_bomb(megabytes: int = 1_000) -> bytes:
    """A PDF whose page unpacks to a gigabyte."""
    packer = zlib.compressobj(9)
    piece = b" " * 2**20
    packed = b"".join(packer.compress(piece) for _ in range(megabytes)) + packer.flush()
    return _raw_pages([packed], "/Filter /FlateDecode")


def form_loop() -> bytes:
    """A PDF whose page draws a form that draws itself."""
    output = BytesIO()
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(WIDTH, HEIGHT))
        form = pdf.make_indirect(
            Stream(
                pdf, b"/X Do /X Do /X Do", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 9, 9]
            )
        )
        form.Resources = Dictionary(XObject=Dictionary(X=form))
        page.Resources = Dictionary(XObject=Dictionary(X=form))
        page.Contents = Stream(pdf, b"/X Do " * 100)
        pdf.save(output)
    return output.getvalue()


def _raw_pages(contents: Sequence[bytes], more: str = "") -> bytes:
    kids = " ".join(f"{3 + 2 * at} 0 R" for at in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(contents)} /Kids [{kids}] >>".encode(),
    ]
    for at, content in enumerate(contents):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {4 + 2 * at} 0 R >>".encode()
        )
        objects.append(
            f"<< /Length {len(content)} {more} >>\nstream\n".encode() + content + b"\nendstream"
        )
    output = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(output))
        output += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(output)
    output += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    output += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    output += (
        f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF".encode()
    )
    return bytes(output)

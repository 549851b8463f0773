"""Documents with a given text, in the forms that Chinese offices publish."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from io import BytesIO

import docx
import pikepdf
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

#: A font that every reader of PDF has for Chinese; it is not embedded.
SONG = "STSong-Light"


@cache
def _registered() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont(SONG))


def wrapped(paragraph: str, width: int = 38) -> list[str]:
    """Lines of a paragraph as they are printed: indented by two characters."""
    text = f"\u3000\u3000{paragraph}"
    return [text[at : at + width] for at in range(0, len(text), width)]


def _center(canvas: Canvas, y: float, text: str) -> None:
    """Draw a line in the middle of a page."""
    size = canvas.stringWidth(text, canvas._fontname, canvas._fontsize)
    canvas.drawString((A4[0] - size) / 2, y, text)


def pdf_of(paragraphs: Sequence[str], title: str = "") -> bytes:
    """A PDF with a large first line, wrapped paragraphs and page numbers."""
    _registered()
    output = BytesIO()
    canvas = Canvas(output, pagesize=A4)
    canvas.setTitle(title)
    height = A4[1]
    y, number = height - 90, 1
    canvas.setFont(SONG, 20)
    _center(canvas, y, paragraphs[0])
    y -= 40
    canvas.setFont(SONG, 12)
    for paragraph in paragraphs[1:]:
        for line in wrapped(paragraph):
            if y < 80:
                _center(canvas, 36, f"— {number} —")
                canvas.showPage()
                canvas.setFont(SONG, 12)
                y, number = height - 80, number + 1
            canvas.drawString(70, y, line)
            y -= 20
    _center(canvas, 36, f"— {number} —")
    canvas.save()
    return output.getvalue()


def encrypted_pdf(paragraphs: Sequence[str]) -> bytes:
    """A PDF that only opens with a password."""
    output = BytesIO()
    with pikepdf.open(BytesIO(pdf_of(paragraphs))) as file:
        file.save(output, encryption=pikepdf.Encryption(user="secret", owner="secret"))
    return output.getvalue()


def scanned_pdf(pages: int = 1) -> bytes:
    """A PDF of pictures."""
    output = BytesIO()
    with pikepdf.new() as file:
        for _ in range(pages):
            page = file.add_blank_page(page_size=(595, 842))
            picture = pikepdf.Stream(
                file, bytes(range(0, 256, 4)), Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image,
                Width=8, Height=8, ColorSpace=pikepdf.Name.DeviceGray, BitsPerComponent=8,
            )  # fmt: skip
            page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(P=picture))
            page.Contents = pikepdf.Stream(file, b"q 595 0 0 842 0 0 cm /P Do Q")
        file.save(output)
    return output.getvalue()


def docx_of(paragraphs: Sequence[str]) -> bytes:
    """A Word file with a title and paragraphs."""
    document = docx.Document()
    document.add_heading(paragraphs[0], 0)
    for paragraph in paragraphs[1:]:
        document.add_paragraph(paragraph)
    output = BytesIO()
    document.save(output)
    return output.getvalue()

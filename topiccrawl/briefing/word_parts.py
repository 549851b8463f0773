"""Paragraphs, links and fonts of a Word document, on top of python-docx.

python-docx sets fonts for Latin letters only: Chinese would be shown in whatever the reader's program
takes.  Every style names an East Asian font here (``w:eastAsia``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO, Final

from docx import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor

from topiccrawl.export.cells import legal

if TYPE_CHECKING:
    from datetime import datetime

    from topiccrawl.language import Language

#: Fonts of text and of headings: Latin, East Asian.  Word has those for Chinese on Windows and macOS, and
#: other programs substitute their own.
_TEXT: Final = ("Times New Roman", "宋体")
_HEADING: Final = ("Arial", "黑体")
#: Style, size in points, fonts, bold, space before and after in points.
_STYLES: Final = (
    ("Normal", 12, _TEXT, False, 0, 6),
    ("Title", 22, _HEADING, True, 0, 6),
    ("Subtitle", 10.5, _TEXT, False, 0, 14),
    ("Heading 1", 16, _HEADING, True, 18, 6),
    ("Heading 2", 13, _HEADING, True, 12, 4),
    ("Source", 9.5, _TEXT, False, 0, 3),
)
#: Indent of the first line of a paragraph: two characters, as in Chinese print.
_FIRST_LINE: Final = 24
_BLACK: Final = RGBColor(0x1B, 0x1B, 0x1B)
_DIM: Final = RGBColor(0x59, 0x59, 0x59)
#: Red of the line below the title.
_RED: Final = "C8102E"


class Paragraph:
    """A paragraph that text and links are appended to."""

    def __init__(self, paragraph: Any) -> None:
        self._paragraph = paragraph

    def text(self, text: str) -> None:
        """Append plain text."""
        if text:
            self._paragraph.add_run(legal(text))

    def link(self, text: str, target: str | None) -> None:
        """Append *text* as a link to *target*; without one, as plain text."""
        if target is None or not text:
            self.text(text)
            return
        relation = self._paragraph.part.relate_to(
            target, RELATIONSHIP_TYPE.HYPERLINK, is_external=True
        )
        element = OxmlElement("w:hyperlink")
        element.set(qn("r:id"), relation)
        run = self._paragraph.add_run(legal(text))
        element.append(run._r)
        self._paragraph._p.append(element)


class Page:
    """A document in A4 with the styles of a briefing."""

    def __init__(self, language: Language) -> None:
        self._document = Document()
        self._language = "zh-CN" if language == "zh" else "en-US"
        section = self._document.sections[0]
        section.page_width, section.page_height = Mm(210), Mm(297)
        section.top_margin = section.bottom_margin = Mm(25)
        section.left_margin = section.right_margin = Mm(26)
        for name, points, fonts, bold, before, after in _STYLES:
            self._style(name, points, fonts, bold, before, after)
        styles = self._document.styles
        if language == "zh":
            styles["Normal"].paragraph_format.line_spacing = 1.5
        styles["Title"].paragraph_format.alignment = WD_ALIGN_PARAGRAPH.CENTER
        styles["Subtitle"].paragraph_format.alignment = WD_ALIGN_PARAGRAPH.CENTER
        for name in ("Subtitle", "Source"):
            styles[name].font.color.rgb = _DIM
            styles[name].font.italic = False
        _underline(styles["Title"], None)
        _underline(styles["Subtitle"], _RED)

    def paragraph(self, style: str = "Normal") -> Paragraph:
        """Append a paragraph in *style*."""
        added = self._document.add_paragraph(style=style)
        if style == "Normal" and self._language == "zh-CN":
            added.paragraph_format.first_line_indent = Pt(_FIRST_LINE)
        return Paragraph(added)

    def properties(self, title: str, created: datetime) -> None:
        """Set what the file states about itself: no trace of the template stays."""
        core = self._document.core_properties
        core.title, core.author, core.last_modified_by = legal(title)[:255], "", ""
        core.comments, core.language = "", self._language
        core.created = core.modified = created.replace(tzinfo=None, microsecond=0)
        core.revision = 1

    def save(self, stream: BinaryIO) -> None:
        """Write the document."""
        self._document.save(stream)

    def _style(
        self,
        name: str,
        points: float,
        fonts: tuple[str, str],
        bold: bool,
        before: float,
        after: float,
    ) -> None:
        styles = self._document.styles
        if name not in styles:
            styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH).base_style = styles["Normal"]
        style = styles[name]
        style.font.size, style.font.bold = Pt(points), bold
        style.font.color.rgb = _BLACK
        style.paragraph_format.space_before = Pt(before)
        style.paragraph_format.space_after = Pt(after)
        latin, east_asian = fonts
        found = style.element.get_or_add_rPr().get_or_add_rFonts()
        for attribute in list(found.attrib):
            del found.attrib[attribute]  # fonts of a theme would go before those that are named
        for script in ("ascii", "hAnsi", "cs"):
            found.set(qn(f"w:{script}"), latin)
        found.set(qn("w:eastAsia"), east_asian)
        language = OxmlElement("w:lang")
        language.set(qn("w:val"), "en-US")
        language.set(qn("w:eastAsia"), "zh-CN")
        properties = style.element.get_or_add_rPr()
        for old in properties.findall(qn("w:lang")):
            properties.remove(old)
        properties.append(language)


def _underline(style: Any, color: str | None) -> None:
    """Give the paragraphs of *style* a line of this color below them, or none."""
    properties = style.element.get_or_add_pPr()
    for old in properties.findall(qn("w:pBdr")):
        properties.remove(old)
    if color is None:
        return
    borders, bottom = OxmlElement("w:pBdr"), OxmlElement("w:bottom")
    for key, value in {"val": "single", "sz": "12", "space": "6", "color": color}.items():
        bottom.set(qn(f"w:{key}"), value)
    borders.append(bottom)
    # The schema wants the border before spacing and alignment.
    properties.insert_element_before(borders, "w:shd", "w:tabs", "w:spacing", "w:ind", "w:jc")

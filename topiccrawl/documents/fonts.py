"""Fonts of PDF files: characters of glyphs that a document does not explain, and a font for all others."""

from __future__ import annotations

import ctypes
from functools import cache
from io import BytesIO
from typing import Any, Final

#: Largest font that is read (a guess: whole Chinese fonts have 20 MB).
_MAX_BYTES: Final = 40_000_000
#: Charsets of Chinese, Japanese and Korean fonts: SHIFTJIS, HANGUL, GB2312 and CHINESEBIG5 (fpdf_sysfontinfo.h).
_EAST_ASIAN: Final = frozenset({128, 129, 134, 136})
#: Characters that the font of boxes has.
_BOXES: Final = range(0x80, 0xFFFE)


def characters_of_glyphs(font: bytes) -> dict[int, str]:
    """Return the character of each glyph that an embedded font states; empty if it states none.

    Of several characters with one glyph the one among the unified ideographs counts: radicals look alike.
    """
    from fontTools.ttLib import TTFont

    if not 0 < len(font) <= _MAX_BYTES:
        return {}
    try:
        with TTFont(BytesIO(font), lazy=True, fontNumber=0) as opened:
            table = opened.getBestCmap() or {}
            found: dict[int, str] = {}
            for code, name in sorted(table.items(), key=lambda item: _rank(item[0])):
                found.setdefault(opened.getGlyphID(name), chr(code))
            return found
    except Exception:  # fontTools raises what it meets in damaged fonts
        return {}


@cache
def replace_system_fonts() -> Any:
    """Give pdfium one font of boxes for all Chinese fonts that are not embedded.

    Texts do not depend on the fonts of this machine then, and pdfium does not look for them: that takes
    50 ms of each page (2026-11).  Without any font it would leave out single characters.
    Returns what pdfium refers to and must not be freed.
    """
    import pypdfium2.raw as raw

    data = boxes()
    kinds = {name: kind for name, kind in raw.FPDF_SYSFONTINFO._fields_ if name != "version"}

    def find(_this: Any, _weight: int, _italic: int, charset: int, *_: Any) -> int | None:
        return 1 if charset in _EAST_ASIAN else None

    def read(_this: Any, _font: Any, table: int, target: Any, size: int) -> int:
        if table:
            return 0  # asked for one table: whether it is a collection
        if size >= len(data):
            ctypes.memmove(target, data, len(data))
        return len(data)

    answers: dict[str, Any] = dict.fromkeys(kinds, lambda *_: None)
    answers |= dict.fromkeys(("GetFaceName", "GetFontCharset"), lambda *_: 0)
    answers |= {"MapFont": find, "GetFontData": read}
    calls = {name: kind(answers[name]) for name, kind in kinds.items()}
    fonts = raw.FPDF_SYSFONTINFO(version=1, **calls)
    raw.FPDF_SetSystemFontInfo(ctypes.byref(fonts))
    return fonts, calls, data


def boxes() -> bytes:
    """Return a TrueType font in which one glyph, a box of an em, stands for all characters."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

    pen = TTGlyphPen(None)
    pen.moveTo((0, -120))
    for point in ((0, 880), (1000, 880), (1000, -120)):
        pen.lineTo(point)
    pen.closePath()
    glyphs = [".notdef", "box"]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(glyphs)
    builder.setupCharacterMap({})
    builder.setupGlyf(dict.fromkeys(glyphs, pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (1000, 0)))
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    # Format 13: many characters, one glyph, in one entry.
    table = CmapSubtable.newSubtable(13)
    table.platformID, table.platEncID, table.language = 3, 10, 0
    table.format, table.reserved, table.length, table.nGroups = 13, 0, 0, 0
    table.cmap = dict.fromkeys(_BOXES, "box")
    builder.font["cmap"].tables = [table]
    output = BytesIO()
    builder.save(output)
    return output.getvalue()


def _rank(code: int) -> tuple[bool, int]:
    return not (0x4E00 <= code <= 0x9FFF or 0x20 < code < 0x7F), code

"""Characters of glyphs, by the fonts that documents embed."""

from __future__ import annotations

from io import BytesIO
from typing import Final

#: Largest font that is read (a guess: whole Chinese fonts have 20 MB).
_MAX_BYTES: Final = 40_000_000


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


def _rank(code: int) -> tuple[bool, int]:
    return not (0x4E00 <= code <= 0x9FFF or 0x20 < code < 0x7F), code

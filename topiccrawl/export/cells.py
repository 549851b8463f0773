"""Conversion of values to text that a spreadsheet shows, and neither runs nor refuses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topiccrawl.store.columns import Value

#: Starts of a text cell that may be taken for a formula (OWASP, "CSV Injection"); Excel in East
#: Asian locales also accepts the full-width forms.
FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")

#: Prefix of such a cell, with which Excel and LibreOffice treat it as text.
NEUTRALIZER = "'"

#: Excel's limit for one cell, in UTF-16 code units (Microsoft, "Excel specifications and limits").
XLSX_CELL_UNITS = 32_767

#: End of a cell that was cut.
CUT_MARK = "…[截断 cut]"

# XML 1.0 cannot contain these, and programs that read CSV stop at NUL.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def as_text(value: Value) -> str | int | float:
    """Return a value for a cell: lists as ``侨务:0.2; 侨乡:0.1`` or ``侨务; 侨乡``, times in ISO 8601."""
    if value is None:
        return ""
    if isinstance(value, str | int | float):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    pairs = value.items() if isinstance(value, Mapping) else value
    return "; ".join(
        pair if isinstance(pair, str) else f"{pair[0]}:{pair[1]:.6g}" for pair in pairs
    )


def legal(text: str) -> str:
    """Return *text* without control characters, and with ``U+FFFD`` for lone surrogates."""
    return _ILLEGAL.sub("", encodable(text))


def encodable(text: str) -> str:
    """Return *text* with ``U+FFFD`` for lone surrogates, which UTF-8 cannot encode."""
    return _SURROGATE.sub("\ufffd", text)


def neutral(text: str) -> str:
    """Return *text* with an apostrophe in front if a spreadsheet could take it for a formula."""
    return NEUTRALIZER + text if text.startswith(FORMULA_STARTS) else text


def cut(text: str, units: int = XLSX_CELL_UNITS) -> str:
    """Return *text* shortened, with a mark, to at most *units* UTF-16 code units."""
    if len(text) <= units // 2 or len(data := text.encode("utf-16-le")) <= 2 * units:
        return text
    # A surrogate pair that was cut in the middle is dropped.
    kept = data[: 2 * (units - len(CUT_MARK))].decode("utf-16-le", "ignore")
    return kept + CUT_MARK

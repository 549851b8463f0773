"""The formats of documents: how they are named, and what reads them.

To add one, write its reader in a module of this package, add it here, and have
:func:`~topiccrawl.documents.kinds.kind_of` recognize it by its content.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Format:
    """A format that can be read."""

    media_type: str
    reader: tuple[str, str] | None
    """Module of this package, and its function; ``None`` for plain text."""
    endings: str = ""
    """Endings of file names, separated by blanks."""
    words: tuple[str, ...] = ()
    """Words of media types, for servers that state variants (``application/x-pdf``, ``application/vnd.ofd``)."""


_OOXML: Final = "application/vnd.openxmlformats-officedocument"

#: The first format with a word that a media type has is meant.  ``.wps``, ``.et`` and ``.dps`` are WPS Office.
FORMATS: Final[Mapping[str, Format]] = {
    "pdf": Format("application/pdf", ("pdf", "read_pdf"), "pdf", ("pdf",)),
    "docx": Format(
        f"{_OOXML}.wordprocessingml.document",
        ("word", "read_docx"),
        "docx docm dotx dotm",
        ("wordprocessingml",),
    ),
    "xlsx": Format(
        f"{_OOXML}.spreadsheetml.sheet",
        ("sheets", "read_xlsx"),
        "xlsx xlsm xltx",
        ("spreadsheetml",),
    ),
    "xlsb": Format(
        "application/vnd.ms-excel.sheet.binary.macroenabled.12", ("sheets", "read_excel"), "xlsb"
    ),
    "pptx": Format(
        f"{_OOXML}.presentationml.presentation",
        ("slides", "read_pptx"),
        "pptx pptm ppsx potx",
        ("presentationml",),
    ),
    "doc": Format(
        "application/msword", ("olddoc", "read_doc"), "doc dot wps wpt", ("msword", "wps")
    ),
    "xls": Format(
        "application/vnd.ms-excel", ("sheets", "read_excel"), "xls xlt et ett", ("ms-excel",)
    ),
    "ppt": Format(
        "application/vnd.ms-powerpoint", ("slides", "read_ppt"), "ppt pps dps", ("powerpoint",)
    ),
    "odf": Format(
        "application/vnd.oasis.opendocument.text",
        ("opendocument", "read_odf"),
        "odt ods odp",
        ("opendocument",),
    ),
    "ofd": Format("application/ofd", ("ofd", "read_ofd"), "ofd", ("ofd",)),
    "rtf": Format("application/rtf", ("rtf", "read_rtf"), "rtf", ("rtf",)),
    "text": Format("text/plain", None, "txt", ("text/plain",)),
    "html": Format("text/html", ("markup", "read_html")),
    "mhtml": Format("multipart/related", ("markup", "read_mhtml")),
    "word-xml": Format("application/msword", ("word", "read_word_xml")),
    "excel-xml": Format("application/vnd.ms-excel", ("sheets", "read_excel_xml")),
}

#: The formats by the endings of file names.
ENDINGS: Final[Mapping[str, str]] = {
    ending: name for name, it in FORMATS.items() for ending in it.endings.split()
}

"""The formats of documents: how they are named, and what reads them.

To add one, write its reader in a module of this package, and add it here; what is no ZIP archive,
:func:`~topiccrawl.documents.kinds.kind_of` must learn to recognize by its content.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Format:
    """A format that can be read."""

    media_type: str
    reader: tuple[str, str]
    """Module of this package, and its function."""
    endings: str = ""
    """Endings of file names, separated by blanks."""
    words: tuple[str, ...] = ()
    """Words of media types, for servers that state variants (``application/x-pdf``, ``application/vnd.ofd``)."""
    member: str = ""
    """Pattern of a member that the ZIP archive has, from ``/`` on, in lower case."""


_OOXML: Final = "application/vnd.openxmlformats-officedocument"

#: The first one counts that has a word of a media type, or a member of an archive.  ``.wps``, ``.et`` and ``.dps`` are
#: WPS Office.
FORMATS: Final[Mapping[str, Format]] = {
    "pdf": Format("application/pdf", ("pdf", "read_pdf"), "pdf", ("pdf",)),
    "ofd": Format("application/ofd", ("ofd", "read_ofd"), "ofd", ("ofd",), "*/ofd.xml"),
    "docx": Format(
        f"{_OOXML}.wordprocessingml.document",
        ("word", "read_docx"),
        "docx docm dotx dotm",
        ("wordprocessingml",),
        "/word/*",
    ),
    "xlsb": Format(
        "application/vnd.ms-excel.sheet.binary.macroenabled.12",
        ("sheets", "read_excel"),
        "xlsb",
        member="/xl/workbook.bin",
    ),
    "xlsx": Format(
        f"{_OOXML}.spreadsheetml.sheet",
        ("xlsx", "read_xlsx"),
        "xlsx xlsm xltx",
        ("spreadsheetml",),
        "/xl/*",
    ),
    "pptx": Format(
        f"{_OOXML}.presentationml.presentation",
        ("slides", "read_pptx"),
        "pptx pptm ppsx potx",
        ("presentationml",),
        "/ppt/*",
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
        "/content.xml",
    ),
    "rtf": Format("application/rtf", ("rtf", "read_rtf"), "rtf", ("rtf",)),
    "text": Format("text/plain", ("reading", "read_text"), "txt", ("text/plain",)),
    "html": Format("text/html", ("markup", "read_html")),
    "mhtml": Format("multipart/related", ("markup", "read_mhtml")),
    "word-xml": Format("application/msword", ("word", "read_word_xml")),
    "excel-xml": Format("application/vnd.ms-excel", ("sheets", "read_excel_xml")),
}

#: The formats by the endings of file names.
ENDINGS: Final[Mapping[str, str]] = {
    ending: name for name, it in FORMATS.items() for ending in it.endings.split()
}

"""Read a document of any format.  To be called in a child process (:mod:`topiccrawl.documents.serve`)."""

from __future__ import annotations

import math
import time
from typing import Final

from topiccrawl.documents.kinds import kind_of, wide_encoding
from topiccrawl.documents.text import DocumentText, UnreadableDocumentError, clean_lines

#: Encodings of plain text that need no detection, by their marks.
_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def read_document(
    body: bytes, content_type: str = "", name: str = "", *, seconds: float = math.inf
) -> DocumentText:
    """Return the text of a document, or the reason why there is none.

    Parameters
    ----------
    body
        The document.
    content_type
        The Content-Type header, empty if unknown.
    name
        File name or URL, empty if unknown.
    seconds
        CPU time after which the rest of a long document is left out.
    """
    kind = ""
    try:
        kind = kind_of(body, content_type, name)
        found = _read(kind, body, time.process_time() + seconds)
    except UnreadableDocumentError as error:
        return DocumentText(kind, reason=error.reason, detail=error.detail)
    except MemoryError:
        return DocumentText(kind, reason="too-large", detail="memory")
    except RecursionError as error:
        return DocumentText(kind, reason="damaged", detail=str(error))
    except ImportError as error:
        return DocumentText(kind, reason="no-reader", detail=str(error))
    except Exception as error:
        # Whatever a library raises on a document that breaks its assumptions.
        return DocumentText(kind, reason="damaged", detail=f"{type(error).__name__}: {error}"[:300])
    if not found.lines and not found.reason:
        found.reason = "empty"
    return found


def _read(kind: str, body: bytes, until: float) -> DocumentText:
    if kind in ("docx", "xlsx", "pptx") and body[:2] != b"PK":
        raise UnreadableDocumentError("encrypted", "an encrypted package")
    # Each reader loads its library: a process that reads PDF files does not need the others.
    if kind == "pdf":
        from topiccrawl.documents.pdf import read_pdf

        return read_pdf(body, until)
    if kind in ("docx", "word-xml"):
        from topiccrawl.documents.word import read_docx, read_word_xml

        return read_docx(body) if kind == "docx" else read_word_xml(body)
    if kind == "doc":
        from topiccrawl.documents.olddoc import read_doc

        return read_doc(body)
    if kind in ("xlsx", "xls", "xlsb", "excel-xml"):
        from topiccrawl.documents.sheets import read_excel, read_excel_xml, read_xlsx

        if kind == "xlsx":
            return read_xlsx(body)
        return read_excel_xml(body) if kind == "excel-xml" else read_excel(body, kind)
    if kind in ("pptx", "ppt"):
        from topiccrawl.documents.slides import read_ppt, read_pptx

        return read_pptx(body) if kind == "pptx" else read_ppt(body)
    if kind == "odf":
        from topiccrawl.documents.opendocument import read_odf

        return read_odf(body)
    if kind == "ofd":
        from topiccrawl.documents.ofd import read_ofd

        return read_ofd(body)
    if kind in ("html", "mhtml"):
        from topiccrawl.documents.markup import read_html, read_mhtml

        return read_html(body) if kind == "html" else read_mhtml(body)
    if kind == "rtf":
        from topiccrawl.documents.rtf import read_rtf

        return read_rtf(body)
    if kind == "text":
        return DocumentText("text", lines=text_lines(body))
    raise UnreadableDocumentError("unsupported", "not a document that can be read")


def text_lines(body: bytes) -> list[str]:
    """Return the lines of plain text."""
    from topiccrawl.page.decoding import decode

    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return clean_lines(body.decode(encoding, "replace"))
    if encoding := wide_encoding(body[:4_096]):
        return clean_lines(body.decode(encoding, "replace"))
    return clean_lines(decode(body).text)

"""Read a document of any format.  To be called in a child process (:mod:`topiccrawl.documents.serve`)."""

from __future__ import annotations

import math
import time
from importlib import import_module
from typing import Final

from topiccrawl.documents.formats import FORMATS
from topiccrawl.documents.kinds import kind_of, wide_encoding
from topiccrawl.documents.text import DocumentText, UnreadableDocumentError, clean_lines

#: Encodings of plain text that need no detection, by their marks.
_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def read_document(
    body: bytes,
    content_type: str = "",
    name: str = "",
    *,
    seconds: float = math.inf,
    addresses: bool = False,
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
    addresses
        Whether the rows of an .xlsx end with the addresses of the web pages that their cells link to.
    """
    kind = ""
    try:
        kind = kind_of(body, content_type, name)
        found = _read(kind, body, time.process_time() + seconds, addresses=addresses)
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


def _read(kind: str, body: bytes, until: float, *, addresses: bool) -> DocumentText:
    if kind in ("docx", "xlsx", "pptx") and body[:2] != b"PK":
        raise UnreadableDocumentError("encrypted", "an encrypted package")
    if kind not in FORMATS:
        raise UnreadableDocumentError("unsupported", "not a document that can be read")
    # Loads its library: a process that reads PDF files does not need the others.
    module, name = FORMATS[kind].reader
    read = getattr(import_module(f"topiccrawl.documents.{module}"), name)
    further: dict[str, dict[str, object]] = {
        "pdf": {"until": until},
        "xlsx": {"addresses": addresses},
    }
    found: DocumentText = read(body, **further.get(kind, {}))
    found.kind = kind
    return found


def read_text(body: bytes) -> DocumentText:
    """Return plain text."""
    from topiccrawl.page.decoding import decode

    marked = (encoding for mark, encoding in _MARKS if body.startswith(mark))
    encoding = next(marked, "") or wide_encoding(body[:4_096])
    text = body.decode(encoding, "replace") if encoding else decode(body).text
    return DocumentText(lines=clean_lines(text))

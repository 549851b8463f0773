"""The format of a document: by its content first, then by its header, then by its name."""

from __future__ import annotations

import fnmatch
import re
from typing import Final
from urllib.parse import unquote, urlsplit

from topiccrawl.documents.formats import ENDINGS, FORMATS
from topiccrawl.documents.packed import Archive, plain_name
from topiccrawl.page.decoding.content_sniffing import looks_like_html

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
#: Bytes in which a PDF may begin: what precedes ``%PDF-`` is ignored (ISO 32000-1, H.3, note 13).
_PDF_HEAD: Final = 1_024
_HEAD: Final = 4_096
_MARKUP: Final = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|meta|title|table|div|p|br|span|script|style|link)\b",
    re.IGNORECASE,
)
#: Characters of Chinese texts: ASCII, punctuation, kana, Han, full-width forms.
_COMMON: Final = re.compile("[\t\n\r -~\u00b7\u2010-\u2027\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]")
#: Least share of them in a text (a guess; bytes read as the wrong UTF-16 have a third).
_COMMON_SHARE: Final = 0.95
#: Streams of OLE files, by the format that has them, in UTF-16.
_STREAMS: Final = (
    ("doc", "WordDocument"),
    ("xls", "Workbook"),
    ("xls", "Book"),
    ("ppt", "PowerPoint Document"),
)
#: Characters of an ending in an address (a choice).
_ENDING: Final = re.compile(r"\.([A-Za-z]{2,5})(?=$|[\s(（)）\]】,，;；&])")


def kind_of(body: bytes, content_type: str = "", name: str = "") -> str:
    """Return the format of a document, a key of :data:`~topiccrawl.documents.formats.FORMATS`;
    empty if it is none.

    An HTML page is a document only where header or name state an office format: many systems send tables
    as HTML with the name of an Excel file. Raises ``UnreadableDocumentError`` if it is an archive with too
    many members.

    Parameters
    ----------
    body
        The document.
    content_type
        The Content-Type header, empty if unknown.
    name
        File name or URL, empty if unknown.
    """
    stated = stated_kind(content_type, name)
    head = body[:_HEAD].lstrip()
    if b"%PDF-" in body[:_PDF_HEAD]:
        return "pdf"
    if head.startswith(b"PK\x03\x04") or head.startswith(b"PK\x05\x06"):
        return _kind_of_archive(body, stated)
    if head.startswith(_OLE):
        return _kind_of_ole(body, stated)
    if head.startswith(b"{\\rtf"):
        return "rtf"
    plain = _ascii(body[:_HEAD])
    if re.match(rb"\s*(?:MIME-Version|From|Content-Type|Date|Subject):", plain, re.IGNORECASE) and (
        b"multipart/related" in plain.lower()
    ):
        return "mhtml"
    if b"schemas.microsoft.com/office/word/2003/wordml" in plain or b"<pkg:package" in plain:
        return "word-xml"
    if b"urn:schemas-microsoft-com:office:spreadsheet" in plain and b"<Workbook" in plain:
        return "excel-xml"
    if _MARKUP.search(plain):
        return "html" if stated not in ("", "text", "html") else ""
    if stated in ("text", "doc", "rtf", "xls", "docx", "xlsx") and is_text(body):
        return "text"
    return ""


def may_be_document(body: bytes, content_type: str = "", name: str = "") -> bool:
    """Whether it is worth to ask :func:`kind_of`, by the first bytes, in no time."""
    head = body[:_HEAD]
    if b"%PDF-" in head[:_PDF_HEAD] or head.lstrip().startswith((b"PK\x03\x04", _OLE, b"{\\rtf")):
        return True
    return bool(stated_kind(content_type, name)) and bool(kind_of(head, content_type, name))


def likely_kind(body: bytes, content_type: str = "", name: str = "") -> str:
    """Return the format of a document that cannot be opened: a PDF by its mark, others as stated."""
    return "pdf" if b"%PDF-" in body[:_PDF_HEAD] else stated_kind(content_type, name)


def stated_kind(content_type: str = "", name: str = "") -> str:
    """Return the format that a header or else a name states; empty without one."""
    media_type = content_type.partition(";")[0].strip().lower()
    named = kind_of_name(name)
    for kind, it in FORMATS.items():
        if any(word in media_type for word in it.words) and not (kind == "text" and named):
            return kind
    return named


def kind_of_name(name: str) -> str:
    """Return the format that the ending of a file name, or of one in a URL, states.

    >>> kind_of_name("http://a.cn/down.jsp?file=%E9%99%84%E4%BB%B6.pdf"), kind_of_name("附件1.DOCX")
    ('pdf', 'docx')
    """
    if "://" in name:
        parts = urlsplit(name)
        name = f"{unquote(parts.path, errors='replace')}&{unquote(parts.query, errors='replace')}"
    found = [ENDINGS[x.lower()] for x in _ENDING.findall(name.strip()) if x.lower() in ENDINGS]
    return found[-1] if found else ""


def is_text(body: bytes) -> bool:
    """Whether *body* can be plain text: no known binary format, few control bytes or UTF-16."""
    head = body[:_HEAD]
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return True
    if not head:
        return False
    if wide_encoding(head):
        return True
    return looks_like_html(head)


def wide_encoding(head: bytes) -> str:
    """Return the form of UTF-16 without a mark that *head* is in, empty if in none.

    Line ends and ASCII have zeros then, and nearly all characters are common ones.
    """
    if b"\0" not in head:
        return ""
    shares = {
        encoding: _common(head[: len(head) & ~1].decode(encoding, "replace"))
        for encoding in ("utf-16-le", "utf-16-be")
    }
    best = max(shares, key=lambda encoding: shares[encoding])
    return best if shares[best] >= _COMMON_SHARE else ""


def _common(text: str) -> float:
    return len(_COMMON.findall(text)) / max(1, len(text))


def _ascii(head: bytes) -> bytes:
    """Return the ASCII of a head that may be UTF-16."""
    return head.replace(b"\0", b"") if head[:2] in (b"\xff\xfe", b"\xfe\xff") else head


def _kind_of_archive(body: bytes, stated: str) -> str:
    names = [f"/{plain_name(name)}" for name in Archive(body).names]
    for kind, it in FORMATS.items():
        if it.member and fnmatch.filter(names, it.member):
            return kind
    return stated if stated in ("docx", "xlsx", "pptx", "ofd") and not names else ""


def _kind_of_ole(body: bytes, stated: str) -> str:
    for kind, stream in _STREAMS:
        if stream.encode("utf-16-le") + b"\0\0" in body:
            return kind
    if "EncryptedPackage".encode("utf-16-le") in body:
        return stated if stated in ("docx", "xlsx", "pptx") else "docx"
    return stated if stated in ("doc", "xls", "ppt") else ""

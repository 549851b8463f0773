"""What kind of file it is: by its first bytes, and by its name where they do not decide."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from pathlib import PurePosixPath
from typing import Final, Literal, TypeAlias

from topiccrawl.page.decoding.content_sniffing import looks_like_html

FileKind: TypeAlias = Literal[
    "page",
    "mhtml",
    "document",
    "text",
    "warc",
    "zip",
    "tar",
    "packed",
    "other-archive",
    "asset",
    "empty",
    "unknown",
]

#: Bytes at the beginning of a file that decide: headers of MHTML have some 500, of a tar archive 512.
HEAD_BYTES: Final = 4_096


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Files beside pages, which are not read at all.
_ASSETS: Final = _words(
    """
    css js mjs map json svg ico png jpg jpeg jfif gif bmp webp avif tif tiff psd heic woff
    woff2 ttf otf eot mp3 mp4 m4a m4v mov avi wmv flv wav ogg ogv webm mkv amr silk exe dll
    so class pyc jar apk db sqlite ini log lnk sha1 md5 cdx cdxj
    """
)
#: Documents by the end of their name; their first bytes may be those of other files.
_DOCUMENTS: Final = _words(
    """
    pdf doc docx wps wpt dot dotx docm xls xlsx xlsm et ett csv ppt pptx dps ofd rtf odt ods
    """
)
_PAGES: Final = _words("html htm xhtml shtml shtm xht asp aspx php jsp jspx do action")
_TEXTS: Final = _words("txt text md markdown")
_XML: Final = re.compile(rb"\s*<\?xml\b", re.IGNORECASE)
_TAG: Final = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|meta|link|div|p|table|article|section|h[1-6]|span|a)\b",
    re.IGNORECASE,
)
_MHTML: Final = re.compile(
    rb"(?:^|\n)content-type:\s*(?:multipart/(?:related|alternative|mixed)|text/html)\b",
    re.IGNORECASE,
)
_MIME: Final = re.compile(rb"(?:^|\n)mime-version:", re.IGNORECASE)
_HEADER_LINE: Final = re.compile(rb"[A-Za-z][A-Za-z0-9-]{0,60}:[ \t]")
#: Names in a zip file that is a document: OOXML, OFD, OpenDocument and EPUB.
_ZIP_DOCUMENTS: Final = (b"[Content_Types].xml", b"OFD.xml", b"mimetypeapplication/")


def is_asset(name: str) -> bool:
    """Return whether the name of a file shows that it belongs to pages and is none itself.

    >>> is_asset("p/style.CSS"), is_asset("p/index.html")
    (True, False)
    """
    return _suffix(name) in _ASSETS


def file_kind(head: bytes, name: str) -> FileKind:
    """Return the kind of the file *name* that begins with *head*, at least :data:`HEAD_BYTES` of it."""
    if not head.strip(b"\0 \t\r\n"):
        return "empty"
    suffix = _suffix(name)
    if (packed := _magic(head, suffix)) is not None:
        # The first record may be damaged.
        is_warc = packed == "packed" and name.lower().endswith(".warc.gz") and not _unpacked(head)
        return "warc" if is_warc else packed
    if suffix in _ASSETS:
        return "asset"
    if _is_mhtml(head):
        return "mhtml"
    if not looks_like_html(head):
        return "document" if suffix in _DOCUMENTS else "unknown"
    if suffix in _DOCUMENTS and not _TAG.search(head):
        return "document"
    if suffix in _TEXTS:
        return "text"
    if _is_markup(head):
        return "page"
    return "page" if suffix in _PAGES else "text"


def _magic(head: bytes, suffix: str) -> FileKind | None:
    if head.startswith((b"%PDF-", b"{\\rtf", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
        return "document"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        is_document = suffix in _DOCUMENTS or any(name in head for name in _ZIP_DOCUMENTS)
        return "document" if is_document else "zip"
    if head.startswith(b"WARC/"):
        return "warc"
    if head.startswith(b"\x1f\x8b"):
        inner = _unpacked(head)
        if inner.startswith(b"WARC/"):
            return "warc"
        return "tar" if _is_tar(inner) or suffix == "tgz" else "packed"
    if head.startswith((b"BZh", b"\xfd7zXZ\x00")):
        return "tar"
    if head.startswith((b"Rar!\x1a\x07", b"7z\xbc\xaf\x27\x1c", b"MSCF", b"ITSF")):
        return "other-archive"
    return "tar" if _is_tar(head) else None


def _is_tar(head: bytes) -> bool:
    """Whether the header of the first member has the right checksum."""
    if len(head) < 512:
        return False
    try:
        stated = int(head[148:156].strip(b"\0 ") or b"0", 8)
    except ValueError:
        return False
    return stated == sum(head[:148]) + 8 * 0x20 + sum(head[156:512]) and stated > 8 * 0x20


def _unpacked(head: bytes) -> bytes:
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(head)).read1(HEAD_BYTES)
    except (OSError, EOFError, zlib.error):
        return b""


def _is_mhtml(head: bytes) -> bool:
    if _HEADER_LINE.match(head.lstrip()) is None:
        return False
    return _MIME.search(head) is not None and _MHTML.search(head) is not None


def _is_markup(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head.replace(b"\0", b"")
    if _XML.match(head) and not re.search(rb"<(?:!doctype\s+html|html)\b", head, re.IGNORECASE):
        return False
    return _TAG.search(head) is not None


def _suffix(name: str) -> str:
    return PurePosixPath(name.lower()).suffix.removeprefix(".")

"""File names of documents: from headers in any of the forms that servers use, else from the URL."""

from __future__ import annotations

import re
from contextlib import suppress
from email.errors import HeaderParseError
from email.header import decode_header
from typing import Final
from urllib.parse import parse_qsl, unquote_to_bytes, urlsplit

from topiccrawl.documents.kinds import kind_of_name
from topiccrawl.page.decoding.encodings import encoding_of_label

#: ``filename*=UTF-8''%e6%…`` (RFC 5987, 3.2), with the quotes that some servers add.
_EXTENDED: Final = re.compile(rb"filename\*\s*=\s*[\"']?([\w\-]+)'[^']*'([^;\"]+)", re.IGNORECASE)
_QUOTED: Final = re.compile(rb"filename\s*=\s*\"((?:[^\"\\]|\\.)*)\"?", re.IGNORECASE)
_PLAIN: Final = re.compile(rb"filename\s*=\s*([^;]+)", re.IGNORECASE)
_ENCODED_WORD: Final = re.compile(r"=\?[\w\-]+\?[bq]\?[^?]*\?=", re.IGNORECASE)
_ESCAPES: Final = re.compile(rb"(?:%[0-9A-Fa-f]{2})")
#: Parameters in which download pages have the name, most telling first.
_PARAMETERS: Final = ("filename", "file_name", "name", "title", "fn", "file", "path", "url")
#: Longest name (file systems allow 255 bytes).
_LONGEST: Final = 255


def file_name(disposition: bytes, url: str) -> str:
    """Return the file name of a response, empty if there is none.

    ``filename*`` counts first (RFC 6266, 4.3); then ``filename``, as RFC 2047 words, percent escapes or raw
    bytes, each in UTF-8 or GBK; then what the URL names.

    >>> file_name(b"attachment; filename*=UTF-8''%E9%99%84%E4%BB%B6.doc", "http://a.cn/1")
    '附件.doc'
    >>> file_name("attachment; filename=附件.doc".encode("gbk"), "http://a.cn/1")
    '附件.doc'
    >>> file_name(b"", "http://a.cn/down?f=%B8%BD%BC%FE.pdf")
    '附件.pdf'
    """
    stated = _stated(disposition)
    return _last(stated)[:_LONGEST] or _name_in(url)[:_LONGEST]


def stem(name: str) -> str:
    """Return a file name without the ending of a document and without its number.

    >>> stem("附件1：归侨侨眷登记表.docx"), stem("P020240305.pdf")
    ('归侨侨眷登记表', 'P020240305')
    """
    if kind_of_name(name):
        name = re.sub(r"\.[A-Za-z]{2,5}\s*(?:[(（][^)）]*[)）])?\s*$", "", name)
    plain = re.sub(r"^\s*附件\s*[\d一二三四五六七八九十]*\s*[-—:：.．、_]*\s*", "", name)
    return " ".join((plain or name).replace("+", " ").split())


def _stated(disposition: bytes) -> str:
    if extended := _EXTENDED.search(disposition):
        raw = unquote_to_bytes(extended[2].strip())
        encoding = encoding_of_label(extended[1].decode("latin-1"))
        if encoding is not None:
            with suppress(UnicodeDecodeError):
                return raw.decode(encoding)
        return decoded(raw)
    found = _QUOTED.search(disposition) or _PLAIN.search(disposition)
    if found is None:
        return ""
    raw = re.sub(rb"\\([\"\\])", rb"\1", found[1]).strip(b" \t'\"")
    if _ESCAPES.search(raw):
        raw = unquote_to_bytes(raw)
    text = decoded(raw)
    if _ENCODED_WORD.search(text):
        try:
            words = decode_header(text)
            return "".join(
                part
                if isinstance(part, str)
                else part.decode(encoding_of_label(charset) or "utf-8", "replace")
                for part, charset in words
            )
        except (HeaderParseError, ValueError):
            return text
    return text


def decoded(raw: bytes) -> str:
    """Return bytes that are UTF-8, else GBK, as text; UTF-8 that was encoded twice, once decoded."""
    with suppress(UnicodeDecodeError):
        text = raw.decode()
        with suppress(UnicodeError):
            return text.encode("latin-1").decode()
        return text
    with suppress(UnicodeDecodeError):
        return raw.decode("gb18030")
    return raw.decode("latin-1")


def _name_in(url: str) -> str:
    parts = urlsplit(url)
    path = _last(decoded(unquote_to_bytes(parts.path)))
    if kind_of_name(path):
        return path
    values = {
        key.lower(): _last(decoded(value.encode("latin-1")))
        for key, value in parse_qsl(parts.query, encoding="latin-1")
    }
    named = [values[key] for key in _PARAMETERS if values.get(key)]
    documents = [name for name in [*named, *values.values()] if kind_of_name(name)]
    return documents[0] if documents else path


def _last(name: str) -> str:
    return re.split(r"[/\\]", name)[-1].strip()

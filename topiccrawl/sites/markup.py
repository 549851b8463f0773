"""Read the elements of XML piece by piece in bounded memory and linear time, damaged documents too.

XML parsers keep an unfinished token until its end: a comment, tag or CDATA section of 50 MB, which gzip packs to
50 KB, takes them 50 to 400 MB (libxml2 2.14, 2026-11).  They also stop at, or drop, what many sites do not escape
(``?id=1&page=2``).  Sitemaps and feeds need elements, attributes and text only, so that a tokenizer is enough:
comments and instructions are skipped as they come, long text is cut, and entities are never expanded.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, Protocol

from topiccrawl.sites.unpacking import DamagedFileError

#: Bytes in which the declaration of the encoding is looked for (a guess; it is in the first line).
_HEAD: Final = 512
_DECLARED: Final = re.compile(
    rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']"""
)
#: Encodings that a superset replaces: files declared GB 2312 hold characters of GB 18030.
_SUPERSETS: Final = {"gb2312": "gb18030", "gbk": "gb18030", "gb_2312-80": "gb18030"}
#: Text of an element beyond this is dropped: the longest URL that is followed has 2,083 characters.
MOST_TEXT: Final = 4_096
#: Characters of a tag (a guess: those of feeds have some 200).
MOST_TAG: Final = 16_384
#: Levels of elements (a guess: feeds have about six, with XHTML in them some twenty).
MOST_LEVELS: Final = 100
#: Tags of a document.  A guess: a full sitemap of 50,000 addresses with a picture each has 700,000; so many take
#: 3 s of CPU, a few milliseconds at a time.
MOST_TAGS: Final = 1_000_000
_ATTRIBUTE: Final = re.compile(
    r"""(?<![^\s=/"'<>])([^\s=/"'<>]{1,100}+)\s*+=\s*+(?:"([^"]*)"|'([^']*)')"""
)
_NAME: Final = re.compile(r"[^\s/>]{1,100}")
_REFERENCE: Final = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6}));")
_NAMED: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
#: Beginnings of what is not an element, with their ends.
_SECTIONS: Final = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>", "<!": ">"}
#: What is the same in every encoding of a file that begins with ASCII.
_SAMPLE: Final = b"<urlset>"


class EntitiesError(ValueError):
    """The document declares entities of its own, which sitemaps and feeds never need."""


class ElementReader(Protocol):
    """Receives the elements of a document."""

    def begin(self, path: tuple[str, ...], attributes: Mapping[str, str]) -> None:
        """Receive an element; *path* are the local names from the root, in lower case."""

    def end(self, path: tuple[str, ...], text: str) -> None:
        """Receive the end of an element, with its own text up to :data:`MOST_TEXT` characters."""


class MarkupFeeder:
    """Feeds the bytes of one document to an :class:`ElementReader`.

    Parameters
    ----------
    reader
        Receives the elements.
    charset
        Encoding that the server states, for documents that declare none.
    """

    def __init__(self, reader: ElementReader, charset: str = "") -> None:
        self._reader = reader
        self._charset = charset
        self._decoder: codecs.IncrementalDecoder | None = None
        self._rest = ""
        self._section = ""
        self._tags = 0
        self._path: tuple[str, ...] = ()
        self._texts: list[str] = []

    def feed(self, data: bytes) -> None:
        """Read the next piece.

        Raises ``EntitiesError`` if the document declares entities. Raises ``DamagedFileError`` if it has more
        tags, or longer ones, than any sitemap or feed, or cannot be decoded.
        """
        if self._decoder is None:
            self._decoder = _decoder(data, self._charset)
        try:
            text, at = self._rest + self._decoder.decode(data), 0
        except UnicodeError as error:  # some codecs replace nothing
            raise DamagedFileError("not in its encoding") from error
        while at < len(text):
            done = self._skip(text, at) if self._section else self._token(text, at)
            if done < 0:
                break
            at = done
        self._rest = text[at:]

    def _token(self, text: str, at: int) -> int:
        """Read one tag or text, or the beginning of a section; return where it ends, -1 for more."""
        if text[at] != "<":
            end = text.find("<", at)
            end = len(text) if end < 0 else end
            self._text(text[at : min(end, at + MOST_TEXT)])
            return end
        start = text[at : at + 9]
        for beginning in _SECTIONS:
            if start.startswith(beginning):
                if beginning == "<!" and len(start) < 9:
                    return -1  # It may become a comment.
                self._count()
                self._section = beginning
                return at + len(beginning)
        end = text.find(">", at, at + MOST_TAG)
        if end < 0:
            if len(text) - at >= MOST_TAG:
                raise DamagedFileError("a tag without end")
            return -1
        self._tag(text[text.rfind("<", at, end) + 1 : end])
        return end + 1

    def _skip(self, text: str, at: int) -> int:
        """Skip to the end of a section; the text of CDATA counts."""
        ending = _SECTIONS[self._section]
        if self._section == "<!":
            # <!DOCTYPE x [ <!ELEMENT …> ]>: each declaration within ends with a bracket of its own.
            if text.startswith("ENTITY", at):
                raise EntitiesError
            if len(text) - at < len("ENTITY") and ">" not in text[at:]:
                return -1
            inner = text.find("<!", at)
            end = text.find(ending, at)
            if inner >= 0 and (end < 0 or inner < end):
                self._count()
                return inner + 2
        end = text.find(ending, at)
        cdata = self._section == "<![CDATA["
        last = end if end >= 0 else max(at, len(text) - len(ending))
        if cdata:
            self._text(text[at : min(last, at + MOST_TEXT)].replace("&", "&amp;"))
        if end < 0:
            # Nothing is gained by looking at it again, except for the beginning of an ending.
            return last if last > at else -1
        self._section = ""
        return end + len(ending)

    def _tag(self, tag: str) -> None:
        self._count()
        if tag.startswith("/"):
            found = _NAME.match(tag, 1)
            if found is not None:
                self._close(_local(found[0]))
            return
        found = _NAME.match(tag)
        if found is None:
            return
        if len(self._path) >= MOST_LEVELS:
            raise DamagedFileError("nested too deeply")
        values = _ATTRIBUTE.findall(tag, found.end()) if len(tag) > found.end() + 2 else []
        self._path = (*self._path, _local(found[0]))
        self._texts.append("")
        self._reader.begin(self._path, {k: plain(v or w) for k, v, w in values})
        if tag.endswith("/"):
            self._close(self._path[-1])

    def _close(self, name: str) -> None:
        """Close the innermost element *name*, and those within that were left open."""
        while name in self._path:
            path, self._path = self._path, self._path[:-1]
            self._reader.end(path, plain(self._texts.pop()).strip())
            if path[-1] == name:
                break

    def _text(self, text: str) -> None:
        if self._texts and (room := MOST_TEXT - len(self._texts[-1])) > 0:
            self._texts[-1] += text[:room]

    def _count(self) -> None:
        self._tags += 1
        if self._tags > MOST_TAGS:
            raise DamagedFileError("too many tags")


def plain(text: str) -> str:
    """Return *text* with XML's own references replaced; other ampersands stay.

    >>> plain("?id=1&page=2&amp;copy=3&#20392;")
    '?id=1&page=2&copy=3侨'
    """
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(found: re.Match[str]) -> str:
    if found[1]:
        return _NAMED[found[1]]
    code = int(found[2]) if found[2] else int(found[3], 16)
    return chr(code) if code < 0x110000 else ""


def _local(tag: str) -> str:
    """Return the name in lower case, without the prefix of Atom.

    >>> _local("Link"), _local("atom:link"), _local("news:title")
    ('link', 'link', 'news:title')
    """
    return tag.lower().removeprefix("atom:")


def _decoder(head: bytes, charset: str) -> codecs.IncrementalDecoder:
    name = charset or "utf-8"
    is_wide = b"\0" in head[:4]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        name = "utf-16"
    elif head.startswith(codecs.BOM_UTF8):
        name = "utf-8-sig"
    elif is_wide:
        name = "utf-16-be" if head[:1] == b"\0" else "utf-16-le"
    elif (found := _DECLARED.search(head[:_HEAD])) is not None:
        name = found[1].decode("ascii")
    with suppress(Exception):  # no encoding, or one that is not for texts
        make = codecs.getincrementaldecoder(_SUPERSETS.get(name.lower(), name))
        # Programs write UTF-8 under a declaration of UTF-16, in which nothing could be read.
        if is_wide or make("replace").decode(_SAMPLE) == _SAMPLE.decode():
            return make("replace")
    return codecs.getincrementaldecoder("utf-8")("replace")

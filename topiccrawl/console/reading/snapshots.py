"""A stored HTML page as a safe document: its structure and its words, and nothing that acts or loads."""

from __future__ import annotations

import base64
import hashlib
import zlib
from html import escape
from typing import Final

from lxml import etree, html

from topiccrawl.console.frame.cleaning import visible

#: Bytes of a page that are unpacked; what a crawl fetches by default has at most this size.
_MOST_BYTES: Final = 8_000_000
#: Characters of text in a snapshot: at most 110 KB when sent compressed (drawn at random, 2026-11).
_MOST_TEXT: Final = 40_000
#: Characters of the title (a guess: longer than any).
_MOST_TITLE: Final = 300
#: Elements in a snapshot, and how deep they are nested (guesses: browsers stop at some 500).
_MOST_ELEMENTS: Final = 8_000
_DEEPEST: Final = 60

#: Elements that are kept.  All others are replaced by what they contain.
_KEPT: Final = frozenset((
    "p", "div", "section", "article", "main", "header", "footer", "nav", "aside", "h1", "h2",
    "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "code",
    "table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption", "b", "strong", "i", "em",
    "u", "s", "sub", "sup", "small", "br", "hr", "time", "ruby", "rt", "rp", "q", "cite",
    "figure", "figcaption",
))  # fmt: skip
#: Elements that are dropped with what they contain.
_DROPPED: Final = frozenset((
    "script", "style", "noscript", "template", "iframe", "frame", "frameset", "object", "embed",
    "applet", "link", "meta", "base", "title", "head", "svg", "math", "canvas", "audio",
    "video", "source", "track", "form", "input", "button", "select", "option", "textarea",
    "datalist", "dialog", "portal", "noembed", "noframes", "plaintext", "xmp", "map", "area",
    "param",
))  # fmt: skip
_VOID: Final = frozenset({"br", "hr"})
#: Attributes that are kept, if their values are numbers.
_NUMBERS: Final = ("colspan", "rowspan")
#: Cells that one cell may span (a guess; browsers allow 1,000).
_MOST_SPAN: Final = 50

_STYLE: Final = (
    ":root{color-scheme:light dark}body{font:15px/1.6 system-ui,'Noto Sans CJK SC',sans-serif;margin:16px;"
    "overflow-wrap:anywhere}table{border-collapse:collapse}td,th{border:1px solid #8886;padding:3px 8px;"
    "text-align:left}.link{text-decoration:underline dotted}.picture{color:#777}pre{white-space:pre-wrap}"
)
_STYLE_HASH: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()

#: Nothing runs, nothing is loaded, and the document has no origin.
SNAPSHOT_POLICY: Final = (
    f"sandbox; default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'"
)


def unpacked(packed: bytes) -> bytes:
    """Return the HTML of a page as it was stored, cut; empty if it is damaged."""
    try:
        return zlib.decompressobj().decompress(packed, _MOST_BYTES)
    except zlib.error:
        return b""


def safe_document(raw: bytes, charset: str, title: str) -> str:
    """Return the HTML *raw* as a document of harmless elements.

    Scripts, styles, frames, forms, media and all attributes are left out; pictures become their
    alternative texts, links their words with the address as a tooltip.  Never raises; linear in the size.
    """
    try:
        text = raw.decode(charset or "utf-8", "replace")
    except (LookupError, UnicodeError):
        text = raw.decode("utf-8", "replace")
    parts: list[str] = []
    try:
        # As UTF-8, whatever the page declares.
        parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
        tree = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
        body = tree.find("body")
        _Writer(parts).write(tree if body is None else body)
    except (etree.LxmlError, ValueError, AssertionError):
        parts = [escape(visible(text[:_MOST_TEXT]))]
    head = f'<meta charset="utf-8"><title>{escape(visible(title[:_MOST_TITLE]))}</title><style>{_STYLE}</style>'
    return f'<!DOCTYPE html><html lang="zh"><head>{head}</head><body>{"".join(parts)}</body></html>'


class _Writer:
    """Writes elements as text, without recursion: pages may be nested thousands of levels deep."""

    def __init__(self, parts: list[str]) -> None:
        self._parts = parts
        self._text = self._elements = 0

    def write(self, root: html.HtmlElement) -> None:
        """Append what *root* contains."""
        #: Elements to begin, and what ends those that were begun: (end tag, text after it).
        waiting: list[html.HtmlElement | tuple[str, str | None]] = []
        self._add(root.text)
        waiting.extend(reversed(root))
        depth = 0
        while waiting and self._text < _MOST_TEXT and self._elements < _MOST_ELEMENTS:
            it = waiting.pop()
            if isinstance(it, tuple):
                depth -= bool(it[0])
                self._parts.append(it[0])
                self._add(it[1])
                continue
            tag = it.tag if isinstance(it.tag, str) else ""
            if not tag or tag in _DROPPED:
                self._add(it.tail)
                continue
            self._elements += 1
            if tag == "img":
                self._picture(it)
                continue
            begin, end = _tags(it, tag) if depth < _DEEPEST else ("", "")
            self._parts.append(begin)
            if tag in _VOID:
                self._add(it.tail)
                continue
            depth += bool(end)
            self._add(it.text)
            waiting.append((end, it.tail))
            waiting.extend(reversed(it))
        self._parts.extend(it[0] for it in reversed(waiting) if isinstance(it, tuple))

    def _picture(self, element: html.HtmlElement) -> None:
        if alternative := (element.get("alt") or "").strip():
            self._parts.append('<span class="picture">[')
            self._add(alternative[:200])
            self._parts.append("]</span>")
        self._add(element.tail)

    def _add(self, text: str | None) -> None:
        if text:
            shown = visible(text[: _MOST_TEXT - self._text])
            self._text += len(shown)
            self._parts.append(escape(shown))


def _tags(element: html.HtmlElement, tag: str) -> tuple[str, str]:
    """Return begin and end of *element* in the snapshot; empty if only its content is kept."""
    if tag == "a":
        title = escape(visible(element.get("href") or "")[:500])
        return f'<span class="link" title="{title}">', "</span>"
    if tag not in _KEPT:
        return "", ""
    numbers = "".join(
        f' {name}="{value}"'
        for name in _NUMBERS
        if (value := element.get(name) or "").isdecimal()
        and value.isascii()
        and len(value) < 4
        and int(value) <= _MOST_SPAN
    )
    return f"<{tag}{numbers}>", "" if tag in _VOID else f"</{tag}>"

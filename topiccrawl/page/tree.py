"""Parse the text of a page into an element tree."""

from __future__ import annotations

import re

from lxml import etree

from topiccrawl.page.bounds import bounded

# libxml2 stops at 2,048 open elements and loses the rest of the page. Only unclosed tags or malicious
# pages reach that depth; they are cut at this depth, a guess with room for elements that the parser
# inserts.
_DEPTH = 500
_TOO_DEEP = ("ERR_RESOURCE_LIMIT", "ERR_NAME_TOO_LONG")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)\b[^<>]*>")
# Elements without content, or closed by the next one of the same tag: they do not nest.
# fmt: off
_FLAT = frozenset(
    ("a", "area", "base", "br", "col", "dd", "dt", "embed", "frame", "hr", "img", "input", "li",
     "link", "meta", "option", "p", "param", "script", "source", "style", "td", "th", "title", "tr",
     "track", "wbr")
)
# fmt: on
# End tags of body and html are redundant at the end of a page; where templates are concatenated they are
# in the middle, and libxml2 then loses text that browsers show.
_ENDS = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)
_EMPTY = b"<html><head></head><body></body></html>"


def parse(text: str) -> etree._Element:
    """Return the root element of a page; never raises.

    Parameters
    ----------
    text : str
        Decoded HTML. Zero characters, at which libxml2 would stop, become spaces.

    Returns
    -------
    lxml.etree._Element
        The ``html`` element, without comments and processing instructions; that of an empty page if
        nothing can be parsed.
    """
    if "\0" in text:
        text = text.replace("\0", " ")
    text = bounded(_ENDS.sub(" ", text))
    root, too_deep = _parse(text)
    if too_deep:
        root, _ = _parse(limit_depth(text))
    return root


def _parse(text: str) -> tuple[etree._Element, bool]:
    # One parser per page, so that the error log is this page's; making one takes 15 µs.
    parser = etree.HTMLParser(
        encoding="utf-8", recover=True, huge_tree=True, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError):
        root = None
    if root is None:
        root = etree.fromstring(_EMPTY, etree.HTMLParser())
    last = parser.error_log.last_error
    return root, last is not None and last.type_name in _TOO_DEEP


def limit_depth(text: str, depth: int = _DEPTH) -> str:
    """Return the page without the tags that would nest deeper than ``depth`` elements. Linear."""
    level = 0

    def keep(match: re.Match[str]) -> str:
        nonlocal level
        if match.group(2).lower() in _FLAT or match.group().endswith("/>"):
            return match.group()
        if match.group(1):
            if level == 0:
                return " "
            level -= 1
            return match.group() if level < depth else " "
        level += 1
        return match.group() if level <= depth else " "

    return _TAG.sub(keep, text)

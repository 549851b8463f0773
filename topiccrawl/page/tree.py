"""Parse the text of a page into an element tree, or into events."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from lxml import etree

from topiccrawl.page.bounds import bounded
from topiccrawl.page.hard_lines import unwrapped
from topiccrawl.page.superscripts import with_superscripts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Found = TypeVar("Found", covariant=True)

#: Open elements at which libxml2 stops to build a tree and loses the rest of the page.
MAX_DEPTH = 2_048

# Only unclosed tags or malicious pages reach that depth; they are cut at this one, a guess with room for
# elements that the parser inserts.
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
# in the middle, and libxml2 then loses text that browsers show. (A pattern that ignores case is not searched by
# its first letters.)
_ENDS = re.compile(r"</(?:[bB][oO][dD][yY]|[hH][tT][mM][lL])\s*>")
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
    text = _prepared(text)
    root, too_deep = _parse(text)
    if too_deep:
        root, _ = _parse(limit_depth(text))
    return etree.fromstring(_EMPTY, etree.HTMLParser()) if root is None else root


class TooDeepError(Exception):
    """Raised by a target for an element inside :data:`MAX_DEPTH` others."""


class Target(Protocol[Found]):
    """Receives the events of a page: those of the tree of :func:`parse` in document order."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Receive the start of an element."""

    def end(self, tag: str) -> None:
        """Receive the end of an element."""

    @property
    def data(self) -> Callable[[str], None]:
        """Receives a piece of the text between two tags."""

    def close(self) -> Found | None:
        """Return the result at the end of the page, ``None`` if there was no element; may be called again.

        What the target has in its attributes is then released.
        """


def read(text: str, make_target: Callable[[], Target[Found]]) -> Found:
    """Send the events of a page to a target, and return its result; never raises.

    No tree is built, which takes half as long again.

    Parameters
    ----------
    text : str
        Decoded HTML, as for :func:`parse`.
    make_target : callable
        Returns a new target; called again for a page that is parsed again.
    """
    text = _prepared(text)
    target: Any = make_target()
    try:
        found, too_deep = _parse(text, target)
    except TooDeepError:
        too_deep = True
    if too_deep:
        _release(target)
        target = make_target()
        try:
            found, _ = _parse(limit_depth(text), target)
        except TooDeepError:  # faulty markup can nest deeper than its tags
            found = target.close()
    _release(target)
    if found is None:
        target = make_target()
        found = etree.fromstring(_EMPTY, etree.HTMLParser(target=target))
        _release(target)
    return cast("Found", found)


def _release(target: Target[Any]) -> None:
    """Have a target let go of what it has gathered.

    A parser with a target is in a cycle with its context (lxml 6.1), so that both live until the garbage collector
    comes: with the text and the links of a page, there is more to look at, more often, and more in memory.
    """
    vars(target).clear()


def _prepared(text: str) -> str:
    """Return a page as it is parsed.

    Its paragraphs are joined, raised numbers are characters, and what libxml2 cannot parse in linear time, or at
    all, is gone.
    """
    if "\0" in text:
        text = text.replace("\0", " ")
    return bounded(with_superscripts(unwrapped(_ENDS.sub(" ", text))))


def _parse(text: str, target: Any = None) -> tuple[Any, bool]:
    """Return the root or the target's result, ``None`` without elements, and whether it is too deep."""
    # One parser per page, so that the error log is this page's; making one takes 15 µs.
    parser = etree.HTMLParser(
        encoding="utf-8",
        recover=True,
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
        target=target,
    )
    try:
        found = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError):
        found = None
    last = parser.error_log.last_error
    return found, last is not None and last.type_name in _TOO_DEEP


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

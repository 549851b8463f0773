"""HTML and SVG elements whose content is always escaped, so that no page can inject markup.

Strings are escaped when they are put into an element; only :class:`Html`, which ``el`` returns, is
inserted as it is.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from html import escape
from urllib.parse import urlsplit

#: Content of an element; ``None`` is empty.
Child = str | int | float | None | Iterable["Child"]

#: Elements that have no end tag.
VOID = frozenset({"meta", "link", "input", "br", "hr"})

#: Format characters that words need (joiners).  The other ones are removed, because they can change
#: the reading direction of everything that follows.
JOINERS = "\u200c\u200d"

#: More accents on one character than any script writes: they would cover the lines around it.
PILED_MARKS = re.compile(
    "([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{4})"
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+"
)


class Html(str):
    """Text that already is markup."""

    __slots__ = ()


def el(tag: str, /, *children: Child, **attributes: str | float | bool | None) -> Html:
    """Return the element *tag* with its children escaped.

    ``class_`` means ``class``, an underscore a hyphen (``stroke_width``); ``None`` and ``False``
    leave an attribute out, ``True`` writes its name only.
    """
    parts = [f"<{tag}"]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        attribute = key.rstrip("_").replace("_", "-")
        parts.append(f" {attribute}" if value is True else f' {attribute}="{escape(_text(value))}"')
    parts.append(">")
    if tag not in VOID:
        parts.append(join(*children))
        parts.append(f"</{tag}>")
    return Html("".join(parts))


def join(*children: Child) -> Html:
    """Return the children one after the other, escaped."""
    out: list[str] = []
    for child in children:
        if child is None:
            continue
        if isinstance(child, Html):
            out.append(child)
        elif isinstance(child, str | int | float):
            out.append(escape(_text(child)))
        else:
            out.append(join(*child))
    return Html("".join(out))


def data_block(id_: str, value: object) -> Html:
    """Return *value* as JSON in an element that is never run, for a script to read.

    Escapes in the JSON keep the text from ending the element or looking like markup.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return el("script", Html(_text(text)), type="application/json", id=id_)


def _text(value: str | float) -> str:
    """Return a number with at most two decimals, or text without what UTF-8 cannot encode."""
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return str(value).encode("utf-8", "replace").decode("utf-8")


def clean(text: str, limit: int = 300) -> str:
    """Return text of a foreign page as one line, without control or direction characters, cut."""
    kept = text[: 4 * limit]
    if not kept.isprintable():
        kept = "".join(
            " " if c.isspace() else c
            for c in kept
            if c in JOINERS or c.isspace() or not unicodedata.category(c).startswith("C")
        )
    line = " ".join(PILED_MARKS.sub(r"\1", kept).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def is_web_link(url: str) -> bool:
    """Return whether *url* is safe as a link: an absolute http(s) URL with a host, nothing hidden."""
    if any(c.isspace() or unicodedata.category(c).startswith("C") for c in url):
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def anchor(url: str, text: str, class_: str | None = None) -> Html:
    """Return a link to *url* if that is safe, else the text alone, with isolated direction."""
    shown = el("bdi", clean(text) or clean(url) or "—")
    if not is_web_link(url):
        return el("span", shown, class_=class_)
    return el("a", shown, href=url, rel="noopener noreferrer nofollow", class_=class_)

"""Articles that browsers render: in JSON-LD, in the state of an application, or as Markdown in a form field."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from html import unescape
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from topiccrawl.page.body.blocks import han_length
from topiccrawl.page.body.script_literals import state_of
from topiccrawl.page.outline import visible_text
from topiccrawl.page.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Visible text, in Han characters, up to which a page may have its article in scripts alone (a guess: a foot).
MOST_VISIBLE: Final = 120.0
#: Least text of such an article, in Han characters, and how often it must be as long as any other text of the data:
#: lists have several that are alike (guesses).
_LEAST, _TIMES = 60.0, 2.0
_KEYS: Final = frozenset(
    ("articlebody", "articlecontent", "body", "content", "contenthtml", "detail", "html", "text")
)
_TITLES: Final = ("headline", "title")
_AUTHORS: Final = ("author", "authorName", "author_name", "userName", "nickname")
# The whole tag is one match, so that no part of it is searched twice.
_SCRIPTS: Final = re.compile(
    r"(<script\b[^<>]*+>)\s*(?=[{\[]|%7[Bb])|\bwindow\.(\w{1,40})\s*=\s*(?=\{|\(?function\()"
)
_JSON_TYPE: Final = re.compile(r"\btype=[\"']?application/json")
#: Scripts, and values in them, that are read (guesses: states have some thousands).
_MAX_SCRIPTS, _MAX_VALUES = 20, 50_000
#: States that are read although they are no JSON (a guess: pages have one).
_MAX_LITERALS = 2
#: The function of Editor.md that renders the Markdown in a ``textarea`` of the box that it is given.
_RENDERS: Final = "markdownToHTML"
_FIELD: Final = re.compile(r"<textarea\b[^<>]*+>", re.IGNORECASE)
#: Fields that are read (a guess: a text, an abstract, a form for comments).
_MAX_FIELDS: Final = 8
# Markup of Markdown, in a line: headings, quotations and items; pictures; links; emphasis and code; tags.
_LINE_MARK: Final = re.compile(r"\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s)?|```\S*|\[TOCM?\])")
_RULE: Final = re.compile(r"[\s|:*_=-]+")
_PICTURE: Final = re.compile(r"!\[[^\[\]]{0,200}\]\([^()\s]{0,500}(?:\s[^()]{0,200})?\)")
_LINK: Final = re.compile(r"\[([^\[\]]{1,200})\]\([^()\s]{0,500}(?:\s[^()]{0,200})?\)")
_MARK: Final = re.compile(r"\*\*|__|~~|`|</?[a-z][^<>]{0,300}>|<!--.{0,300}?-->")


@dataclass(frozen=True, slots=True)
class StatedArticle:
    """An article in the data of a script."""

    body: str
    """Its text, one line per paragraph."""
    title: str = ""
    author: str = ""
    fields: str = "{}"
    """What stands beside the text, as JSON: dates have names there."""


def article_in_scripts(html: str, json_ld: Sequence[str]) -> StatedArticle | None:
    """Return the article that the scripts of a page have, None if there is none or several.

    Parameters
    ----------
    html : str
        The page.
    json_ld : sequence of str
        Texts of its JSON-LD scripts.
    """
    found: dict[str, dict[str, Any]] = {}
    for data in _data_of(html, json_ld):
        for entry in _entries(data):
            for key, value in entry.items():
                if isinstance(value, str) and key.lower() in _KEYS:
                    found.setdefault(value, entry)
    sizes = sorted((han_length(value), value) for value in found)
    if not sizes:
        return None
    value = sizes[-1][1]
    body = visible_text(walk(value)) if "<" in value else _lines(value)
    others = sizes[-2][0] if len(sizes) > 1 else 0.0
    if han_length(body) < max(_LEAST, _TIMES * others):
        return None
    entry = found[value]
    fields = {k: v for k, v in entry.items() if isinstance(v, str | int) and len(str(v)) < 60}
    return StatedArticle(
        body, _text(entry, _TITLES), _text(entry, _AUTHORS), json.dumps(fields, ensure_ascii=False)
    )


def article_in_field(html: str) -> StatedArticle | None:
    """Return the article that Editor.md renders from a form field, None if there is none or several.

    Parameters
    ----------
    html : str
        The page.
    """
    if _RENDERS not in html:
        return None
    fields = []
    for field in islice(_FIELD.finditer(html), _MAX_FIELDS):
        end = html.find("</textarea", field.end())
        text = unescape(html[field.end() : end]) if end > 0 else ""
        fields.append((han_length(text), text))
    fields.sort(reverse=True)
    if not fields or fields[0][0] < max(_LEAST, _TIMES * sum(size for size, _ in fields[1:2])):
        return None
    body = _lines("\n".join(map(_without_markup, fields[0][1].split("\n"))))
    return StatedArticle(body) if han_length(body) >= _LEAST else None


def _without_markup(line: str) -> str:
    """Return the text of a line of Markdown, empty for one of marks alone.

    >>> _without_markup("## 一、**缘起** [项目](https://a.cn/b)")
    '一、缘起 项目'
    """
    if _RULE.fullmatch(line):
        return ""
    start = 0
    while mark := _LINE_MARK.match(line, start):
        start = mark.end()
    return _MARK.sub("", _LINK.sub(r"\1", _PICTURE.sub("", line[start:])))


def _data_of(html: str, json_ld: Sequence[str]) -> Iterator[Any]:
    """Yield the data of the scripts that can be read."""
    decoder = json.JSONDecoder(strict=False)
    starts = [
        found
        for found in _SCRIPTS.finditer(html)
        if found[1] is None or _JSON_TYPE.search(found[1]) is not None
    ]
    for text in json_ld:
        try:
            yield decoder.raw_decode(text.lstrip())[0]
        except (ValueError, RecursionError):
            continue
    literals = 0
    for found in starts[:_MAX_SCRIPTS]:
        try:
            if html.startswith("%", found.end()):
                # The state of 今日头条 is JSON in percent-encoding.
                encoded = html[found.end() : html.find("<", found.end())]
                yield decoder.raw_decode(unquote(encoded))[0]
            else:
                yield decoder.raw_decode(html, found.end())[0]
        except (ValueError, RecursionError):
            if found[2] is not None and literals < _MAX_LITERALS:
                literals += 1
                end = html.find("</script", found.end())
                yield state_of(html[found.end() : end if end > 0 else len(html)])


def _entries(data: Any) -> Iterator[dict[str, Any]]:
    """Yield all entries of some data, outer ones first."""
    left = [data]
    for _ in range(_MAX_VALUES):
        if not left:
            return
        value = left.pop()
        if isinstance(value, dict):
            yield value
            left += value.values()
        elif isinstance(value, list):
            left += value


def _text(entry: dict[str, Any], keys: Sequence[str]) -> str:
    """Return the first of some texts of an entry: that of a person or of several is a name."""
    for key in keys:
        value = entry.get(key)
        while isinstance(value, list | dict) and value:
            value = value[0] if isinstance(value, list) else value.get("name")
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())[:200]
    return ""


def _lines(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)

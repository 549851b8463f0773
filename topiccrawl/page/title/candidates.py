"""Candidates for the title of a page: texts that may be it, each with its features.

Candidates are the fields of ``<title>`` and of ``og:title`` and their runs, the headings, the lines
above the running text and links to the page itself, also without additions such as ``主题：`` and
``（第 2 页）``.  Texts that differ only in punctuation are one candidate.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.escapes import unescaped
from topiccrawl.page.outline import link_text
from topiccrawl.page.regions import region_by_names
from topiccrawl.page.title.additions import without_additions
from topiccrawl.page.title.features import FEATURES, MAX_HEADINGS, PageContext, Row
from topiccrawl.page.title.lines import name_of, path_of
from topiccrawl.page.title.places import places_of, text_start
from topiccrawl.page.title.site_names import (
    SEPARATOR,
    is_generic,
    looks_like_name,
    plain,
    plain_all,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from topiccrawl.page.outline import Heading, Outline, RawLink

#: Fields of ``<title>`` beyond which no more are read (a guess: templates have up to six).
_MAX_FIELDS: Final = 8
#: Lines above the running text, at the top of the page, that may be the title (guesses).
_LINES_ABOVE, _LINES_AT_TOP = 8, 12
#: Emphasized parts that are candidates, and with which candidates are compared (guesses).
_EMPHASIZED, _MAX_EMPHASIZED = 8, 80
# Lines at the top of the page whose boxes are looked at (a guess: menus of portals have up to 200).
_PLACED: Final = 400
#: Longest line that may be a title (a guess: headlines have up to 60 characters; English ones more).
MAX_LINE: Final = 150
# A headline does not go on after a full stop, and does not end in one unless a heading or ``<title>`` has it.
_SENTENCES: Final = re.compile(r"。(?:[^。]{4}|$)")
_HEADLINE: Final = re.compile(r'"headline"\s*:\s*"((?:[^"\\]|\\.){1,300})"')


@dataclass(slots=True)
class Candidates:
    """Candidates of a page; ``matrix`` has the shape (candidates, features)."""

    texts: list[str] = field(default_factory=list)
    matrix: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, len(FEATURES))))


class _Collector:
    """Candidates by their plain text."""

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}

    def add(self, text: str, **features: float) -> None:
        """Add a candidate; of several sources of one text, the largest value of a feature counts."""
        text = " ".join(text.split())
        key = plain(text)
        if len(key) < 2 or len(text) > 2 * MAX_LINE:
            return
        row = self.rows.get(key)
        if row is None:
            self.rows[key] = Row(text, features)
            return
        for name, value in features.items():
            row.found[name] = max(row.found.get(name, 0.0), value)

    def add_with_parts(self, text: str, **features: float) -> None:
        """Add a text and what remains of it without additions."""
        self.add(text, **features)
        for bare in without_additions(text):
            self.add(bare, cut=1.0, **features)


def candidates_in_steps(
    outline: Outline,
    lines: Sequence[str],
    names: Iterable[str],
    own_urls: Iterable[str] = (),
    hint: str = "",
    places: Sequence[int] | None = None,
) -> Iterator[Candidates]:
    """Yield the candidates for the title of a walked page that are more than plain lines; then all.

    Parameters
    ----------
    outline : Outline
        The walked page.
    lines : sequence of str
        Its visible lines.
    names : iterable of str
        Known names of the site.
    own_urls : iterable of str
        URL and canonical URL of the page.
    hint : str
        Text of the link that led to the page, empty if unknown.  It is a candidate itself if ``<title>``
        says nothing or only the name of the site, and the link says more than 阅读全文 or 链接.
    places : sequence of int, optional
        Where the lines begin in the text of the outline, where the caller has altered them.

    Yields
    ------
    Candidates
        Features are in [0, 1].  Linear in the size of the page.
    """
    known = {plain(name) for name in names if name} - {""}
    if places is None:
        places = places_of(outline, lines[:_PLACED])
    start = text_start(outline.boxes, lines, places)
    meta = outline.meta
    title = " ".join(outline.title.split())[:1_000]
    og = " ".join(
        (
            meta.get("og:title") or meta.get("articletitle") or meta.get("twitter:title") or ""
        ).split()
    )
    emphasized = _emphasized(outline)
    keys = set(plain_all(emphasized)) - {""}
    page = PageContext(
        title, og, lines, start, known, outline.headings, hint, keys, outline.boxes, places
    )
    own = {path_of(url) for url in own_urls if url} - {""}
    for with_lines in (False, True):
        found = _Collector()
        _add_fields(found, title, known, whole=True)
        _add_fields(found, og, known, whole=False)
        for text in outline.json_ld:
            for match in _HEADLINE.finditer(text):
                found.add(unescaped(match[1]), json_ld=1.0)
        _add_headings(found, outline.headings)
        if with_lines:
            _add_lines(found, lines, start)
        _add_links(found, outline.links, outline.text, own)
        if hint and not is_generic(hint) and not _may_be_title(title, known):
            found.add(hint)
        if with_lines:
            for text in emphasized[:_EMPHASIZED]:
                found.add_with_parts(text)
        texts = [row.text for row in found.rows.values()]
        yield Candidates(texts, page.matrix(found.rows))


def _emphasized(outline: Outline) -> list[str]:
    """Return the emphasized parts of a page that are not longer than a title, in document order."""
    spans = sorted(outline.emphasized)[:_MAX_EMPHASIZED]
    texts = (" ".join(outline.text[start:end].split()) for start, end in spans)
    return [text for text in texts if 2 <= len(text) <= MAX_LINE]


def _may_be_title(stated: str, known: set[str]) -> bool:
    """Return whether a stated title is more than a placeholder or the name of a site or channel."""
    bare = plain(stated)
    return len(bare) > 1 and not (is_generic(stated) or looks_like_name(stated) or bare in known)


def _add_fields(found: _Collector, title: str, known: set[str], *, whole: bool) -> None:
    """Add the runs of fields of a stated title, with what surrounds them."""
    if not plain(title):
        return
    marks = list(islice(SEPARATOR.finditer(title), _MAX_FIELDS - 1))
    starts = [0, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(title)]
    fields = [title[a:b] for a, b in zip(starts, ends, strict=True)]
    is_name = [looks_like_name(it) or plain(it) in known or not plain(it) for it in fields]
    is_strong = [_is_strong(mark.group()) for mark in marks]
    size = max(1, len(plain(title)))
    count = len(fields)
    for i in range(count):
        for j in range(i, count):
            text = title[starts[i] : ends[j]]
            if not whole:
                found.add_with_parts(text, og_share=len(plain(text)) / size)
                continue
            before, after = fields[:i], fields[j + 1 :]
            found.add_with_parts(
                text,
                title_share=len(plain(text)) / size,
                title_whole=float(i == 0 and j == count - 1),
                title_first=float(i == 0),
                title_last=float(j == count - 1),
                fields_before=min(3, len(before)) / 3,
                fields_after=min(3, len(after)) / 3,
                names_before=float(bool(before) and all(is_name[:i])),
                names_after=float(bool(after) and all(is_name[j + 1 :])),
                strong_before=float(i > 0 and is_strong[i - 1]),
                strong_after=float(j < count - 1 and is_strong[j]),
                title_fields=min(5, count) / 5,
            )


def _is_strong(separator: str) -> bool:
    return any(mark in separator for mark in "_|｜») ") or "  " in separator


def _add_headings(found: _Collector, headings: Sequence[Heading]) -> None:
    levels = Counter(heading.level for heading in headings)
    for heading in headings[:MAX_HEADINGS]:
        kind = {1: "h1", 2: "h2", 3: "h3", 4: "titled"}[heading.level]
        if heading.level == 1 and levels[1] == 1:
            kind = "only_h1"
        found.add_with_parts(heading.text, **{kind: 1.0 if levels[heading.level] == 1 else 0.5})


def _add_lines(found: _Collector, lines: Sequence[str], start: int | None) -> None:
    numbers = set(range(min(len(lines), _LINES_AT_TOP)))
    if start is not None:
        numbers |= set(range(max(0, start - _LINES_ABOVE), start))
    for number in sorted(numbers):
        if len(lines[number]) <= MAX_LINE and not _SENTENCES.search(lines[number]):
            found.add_with_parts(lines[number], line=0.0)


def _add_links(found: _Collector, links: Sequence[RawLink], text: str, own: set[str]) -> None:
    named = [(link, " ".join(link_text(text, link).split())) for link in links]
    named = [(link, name) for link, name in named if 2 <= len(name) <= MAX_LINE]
    keys = plain_all([name for _, name in named])
    # Pages of one folder may be linked by their names alone.
    own_names = {name_of(path) for path in own} - {""}
    maybe_own = {link.href for path in own | own_names for link, _ in named if path in link.href}
    for (link, name), key in zip(named, keys, strict=True):
        attributes = link.attributes
        if link.href in maybe_own and path_of(link.href) in (
            own if "/" in link.href.removeprefix("./").partition("?")[0] else own_names
        ):
            found.add(name, own_link=1.0)
        elif key in found.rows:
            found.add(name, other_link=1.0)
        elif "class" in attributes or "id" in attributes:
            called = f"{attributes.get('class', '')} {attributes.get('id', '')}"
            if region_by_names(called)[1]:
                found.add(name, titled=0.5, other_link=1.0)

"""Walk over a page once and gather what all parts of the analysis need.

The walk follows the events of the parser, which builds no tree for it, with a stack of open elements: it is
linear in the size of the page and needs no recursion however deep the page nests. The text is written to
one flat string with a line end at each block border; links, headings and hidden parts are positions in it,
so the text around a link is a slice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topiccrawl.page.bounds import MAX_TEXT
from topiccrawl.page.outline import Heading, Outline, RawLink
from topiccrawl.page.regions import region_by_names, region_of
from topiccrawl.page.tags import BLOCK_TAGS, SILENT_TAGS
from topiccrawl.page.tree import MAX_DEPTH, TooDeepError, read

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Only the first links of a page are kept: more is a site map or a trap (a guess).
MAX_LINKS = 2_000

_MAX_HEADINGS = 40
# Emphasized parts: menus of old pages have dozens (a guess).
_MAX_EMPHASIZED = 200
_MAX_TIMES = 20
_MAX_JSON_LD = 5
_MAX_META = 200
_MAX_VERSIONS = 4
_MAX_FEEDS = 8
_FEED = re.compile(r"application/(?:rss|atom|rdf)\+xml|text/xml", re.IGNORECASE)
# Media of small screens: "handheld", "only screen and (max-width: 640px)".
_SMALL = re.compile("handheld|max-width", re.IGNORECASE)
# Characters of the content of a meta tag that are read, by many rules (a guess: descriptions have some 200).
_MAX_META_CHARACTERS = 5_000

# fmt: off
_HEADINGS = frozenset({"h1", "h2", "h3"})
# Tags without a box of their own: their content belongs to the block around them.
_INLINE = frozenset((
    "a", "abbr", "acronym", "area", "b", "base", "bdi", "bdo", "big", "br", "cite", "code", "col",
    "data", "del", "dfn", "em", "embed", "font", "frame", "hr", "i", "iframe", "img", "input",
    "ins", "kbd", "label", "link", "map", "mark", "meta", "noframes", "object", "option", "param",
    "path", "q", "rp", "rt", "ruby", "s", "samp", "script", "small", "source", "span", "strike",
    "strong", "style", "sub", "sup", "svg", "template", "textarea", "time", "title", "track", "tt",
    "u", "use", "var", "video", "wbr",
))
_SPECIALS = frozenset((
    "a", "area", "base", "frame", "h1", "h2", "h3", "iframe", "img", "link", "meta", "noscript",
    "script", "time", "title",
))
# Tags of emphasis; pages without headings write their title in them.
_STRONG_TAGS = frozenset({"b", "big", "center", "font", "h4", "h5", "h6", "strong", "th"})
_REGION_TAGS = frozenset((
    "article", "aside", "dl", "footer", "header", "main", "nav", "ol", "ul",
))
# fmt: on
# The same sets as bits of one number per tag, so that an element needs one lookup.
_BLOCK, _TEXTLESS, _HEADING, _SPECIAL, _REGION, _NO_BOX, _STRONG = 1, 2, 4, 8, 16, 32, 64
_FLAGS = {
    tag: (_BLOCK if tag in BLOCK_TAGS else 0)
    | (_TEXTLESS if tag in SILENT_TAGS else 0)
    | (_HEADING if tag in _HEADINGS else 0)
    | (_SPECIAL if tag in _SPECIALS else 0)
    | (_REGION if tag in _REGION_TAGS else 0)
    | (_NO_BOX if tag in _INLINE else 0)
    | (_STRONG if tag in _STRONG_TAGS else 0)
    for tag in BLOCK_TAGS
    | SILENT_TAGS
    | _HEADINGS
    | _SPECIALS
    | _STRONG_TAGS
    | _REGION_TAGS
    | _INLINE
}
_MAX_TITLE_CHARACTERS = 200
# Styles of emphasis.
_STRONG_STYLE = re.compile(r"font-size|bold|center", re.IGNORECASE)
_REFRESH = re.compile(
    r"\s*[0-9.]*\s*[;,\s]\s*(?:url\s*=\s*)?(?P<quote>['\"]?)(?P<url>.+)", re.I | re.S
)


# An open element: its tag and the tag's flags, its region, the link around it, whether its text is left out,
# what to do when it closes (the link it is, or (sort, start) of a span of text), and the index of its box
# or of the one around it.
_Open = tuple[str, int, str, "RawLink | None", bool, "RawLink | tuple[str, int] | None", int]

_NO_ATTRIBUTES: dict[str, str] = {}
# Around the root element.
_OUTSIDE: _Open = ("", 0, "", None, False, None, 0)


class _OutlineBuilder:
    """Builds the outline from the events of the parser, which calls the four methods of a target.

    One method does nearly all that an element needs: calls for each step would double its time.

    Parameters
    ----------
    max_links : int
        Links after which no more are kept.
    """

    def __init__(self, max_links: int = MAX_LINKS) -> None:
        self.found = Outline()
        self.open_box, self.ends = self.found.boxes.open, self.found.boxes.ends
        self.max_links = max_links
        self.known_names: dict[str, tuple[str, bool]] = {}
        self.parts: list[str] = []
        self.position = 0
        self.box = 0
        self.pending: list[tuple[int, int, int]] = []  # level, start, end of headings
        self.stack = [_OUTSIDE]
        # Pieces of the text since the last tag, and where it goes if it is not shown.
        self.pieces: list[str] = []
        self.keep_text: Callable[[str], None] | None = None
        self.data = self.pieces.append
        # Whether the last tag opened an element, and whether the text after it may exceed MAX_TEXT.
        self.is_open = self.is_bounded = False
        self.is_done = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element."""
        if self.is_done:
            return
        if self.pieces:
            self.write()
        self.keep_text = None
        position, parts = self.position, self.parts
        if position >= MAX_TEXT:
            self.finish()
            return
        stack = self.stack
        if len(stack) > MAX_DEPTH:
            raise TooDeepError
        _, _, region, inside, silent, _, box = stack[-1]
        names = ""
        closing: RawLink | tuple[str, int] | None = None
        flags = _FLAGS.get(tag, 0)
        if attributes:
            names = attributes.get("class", "")
            if "id" in attributes:
                names = f"{names} {attributes['id']}"
            by_words = ""
            if names:
                known = self.known_names.get(names)
                if known is None:
                    known = self.known_names[names] = region_by_names(names)
                by_words, titled = known
                if titled and not flags & _HEADING:
                    closing = ("title", position)
            if by_words or flags & _REGION:
                region = region_of(tag, by_words, region)
            if "hidden" in attributes or (
                "style" in attributes
                and "display:none" in attributes["style"].replace(" ", "").lower()
            ):
                closing = ("hidden", position)
            elif closing is None and (
                ("style" in attributes and _STRONG_STYLE.search(attributes["style"]))
                or attributes.get("align", "") == "center"
            ):
                flags |= _STRONG
        elif flags & _REGION:
            region = region_of(tag, "", region)
        if flags & _BLOCK and parts and parts[-1] != "\n":
            parts.append("\n")
            position += 1
        if flags & _TEXTLESS:
            silent = True
        if not flags & _NO_BOX:
            box = self.open_box(box, tag, names, position)
        self.position = position
        if flags & _SPECIAL:
            self.box = box
            attributes = attributes or _NO_ATTRIBUTES
            if tag == "a":
                link = self.anchor(attributes, region)
                if link is not None:
                    inside = closing = link
                else:
                    closing = closing or ("anchor", position)
            elif flags & _HEADING:
                closing = closing or (tag, position)
            else:
                _HANDLERS[tag](self, tag, attributes, region)
                if tag == "noscript":
                    closing = ("hidden", position)
        elif flags & _STRONG:
            closing = closing or ("strong", position)
        stack.append((tag, flags, region, inside, silent, closing, box))
        self.is_open, self.is_bounded = True, False

    def end(self, tag: str) -> None:
        """Close the innermost element."""
        if self.is_done:
            return
        if self.pieces:
            self.write()
        self.keep_text = None
        self.close_innermost()
        # The text after an element without others in it is read whatever its length.
        self.is_bounded = not self.is_open
        self.is_open = False
        self.is_done = len(self.stack) == 1

    def close(self) -> Outline | None:
        """Return the outline at the end of the page, ``None`` if there was no element."""
        self.finish()
        found = self.found
        if len(found.boxes) == 1:
            return None
        found.text = "".join(self.parts)
        found.boxes.ends[0] = len(found.text)
        for level, start, end in sorted(self.pending, key=lambda span: span[1]):
            if end - start <= 4 * _MAX_TITLE_CHARACTERS:
                text = " ".join(found.text[start:end].split())
                if text and len(text) <= _MAX_TITLE_CHARACTERS:
                    found.headings.append(Heading(level, text, start))
        self.pending.clear()
        return found

    def write(self) -> None:
        """Add the text since the last tag."""
        pieces = self.pieces
        text = pieces[0] if len(pieces) == 1 else "".join(pieces)
        pieces.clear()
        if self.keep_text is not None:
            self.keep_text(text)
        if len(self.stack) == 1 or self.stack[-1][4]:
            return
        if self.is_bounded and self.position >= MAX_TEXT:
            return
        text = text[:MAX_TEXT]
        if "\n" in text:
            text = f" {' '.join(text.split())} "
        self.parts.append(text)
        self.position += len(text)

    def finish(self) -> None:
        """Close all elements; what follows is not read."""
        self.is_done = True
        while len(self.stack) > 1:
            self.close_innermost()

    def close_innermost(self) -> None:
        """Close an element: record its span, and end its line."""
        _, flags, _, _, _, closing, box = self.stack.pop()
        position = self.position
        if closing is not None:
            self.record(closing, position)
        if not flags & _NO_BOX:
            self.ends[box] = position
        if flags & _BLOCK:
            parts = self.parts
            if parts and parts[-1] != "\n":
                parts.append("\n")
                self.position = position + 1

    def record(self, closing: RawLink | tuple[str, int], position: int) -> None:
        """Record the span of text that ends here."""
        if isinstance(closing, RawLink):
            closing.end = position
            if closing.kind == "a":
                self.found.anchors.append((closing.start, position))
        elif closing[0] == "anchor":
            self.found.anchors.append((closing[1], position))
        elif closing[0] == "hidden":
            self.found.hidden.append((closing[1], position))
        elif closing[0] == "strong":
            if (
                1 < position - closing[1] <= _MAX_TITLE_CHARACTERS
                and len(self.found.emphasized) < _MAX_EMPHASIZED
            ):
                self.found.emphasized.append((closing[1], position))
        elif closing[1] < position and len(self.pending) < _MAX_HEADINGS:
            level = int(closing[0][1]) if closing[0] in _HEADINGS else 4
            self.pending.append((level, closing[1], position))

    def anchor(self, attributes: Mapping[str, str], region: str) -> RawLink | None:
        if "href" not in attributes:
            return None
        return self.add_link("a", attributes["href"], attributes, region)

    def add_link(
        self,
        kind: str,
        href: str,
        attributes: Mapping[str, str],
        region: str,
        *,
        tag: str = "a",
    ) -> RawLink | None:
        if len(self.found.links) >= self.max_links:
            return None
        link = RawLink(kind, href, attributes, region, tag, self.box, self.position, self.position)
        self.found.links.append(link)
        return link

    # -- handlers of special tags

    def image(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        alt = attributes.get("alt") or attributes.get("title")
        link = self.stack[-1][3]
        if alt and link is not None and len(link.alts) < 4:
            link.alts = (*link.alts, alt)

    def area(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        href = attributes.get("href")
        if href is not None:
            self.add_link("area", href, attributes, region, tag="area")

    def frame(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        source = attributes.get("src")
        if source:
            self.add_link(tag, source, attributes, region, tag=tag)

    def link(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        relations = attributes.get("rel", "").lower().split()
        href = attributes.get("href")
        if href is None:
            return
        for relation in relations:
            if relation in {"next", "prev"}:
                self.add_link(relation, href, attributes, region, tag="link")
                break
            if relation == "canonical" and not self.found.canonical_href:
                self.found.canonical_href = href
            if relation == "alternate" and _FEED.search(attributes.get("type", "")):
                if len(self.found.feed_hrefs) < _MAX_FEEDS:
                    self.found.feed_hrefs.append(href)
                break
            if relation == "amphtml" or (
                relation == "alternate" and _SMALL.search(attributes.get("media", ""))
            ):
                if len(self.found.version_hrefs) < _MAX_VERSIONS:
                    self.found.version_hrefs.append(href)
                break

    def meta(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        content = attributes.get("content")
        if content is None:
            return
        if attributes.get("http-equiv", "").strip().lower() == "refresh":
            target = refresh_target(content)
            if target:
                self.add_link("refresh", target, attributes, region, tag="meta")
            return
        name = attributes.get("name") or attributes.get("property") or attributes.get("itemprop")
        if name and len(self.found.meta) < _MAX_META:
            key, value = name.strip().lower(), content[:_MAX_META_CHARACTERS].strip()
            known = self.found.meta.get(key)
            if known is None:
                self.found.meta[key] = value
            elif key in {"robots", "googlebot"}:
                self.found.meta[key] = f"{known},{value}"

    def base(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        if not self.found.base_href:
            self.found.base_href = (attributes.get("href") or "").strip()

    def title(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        if not self.found.title and not any(frame[0] == "svg" for frame in self.stack[-3:]):
            self.keep_text = self.keep_title

    def keep_title(self, text: str) -> None:
        self.found.title = " ".join(text.split())

    def time(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        value = attributes.get("datetime")
        if value and len(self.found.times) < _MAX_TIMES:
            self.found.times.append(value)

    def script(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        if (
            "ld+json" in attributes.get("type", "").lower()
            and len(self.found.json_ld) < _MAX_JSON_LD
        ):
            self.keep_text = self.found.json_ld.append

    def nothing(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        """Handle tags that :meth:`start` handles itself."""


_HANDLERS = {
    "img": _OutlineBuilder.image,
    "area": _OutlineBuilder.area,
    "frame": _OutlineBuilder.frame,
    "iframe": _OutlineBuilder.frame,
    "link": _OutlineBuilder.link,
    "meta": _OutlineBuilder.meta,
    "base": _OutlineBuilder.base,
    "title": _OutlineBuilder.title,
    "time": _OutlineBuilder.time,
    "script": _OutlineBuilder.script,
    "noscript": _OutlineBuilder.nothing,
}


def refresh_target(content: str) -> str:
    """Return the URL in the content of a meta refresh, or the empty string.

    >>> refresh_target("0; URL='/new.html'")
    '/new.html'
    """
    match = _REFRESH.match(content)
    if match is None:
        return ""
    url, quote = match.group("url"), match.group("quote")
    return (url.partition(quote)[0] if quote else url).strip()


def walk(text: str, max_links: int = MAX_LINKS) -> Outline:
    """Gather text, links, headings and metadata of a page in one linear walk.

    It ends at the element in which the text reaches :data:`~topiccrawl.page.bounds.MAX_TEXT` characters.

    Parameters
    ----------
    text : str
        Decoded HTML.
    max_links : int
        Links after which no more are kept.
    """
    return read(text, lambda: _OutlineBuilder(max_links))

"""Real pages altered: a short text with feeds of other pages, or the next article, behind it; verse; a sentence.

The body's box is found in the page as the innermost one with nearly all of the true text.  Behind it, or
behind a box around it, other articles are appended with the same tags and names: whole ones, or teasers.
In half of the pages the text itself is cut to its first one or two paragraphs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache

from lxml import etree, html

from benchmarks.extraction_score import bigrams, normalized

#: Most share of the true text that the box of the body may lack (a guess).
_MISSING = 0.15
#: Characters of a paragraph by which it is found in the true body.
_START = 12
#: Fewest characters of a paragraph.
_PARAGRAPH = 20
#: Articles that are most like a page (a guess).
_ALIKE = 12
_MARKS = re.compile(r"[\s，。；！？、：“”‘’（）《》,.;:!?()\"—…]+(?=\S)|[。，.!?！？]$")
_SENTENCE = re.compile(r"[^\n。！？.!?]+[。！？.!?]")
_BOXES = frozenset(("div", "section", "article", "main"))
_MORE = ("阅读全文", "[详细]", "查看更多", "Read more", "全文 >>", "")
_HEADS = ("相关文章", "推荐阅读", "下一篇", "更多内容", "Related", "", "", "")


@dataclass(frozen=True, slots=True)
class Article:
    """Another page's article, as a source of feeds."""

    site: str
    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Altered:
    """An altered page and its body."""

    data: bytes
    body: str


def _text(element: etree._Element) -> str:
    return "".join(str(it) for it in element.itertext())


def _parsed(data: bytes) -> etree._Element | None:
    """Return the tree of a page in UTF-8; None if it cannot be parsed."""
    try:
        return html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8"))
    except etree.LxmlError:
        return None


def _body_box(tree: etree._Element, true: str) -> etree._Element | None:
    """Return the innermost box that has nearly all of the true text."""
    box, least = tree, len(true) * (1 - _MISSING)
    if len(normalized(_text(tree))) < least:
        return None
    while True:
        inner = next(
            (
                child
                for child in box
                if isinstance(child.tag, str)
                and child.tag not in ("script", "style")
                and _common(normalized(_text(child)), true) >= least
            ),
            None,
        )
        if inner is None:
            return box if box is not tree else None
        box = inner


def _common(text: str, true: str) -> int:
    """Return how many characters of the true text are in a text, by pieces."""
    if len(text) < len(true) * (1 - _MISSING):
        return 0
    pieces = [true[i : i + 8] for i in range(0, len(true), 8)]
    return 8 * sum(piece in text for piece in pieces)


@cache
def _pairs(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(bigrams("".join(texts)))


def alike(body: str, others: Sequence[Article]) -> list[Article]:
    """Return the articles that share most character pairs with a body."""
    own = _pairs((body,))

    def shared(other: Article) -> float:
        pairs = _pairs(other.paragraphs)
        return len(own & pairs) / len(pairs) ** 0.5 if pairs else 0.0

    return sorted(others, key=shared, reverse=True)[:_ALIKE]


def rewritten(data: bytes, body: str, rng: random.Random, *, verse: bool) -> Altered | None:
    """Return a page with another text in place of its own; None if its paragraphs are not found.

    Parameters
    ----------
    data : bytes
        The page, decoded and encoded again in UTF-8.
    body : str
        Its body.
    rng : random.Random
    verse : bool
        Whether to write short lines, as verse and lists are; else one sentence, as notices and videos have.
    """
    tree = _parsed(data)
    if tree is None:
        return None
    true = normalized(body)
    box = _body_box(tree, true)
    found = _paragraphs(box, true) if box is not None else []
    lines = _verses(body, rng) if verse else _sentence(body)
    if box is None or not found or not lines:
        return None
    first = found[0]
    place = box.index(first)
    for child in list(box)[place : box.index(found[-1]) + 1]:
        box.remove(child)
    texts = [it for it in lines if it]
    if not verse or rng.random() < 0.3:
        for number, text in enumerate(texts):
            line = _empty(first)
            line.text = text
            box.insert(place + number, line)
    else:
        stanzas = "\n".join(lines).split("\n\n") if rng.random() < 0.5 else ["\n".join(lines)]
        for number, stanza in enumerate(stanzas):
            line = _empty(first)
            line.text, *rest = stanza.split("\n")
            for text in rest:
                etree.SubElement(line, "br").tail = text
            box.insert(place + number, line)
    # Other parts of the text must not be left.
    if len(_own(box, true)) > len(normalized("".join(texts))) + _PARAGRAPH:
        return None
    return Altered(etree.tostring(tree, method="html", encoding="utf-8"), "\n".join(texts))


def _empty(like: etree._Element) -> etree._Element:
    """Return an element with the tag and attributes of another."""
    return etree.Element(like.tag, {str(name): str(value) for name, value in like.attrib.items()})


def _verses(body: str, rng: random.Random) -> list[str]:
    """Return short lines made of the beginning of a body, with empty ones between stanzas."""
    pieces = [it.strip() for it in _MARKS.split(body)]
    longest = 16 if any("\u4e00" <= it <= "\u9fff" for it in body[:200]) else 48
    lines = [it for it in pieces if 2 <= len(it) <= longest][: rng.randint(6, 40)]
    size = rng.randint(3, 8)
    found = []
    for number, line in enumerate(lines):
        found += ["", line] if number and number % size == 0 else [line]
    return found if len(lines) >= 6 else []


def _sentence(body: str) -> list[str]:
    """Return the first sentence of a body that can stand alone."""
    return next(([it] for it in _SENTENCE.findall(body) if 12 <= len(it) <= 160), [])


def altered(
    data: bytes, body: str, others: Sequence[Article], rng: random.Random, short: bool
) -> Altered | None:
    """Return a page with other articles behind its text; None if its text is not in boxes.

    Parameters
    ----------
    data : bytes
        The page, decoded and encoded again in UTF-8.
    body : str
        Its body.
    others : sequence of Article
        Articles for the feed.
    rng : random.Random
    short : bool
        Whether to cut its text to one or two paragraphs.
    """
    tree = _parsed(data)
    if tree is None:
        return None
    true = normalized(body)
    box = _body_box(tree, true)
    if box is None or box.getparent() is None or box.tag in ("body", "html"):
        return None
    if short:
        cut = _cut(box, body, rng)
        if cut is None:
            return None
        body = cut
    wrapper = box
    for _ in range(rng.choice((0, 0, 1, 2))):
        parent = wrapper.getparent()
        if parent is not None and parent.tag in ("div", "section", "article", "main", "td"):
            wrapper = parent
    if wrapper.tag == "td":
        wrapper = box
    parent = wrapper.getparent()
    if parent is None or wrapper.tag in ("body", "td", "tr", "tbody", "table"):
        return None
    place = parent.index(wrapper) + 1
    for number, item in enumerate(_feed(box, others, rng)):
        parent.insert(place + number, item)
    return Altered(etree.tostring(tree, method="html", encoding="utf-8"), body)


def _cut(box: etree._Element, body: str, rng: random.Random) -> str | None:
    """Remove all but the first one or two paragraphs of the text; return them."""
    true = normalized(body)
    found = _paragraphs(box, true)
    if len(found) < 3:
        return None
    keep = rng.randint(1, 2)
    last = box.index(found[keep - 1])
    for child in list(box)[last + 1 :]:
        box.remove(child)
    kept = "\n".join(" ".join(_text(child).split()) for child in found[:keep])
    # Lines above the first paragraph, such as captions, must not be body.
    return kept if len(normalized(kept)) >= 0.9 * len(_own(box, true)) else None


def _paragraphs(box: etree._Element, true: str) -> list[etree._Element]:
    """Return the paragraphs of a box that are in the true text."""
    return [
        child
        for child in box
        if isinstance(child.tag, str)
        and child.tag in ("p", "div", "section")
        and len(normalized(_text(child))) >= _PARAGRAPH
        and normalized(_text(child))[:_START] in true
    ]


def _own(box: etree._Element, true: str) -> str:
    text = normalized(_text(box))
    return "".join(text[i : i + 8] for i in range(0, len(text), 8) if text[i : i + 8] in true)


def _named(like: etree._Element, rng: random.Random) -> etree._Element:
    """Return an empty box with the tag and class of another, or without them."""
    tag = like.tag if like.tag in _BOXES and rng.random() < 0.7 else "div"
    element = etree.Element(tag)
    if rng.random() < 0.6 and like.get("class"):
        element.set("class", like.get("class", ""))
    elif rng.random() < 0.5:
        element.set("class", rng.choice(("item", "post", "card", "entry", "list-item", "box")))
    return element


def _feed(
    box: etree._Element, others: Sequence[Article], rng: random.Random
) -> list[etree._Element]:
    """Return boxes of other articles."""
    kind = rng.choice(("articles", "teasers", "teasers", "titled"))
    chosen = rng.sample(
        others, min(len(others), rng.randint(1, 3) if kind == "articles" else rng.randint(3, 10))
    )
    model = _named(box, rng)
    wrapped, level = rng.random() < 0.5, rng.choice(("h1", "h2", "h3", "div"))
    linked, dated, more = rng.random() < 0.8, rng.random() < 0.6, rng.choice(_MORE)
    items: list[etree._Element] = []
    head = rng.choice(_HEADS)
    if head:
        line = etree.Element(rng.choice(("h3", "div", "p")))
        line.text = head
        items.append(line)
    for other in chosen:
        item = deepcopy(model)
        title = etree.SubElement(item, level)
        if linked and kind != "articles":
            link = etree.SubElement(title, "a", href=f"/a/{rng.randrange(99_999)}.html")
            link.text = other.title
        else:
            title.text = other.title
        if dated:
            line = etree.SubElement(item, rng.choice(("div", "p", "span")))
            line.text = f"20{rng.randint(10, 25)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        if kind == "articles":
            texts = other.paragraphs[: rng.randint(3, 12)]
        else:
            texts = (
                other.paragraphs[0][: rng.choice((60, 120, 200))] + rng.choice(("…", "...", "")),
            )
        inner = etree.SubElement(item, "div") if wrapped else item
        for text in texts:
            etree.SubElement(inner, "p").text = text
        if more and kind == "teasers":
            etree.SubElement(item, "a", href=f"/a/{rng.randrange(99_999)}.html").text = more
        items.append(item)
    return items

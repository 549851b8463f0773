"""Faults of the markup of a page that browsers mend silently, each in its own way."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from typing import Final

#: Elements that have no end tag.
VOID: Final = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    ]
)
#: Elements whose end tag may be left out before that of the element around them.
OPTIONAL: Final = frozenset({"option", "li"})
#: Elements that end an open paragraph (HTML standard, 13.1.2.4).
BLOCKS: Final = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "details",
        "div",
        "dl",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "ul",
    ]
)
#: Attributes that hold identifiers of elements of the same page.
REFERENCES: Final = ("for", "aria-labelledby", "aria-describedby", "aria-controls", "form", "list")


class _Checker(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: Counter[str] = Counter()
        self.references: set[str] = set()
        self.headings: list[int] = []
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attributes}
        for name, times in Counter(name for name, _ in attributes).items():
            if times > 1:
                self.faults.append(f"<{tag}> has {name} twice")
        if tag in BLOCKS and "p" in self.open:
            self.faults.append(f"<{tag}> in <p>")
        if tag in ("a", "button", "form") and tag in self.open:
            self.faults.append(f"<{tag}> in <{tag}>")
        if "id" in named:
            self.ids[named["id"]] += 1
        for name in REFERENCES:
            self.references |= set(named.get(name, "").split())
        if tag == "a":
            self.links.add(named.get("href", ""))
        if tag[0] == "h" and tag[1:].isdecimal():
            self.headings.append(int(tag[1:]))
        if tag in OPTIONAL and self.open[-1:] == [tag]:
            self.open.pop()
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open[-1] in OPTIONAL and tag != self.open[-1]:
            self.open.pop()
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> in <{' '.join(self.open[-3:])}>")
        if tag in self.open:
            while self.open.pop() != tag:
                pass


def markup_faults(html: str) -> list[str]:
    """Return what is wrong with the markup, the identifiers and the headings of a page."""
    checker = _Checker()
    checker.feed(html)
    checker.close()
    found = checker.faults + [f"<{tag}> is not closed" for tag in checker.open]
    found += [f"id {name} twice" for name, times in checker.ids.items() if times > 1]
    found += [f"no id {name}" for name in sorted(checker.references - set(checker.ids))]
    if checker.headings.count(1) != 1 or checker.headings[:1] != [1]:
        found.append(f"headings {checker.headings}")
    pairs = zip(checker.headings, checker.headings[1:], strict=False)
    found += [f"h{lower} follows h{upper}" for upper, lower in pairs if lower > upper + 1]
    return found


def links_of(html: str) -> set[str]:
    """Return the targets of the links of a page."""
    checker = _Checker()
    checker.feed(html)
    return checker.links

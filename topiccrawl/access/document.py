"""An answer of a login as a document: its elements, its texts, what of it is visible."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin

from lxml import etree
from parsel import Selector

from topiccrawl.page.decoding import charset_of_header, decode
from topiccrawl.page.tree import parse

if TYPE_CHECKING:
    from topiccrawl.access.exchange import Got

#: Bytes of an answer that are read (a choice): login pages have some 10 to 100 KB.
MOST_BYTES: Final = 1_000_000
_SPACES: Final = re.compile(r"\s+")
#: Inline styles by which an element is not seen: honeypots, and captchas for later.
_UNSEEN: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$|!)"
    r"|(?:left|top|text-indent|margin-left)\s*:\s*-\d{3,}|(?:height|width)\s*:\s*0(?:px)?\s*(?:;|$|!)",
    re.IGNORECASE,
)
#: Simple selectors of a style sheet and their declarations.
#: Each run of text is tried once, at its beginning.
_RULE: Final = re.compile(r"(?<![^{}])([^{}]++)\{([^{}]*+)\}")
_SIMPLE: Final = re.compile(r"[.#][\w-]+")
#: ``alert('…')``, ``layer.msg("…")``, ``showMessage('…')``.
_ALERT: Final = re.compile(
    r"""(?:alert|msg|[mM]essage|tips?|toast|confirm)\(\s*["']([^"']{2,200})["']"""
)
#: Elements of which the text of one element is read (a guess: links and labels have one or two).
_MOST_INNER: Final = 40
_NOT_TEXT: Final = ("script", "style", "noscript", "template", "head", "option", "textarea")


def squeezed(text: str) -> str:
    """Return *text* with single spaces."""
    return _SPACES.sub(" ", text).strip()


def text_of(element: Any) -> str:
    """Return the text in an element; of one with very many others inside, the beginning."""
    texts: list[str | None] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in islice(walk, 2 * _MOST_INNER):
        if event == "start":
            texts.append(node.text)
        elif node is not element:
            texts.append(node.tail)
    return "".join(filter(None, texts))


class Document:
    """The HTML of an answer.

    *encoding* is the name of the codec that *text* was decoded with.
    """

    def __init__(self, url: str, text: str, encoding: str = "utf-8") -> None:
        self.url = url
        self.text = text
        self.encoding = encoding
        self._hidden: dict[Any, bool] = {}

    @classmethod
    def of(cls, got: Got) -> Document:
        """Return the document of an answer."""
        charset = charset_of_header(got.header("Content-Type"))
        decoded = decode(got.body[:MOST_BYTES], charset)
        return cls(got.url, decoded.text, decoded.encoding)

    @cached_property
    def root(self) -> Any:
        """The root element."""
        return parse(self.text)

    @cached_property
    def base(self) -> str:
        """The address that relative ones start from."""
        href = next(iter(self.root.xpath("//base/@href")), "")
        return self.join(str(href), self.url)

    def join(self, address: str, base: str | None = None) -> str:
        """Return *address* as an absolute URL, ``""`` if it cannot be one."""
        try:
            return urljoin(self.base if base is None else base, address.strip())
        except ValueError:
            return ""

    @cached_property
    def visible_text(self) -> str:
        """The text that a reader sees."""
        return squeezed(" ".join(self._texts(self.root)))

    def _texts(self, element: Any) -> list[str]:
        texts: list[str] = []
        hidden = 0
        for event, node in etree.iterwalk(element, events=("start", "end")):
            skipped = not isinstance(node.tag, str) or node.tag in _NOT_TEXT or self.hides(node)
            if event == "start":
                hidden += skipped
                if not hidden and node.text:
                    texts.append(node.text)
            else:
                hidden -= skipped
                if not hidden and node.tail:
                    texts.append(node.tail)
        return texts

    @cached_property
    def scripts(self) -> str:
        """The text of inline scripts."""
        return "\n".join(str(text) for text in self.root.xpath("//script/text()"))

    @cached_property
    def alerts(self) -> str:
        """The texts that scripts show in boxes."""
        return " ".join(_ALERT.findall(self.scripts))

    def has(self, mark: str) -> bool:
        """Whether *mark* is there: a CSS selector that matches, or else a text that is visible."""
        if mark in self.visible_text:
            return True
        try:
            return bool(Selector(text=self.text or " ", type="html").css(mark))
        except Exception:
            # Words such as "欢迎您，" are not a selector; which exception that is depends on the word.
            return False

    def hides(self, element: Any) -> bool:
        """Whether *element* itself, apart from its ancestors, is not seen."""
        if element not in self._hidden:
            self._hidden[element] = self._hides(element)
        return self._hidden[element]

    def _hides(self, element: Any) -> bool:
        if element.get("hidden") is not None or _UNSEEN.search(element.get("style", "")):
            return True
        if element.get("aria-hidden") == "true" and element.tag in ("div", "input", "p", "span"):
            return True
        marks = {f".{name}" for name in element.get("class", "").split()}
        marks.add(f"#{element.get('id', '')}")
        return not marks.isdisjoint(self._unseen)

    @cached_property
    def _unseen(self) -> frozenset[str]:
        """Classes and ids that the style sheets of the page hide."""
        found = set()
        for sheet in self.root.xpath("//style/text()"):
            for selectors, declarations in _RULE.findall(str(sheet)[:100_000]):
                if _UNSEEN.search(declarations):
                    found |= {
                        it.strip() for it in selectors.split(",") if _SIMPLE.fullmatch(it.strip())
                    }
        return frozenset(found)

    def is_seen(self, element: Any, within: Any) -> bool:
        """Whether *element* is seen once *within*, which may be hidden itself, is."""
        node: Any = element
        while node is not None and node is not within:
            if self.hides(node):
                return False
            node = node.getparent()
        return True

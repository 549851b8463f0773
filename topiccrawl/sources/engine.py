"""A search engine as data: how it is asked, how its answers are read, how it blocks.

The files are read by :mod:`topiccrawl.sources.descriptions`; docs/search.md describes every key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import quote_plus, urlencode

Method = Literal["GET", "POST"]
METHODS: Final[tuple[Method, ...]] = ("GET", "POST")
#: What a template may contain: the query, the site it is limited to, the number of the page and of its
#: first result, the address of one's own server and the language of the topic.
PLACEHOLDERS: Final = ("query", "site", "page", "offset", "address", "language")

_PLACEHOLDER: Final = re.compile(r"\{(" + "|".join(PLACEHOLDERS) + r")\}")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: words, perhaps limited to one site."""

    words: str
    site: str = ""

    def __str__(self) -> str:
        """Return the query as a person would type it: ``茶文化 site:tea.cn``."""
        return f"{self.words} site:{self.site}" if self.site else self.words


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One HTTP request to an engine."""

    url: str
    method: Method = "GET"
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Engine:
    """The description of an engine."""

    name: str
    url: str
    """Template of the address."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Templates of the parameters: in the address of a GET, in the body of a POST."""
    methods: tuple[Method, ...] = ("GET",)
    """In order of preference: the next one is taken where robots.txt forbids the address of the first."""
    charset: str = "utf-8"
    """Encoding of the query in addresses and bodies."""
    headers: Mapping[str, str] = field(default_factory=dict)
    address: str = ""
    """Value of ``{address}``: one's own server, with a slash at the end."""
    own: bool = False
    """Whether the user named the server: it may then have a private address."""
    interval: float = 5.0
    """Seconds between two queries."""
    first_page: int = 1
    first_offset: int = 0
    """Number of the first result."""
    page_size: int = 10
    most_pages: int = 10
    """Pages of one query that are asked for, at most."""
    format: Literal["json", "html", "rss"] = "html"
    results: str = ""
    """Where the results are in an answer: a CSS selector, or JMESPath in JSON; unused in RSS."""
    link: tuple[str, ...] = ()
    """Where a result's address is, in order of preference."""
    title: str = ""
    snippet: str = ""
    engines: str = ""
    """Where a metasearch engine names the engines of a result."""
    redirects: tuple[str, ...] = ()
    """Parameters of links to the engine itself that hold the true address."""
    resolve: tuple[str, ...] = ()
    """Parts of links to the engine itself whose true address only a request shows."""
    block_urls: tuple[str, ...] = ()
    """Parts of the addresses to which the engine redirects clients that it blocks."""
    block_texts: tuple[str, ...] = ()
    """Texts of its pages for those."""
    empty_texts: tuple[str, ...] = ()
    """Texts of its pages without results that are not blocks."""

    def request(
        self, question: Question, page: int, *, language: str = "", method: Method | None = None
    ) -> SearchRequest:
        """Return the request for a page of results, counted from 0.

        Where no template has ``{site}``, the site is part of the query.
        """
        templates = (self.url, *self.parameters.values())
        by_parameter = any("{site}" in template for template in templates)
        values = {
            "query": question.words if by_parameter else str(question),
            "site": question.site,
            "page": str(self.first_page + page),
            "offset": str(self.first_offset + page * self.page_size),
            "address": self.address,
            "language": language,
        }
        chosen = method or self.methods[0]
        url = _fill(self.url, {name: self._quoted(name, value) for name, value in values.items()})
        pairs = [(name, _fill(text, values)) for name, text in self.parameters.items()]
        # A parameter without a value would ask for "no language", "no site".
        pairs = [(name, value) for name, value in pairs if value]
        query = urlencode(pairs, encoding=self.charset, errors="xmlcharrefreplace")
        if chosen == "GET":
            joint = "&" if "?" in url else "?"
            return SearchRequest(f"{url}{joint}{query}" if query else url, "GET", b"", self.headers)
        headers = {"Content-Type": "application/x-www-form-urlencoded", **self.headers}
        return SearchRequest(url, "POST", query.encode("ascii"), headers)

    def _quoted(self, name: str, value: str) -> str:
        if name == "address":
            return value
        return quote_plus(value, encoding=self.charset, errors="xmlcharrefreplace")


def _fill(template: str, values: Mapping[str, str]) -> str:
    """Return *template* with its placeholders replaced, in one pass: a value may contain braces."""
    return _PLACEHOLDER.sub(lambda found: values[found[1]], template)

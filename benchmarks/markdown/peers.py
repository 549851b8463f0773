"""Our Markdown and that of other projects, where they are installed.

``pip install trafilatura resiliparse markdownify``; magic-html is not in the package index but in its project's
releases. resiliparse and magic-html return HTML, which markdownify converts.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from topiccrawl.page.page import Page

#: Returns the Markdown of the main text of a page, given its URL and HTML.
Write = Callable[[str, str], str]


def ours(url: str, html: str) -> str:
    """Return this project's."""
    return Page(url, html.encode(), "utf-8").markdown


def _trafilatura(module: Any) -> Write:
    def write(url: str, html: str) -> str:
        found = module.extract(
            html, url=url, output_format="markdown", include_images=True, include_formatting=True,
            include_tables=True, include_comments=False,
        )  # fmt: skip
        return found or ""

    return write


def _resiliparse(module: Any) -> Write:
    convert = importlib.import_module("markdownify").markdownify

    def write(url: str, html: str) -> str:
        # It returns reduced HTML: headings, paragraphs, lists and code.
        found = module.extract_plain_text(
            html, main_content=True, preserve_formatting="minimal_html"
        )
        return str(convert(found, heading_style="ATX"))

    return write


def _magic_html(module: Any) -> Write:
    extractor = module.GeneralExtractor()
    convert = importlib.import_module("markdownify").markdownify

    def write(url: str, html: str) -> str:
        # It returns HTML; its own documentation converts that with other packages.
        found = extractor.extract(html, base_url=url).get("html") or ""
        return str(convert(found, heading_style="ATX"))

    return write


_PEERS: dict[str, tuple[str, Callable[[Any], Write]]] = {
    "trafilatura": ("trafilatura", _trafilatura),
    "resiliparse": ("resiliparse.extract.html2text", _resiliparse),
    "magic-html": ("magic_html", _magic_html),
}


def available() -> tuple[dict[str, Write], list[str]]:
    """Return the writers by name, ours first, and the names of those that are not installed."""
    found: dict[str, Write] = {"topiccrawl": ours}
    absent = []
    for name, (module, make) in _PEERS.items():
        try:
            found[name] = make(importlib.import_module(module))
        except ImportError:
            absent.append(name)
    return found, absent


def guarded(write: Write, url: str, html: str) -> str:
    """Return the Markdown of a page, empty where the writer raises."""
    try:
        return write(url, html)
    except Exception:
        return ""

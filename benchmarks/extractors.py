"""Our extractors and those of other projects, each as one function from a page to its result.

The other projects are optional; those not installed are left out:
``pip install trafilatura readability-lxml newspaper4k gne resiliparse lxml_html_clean`` (a separate
environment avoids conflicts); magic-html is not in the package index but in its project's releases.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import re
from collections.abc import Callable
from html import unescape
from typing import Any

from benchmarks.extraction_judge import Found
from benchmarks.extraction_pages import Input
from topiccrawl.page.body.extractors import DEFAULT_EXTRACTOR, extractor_names
from topiccrawl.page.decoding import decode
from topiccrawl.page.page import Page

Extract = Callable[[Input], Found]
_NO_TIME = frozenset({"day", "minute", "author", "source"})
_NO_SOURCE = frozenset({"source"})
_NO_MINUTE = frozenset({"minute", "source"})

_BLOCK_TAG = re.compile(r"</?(?:p|div|br|li|tr|h\d|section|blockquote|pre|td)\b[^>]*>", re.I)
_TAG = re.compile(r"<[^>]+>")


def of_page(page: Page) -> Found:
    """Return the analysis of a page."""
    published = page.published
    text = None
    if published is not None:
        known = bool(published.hour or published.minute or published.second)
        text = published.isoformat() if known else published.date().isoformat()
    byline = page.byline
    return Found(
        page.body,
        page.title,
        text,
        page.kind,
        byline.author,
        byline.source,
    )


def ours(name: str, *, links: bool = False) -> Extract:
    """Return one of this project's extractors; with ``links`` it also extracts the links."""

    def extract(source: Input) -> Found:
        page = Page(source.url, source.data, source.charset, extractor=name, now=source.fetched)
        found = of_page(page)
        if links:
            _ = page.links
        return found

    return extract


def _text(html: str) -> str:
    """Return the text of a fragment of HTML, one line per block."""
    return unescape(_TAG.sub("", _BLOCK_TAG.sub("\n", html)))


def _trafilatura(module: Any) -> Extract:
    def extract(source: Input) -> Found:
        found = module.bare_extraction(
            _decoded(source), url=source.url or None, with_metadata=True, include_comments=False
        )
        if found is None:
            return Found(silent=_NO_MINUTE)
        author = found.author
        return Found(found.text or "", found.title, found.date, author=author, silent=_NO_MINUTE)

    return extract


def _readability(module: Any) -> Extract:
    def extract(source: Input) -> Found:
        document = module.Document(_decoded(source))
        body = _text(document.summary(html_partial=True))
        return Found(body, document.short_title(), silent=_NO_TIME)

    return extract


def _newspaper(module: Any) -> Extract:
    def extract(source: Input) -> Found:
        # It needs the language as an argument.
        language = "en" if source.expected.group in {"en", "english"} else "zh"
        # Otherwise it downloads the pictures.
        article = module.Article(
            source.url or "http://site.example/", language=language, fetch_images=False
        )
        article.download(input_html=_decoded(source))
        article.parse()
        date = article.publish_date
        author = article.authors[0] if article.authors else None
        time = str(date) if date else None
        return Found(article.text, article.title, time, author=author, silent=_NO_SOURCE)

    return extract


def _gne(module: Any) -> Extract:
    extractor = module.GeneralNewsExtractor()

    def extract(source: Input) -> Found:
        with contextlib.redirect_stdout(io.StringIO()):
            found = extractor.extract(_decoded(source))
        return Found(
            found["content"],
            found["title"],
            found["publish_time"],
            author=found["author"],
            silent=_NO_SOURCE,
        )

    return extract


def _magic_html(module: Any) -> Extract:
    extractor = module.GeneralExtractor()

    def extract(source: Input) -> Found:
        found = extractor.extract(_decoded(source), base_url=source.url or "http://site.example/")
        return Found(_text(found.get("html") or ""), found.get("title"), silent=_NO_TIME)

    return extract


def _resiliparse(module: Any) -> Extract:
    def extract(source: Input) -> Found:
        body = module.extract_plain_text(_decoded(source), main_content=True)
        return Found(body, silent=_NO_TIME | {"title"})

    return extract


def _decoded(source: Input) -> str:
    """Return the correctly decoded text: extraction is measured, not decoding."""
    return decode(source.data, source.charset).text


_PEERS: dict[str, tuple[str, Callable[[Any], Extract]]] = {
    "trafilatura": ("trafilatura", _trafilatura),
    "readability-lxml": ("readability", _readability),
    "newspaper4k": ("newspaper", _newspaper),
    "gne": ("gne", _gne),
    "magic-html": ("magic_html", _magic_html),
    "resiliparse": ("resiliparse.extract.html2text", _resiliparse),
}


def guarded(extract: Extract) -> Extract:
    """Return an extractor whose result is empty where the given one raises."""

    def call(source: Input) -> Found:
        try:
            return extract(source)
        except Exception:
            return Found()

    return call


def available(*, peers: bool, only: tuple[str, ...] = ()) -> dict[str, Extract]:
    """Return extractors by name: ours (the default last), then the installed peers."""
    names = sorted(extractor_names(), key=lambda name: name == DEFAULT_EXTRACTOR)
    found = {name: ours(name) for name in names}
    for name, (module, make) in _PEERS.items() if peers else ():
        try:
            found[name] = guarded(make(importlib.import_module(module)))
        except ImportError:
            continue
    return {name: e for name, e in found.items() if not only or name in only}

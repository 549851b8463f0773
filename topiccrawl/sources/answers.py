"""From the response of an engine to its results, or to the reason why there are none."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import feedparser
import jmespath
from jmespath.exceptions import JMESPathError
from parsel import Selector

from topiccrawl.details import NO_RESULTS_FOUND
from topiccrawl.page.decoding import charset_of_header, decode
from topiccrawl.sources.blocks import (
    BLOCK_STATUSES,
    block_sign,
    garbled,
    is_captcha_address,
    leads_to_captcha,
)
from topiccrawl.sources.engine import Engine, Question
from topiccrawl.sources.redirects import unwrapped
from topiccrawl.sources.results import Answer, Result, Verdict

#: Bytes of an answer that are read: pages of results have up to 1 MB (Baidu, 2025).
MAX_BYTES: Final = 4_000_000
#: Results of one answer that are taken, whatever it lists (a choice: ten are usual, SearXNG has up to 50).
_MOST_RESULTS: Final = 100
#: Characters of a title and of a snippet that are kept.
_TITLE_CHARS: Final = 200
_SNIPPET_CHARS: Final = 500
#: What every page has.
_TAG: Final = re.compile(r"<(?:!doctype|html|head|body|title|div|p|script)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Received:
    """An engine's response."""

    url: str
    status: int
    body: bytes
    content_type: str = ""
    location: str = ""
    """Absolute target of a redirect."""
    retry_after: float = 0.0


class _UnreadableError(ValueError):
    """The answer is not of the kind that the engine's description states."""


def read_answer(engine: Engine, question: Question, received: Received) -> Answer:
    """Return the results in a response, or why there are none; never raises."""
    if received.location:
        blocked = leads_to_captcha(received.location, engine.block_urls)
        verdict = Verdict.BLOCKED if blocked else Verdict.FAILED
        return Answer(verdict, (), f"redirected to {received.location[:200]}")
    if leads_to_captcha(received.url, engine.block_urls):
        return Answer(Verdict.BLOCKED, (), f"captcha page {received.url[:200]}")
    if received.status in BLOCK_STATUSES:
        detail = f"status {received.status}"
        return Answer(Verdict.BLOCKED, (), detail, received.retry_after)
    if received.status != 200:
        return Answer(Verdict.FAILED, (), f"status {received.status}", received.retry_after)
    body = received.body[:MAX_BYTES]
    if not body.strip():
        return Answer(Verdict.EMPTY, (), "no content")
    text = decode(body, charset_of_header(received.content_type)).text
    try:
        lines = _READERS[engine.format](engine, body, text)
    except Exception as error:  # a library met something that it did not expect
        sign = block_sign(engine, text, question.words, results=0)
        if sign:
            return Answer(Verdict.BLOCKED, (), sign)
        return Answer(Verdict.GARBLED, (), str(error)[:200] or type(error).__name__)
    return _judged(engine, question, text, list(_results(engine, received.url, lines)))


def _judged(engine: Engine, question: Question, text: str, results: Sequence[Result]) -> Answer:
    # What was read as JSON or a feed is not a page of a captcha, whatever words it has.
    page = engine.format == "html"
    sign = block_sign(engine, text, question.words, results=len(results)) if page else ""
    if sign:
        return Answer(Verdict.BLOCKED, (), sign)
    if results:
        broken = sum(garbled(it.title) or garbled(it.snippet) for it in results)
        if 2 * broken >= len(results):
            return Answer(Verdict.GARBLED, (), "the titles cannot be read")
        return Answer(Verdict.GOOD, results)
    if garbled(text[:10_000]) or (page and _TAG.search(text[:10_000]) is None):
        return Answer(Verdict.GARBLED, (), "the text cannot be read")
    if any(part in text for part in engine.empty_texts):
        return Answer(Verdict.NONE, (), "no results")
    return Answer(Verdict.EMPTY, (), _unresponsive(text) or NO_RESULTS_FOUND())


@dataclass(frozen=True, slots=True)
class _Line:
    """A result before its address is checked."""

    links: Sequence[str]
    title: str
    snippet: str
    engines: tuple[str, ...] = ()


def _results(engine: Engine, base: str, lines: Iterator[_Line] | list[_Line]) -> Iterator[Result]:
    """Yield the results with addresses outside the engine, each address once."""
    seen: set[str] = set()
    own = base.partition("://")[2].partition("/")[0].lower()
    for line in lines:
        targets = (unwrapped(link, base, engine.redirects) for link in line.links if link.strip())
        target = next((it for it in targets if it), None)
        if target is None or target in seen or is_captcha_address(target, engine.block_urls):
            continue
        inside = target.partition("://")[2].partition("/")[0].lower() == own
        if inside and not _leads_out(engine, target):
            continue
        seen.add(target)
        if len(seen) > _MOST_RESULTS:
            return
        yield Result(target, line.title[:_TITLE_CHARS], line.snippet[:_SNIPPET_CHARS], line.engines)


def _leads_out(engine: Engine, url: str) -> bool:
    """Whether an address of the engine itself is a redirect whose target is not in the address."""
    return any(part in url for part in engine.resolve)


def _json(engine: Engine, body: bytes, text: str) -> list[_Line]:
    try:
        # UTF-8 by RFC 8259, whatever the guess of a decoder for pages.
        data = json.loads(body)
    except ValueError as error:
        raise _UnreadableError(f"no JSON: {error}") from None
    except RecursionError:
        raise _UnreadableError("no JSON: nested too deeply") from None
    found = jmespath.search(engine.results, data) if engine.results else data
    if found is None:
        raise _UnreadableError(f"no {engine.results!r} in the JSON")
    if not isinstance(found, list):
        raise _UnreadableError(f"{engine.results!r} is no list")
    return [_json_line(engine, item) for item in found if isinstance(item, dict)]


def _json_line(engine: Engine, item: dict[str, Any]) -> _Line:
    def text(path: str) -> str:
        try:
            value = jmespath.search(path, item) if path else None
        except JMESPathError:
            value = None
        return _plain(value) if isinstance(value, str) else ""

    names = jmespath.search(engine.engines, item) if engine.engines else None
    names = [names] if isinstance(names, str) else names
    engines = tuple(it for it in names if isinstance(it, str)) if isinstance(names, list) else ()
    links = [text(path) for path in engine.link]
    return _Line(links, text(engine.title), text(engine.snippet), engines)


def _html(engine: Engine, body: bytes, text: str) -> list[_Line]:
    return [
        _Line(
            [link for path in engine.link if (link := _first(node, path, "href"))],
            _first(node, engine.title),
            _first(node, engine.snippet),
        )
        for node in Selector(text=text.replace("\x00", ""), type="html").css(engine.results)
    ]


def _first(node: Selector, path: str, attribute: str = "") -> str:
    """Return what the CSS selector *path* selects first: an attribute, or the text of an element."""
    if not path:
        return ""
    found = node.css(path)
    if not found:
        return ""
    if "::" in path:
        return _plain(found[0].get() or "")
    if attribute:
        return found[0].attrib.get(attribute, "").strip()
    return _plain(str(found[0].xpath("string()").get() or ""))


def _rss(engine: Engine, body: bytes, text: str) -> list[_Line]:
    feed = feedparser.parse(io.BytesIO(body))
    if not feed.entries and not feed.get("version"):
        raise _UnreadableError("no feed")
    return [
        _Line(
            [str(entry.get("link", ""))],
            _without_tags(str(entry.get("title", ""))),
            _without_tags(str(entry.get("summary", ""))),
        )
        for entry in feed.entries
    ]


def _without_tags(text: str) -> str:
    if "<" not in text:
        return _plain(text)
    return _plain(str(Selector(text=text, type="html").xpath("string()").get() or ""))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _unresponsive(text: str) -> str:
    """Return what SearXNG reports about the engines that it could not ask."""
    try:
        named = json.loads(text).get("unresponsive_engines")
        return "; ".join(f"{it[0]}: {it[1]}" for it in named)[:200] if named else ""
    except (ValueError, AttributeError, TypeError, IndexError, KeyError, RecursionError):
        return ""


_READERS: Final = {"json": _json, "html": _html, "rss": _rss}

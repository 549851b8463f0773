"""Local servers that behave like search engines: good answers, captchas, refusals, garbled ones, poison."""

from __future__ import annotations

import html
import json
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final, Literal
from urllib.parse import parse_qs, quote, urlsplit
from xml.sax.saxutils import escape

from benchmarks.search.index import Hit, Index

Form = Literal["json", "html", "rss"]
Poison = Literal["", "pages", "titles", "spam"]

#: What an engine answers instead of results.
BAD: Final = ("captcha", "captcha-redirect", "429", "403", "empty", "garbled", "truncated")
_CAPTCHA: Final = (
    "<html><head><title>百度安全验证</title></head><body><p>网络不给力，请稍后重试</p>"
    '<form action="/captcha/check"><input name="vcode"></form>'
    '<div class="result"><h3><a href="/captcha/go?n=1">请输入验证码</a></h3></div></body></html>'
)


@dataclass
class LocalEngine:
    """One engine."""

    name: str
    index: Index
    form: Form = "json"
    bad: float = 0.3
    """Share of bad answers."""
    faults: Sequence[str] = BAD
    """What they are, by chance."""
    poison: Poison = ""
    """``pages``: pages of the web by chance; ``titles``: the same with the query in their titles;
    ``spam``: addresses that do not exist."""
    poison_urls: Sequence[Hit] = ()
    seed: int = 1
    asked: list[str] = field(default_factory=list)
    """Queries, in order."""
    captchas: list[str] = field(default_factory=list)
    """Requests to captcha pages: none should ever come."""
    address: str = ""
    robots: str = ""
    """Its robots.txt; empty: none."""
    methods: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    """What was answered: ``good`` or one of ``BAD``."""

    def __post_init__(self) -> None:
        self._random = random.Random(f"{self.name} {self.seed}")
        self._lock = threading.Lock()

    def answer(self, query: str, page: int) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body for a query."""
        with self._lock:
            self.asked.append(query)
            kind = self._random.choice(self.faults) if self._random.random() < self.bad else "good"
            self.kinds.append(kind)
        if kind == "captcha":
            return 200, {"Content-Type": "text/html; charset=utf-8"}, _CAPTCHA.encode()
        if kind == "captcha-redirect":
            return 302, {"Location": "/static/captcha?from=" + quote(query)}, b""
        if kind in ("429", "403"):
            return int(kind), {"Content-Type": "text/html", "Retry-After": "20"}, b"<p>no</p>"
        hits = [] if kind == "empty" else self._hits(query, page)
        kinds: dict[Form, Callable[[Sequence[Hit]], str]] = {
            "json": _json, "html": _html, "rss": _rss,
        }  # fmt: skip
        body = kinds[self.form](hits).encode()
        if kind == "garbled":
            body = bytes(b ^ 0x5A for b in body)
        if kind == "truncated":
            body = body[: len(body) // 3] if self.form != "html" else body[:40]
        types = {"json": "application/json", "html": "text/html; charset=utf-8"}
        return 200, {"Content-Type": types.get(self.form, "application/rss+xml")}, body

    def _hits(self, query: str, page: int) -> list[Hit]:
        if not self.poison:
            return self.index.search(query, 10 * page)
        chosen = random.Random(f"{query} {page}").sample(list(self.poison_urls), 10)
        if self.poison == "pages":
            return chosen
        titles = [Hit(hit.url, f"{query} {hit.title}", f"{query}: {hit.snippet}") for hit in chosen]
        if self.poison == "titles":
            return titles
        return [
            Hit(f"http://spam{i}.example/{hash(hit.url) % 999}", hit.title, hit.snippet)
            for i, hit in enumerate(titles)
        ]

    @property
    def description(self) -> str:
        """The TOML file by which a crawl asks this engine."""
        paths = {
            "json": 'results = "results"\nurl = "url"\ntitle = "title"\nsnippet = "content"',
            "html": 'results = "div.result"\nurl = "h3 a"\ntitle = "h3"\nsnippet = "p"\nredirects = ["url"]',
            "rss": "",
        }
        return (
            f'[request]\nurl = "{self.address}search?q={{query}}&p={{page}}"\ninterval = 0\n'
            f'[answer]\nformat = "{self.form}"\n{paths[self.form]}\n'
        )


def _json(hits: Sequence[Hit]) -> str:
    lines = [{"url": hit.url, "title": hit.title, "content": hit.snippet} for hit in hits]
    return json.dumps({"results": lines}, ensure_ascii=False)


def _html(hits: Sequence[Hit]) -> str:
    lines = "".join(
        f'<div class="result"><h3><a href="/link?url={quote(hit.url, safe="")}">{html.escape(hit.title)}'
        f"</a></h3><p>{html.escape(hit.snippet)}</p></div>"
        for hit in hits
    )
    return f"<html><head><title>search</title></head><body>{lines}</body></html>"


def _rss(hits: Sequence[Hit]) -> str:
    lines = "".join(
        f"<item><title>{escape(hit.title)}</title><link>{escape(hit.url)}</link>"
        f"<description>{escape(hit.snippet)}</description></item>"
        for hit in hits
    )
    return (
        f'<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel>{lines}</channel></rss>'
    )


@contextmanager
def running(engines: Sequence[LocalEngine], address: str = "127.0.0.1") -> Iterator[None]:
    """Serve the engines, each at a port of its own, and set their addresses."""
    with ExitStack() as stack:
        for engine in engines:
            server = ThreadingHTTPServer((address, 0), _handler(engine))
            stack.callback(server.server_close)
            stack.callback(server.shutdown)
            engine.address = f"http://{address}:{server.server_port}/"
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield


def _handler(engine: LocalEngine) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(urlsplit(self.path).query)

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", "0"))
            self._answer(self.rfile.read(length).decode("ascii"))

        def _answer(self, query: str) -> None:
            parts = urlsplit(self.path)
            if parts.path == "/robots.txt" and engine.robots:
                self._send(200, {"Content-Type": "text/plain"}, engine.robots.encode())
                return
            if parts.path != "/search":
                if "captcha" in parts.path:
                    engine.captchas.append(self.path)
                self.send_error(404)
                return
            engine.methods.append(self.command)
            values = parse_qs(query)
            page = int(values.get("p", values.get("pageno", ["1"]))[0]) - 1
            self._send(*engine.answer(values.get("q", [""])[0], page))

        def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler

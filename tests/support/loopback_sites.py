"""Sites on addresses of loopback, names for them, and crawls of them by the real command."""

from __future__ import annotations

import json
import os
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from scrapy.resolver import CachingThreadedResolver
from twisted.internet import defer
from twisted.internet.error import DNSLookupError

from tests.support import crawl_runs
from tests.support.project import make_project
from tests.support.small_web import ON_TOPIC, page
from tests.support.stored import from_store
from topiccrawl.store.contract import OutcomeRecord, PageRecord

#: Variable that holds the names of a crawl as JSON.
NAMES = "TOPICCRAWL_TEST_NAMES"
ROOT = Path(__file__).parents[2]
#: No waiting; one attempt for each link.
AT_ONCE = {
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "RETRY_TIMES": 0,
    "TOPICCRAWL_RETRY_MAX_ATTEMPTS": 1,
    "TOPICCRAWL_RETRY_DELAY_SECONDS": 0.1,
    "TOPICCRAWL_BACKOFF_SECONDS": 0.1,
    "TOPICCRAWL_STORE_URI": "sqlite:///pages.sqlite",
    "TWISTED_DNS_RESOLVER": "tests.support.loopback_sites.NamedHosts",
}


@dataclass(frozen=True)
class Answer:
    """What a site answers."""

    body: bytes = b""
    status: int = 200
    """Negative: the connection is closed without an answer."""
    headers: Mapping[str, str] = field(default_factory=dict)


def article(title: str, *links: str, head: str = "") -> Answer:
    """A page that is stored, with *links*."""
    anchors = "".join(f'<a href="{url}">华侨{i}</a>' for i, url in enumerate(links))
    return Answer(page(title, f"{title}。{ON_TOPIC}{anchors}", head=head))


def redirect(to: str) -> Answer:
    """A redirect."""
    return Answer(status=302, headers={"Location": to})


@dataclass
class Site:
    """A running site."""

    url: str
    port: int
    asked: list[str] = field(default_factory=list)
    cookies: list[str] = field(default_factory=list)
    """The ``Cookie`` header of each request, empty without one."""
    connections: list[str] = field(default_factory=list)
    """Addresses of the clients, also of those that sent nothing."""


@contextmanager
def serving(
    answers: Mapping[str, Answer] | Callable[[str], Answer],
    address: str,
    *,
    tls: ssl.SSLContext | None = None,
) -> Iterator[Site]:
    """Serve *answers*, by path, on *address*; what is not there is 404."""
    site = Site("", 0)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            site.asked.append(self.path)
            site.cookies.append(self.headers.get("Cookie", ""))
            answer = (
                answers(self.path)
                if callable(answers)
                else answers.get(self.path, Answer(status=404))
            )
            if answer.status < 0:
                self.connection.close()
                self.close_connection = True
                return
            self.send_response(answer.status)
            headers = {"Content-Type": "text/html; charset=utf-8", **answer.headers}
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def process_request(self, request: Any, client_address: Any) -> None:
            site.connections.append(client_address[0])
            super().process_request(request, client_address)

        def handle_error(self, request: Any, client_address: Any) -> None:
            pass

    with Server((address, 0), Handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        site.port = server.server_address[1]
        site.url = f"{'https' if tls else 'http'}://{address}:{site.port}"
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield site
        finally:
            server.shutdown()


class NamedHosts(CachingThreadedResolver):
    """A resolver for names of a test: an address, or several, one for each question."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._names: dict[str, list[str]] = json.loads(os.environ.get(NAMES, "{}"))

    def getHostByName(self, name: str, timeout: Sequence[int] = ()) -> defer.Deferred[str]:
        for pattern in (name, f"*.{name.partition('.')[2]}"):
            if addresses := self._names.get(pattern):
                return defer.succeed(addresses.pop(0) if len(addresses) > 1 else addresses[0])
        if name.replace(".", "").isdigit():
            return defer.succeed(name)
        return defer.fail(DNSLookupError(f"no such name: {name}"))


@dataclass(frozen=True)
class Crawl:
    """A finished crawl."""

    code: int
    log: str
    pages: Sequence[PageRecord]
    outcomes: Mapping[str, OutcomeRecord]
    """By URL."""

    @property
    def titles(self) -> set[str]:
        """Titles of the stored pages."""
        return {page.title for page in self.pages}

    def lines(self, text: str) -> list[str]:
        """Lines of the log that contain *text*."""
        return [line for line in self.log.splitlines() if text in line]


def crawl_words_for(
    folder: Path,
    seeds: Sequence[str],
    *,
    names: Mapping[str, Sequence[str]] | None = None,
    environment: Mapping[str, str] | None = None,
    arguments: Sequence[str] = (),
    topic: str = "侨情",
    **settings: object,
) -> tuple[list[str], dict[str, str]]:
    """Return the words after ``scrapy`` and the environment of :func:`crawl`."""
    if not (folder / "scrapy.cfg").exists():
        make_project(folder, "侨情")
    words = ["crawl", "topic", "-a", f"topic={topic}", "-a", f"seeds={','.join(seeds)}", *arguments]
    for name, value in {**AT_ONCE, **settings}.items():
        words += ["-s", f"{name}={value}"]
    variables = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("SCRAPY_") and not name.lower().endswith("_proxy")
    }
    variables |= {
        "PYTHONPATH": str(ROOT),
        NAMES: json.dumps({name: list(each) for name, each in (names or {}).items()}),
        **(environment or {}),
    }
    return words, variables


def crawl(
    folder: Path,
    seeds: Sequence[str],
    *,
    names: Mapping[str, Sequence[str]] | None = None,
    environment: Mapping[str, str] | None = None,
    arguments: Sequence[str] = (),
    topic: str = "侨情",
    **settings: object,
) -> Crawl:
    """Crawl from *seeds* with ``scrapy crawl topic``; *names* are resolved as given, no others are."""
    words, variables = crawl_words_for(
        folder,
        seeds,
        names=names,
        environment=environment,
        arguments=arguments,
        topic=topic,
        **settings,
    )
    done = crawl_runs.scrapy(words, variables, cwd=folder)
    if not (folder / "pages.sqlite").exists():
        return Crawl(done.returncode, done.stderr, [], {})
    pages, outcomes, _ = from_store(
        f"sqlite:///{folder / 'pages.sqlite'}", lambda store: crawl_runs.all_records(store, topic)
    )
    return Crawl(
        done.returncode, done.stderr, pages, {outcome.url: outcome for outcome in outcomes}
    )

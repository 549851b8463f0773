"""Servers that really check a login: sessions are theirs, and end after some pages."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

from tests.support.small_web import ON_TOPIC

USER, PASSWORD = "读者-lin", "Zq8&竹-open!"


@dataclass
class Asked:
    """A request as the site sees it."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    cookies: Mapping[str, str]
    body: bytes

    def form(self, encoding: str = "utf-8") -> dict[str, str]:
        return dict(parse_qsl(self.body.decode("ascii"), True, encoding=encoding))

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Reply:
    """What the site answers."""

    body: str | bytes = ""
    status: int = 200
    headers: list[tuple[str, str]] = field(default_factory=list)
    charset: str = "utf-8"
    kind: str = "text/html"

    def cookie(self, text: str) -> Reply:
        self.headers.append(("Set-Cookie", text))
        return self


def redirect(to: str, status: int = 302) -> Reply:
    return Reply("", status, [("Location", to)])


_Site = TypeVar("_Site", bound="LoginSite")


class LoginSite:
    """A site with pages behind a wall; subclasses add the login.

    ``/`` links to ``/p/1.html`` … ; ``lasting`` is how many of them a session may see.
    """

    pages = 6
    lasting = 1_000
    cookie_name = "sid"

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[Asked] = []
        self.sessions: dict[str, dict[str, Any]] = {}
        self.logins = 0
        self.refused = 0
        self.lock = threading.RLock()

    # -- sessions ------------------------------------------------------------------------------

    def session(self, asked: Asked) -> dict[str, Any] | None:
        return self.sessions.get(asked.cookies.get(self.cookie_name, ""))

    def begin(self, reply: Reply, **values: Any) -> dict[str, Any]:
        key = secrets.token_hex(16)
        self.sessions[key] = {"left": self.lasting, **values}
        reply.cookie(f"{self.cookie_name}={key}; Path=/; HttpOnly")
        return self.sessions[key]

    def accepts(self, user: str | None, password: str | None) -> bool:
        good = user == USER and password == PASSWORD
        self.logins += good
        self.refused += not good
        return good

    def may_see(self, asked: Asked) -> bool:
        """Whether a request sees a page; each counts."""
        session = self.session(asked)
        if session is None or not session.get("user"):
            return False
        session["left"] -= 1
        if session["left"] < 0:
            session.pop("user")
            return False
        return True

    # -- pages ---------------------------------------------------------------------------------

    def answer(self, asked: Asked) -> Reply:
        if asked.path == "/":
            return self.front(asked)
        if asked.path.startswith("/p/"):
            return self.article(asked) if self.may_see(asked) else self.wall(asked)
        return self.login(asked)

    def front(self, asked: Asked) -> Reply:
        links = "".join(f'<li><a href="/p/{i}.html">华侨新闻{i}</a>' for i in range(self.pages))
        return Reply(f"<title>侨务</title><p>{ON_TOPIC}<ul>{links}</ul>")

    def article(self, asked: Asked) -> Reply:
        n = asked.path.removeprefix("/p/").removesuffix(".html")
        text = "".join(f"{ON_TOPIC}第{n}号报道第{i}段。" for i in range(3))
        return Reply(f"<title>侨情报道{n}号</title><h1>侨情报道{n}号</h1><p>{text}</p>")

    def wall(self, asked: Asked) -> Reply:
        return redirect(f"/login?next={asked.path}")

    def login(self, asked: Asked) -> Reply:
        return Reply("nothing here", 404)


@contextmanager
def serving(site: _Site, address: str = "127.0.0.1") -> Iterator[_Site]:
    """Serve *site* on a free port of *address*."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            jar = SimpleCookie(self.headers.get("Cookie", ""))
            length = int(self.headers.get("Content-Length", 0))
            asked = Asked(
                self.command,
                parts.path,
                dict(parse_qsl(parts.query, True)),
                {name.lower(): value for name, value in self.headers.items()},
                {name: morsel.value for name, morsel in jar.items()},
                self.rfile.read(length),
            )
            with site.lock:
                site.asked.append(asked)
                reply = Reply("", 404) if asked.path == "/robots.txt" else site.answer(asked)
            body = reply.body
            data = body.encode(reply.charset) if isinstance(body, str) else body
            self.send_response(reply.status)
            self.send_header("Content-Type", f"{reply.kind}; charset={reply.charset}")
            for name, value in reply.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_GET  # noqa: N815 - the library's name

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            pass

    with Server((address, 0), Handler) as server:
        site.url = f"http://{address}:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield site
        finally:
            server.shutdown()

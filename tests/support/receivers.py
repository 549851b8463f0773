"""Receivers of warnings: robots that check what their vendors check, and a webhook."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "tok-8f3a"
SECRET = "SEC这是密钥-91c"


@dataclass(frozen=True)
class Posted:
    """A request as the receiver sees it."""

    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes

    @property
    def value(self) -> Any:
        return json.loads(self.body)


#: From a request to status, headers and body of the answer.
Answering = Callable[[Posted], tuple[int, Mapping[str, str], bytes]]


@dataclass
class Receiver:
    """A running receiver and what it has got."""

    url: str
    posted: list[Posted] = field(default_factory=list)
    answer: Answering = lambda _posted: (200, {}, b"ok")


@contextmanager
def receiving(answer: Answering | None = None, address: str = "127.0.0.31") -> Iterator[Receiver]:
    """Run a receiver on a free port."""
    receiver = Receiver("")
    if answer is not None:
        receiver.answer = answer

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers["Content-Length"] or 0))
            posted = Posted(parts.path, parse_qs(parts.query), dict(self.headers), body)
            receiver.posted.append(posted)
            status, headers, content = receiver.answer(posted)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer((address, 0), Handler) as server:
        receiver.url = f"http://{address}:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()


def _said(code: str, number: int, text: str, message: str) -> tuple[int, Mapping[str, str], bytes]:
    return (
        200,
        {"Content-Type": "application/json"},
        json.dumps({code: number, message: text}).encode(),
    )


def dingtalk(posted: Posted) -> tuple[int, Mapping[str, str], bytes]:
    """Check token, time and sign as the robot of DingTalk does."""
    if posted.path != "/robot/send" or posted.query.get("access_token") != [TOKEN]:
        return _said("errcode", 300001, "token is not exist", "errmsg")
    stamp = posted.query.get("timestamp", ["0"])[0]
    digest = hmac.new(SECRET.encode(), f"{stamp}\n{SECRET}".encode(), hashlib.sha256).digest()
    fresh = abs(time.time() * 1000 - int(stamp)) < 3_600_000
    if not fresh or posted.query.get("sign") != [base64.b64encode(digest).decode()]:
        return _said("errcode", 310000, "sign not match", "errmsg")
    if len(posted.body) > 20_000 or not posted.value["markdown"]["title"]:
        return _said("errcode", 460101, "message too long", "errmsg")
    return _said("errcode", 0, "ok", "errmsg")


def wecom(posted: Posted) -> tuple[int, Mapping[str, str], bytes]:
    """Check key and length as the robot of WeCom does."""
    if posted.query.get("key") != [TOKEN]:
        return _said("errcode", 93000, "invalid webhook url", "errmsg")
    if len(posted.value["markdown"]["content"].encode()) > 4_096:
        return _said("errcode", 40058, "markdown.content exceed max length 4096", "errmsg")
    return _said("errcode", 0, "ok", "errmsg")


def feishu(posted: Posted) -> tuple[int, Mapping[str, str], bytes]:
    """Check time and sign, which are part of the body, as the robot of Feishu does."""
    value = posted.value
    stamp = value.get("timestamp", "0")
    digest = hmac.new(f"{stamp}\n{SECRET}".encode(), b"", hashlib.sha256).digest()
    fresh = abs(time.time() - int(stamp)) < 3_600
    if not fresh or value.get("sign") != base64.b64encode(digest).decode():
        return _said("code", 19021, "sign match fail or timestamp is not within one hour", "msg")
    if len(posted.body) > 20_480 or value["msg_type"] != "post":
        return _said("code", 9499, "Bad Request", "msg")
    return _said("code", 0, "success", "msg")

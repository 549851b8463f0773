"""Log in to a server of a test without a crawl."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.login_server import PASSWORD, USER
from topiccrawl.access.attempt import Access
from topiccrawl.access.exchange import Ask
from topiccrawl.access.logging_in import log_in
from topiccrawl.access.reader import read_logins
from topiccrawl.access.verdicts import Verdict

SECRETS = {"TEST_USER": USER, "TEST_PASSWORD": PASSWORD}


class Answered:
    """An answer of a server."""

    def __init__(
        self, url: str, status: int, headers: Sequence[tuple[str, str]], body: bytes
    ) -> None:
        self.url = url
        self.status = status
        self.body = body
        self._headers = headers

    def header(self, name: str) -> str:
        return next(iter(self.all_headers(name)), "")

    def all_headers(self, name: str) -> list[str]:
        return [value for key, value in self._headers if key.lower() == name.lower()]


async def fetch(ask: Ask) -> Answered:
    parts = urlsplit(ask.url)
    connection = HTTPConnection(parts.hostname or "", parts.port or 80, timeout=10)
    path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    headers = {name: value.encode() for name, value in ask.headers.items()}
    connection.request(ask.method, path, ask.body or None, headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return Answered(ask.url, answer.status, answer.getheaders(), body)


def logins_file(folder: Path, text: str) -> Path:
    """Write ``logins.toml``; ``SECRETS`` in the text are the variables of the user and the password."""
    file = folder / "logins.toml"
    text = text.replace("SECRETS", 'user_env = "TEST_USER"\npassword_env = "TEST_PASSWORD"')
    file.write_text(f"[[logins]]\n{text}\n", "utf-8")
    return file


def try_login(
    folder: Path, text: str, environ: Mapping[str, str] = SECRETS
) -> tuple[Access, Verdict]:
    """Log in once as *text* says."""
    login = read_logins(logins_file(folder, text), environ)[0]
    return asyncio.run(log_in(login, fetch))

"""What was got by https is not sent by http."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from scrapy import Request

from topiccrawl.access.attempt import Access
from topiccrawl.access.challenges import Challenge, HttpAuthorization
from topiccrawl.access.exchange import Ask
from topiccrawl.access.logging_in import log_in
from topiccrawl.access.login import Login, Secret
from topiccrawl.access.sites import HostPatterns
from topiccrawl.crawl.logins.redaction import Redactor
from topiccrawl.crawl.logins.sites import SiteSession


@dataclass
class Token:
    """The answer of a login with a token."""

    url: str
    status: int = 200
    body: bytes = b'{"token": "0A1B2C3D4E5F"}'

    def header(self, name: str) -> str:
        return "application/json" if name == "Content-Type" else ""

    def all_headers(self, name: str) -> Sequence[str]:
        return ()


async def answered(ask: Ask) -> Any:
    return Token(ask.url)


def login(**keys: Any) -> Login:
    return Login(
        name="a",
        sites=HostPatterns(("a.example",)),
        through=HostPatterns(),
        user=Secret("li"),
        password=Secret("secret"),
        **keys,
    )


@pytest.mark.parametrize(("scheme", "sent"), [("https", False), ("http", True)])
def test_a_token_in_a_cookie_keeps_to_https(scheme: str, sent: bool) -> None:
    given = login(kind="json", url=f"{scheme}://a.example/login", token_cookie="Token")
    access, verdict = asyncio.run(log_in(given, answered))
    assert verdict.open
    assert access.jar.header("https://a.example/x") == "Token=0A1B2C3D4E5F"
    assert bool(access.jar.header("http://a.example/x")) is sent


@pytest.mark.parametrize(("scheme", "sent"), [("https", False), ("http", True)])
def test_a_password_of_http_keeps_to_the_scheme_of_its_check(scheme: str, sent: bool) -> None:
    given = login(kind="basic", check=f"{scheme}://a.example/members")
    session = SiteSession(
        given, answered, lambda: 0.0, pause=1.0, redactor=Redactor(), count=lambda name: None
    )
    access = Access(authorization=HttpAuthorization("li", "secret", Challenge("basic")))
    for url, expected in (("https://a.example/1", True), ("http://a.example/1", sent)):
        request = Request(url)
        session.authorize(request, access)
        assert ("Authorization" in request.headers) is expected

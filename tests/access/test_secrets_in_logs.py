"""Secrets of logins stay out of logs, however many others there are."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from pathlib import Path

import pytest

from topiccrawl.access.cookiefiles import BrowserCookie
from topiccrawl.access.jar import SessionJar
from topiccrawl.access.login import Login, Secret
from topiccrawl.access.sites import HostPatterns
from topiccrawl.crawl.logins.sessions import CrawlLogins


async def download(request: object) -> object:
    raise OSError


def logins(*given: Login) -> CrawlLogins:
    return CrawlLogins(given, download, lambda: 0.0, pause=60, count=lambda name: None)  # type: ignore[arg-type]


def login(name: str, **values: object) -> Login:
    sites = HostPatterns((f"{name}.example.cn",))
    return Login(name=name, sites=sites, through=HostPatterns(), **values)  # type: ignore[arg-type]


def test_the_password_of_one_login_stays_masked_after_many_renewals_of_another() -> None:
    made = logins(login("a", password=Secret("geheim-1234")), login("b", password=Secret("other")))
    for renewal in range(100):
        made.redactor.add(f"session-{renewal}-{n}" for n in range(10))
    assert made.redactor.clean("login with geheim-1234") == "login with ***"
    assert made.redactor.clean("session-99-0") == "***"


@pytest.mark.parametrize("user", ["desk", "u", "us", "用户"])
def test_credentials_are_masked_as_http_basic_sends_them(user: str) -> None:
    made = logins(login("a", kind="basic", user=Secret(user), password=Secret("geheim-1234")))
    sent = base64.b64encode(f"{user}:geheim-1234".encode()).decode()
    assert made.redactor.clean(f"<GET /> {{b'Authorization': b'Basic {sent}'}}").count("***") == 1
    assert sent not in made.redactor.clean(sent)


def cookies_txt(folder: Path, cookies: Sequence[tuple[str, str]]) -> Path:
    file = folder / "cookies.txt"
    lines = (f"{host}\tTRUE\t/\tFALSE\t0\tsid\t{value}" for host, value in cookies)
    file.write_text("# Netscape HTTP Cookie File\n" + "\n".join(lines) + "\n", encoding="utf-8")
    file.chmod(0o600)
    return file


def test_the_cookie_of_the_site_is_masked_among_all_cookies_of_a_browser(tmp_path: Path) -> None:
    others = [(f".h{n}.example.com", f"foreign-{n}") for n in range(600)]
    file = cookies_txt(tmp_path, [(".a.example.cn", "valuable-session"), *others])
    made = logins(login("a", kind="cookies", cookies_file=file))
    asyncio.run(made.sessions[0].mark())
    assert made.redactor.clean("Cookie: sid=valuable-session") == "Cookie: sid=***"


@pytest.mark.parametrize(
    ("domain", "sent"),
    [
        ("a.example.cn", True), (".example.cn", True), ("www.a.example.cn", True),
        ("example.com", False), ("ba.example.cn", False), ("xample.cn", False),
    ],
)  # fmt: skip
def test_the_values_of_hosts_are_those_that_they_may_get(domain: str, sent: bool) -> None:
    jar = SessionJar()
    jar.load([BrowserCookie("sid", "valuable", domain)])
    assert list(jar.values(HostPatterns(("*.a.example.cn:8080",)))) == ["valuable"] * sent


def test_a_host_without_a_dot_gets_its_cookies() -> None:
    jar = SessionJar()
    jar.set("http://localhost:8080/", "sid", "valuable")
    assert list(jar.values(HostPatterns(("localhost:8080",)))) == ["valuable"]

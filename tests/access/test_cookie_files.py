"""Cookies of a browser, as people export them."""

from __future__ import annotations

import json

import pytest

from topiccrawl.access.cookiefiles import read_cookies
from topiccrawl.access.jar import SessionJar
from topiccrawl.errors import ConfigurationError

NETSCAPE = (
    "# Netscape HTTP Cookie File\n"
    "#HttpOnly_.example.cn\tTRUE\t/\tFALSE\t4102444800\tsid\tabc123\n"
    "bbs.example.cn\tFALSE\t/forum\tTRUE\t0\tonly\tx=y\n"
    ".example.cn\tTRUE\t/\tFALSE\t1000000000\told\tgone\n"
)
EXTENSION = [
    {"domain": ".example.cn", "hostOnly": False, "httpOnly": True, "name": "sid", "path": "/",
     "sameSite": "lax", "secure": False, "session": False, "expirationDate": 4102444800.5,
     "storeId": "0", "value": "abc123"},
    {"domain": "bbs.example.cn", "hostOnly": True, "name": "only", "path": "/forum",
     "secure": True, "session": True, "value": "x=y"},
]  # fmt: skip
PLAYWRIGHT = {
    "cookies": [
        {"name": "sid", "value": "abc123", "domain": ".example.cn", "path": "/", "expires": -1},
        {"name": "only", "value": "x=y", "domain": "bbs.example.cn", "path": "/forum",
         "expires": -1, "httpOnly": False, "secure": True, "sameSite": "None"},
    ],
    "origins": [],
}  # fmt: skip


@pytest.mark.parametrize("text", [NETSCAPE, json.dumps(EXTENSION), json.dumps(PLAYWRIGHT)])
def test_cookies_go_to_their_hosts_and_paths(text: str) -> None:
    jar = SessionJar()
    jar.load(read_cookies(text, "cookies"))
    assert jar.named("https://bbs.example.cn/forum/1") == {"sid": "abc123", "only": "x=y"}
    assert jar.named("http://bbs.example.cn/forum/1") == {"sid": "abc123"}, "secure"
    assert jar.named("https://www.example.cn/forum") == {"sid": "abc123"}
    assert jar.header("https://example.com/") == ""
    assert jar.header("https://evilexample.cn/") == ""


@pytest.mark.parametrize("expires", ["Infinity", "1e999", "1" + "0" * 400])
def test_a_cookie_without_an_end_is_one_of_the_session(expires: str) -> None:
    text = f'[{{"name": "sid", "value": "a", "domain": "example.cn", "expires": {expires}}}]'
    jar = SessionJar()
    assert jar.load(read_cookies(text, "cookies")) == 1
    assert jar.named("https://example.cn/") == {"sid": "a"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "contains no cookies"),
        ("# nothing\n", "contains no cookies"),
        ("sid=abc123; Path=/", "line 1 must have 7 fields"),
        ('{"sid": "abc123"}', "must be a list of cookies"),
        ('[{"name": "sid", "value": "abc123"}]', "cookie 1 must have name, value and domain"),
        ('[{"name": "sid", "value": "abc123"', "is not valid JSON"),
    ],
)
def test_what_is_no_export_is_refused_without_its_values(text: str, words: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        read_cookies(text, "cookies.txt")
    assert words in str(error.value)
    assert "abc123" not in str(error.value)


def test_cookies_of_a_session_are_received_and_replaced() -> None:
    jar = SessionJar()
    jar.receive("http://127.0.0.1:81/a", ["sid=one; Path=/; HttpOnly", "t=2; Max-Age=0"])
    jar.receive("http://127.0.0.1:81/a", ["sid=two; Path=/"])
    assert jar.named("http://127.0.0.1:81/b") == {"sid": "two"}
    jar.set("http://intranet/login", "token", "t1")
    assert jar.named("http://intranet/x") == {"token": "t1"}

"""What servers that ask for a login can send: challenges, addresses, pages."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest

from tests.support.logging_in import SECRETS, Answered, logins_file
from topiccrawl.access.answers import token_in
from topiccrawl.access.captchas import asks_person
from topiccrawl.access.challenges import best_challenge
from topiccrawl.access.document import Document
from topiccrawl.access.exchange import Ask
from topiccrawl.access.finding import find_login_form
from topiccrawl.access.following import next_address
from topiccrawl.access.forms import forms_of
from topiccrawl.access.jar import SessionJar
from topiccrawl.access.logging_in import log_in
from topiccrawl.access.reader import read_logins
from topiccrawl.access.tokens import find_tokens
from topiccrawl.access.walls import signs_of
from topiccrawl.access.words import LOGIN_PATH

#: Bytes of all headers that a crawl reads.
MOST = 256 * 1024
HTML = (("Content-Type", "text/html; charset=utf-8"),)


def test_parameters_may_be_quoted_and_need_no_space_between_them() -> None:
    header = (
        'Basic realm="x", Digest realm="a\\"b, c",nonce = n1, qop="auth,auth-int", algorithm=MD5'
    )
    challenge = best_challenge([header])
    assert challenge is not None
    assert challenge.scheme == "digest"
    assert challenge.parameters == {
        "realm": 'a"b, c',
        "nonce": "n1",
        "qop": "auth,auth-int",
        "algorithm": "MD5",
    }


@pytest.mark.parametrize("unit", ["-", "a", "a ", "a=", 'a="', '\\"', "Digest,", ", "])
def test_the_longest_header_is_read_at_once(unit: str) -> None:
    header = f"Digest nonce=n1, {unit * (MOST // len(unit))}"
    begun = time.process_time()
    assert best_challenge([header]) is not None
    assert time.process_time() - begun < 2.0


def test_addresses_of_logins_are_recognized_at_once() -> None:
    for path in ("/login.php", "/user_login_index.jsp", "/a/sign-in;x", "/my_sso.html"):
        assert LOGIN_PATH.search(path) is not None
    begun = time.process_time()
    assert LOGIN_PATH.search(f"/signin{'_' * 2_000}!") is None
    assert time.process_time() - begun < 0.5


def test_style_sheets_of_a_login_page_are_read_at_once() -> None:
    sheet = f"<style>{'侨' * 100_000}</style><style>.a{{display:none}}</style>"
    page = Document("http://a.example.cn/", f"{sheet}<input class=a><input class=b>")
    begun = time.process_time()
    hidden = [page.hides(it) for it in page.root.iter("input")]
    assert time.process_time() - begun < 2.0
    assert hidden == [True, False]


#: Bytes of the pages below, whose time grew with their square: minutes at the megabyte that is read.
SIZE = 200_000


def repeated(text: str) -> str:
    return text * (SIZE // len(text))


@pytest.mark.parametrize(
    "page",
    [
        f"<script>{repeated('function')}</script>",
        f"<script>{repeated('function a(')}</script>",
        f"<script>{repeated('function a(){')}</script>",
        f"<script>('{repeated('a')}</script>",
        f"<form>{repeated('<label>')}{repeated('<input>')}</form>",
        f"<form><input type=password>{repeated('<label for=a>x</label><input id=a>')}</form>",
        repeated("<form id=a><input type=password></form>"),
        repeated("<div><input type=password>"),
        repeated("<a><div>"),
        repeated("<button>"),
        f"<form><input name=user><input type=password>{repeated('<img src=captcha hidden>')}</form>",
    ],
    ids=lambda page: page[:24],
)
def test_what_logins_read_of_a_page_takes_little_time(page: str, tmp_path: Path) -> None:
    text = 'url = "http://a.example.cn/login"\nSECRETS'
    (login,) = read_logins(logins_file(tmp_path, text), SECRETS)
    answer = Answered("http://a.example.cn/", 200, HTML, f"<body>{page}".encode())
    begun = time.process_time()
    signs_of(answer, login, ())
    document = Document.of(answer)
    find_tokens(document, {}, login)
    if (found := find_login_form(document, login)) is not None:
        asks_person(document, found)
    assert time.process_time() - begun < 5.0


def test_functions_wait_to_be_called_and_what_follows_them_runs() -> None:
    def leads_to(script: str) -> str | None:
        page = f"<p>正在跳转</p><script>{script}</script>"
        return next_address(Document("http://a.example.cn/", page))

    assert leads_to("function f ( a, b ) { location.href = '/b' }") is None
    assert leads_to("function f(){ go() } location.href='/a'") == "http://a.example.cn/a"
    assert leads_to("function f(){} function g(){ location='/b' } x()") is None


def test_fields_have_the_label_of_their_id_or_the_text_before_them() -> None:
    page = (
        "<form id=f>账号 <input name=a><label for=x> 口 令 </label><b>别的</b><input name=b id=x>"
        "<label>验证 <input name=c></label><a>忘记</a><input name=d></form>"
        "<input name=e form=f><input name=g>"
    )
    (form,) = forms_of(Document("http://a.example.cn/", page))
    assert {it.name: it.about for it in form.fields} == {
        "a": "a 账号",
        "b": "b x 口 令",
        "c": "c 验证",
        "d": "d",
        "e": "e",
    }


@pytest.mark.parametrize("port", ["99999", "abc", "0"])
@pytest.mark.parametrize(
    "page",
    [
        "<form method=post action='{}'><input name=user><input type=password name=p></form>",
        "<meta http-equiv=refresh content='0;url={}'>",
        "<iframe src='{}login'></iframe>",
    ],
)
def test_an_address_with_an_impossible_port_gets_nothing(
    page: str, port: str, tmp_path: Path
) -> None:
    body = page.format(f"http://a.example.cn:{port}/").encode()
    asked: list[str] = []

    async def fetch(ask: Ask) -> Answered:
        asked.append(ask.url)
        return Answered(ask.url, 200, HTML, body)

    text = 'url = "http://a.example.cn/login"\nSECRETS'
    (login,) = read_logins(logins_file(tmp_path, text), SECRETS)
    _access, verdict = asyncio.run(log_in(login, fetch))
    assert not verdict.open
    assert asked == ["http://a.example.cn/login"]


@pytest.mark.parametrize(
    "token", ["\ud800abcdef", "abc\r\nX-Evil: 1", "侨侨侨侨侨侨", "a" * 100_000]
)
@pytest.mark.parametrize("path", ["", "token"])
def test_a_token_that_no_header_can_have_is_none(token: str, path: str) -> None:
    assert token_in(json.dumps({"token": token}).encode(), path) == ""
    assert token_in(json.dumps({"token": {"value": token}}).encode()) == ""


def test_the_cookies_of_a_session_are_bounded() -> None:
    jar, url = SessionJar(), "http://a.example.cn/"
    jar.receive(url, ["sid=1"])
    for answer in range(20):
        jar.receive(url, [f"a{answer}-{i}=x" for i in range(500)])
    jar.receive(url, ["sid=2", f"big={'x' * 100_000}"])
    assert len(jar.values()) < 1_000
    assert jar.named(url)["sid"] == "2"
    assert "big" not in jar.named(url)


@pytest.mark.filterwarnings("error")
def test_a_cookie_that_cannot_be_read_costs_no_other() -> None:
    jar, url = SessionJar(), "http://a.example.cn/"
    jar.receive(url, ["a=1", f"b=2; Max-Age={'9' * 400}", "=", "c=3; Max-Age=x", "d=4"])
    assert jar.named(url) == {"a": "1", "b": "2", "d": "4"}

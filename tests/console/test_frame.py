"""The frame of the console: who is answered, in which language, with which headers."""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

from tests.support.console_server import RunningConsole, console, fill
from tests.support.reporting_store import make_outcome, make_page, make_run
from topiccrawl.console.app import create_app
from topiccrawl.console.config import ConsoleConfig
from topiccrawl.console.frame.assets import asset
from topiccrawl.console.paths import local_path, topic_named, topic_path
from topiccrawl.errors import ConfigurationError


@pytest.fixture(scope="module")
def uri(tmp_path_factory: pytest.TempPathFactory) -> str:
    return fill(
        tmp_path_factory.mktemp("desk") / "pages.sqlite",
        lambda store: store.write([make_page()], [make_outcome()], [make_run()]),
    )


@pytest.fixture(scope="module")
def desk(uri: str) -> Iterator[RunningConsole]:
    with console(uri) as running:
        yield running


def test_the_start_page_shows_the_topics_of_the_store(desk: RunningConsole) -> None:
    answer = desk.get("/")
    assert answer.status == 200
    assert "侨情" in answer.text


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({"accept_language": "zh-TW,zh;q=0.9,en;q=0.5"}, "zh-CN"),
        ({"accept_language": "de,en;q=0.4"}, "en"),
        ({"accept_language": "en", "cookie": "topiccrawl_lang=zh"}, "zh-CN"),
        ({"accept_language": "en;q=0.1,zh-Hant;q=0.7"}, "zh-CN"),
        ({}, "en"),
    ],
)
def test_the_language_is_that_of_the_request(
    desk: RunningConsole, headers: dict[str, str], language: str
) -> None:
    assert f'<html lang="{language}"' in desk.get("/", **headers).text


@pytest.mark.parametrize("path", ["/", "/nothing", "/t/none/", "/static/console.css"])
def test_every_answer_forbids_scripts_of_strangers(desk: RunningConsole, path: str) -> None:
    answer = desk.get(path)
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe-inline" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[::"])
def test_a_name_that_was_bent_to_this_machine_is_refused(desk: RunningConsole, host: str) -> None:
    assert desk.get("/", host=host).status in (400, 421)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:99", "[::1]:6880", "localhost:6880"])
def test_the_names_of_this_machine_are_answered(desk: RunningConsole, host: str) -> None:
    assert desk.get("/", host=host).status == 200


def test_an_unknown_topic_is_not_found(desk: RunningConsole) -> None:
    assert desk.get("/t/没有/").status == 404


def test_a_token_is_asked_for_and_then_kept_in_a_cookie(uri: str) -> None:
    with console(uri, token="a-token-of-24-characters") as desk:
        refused = desk.get("/")
        assert refused.status == 401
        assert "侨情" not in refused.text
        assert desk.get("/?token=another").status == 401
        entered = desk.get("/?token=a-token-of-24-characters&x=1")
        assert (entered.status, entered.headers["location"]) == (303, "/?x=1")
        cookie = entered.headers["set-cookie"].split(";")[0]
        assert "HttpOnly" in entered.headers["set-cookie"]
        assert desk.get("/", cookie=cookie).status == 200
        assert desk.get("/", authorization="Bearer a-token-of-24-characters").status == 200
        assert desk.get("/static/console.css").status == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/preferencesx"),
        ("GET", "/preferences/"),
        ("GET", "/static/"),
        ("GET", "/static/none.css"),
        ("GET", "/static/a/console.css"),
        ("POST", "/static/console.css"),
        ("POST", "/preferences"),
    ],
)
def test_an_error_page_shows_nothing_without_the_token(uri: str, method: str, path: str) -> None:
    token = "a-token-of-24-characters"
    with console(uri, token=token) as desk:
        assert "侨情" in desk.get("/", authorization=f"Bearer {token}").text
        answer = desk.get(path) if method == "GET" else desk.post(path, {})
        assert answer.status == 401
        assert "侨情" not in answer.text
        assert "pages.sqlite" not in answer.text


def test_names_of_files_that_do_not_exist_are_not_kept() -> None:
    name = "-".join(("none", "console.css"))
    before = sys.getrefcount(name)
    assert asset(name) is None
    assert sys.getrefcount(name) == before


def test_other_machines_need_a_token(uri: str) -> None:
    with pytest.raises(ConfigurationError, match="needs a token"):
        create_app(ConsoleConfig(uri, host="0.0.0.0"))


@pytest.mark.parametrize("topic", ["侨情", "a/b", ".", "..", "100%", "a%2Fb", "?#&+ x"])
def test_a_topic_of_any_name_has_a_path(topic: str) -> None:
    part = topic_path(topic).removeprefix("/t/").removesuffix("/")
    assert "/" not in unquote(part)
    assert topic_named(unquote(part), [topic, "other"]) == topic


def test_links_back_keep_the_escapes_of_a_topic(tmp_path: Path) -> None:
    page = make_page(topic="a/b")
    uri = fill(tmp_path / "pages.sqlite", lambda store: store.write([page]))
    with console(uri, token="a-token-of-24-characters") as desk:
        asked = f"{topic_path('a/b', 'search')}?q=x"
        entered = desk.get(f"{asked}&token=a-token-of-24-characters").headers["location"]
        assert entered == asked
        cookie = "topiccrawl_token=a-token-of-24-characters"
        links = re.findall(r'"(/preferences[^"]*)"', desk.get(entered, cookie=cookie).text)
        back = desk.get(html.unescape(links[0]), cookie=cookie).headers["location"]
        assert back == asked
        assert desk.get(back, cookie=cookie).status == 200


@pytest.mark.parametrize("path", ["//evil", "/\\evil", "https://evil", "/a\tb", "/\n/evil", ""])
def test_a_redirect_never_leaves_the_console(path: str) -> None:
    assert local_path(path) == "/"


def test_a_topic_in_traditional_characters_is_the_topic_in_simplified_ones() -> None:
    assert topic_named("僑情", ["a", "侨情"]) == "侨情"
    assert topic_named(quote("僑情"), ["a", "侨情"]) == "侨情"
    assert topic_named("僑情", ["侨情", "僑情"]) == "僑情"
    assert topic_named("侨", ["侨情"]) is None

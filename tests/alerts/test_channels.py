"""Channels, against real servers that check what the vendors check."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.support import receivers
from tests.support.receivers import SECRET, TOKEN, receiving
from topiccrawl.access.login import Secret
from topiccrawl.alerts.channels import posting, sending
from topiccrawl.alerts.channels.contract import Message, SendFailed
from topiccrawl.alerts.channels.kinds import KINDS
from topiccrawl.alerts.channels.sending import send
from topiccrawl.alerts.records import Alert, AlertPage, subject_key
from topiccrawl.alerts.settings import ChannelSettings
from topiccrawl.alerts.texts import describe, message_title
from topiccrawl.language import Language

NOON = datetime(2026, 3, 2, 4, tzinfo=UTC)
PAGE = AlertPage(
    "http://www.qiaowang.example/news/1.html",
    "外交部提醒在当地侨胞注意安全",
    "www.qiaowang.example",
    NOON,
)
#: Paths and queries of the robots' addresses.
PATHS: Mapping[str, str] = {
    "webhook": f"/hook/{TOKEN}",
    "dingtalk": f"/robot/send?access_token={TOKEN}",
    "wecom": f"/cgi-bin/webhook/send?key={TOKEN}",
    "feishu": f"/open-apis/bot/v2/hook/{TOKEN}",
}
ANSWERS: Mapping[str, Callable[..., Any]] = {
    "dingtalk": receivers.dingtalk,
    "wecom": receivers.wecom,
    "feishu": receivers.feishu,
    "webhook": lambda _posted: (204, {}, b""),
}


def story(page: AlertPage = PAGE, words: tuple[str, ...] = ("领事保护",), number: int = 1) -> Alert:
    """A warning of a story."""
    return Alert(
        key=subject_key("story", str(number)),
        kind="story",
        rules=("领事",),
        channels=("c",),
        subject=f"story-{number}",
        at=NOON,
        facts={"words": {"领事": list(words)}, "members": 1},
        pages=(page,),
    )


def message(*alerts: Alert, language: Language = "zh") -> Message:
    """A message about these warnings."""
    described = [describe(it, language) for it in alerts]
    title = message_title("侨情", described, language)
    return Message(
        "ab12cd34" * 4, "侨情", NOON, title, described, language, "http://127.0.0.1:8000/t"
    )


def channel(kind: str, url: str, secret: str = SECRET) -> ChannelSettings:
    """A channel of this kind."""
    return ChannelSettings(
        name="c", kind=kind, url=Secret(url + PATHS[kind]), secret=Secret(secret)
    )


@pytest.mark.parametrize("kind", ["dingtalk", "wecom", "feishu", "webhook"])
def test_a_receiver_accepts_the_message_with_title_link_and_words(kind: str) -> None:
    with receiving(ANSWERS[kind]) as receiver:
        asyncio.run(send(channel(kind, receiver.url), message(story())))
    [posted] = receiver.posted
    text = json.dumps(posted.value, ensure_ascii=False)
    for part in (PAGE.title, PAGE.url, "领事保护", "侨情"):
        assert part in text


@pytest.mark.parametrize("kind", ["dingtalk", "feishu"])
def test_a_wrong_secret_fails_with_the_answer_of_the_robot(kind: str) -> None:
    with receiving(ANSWERS[kind]) as receiver, pytest.raises(SendFailed) as failed:
        asyncio.run(send(channel(kind, receiver.url, "SECwrong"), message(story())))
    assert {"dingtalk": "310000", "feishu": "19021"}[kind] in str(failed.value)


@pytest.mark.parametrize("kind", ["dingtalk", "wecom", "feishu"])
def test_a_full_message_stays_within_the_limit_and_names_every_story(kind: str) -> None:
    alerts = [
        story(
            AlertPage(
                f"http://www.qiaowang.example/{'长' * 200}/{i}", f"第{i}号 " + "侨" * 300, "s" * 60
            ),
            ("词" * 50,) * 9,
            i,
        )
        for i in range(KINDS[kind].batch)
    ]
    with receiving(ANSWERS[kind]) as receiver:
        asyncio.run(send(channel(kind, receiver.url), message(*alerts)))
    text = json.dumps(receiver.posted[0].value, ensure_ascii=False)
    assert all(f"第{i}号" in text for i in range(KINDS[kind].batch))


def test_feishu_leaves_details_out_where_the_names_of_rules_are_too_long() -> None:
    rules = tuple(f"{n}号规则{'侨' * 30}" for n in range(20))
    page = AlertPage("http://www.qiaowang.example/", "第1号 " + "侨" * 300, "s" * 60)
    alerts = [replace(story(page, ("词" * 50,) * 9, n), rules=rules) for n in range(10)]
    with receiving(receivers.feishu) as receiver:
        asyncio.run(send(channel("feishu", receiver.url), message(*alerts)))
    [posted] = receiver.posted
    assert len(posted.body) <= 20_000, "documentation of Feishu"
    assert posted.body.decode().count("第1号") == 20, "headlines and titles"


HOSTILE = "[点击](http://evil.example) <@all> @所有人 **x** <font color=red> http://evil.example/a\n# \x1b[31m\u202e"


@pytest.mark.parametrize("kind", ["dingtalk", "wecom"])
def test_markup_in_a_title_is_text(kind: str) -> None:
    page = AlertPage("http://www.qiaowang.example/a(b)[c]?q=<x>", HOSTILE, "www.qiaowang.example")
    with receiving(ANSWERS[kind]) as receiver:
        asyncio.run(send(channel(kind, receiver.url), message(story(page, (HOSTILE,)))))
    markdown = receiver.posted[0].value["markdown"]
    text = markdown.get("text") or markdown["content"]
    for part in ("](http://evil", "http://evil", "<@", "<font", "**x", "@所", "\x1b", "\u202e"):
        assert part not in text
    assert "](http://www.qiaowang.example/a%28b%29%5Bc%5D?q=%3Cx%3E)" in text


def test_feishu_gets_titles_as_text_without_markup() -> None:
    with receiving(receivers.feishu) as receiver:
        asyncio.run(
            send(
                channel("feishu", receiver.url),
                message(story(AlertPage("javascript:alert(1)", HOSTILE, ""))),
            )
        )
    lines = receiver.posted[0].value["content"]["post"]["zh_cn"]["content"]
    tags = [it for line in lines for it in line]
    assert {it["tag"] for it in tags} <= {"text", "a"}
    assert all(it.get("href", "http").startswith("http") for it in tags)


def test_a_webhook_gets_an_idempotency_key_and_a_signature() -> None:
    with receiving() as receiver:
        asyncio.run(send(channel("webhook", receiver.url), message(story(), story(number=2))))
    [posted] = receiver.posted
    assert posted.headers["Idempotency-Key"] == "ab12cd34" * 4 == posted.value["id"]
    stamp = posted.headers["X-Topiccrawl-Timestamp"]
    digest = hmac.new(
        SECRET.encode(), f"{stamp}.".encode() + posted.body, hashlib.sha256
    ).hexdigest()
    assert posted.headers["X-Topiccrawl-Signature"] == f"sha256={digest}"
    assert [it["subject"] for it in posted.value["alerts"]] == ["story-1", "story-2"]
    assert "channels" not in posted.value["alerts"][0]


@pytest.mark.parametrize(
    "answer",
    [
        (500, {}, b"tok-8f3a"),
        (302, {"Location": "http://127.0.0.33:9/"}, b""),
        (200, {}, b"<html>"),
        (200, {}, b'{"errcode": 93000, "errmsg": "invalid key tok-8f3a"}'),
    ],
)
def test_a_failure_never_shows_the_token(answer: tuple[int, Mapping[str, str], bytes]) -> None:
    with receiving(lambda _posted: answer) as receiver:
        url = Secret(receiver.url + PATHS["wecom"])
        robot = ChannelSettings(name="c", kind="wecom", url=url, secret=Secret(TOKEN))
        with pytest.raises(SendFailed) as failed:
            asyncio.run(send(robot, message(story())))
    assert TOKEN not in str(failed.value)
    assert len(receiver.posted) == 1


def test_a_server_that_is_not_there_is_a_failure_without_its_address() -> None:
    with receiving() as receiver:
        gone = channel("webhook", receiver.url)
    with pytest.raises(SendFailed) as failed:
        asyncio.run(send(gone, message(story())))
    assert "127.0.0.31" not in str(failed.value)


def documented(language: str) -> str:
    """Return what docs/alerts.md says of the webhook."""
    page = Path(__file__).parents[2] / {"en": "docs/alerts.md", "zh": "docs/zh/alerts.md"}[language]
    heading = {"en": "### The webhook\n", "zh": "### 网络钩子\n"}[language]
    return page.read_text(encoding="utf-8").partition(heading)[2]


def test_the_documented_body_has_the_keys_of_what_is_sent() -> None:
    shown = json.loads(documented("en").partition("```json\n")[2].partition("```")[0])
    with receiving() as receiver:
        asyncio.run(send(channel("webhook", receiver.url), message(story())))
    [posted] = receiver.posted
    assert shown.keys() == posted.value.keys()
    [alert], [sent] = shown["alerts"], posted.value["alerts"]
    assert alert.keys() == sent.keys()
    assert alert["pages"][0].keys() == sent["pages"][0].keys()
    for key in ("title", "topic", "at"):
        assert shown[key] == posted.value[key]
    for key in ("kind", "rules", "headline", "details", "facts", "pages"):
        assert alert[key] == sent[key]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_documented_check_of_the_signature_accepts_only_what_was_sent(language: str) -> None:
    program: dict[str, Any] = {}
    exec(documented(language).partition("```python\n")[2].partition("```")[0], program)
    with receiving() as receiver:
        asyncio.run(send(channel("webhook", receiver.url), message(story())))
    [posted] = receiver.posted
    genuine = program["genuine"]
    assert genuine(posted.headers, posted.body, SECRET)
    assert not genuine(posted.headers, posted.body + b" ", SECRET)
    assert not genuine(posted.headers, posted.body, "other")
    assert not genuine({}, posted.body, SECRET)
    old = {**posted.headers, "X-Topiccrawl-Timestamp": "1000000000"}
    assert not genuine(old, posted.body, SECRET)


def test_a_redirect_and_an_address_of_the_wrong_scheme_are_named() -> None:
    answer = (308, {"Location": "http://127.0.0.33:9/"}, b"")
    with receiving(lambda _posted: answer) as receiver:
        for url, part in (
            (receiver.url, "redirects (status 308), which is not followed"),
            (receiver.url.replace("http:", "https:"), "does not speak TLS at this port"),
        ):
            with pytest.raises(SendFailed) as failed:
                asyncio.run(send(channel("webhook", url), message(story())))
            assert part in str(failed.value)


def test_a_receiver_that_is_too_slow_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "TIMEOUT_SECONDS", 0.3)
    wait = threading.Event()

    def slow(_posted: receivers.Posted) -> tuple[int, Mapping[str, str], bytes]:
        wait.wait(20)
        return 200, {}, b""

    with receiving(slow) as receiver:
        with pytest.raises(SendFailed) as failed:
            asyncio.run(send(channel("webhook", receiver.url), message(story())))
        wait.set()
    assert "no answer within" in str(failed.value)


def test_an_answer_that_comes_drop_by_drop_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "ATTEMPT_SECONDS", 0.5)
    left = threading.Event()

    def drop(listening: socket.socket) -> None:
        connection, _address = listening.accept()
        with connection, suppress(OSError):
            connection.recv(65_536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
            while not left.wait(0.05):
                connection.sendall(b"a")

    with socket.create_server(("127.0.0.31", 0)) as listening:
        server = threading.Thread(target=drop, args=(listening,))
        server.start()
        url = f"http://127.0.0.31:{listening.getsockname()[1]}"
        with pytest.raises(SendFailed, match="not answered in full within"):
            asyncio.run(send(channel("webhook", url), message(story())))
        left.set()
        server.join(20)


@pytest.mark.parametrize("page", ["docs/alerts.md", "docs/zh/alerts.md"])
def test_each_kind_of_channel_is_documented(page: str) -> None:
    text = (Path(__file__).parents[2] / page).read_text("utf-8")
    table = re.split(r"^## (?:Channels|渠道)$", text, flags=re.M)[1].split("\n\n")[1]
    assert re.findall(r"^\| `(\w+)` \|", table, re.M) == list(KINDS)

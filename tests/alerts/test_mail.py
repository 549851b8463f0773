"""E-mail, sent to a mail server on loopback."""

from __future__ import annotations

import asyncio
import ssl
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.alerts.test_channels import HOSTILE, PAGE, message, story
from tests.alerts.test_outbox import WORDS, write
from tests.support.mail_server import MailServer, mail_server
from tests.support.store_records import TOPIC, in_loop
from tests.support.tls import tls_of_server
from tests.support.watched import Clock, collection, service
from topiccrawl.access.login import Secret
from topiccrawl.alerts.channels import contract, mail
from topiccrawl.alerts.channels.contract import SendFailed
from topiccrawl.alerts.channels.sending import send
from topiccrawl.alerts.reader import read_alerts
from topiccrawl.alerts.reading import recorded
from topiccrawl.alerts.records import AlertPage
from topiccrawl.alerts.settings import AlertSettings, ChannelSettings

PASSWORD = "geheim-竹"
TO = ("a@office.example", "b@office.example")


def office(server: MailServer, **changes: Any) -> ChannelSettings:
    """A channel to this server."""
    given: dict[str, Any] = {
        "tls": "none",
        "sender": "desk@qiaowang.example",
        "to": TO,
        **changes,
    }
    return ChannelSettings(name="office", kind="email", host=server.host, port=server.port, **given)


def rules_to(*channels: ChannelSettings) -> AlertSettings:
    """A rule with words, and these channels."""
    return AlertSettings(rules=[WORDS], channels=channels)


LOGIN = {"user": Secret("desk"), "password": Secret(PASSWORD)}
ACCOUNT = {"desk": PASSWORD}


def failure(channel: ChannelSettings) -> str:
    """Send a message that is not accepted; return why."""
    with pytest.raises(SendFailed) as failed:
        asyncio.run(send(channel, message(story())))
    assert PASSWORD not in str(failed.value)
    return str(failed.value)


@pytest.mark.parametrize(
    "word",
    [
        "=?utf-8?q?x=0D=0ABcc:_x=40evil.example=0D=0A=0D=0Aforged?=",
        "=?utf-8?b?eA0KQmNjOiB4QGV2aWwuZXhhbXBsZQ0KDQpmb3JnZWQ=?=",
        "==?utf-8?q?x=0D=0ABcc:_x=40evil.example?=",
        "=?utf-8?q?=ED=A0=80?=",
        "=?utf-8?q?=E2=80=AEx?=",
    ],
)
def test_encoded_words_in_a_title_are_text(word: str) -> None:
    sent = message(story(AlertPage(PAGE.url, f"茶 {word} 乡", "s.example")))
    with mail_server() as server:
        asyncio.run(send(office(server), sent))
    (mail,) = server.mails
    assert mail["Bcc"] is None
    assert mail["Subject"] == sent.title.replace("=?", "＝?")
    assert not mail.get_content().startswith("forged")


def test_mail_goes_to_all_addresses_with_a_lasting_id() -> None:
    page = AlertPage(PAGE.url, f"标题\r\nBcc: x@evil.example {HOSTILE}", "s.example")
    sent = message(story(page))
    with mail_server(accounts=ACCOUNT) as server:
        for _ in range(2):
            asyncio.run(send(office(server, **LOGIN), sent))
    first, second = server.mails
    assert first["Message-ID"] == second["Message-ID"] == f"<{sent.key}@qiaowang.example>"
    assert first["Bcc"] is None
    assert first["Auto-Submitted"] == "auto-generated"
    assert first["Subject"] == sent.title
    body = first.get_content()
    assert PAGE.url in body
    assert "\x1b" not in body
    assert "\u202e" not in body
    assert server.recipients[0] == list(TO)
    assert server.logins == ["desk", "desk"]


@pytest.fixture
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A certificate for 127.0.0.1 that is trusted."""
    context, certificate = tls_of_server(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", certificate)
    return context


@pytest.mark.parametrize("mechanisms", ["PLAIN LOGIN", "LOGIN", "XOAUTH2 PLAIN"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_mail_is_sent_after_tls_and_a_login(
    trusted: ssl.SSLContext, wrapped: bool, mechanisms: str
) -> None:
    with mail_server(
        "127.0.0.1", tls=trusted, wrapped=wrapped, accounts={"desk": "x y"}, mechanisms=mechanisms
    ) as server:
        tls = "tls" if wrapped else "starttls"
        given = {"user": Secret("desk"), "password": Secret("x y"), "tls": tls}
        asyncio.run(send(office(server, **given), message(story())))
    assert server.recipients == [list(TO)]
    assert server.logins == ["desk"]


def test_a_certificate_that_is_not_trusted_is_named(
    trusted: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with mail_server("127.0.0.1", tls=trusted) as server:
        assert "certificate is not trusted" in failure(office(server, tls="starttls"))
    assert server.mails == []


@pytest.mark.parametrize(
    ("how", "channel", "part"),
    [
        ({}, {"tls": "starttls"}, "does not offer STARTTLS at port"),
        ({}, {"tls": "tls"}, "does not speak TLS at this port"),
        ({}, LOGIN, "offers no login on this connection"),
        ({"accounts": {"desk": "other"}}, LOGIN, "535 5.7.8"),
        ({"accounts": ACCOUNT}, {}, "530 5.7.0 Authentication required"),
        (
            {"accounts": {"desk": "x"}, "mechanisms": "XOAUTH2"},
            {"user": Secret("desk"), "password": Secret("x")},
            "no login of the kinds PLAIN",
        ),
        ({"answers": {"MAIL": "550 5.7.1 sender denied"}}, {}, "550 5.7.1 sender denied"),
        ({"answers": {"BODY": f"554 {PASSWORD} no"}}, LOGIN | {"tls": "none"}, "554"),
        ({"answers": {"GREETING": "421 4.3.2 too busy"}}, {}, "421 4.3.2 too busy"),
        ({"answers": {"GREETING": "HTTP/1.1 400 Bad Request"}}, {}, "is no mail server"),
        ({"answers": {"MAIL": "close"}}, {}, "has closed the connection"),
        ({"refused": dict.fromkeys(TO, "550 no")}, {}, "refuses a@office.example, b@office"),
    ],
)
def test_a_failure_says_what_the_server_does_not_like(
    how: dict[str, Any], channel: dict[str, Any], part: str
) -> None:
    if part == "554":
        how = how | {"accounts": ACCOUNT}
    with mail_server(**how) as server:
        assert part in failure(office(server, **channel))
    assert server.mails == []


@pytest.mark.parametrize("answer", ["\0\0\0", "250 OK", "421 4.4.2 time is over", "close"])
def test_a_mail_that_was_accepted_has_arrived_however_the_server_takes_leave(answer: str) -> None:
    with mail_server(answers={"QUIT": answer}) as server:
        asyncio.run(send(office(server), message(story())))
    assert len(server.mails) == 1


def test_only_refused_addresses_are_left_however_the_server_takes_leave() -> None:
    refused = {TO[1]: "450 4.2.1 try later"}
    with (
        mail_server(answers={"QUIT": "\0\0\0"}, refused=refused) as server,
        pytest.raises(SendFailed) as failed,
    ):
        asyncio.run(send(office(server), message(story())))
    assert failed.value.left == (TO[1],)


def test_a_server_that_does_not_answer_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (contract, mail):
        monkeypatch.setattr(module, "TIMEOUT_SECONDS", 0.5)
    with mail_server(silent=threading.Event()) as server:
        assert "no answer within" in failure(office(server))
        gone = office(server)
    assert "Connection refused" in failure(gone)


def test_an_address_with_a_domain_of_chinese_characters_is_written_in_ascii(tmp_path: Path) -> None:
    with mail_server() as server:
        (tmp_path / "alerts.toml").write_text(
            f"""
            [[channels]]
            name = "office"
            kind = "email"
            host = "{server.host}"
            port = {server.port}
            tls = "none"
            from = "desk@侨网.example"
            to = ["duty@侨网.example"]
            [[rules]]
            name = "r"
            kind = "host"
            """,
            encoding="utf-8",
        )
        [channel] = read_alerts(tmp_path / "alerts.toml").channels
        asyncio.run(send(channel, message(story())))
    assert server.recipients == [["duty@xn--8sqv57i.example"]]
    assert server.mails[0]["From"] == "desk@xn--8sqv57i.example"


def test_only_addresses_that_have_not_got_a_message_get_it_again(uri: str) -> None:
    refused = {TO[1]: "451 4.7.1 come back later"}

    @in_loop
    async def check() -> None:
        clock = Clock()
        async with collection(uri) as store:
            await write(store, 1)
            alerts = service(store, rules_to(channel), send, clock)
            first = (await alerts.round()).delivered
            assert (first.sent, first.failed) == (0, 1)
            assert "451 4.7.1 come back later" in first.error
            assert TO[1] in first.error
            assert TO[0] not in first.error
            refused.clear()
            clock.go_on(seconds=31)
            assert (await alerts.round()).delivered.sent == 1
            [one] = await recorded(store, TOPIC)
            assert [(it.state, it.error) for it in one.deliveries] == [("sent", "")]

    with mail_server(refused=refused) as server:
        channel = office(server)
        check()
    assert server.recipients == [[TO[0]], [TO[1]]]
    assert server.mails[0]["Message-ID"] == server.mails[1]["Message-ID"]
    assert server.mails[0]["To"] == server.mails[1]["To"]


def test_a_server_that_is_away_is_asked_twice_in_a_round_and_delays_no_other_channel(
    uri: str,
) -> None:
    @in_loop
    async def check() -> None:
        clock = Clock()
        async with collection(uri) as store:
            await write(store, *range(100))
            alerts = service(store, rules_to(away, living), send, clock)
            first = (await alerts.round()).delivered
            assert (first.sent, first.failed, first.waiting) == (5, 2, 5)
            down.answers = {}
            clock.go_on(seconds=1)
            # What never failed comes before what has failed, and has its turn at once.
            assert (await alerts.round()).delivered.sent == 3
            clock.go_on(minutes=1)
            assert (await alerts.round()).delivered.sent == 2

    with (
        mail_server("127.0.0.34", answers={"GREETING": "421 too busy"}) as down,
        mail_server() as server,
    ):
        away, living = office(down), replace(office(server), name="living")
        check()
    assert len(server.mails) == len(down.mails) == 5
    assert down.connections == 7


def test_patience_ends_for_the_address_that_never_takes_a_message(uri: str) -> None:
    @in_loop
    async def check() -> None:
        clock = Clock()
        async with collection(uri) as store:
            await write(store, 1)
            alerts = service(store, rules_to(channel), send, clock)
            await alerts.round()
            clock.go_on(hours=73)
            assert (await alerts.round()).delivered.given_up == 1
            clock.go_on(hours=1)
            await alerts.round()
            [one] = await recorded(store, TOPIC)
            assert TO[1] in one.deliveries[0].error

    with mail_server(refused={TO[1]: "550 5.1.1 no such user"}) as server:
        channel = office(server)
        check()
    assert server.recipients == [[TO[0]]]

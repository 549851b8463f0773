"""Which links of earlier runs can be fetched now: addresses that are allowed, and logins that were added."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

from tests.support.reporting_store import make_outcome
from topiccrawl import details
from topiccrawl.crawl.queue.allowed import links_possible_now
from topiccrawl.store.contract import OutcomeRecord
from topiccrawl.urls.addresses import AddressRules

PAGE, OTHER = "http://www.qiao.example/1", "http://www.other.example/1"
LOGIN, FOREIGN = "http://www.qiao.example/login?from=1", "http://passport.example/login?from=1"


class Outcomes:
    """A store with outcomes, which counts how often they are read."""

    def __init__(self, *outcomes: tuple[str, Literal["dropped", "failed"], str, str]) -> None:
        self.read = 0
        self._outcomes = outcomes

    async def outcomes(self, topic: str) -> AsyncIterator[OutcomeRecord]:
        self.read += 1
        at = datetime(2026, 11, 26, tzinfo=UTC)
        for number, (url, verdict, reason, detail) in enumerate(self._outcomes, start=1):
            yield OutcomeRecord(topic, url, verdict, reason, detail, at, "run", number)


def possible(store: Any, *allowed: str) -> tuple[list[str], list[str]]:
    """URLs that are allowed and opened, with a login for www.qiao.example."""
    found = asyncio.run(
        links_possible_now(
            store,
            "侨情",
            AddressRules(allowed),
            lambda url: url.startswith("http://www.qiao.example/"),
        )
    )
    return [it.url for it in found.allowed], [it.url for it in found.opened]


def test_a_page_that_led_to_the_login_page_of_another_host_is_opened_by_the_login_of_its_own() -> (
    None
):
    store = Outcomes(
        (PAGE, "dropped", "redirected", f"redirected to {FOREIGN}"),
        (FOREIGN, "dropped", "login", ""),
        (OTHER, "dropped", "redirected", f"redirected to {FOREIGN}"),
    )
    assert possible(store) == ([], [PAGE])


def test_a_login_page_is_queued_unless_a_link_was_redirected_to_it() -> None:
    assert possible(Outcomes((LOGIN, "dropped", "login", ""))) == ([], [LOGIN])
    store = Outcomes(
        (PAGE, "dropped", "redirected", f"redirected to {LOGIN}"), (LOGIN, "dropped", "login", "")
    )
    assert possible(store) == ([], [PAGE])


def test_the_outcomes_are_read_once() -> None:
    store = Outcomes(
        ("http://10.0.0.1/", "failed", "private-address", ""),
        ("http://10.0.0.2/", "failed", "private-address", ""),
        (LOGIN, "dropped", "login", ""),
        (PAGE, "dropped", "off-topic", ""),
    )
    assert possible(store, "10.0.0.1") == (["http://10.0.0.1/"], [LOGIN])
    assert store.read == 1


def test_the_outcome_of_a_redirect_has_its_target_and_no_other_outcome_has_one() -> None:
    redirect = make_outcome(reason="redirected", detail=details.REDIRECTED(url=OTHER))
    assert redirect.redirected_to == OTHER
    assert replace(redirect, reason="relevant").redirected_to == ""
    assert replace(redirect, detail="").redirected_to == ""

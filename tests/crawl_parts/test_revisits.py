"""The parts of revisits: marks, records, validators and signals."""

from __future__ import annotations

from typing import Any

import pytest

from topiccrawl.crawl.refreshing.candidates import Candidate
from topiccrawl.crawl.refreshing.due import look_again
from topiccrawl.crawl.refreshing.marks import REVISIT, RevisitMark
from topiccrawl.crawl.refreshing.records import (
    first_visit,
    history_of,
    missed_visit,
    next_visit,
)
from topiccrawl.crawl.refreshing.signals import claimed_at
from topiccrawl.crawl.refreshing.validators import Validators
from topiccrawl.crawl.refreshing.visit import Found

URL = "http://a.example/1.html"
NOW = 1_750_000_000.0
DAY = 86_400.0


def test_a_mark_survives_the_queue() -> None:
    mark = RevisitMark(URL, "list", ((NOW, "sitemap"),))
    assert RevisitMark.of(mark.meta()) == mark
    assert RevisitMark.of_url(mark.meta(), "http://a.example/2.html") is None


@pytest.mark.parametrize(
    "damaged",
    [None, 1, [], {}, {"url": 1, "kind": "article"}, {"url": URL, "kind": "x"}],
)
def test_a_damaged_mark_is_none(damaged: Any) -> None:
    assert RevisitMark.of({REVISIT: damaged}) is None


@pytest.mark.parametrize("signals", [None, 3, [1], [[1]], [["x", "y"]], [[float("nan"), "y"]]])
def test_damaged_signals_are_left_out(signals: Any) -> None:
    mark = RevisitMark.of({REVISIT: {"url": URL, "kind": "article", "signals": signals}})
    assert mark is not None
    assert not mark.signals


def test_a_page_is_gone_at_the_second_miss() -> None:
    first = first_visit("t", URL, "article", Found(NOW, changed=False, digest="d"))
    once = missed_visit(first, NOW + 10)
    assert once.gone_at is None
    twice = missed_visit(once, NOW + 20)
    assert twice.gone_at is not None
    assert twice.gone_at.timestamp() == NOW + 20
    back = next_visit(twice, Found(NOW + 30, changed=False))
    assert back.gone_at is None
    assert back.body_digest == "d"
    assert not history_of(back).gone


@pytest.mark.parametrize(("days", "wait"), [(1, 7), (20, 20), (400, 90)])
def test_a_page_is_looked_for_after_as_long_as_it_has_been_gone(days: int, wait: int) -> None:
    record = first_visit("t", URL, "article", Found(NOW - 900 * DAY, changed=False))
    record = next_visit(record, Found(NOW - 800 * DAY, changed=True))
    record = missed_visit(missed_visit(record, NOW - days * DAY), NOW)
    candidate = Candidate(URL, "article", history_of(record), gone=record.gone_at is not None)
    assert look_again(candidate, 3_600.0) == NOW + wait * DAY


def test_a_damaged_history_begins_anew() -> None:
    record = first_visit("t", URL, "article", Found(NOW, changed=False))
    for damaged in ("", "x", "[]", "{}", '{"first_seen": null}'):
        object.__setattr__(record, "history", damaged)
        assert history_of(record).first_seen == NOW


def test_requests_are_conditional_until_the_validators_prove_wrong() -> None:
    told: list[str] = []
    validators = Validators(enabled=True, publish=told.append)
    known = first_visit("t", URL, "article", Found(NOW, False, 0, '"e"', "", "d"))
    asked = []
    for visit in range(8):
        asked.append(bool(validators.headers(known)))
        known = next_visit(known, Found(NOW + visit, False))
    assert asked.count(False) == 1
    validators.compare(known, '"other"', "", changed=True)
    assert not told
    validators.compare(known, '"e"', "", changed=True)
    assert told == ["a.example"]
    assert not validators.headers(known)
    assert not validators.trusted(URL, Found(NOW, False, 0, '"e"')).etag
    assert not Validators(enabled=False).headers(known)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2025-06-15T15:06:40+00:00", NOW),
        ("2025-06-15T23:06:40+08:00", NOW),
        ("Sun, 15 Jun 2025 15:06:40 GMT", NOW),
        ("2025-06-15 23:06:40", NOW),
        ("2025-06-15T23:06:40", NOW),
        ("Sun, 15 Jun 2025 23:06:40", NOW),
        ("Sun, 15 Jun 2025 15:06:40 -0000", NOW),
        ("2025-06-14", 1_749_916_799.0),
        ("2025-06-15", NOW),
        ("2031-01-01", None),
        ("yesterday", None),
        ("", None),
        ("2025-13-45", None),
    ],
)
def test_a_claim_is_a_moment_of_the_past(text: str, at: float | None) -> None:
    assert claimed_at(text, NOW) == at

"""The words of warnings: what a reader has to know, in the reader's language and China's time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.alerts.test_channels import NOON, PAGE, message, story
from topiccrawl.alerts.channels import feishu, mail, markdown
from topiccrawl.alerts.records import Alert, AlertPage
from topiccrawl.alerts.rules import Interval
from topiccrawl.alerts.texts import describe
from topiccrawl.endings import FAILED
from topiccrawl.language import Language


def volume(interval: Interval) -> Alert:
    """A warning of an hour or a day that began at four in the afternoon in UTC, midnight in China."""
    facts = {
        "direction": "fall",
        "interval": interval,
        "count": 3,
        "mean": 40.2,
        "chance": 1e-9,
        "observed": 40,
    }
    start = datetime(2026, 3, 1, 16, tzinfo=UTC).isoformat()
    return Alert(
        key="k", kind="volume", rules=("r",), channels=("c",), subject=start, at=NOON, facts=facts
    )  # fmt: skip


@pytest.mark.parametrize(
    ("interval", "language", "shown"),
    [
        ("day", "zh", "页面异常减少（2026-03-02）：3，预期 40"),
        ("hour", "zh", "页面异常减少（2026-03-02 00:00–00:59）：3，预期 40"),
        ("day", "en", "Unusually few pages (2026-03-02): 3, expected 40"),
    ],
)
def test_a_warning_of_volume_names_its_day_or_hour(
    interval: Interval, language: Language, shown: str
) -> None:
    assert describe(volume(interval), language).headline == shown


def test_a_warning_of_several_days_names_the_first_and_the_last() -> None:
    alert = volume("day")
    shown = describe(replace(alert, facts={**alert.facts, "intervals": 3}), "en").headline
    assert "(2026-02-28–2026-03-02)" in shown


def test_a_warning_of_a_rise_names_the_domain_with_most_of_its_pages() -> None:
    alert = volume("day")
    facts = {"direction": "rise", "domains": 3, "largest": "flood.example", "share": 0.95}
    shown = describe(replace(alert, facts={**alert.facts, **facts}), "zh").details
    assert shown[0] == "域名数：3；95% 的页面来自 flood.example"


def test_a_page_that_states_a_day_has_no_time_of_day() -> None:
    page = AlertPage(PAGE.url, "标题", "s.example", datetime(2026, 3, 1, 16, tzinfo=UTC))
    [shown] = describe(story(page), "zh").pages
    assert shown.origin == "s.example 2026-03-02"


def test_the_time_of_a_message_is_that_of_china_as_those_of_its_pages() -> None:
    sent = message(story())
    for text in (
        mail.text(sent),
        markdown.markdown(sent, 4_000),
        feishu.body(sent, "", 0).decode(),
    ):
        assert text.count("2026-03-02 12:00") == 2
        assert "2026-03-02 04:00" not in text


@pytest.mark.parametrize("reason", sorted(FAILED))
def test_why_a_crawl_has_failed_is_said_in_words(reason: str) -> None:
    facts = {"reason": reason, "check": "run", "run": "r1"}
    alert = Alert(key="k", kind="health", rules=(), channels=(), subject="r1", at=NOON, facts=facts)
    [detail] = describe(alert, "zh").details
    assert reason not in detail

"""Warnings of real crawls, sent to a real receiver."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from tests.support.loopback_sites import Answer, Crawl, article, crawl, serving
from tests.support.receivers import TOKEN, Posted, receiving

RULES = """
[[channels]]
name = "desk"
kind = "webhook"
url_env = "DESK_URL"

[[rules]]
name = "overseas"
kind = "words"
words = ["第3篇", "第4篇", "停电"]

[[rules]]
name = "hosts"
kind = "host"

[[rules]]
name = "volume"
kind = "volume"

[[rules]]
name = "hours"
kind = "volume"
interval = "hour"

[[rules]]
name = "health"
kind = "health"
disk_mb = 1
"""
ALLOWED = {"TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED": "127.0.0.0/8", "STATS_DUMP": 1}


def watched(folder: Path, seed: str, hook: str, rules: str = RULES, **settings: object) -> Crawl:
    """Crawl with rules; a round each second."""
    (folder / "alerts.toml").write_text(rules, encoding="utf-8")
    wanted: dict[str, Any] = {
        "TOPICCRAWL_ALERTS": str(folder / "alerts.toml"), "TOPICCRAWL_ALERTS_SECONDS": 1,
        "DOWNLOAD_DELAY": 0.25, **ALLOWED, **settings,
    }  # fmt: skip
    return crawl(folder, [seed], environment={"DESK_URL": hook}, **wanted)


def web(count: int) -> dict[str, Answer]:
    """A home page and articles."""
    paths = [f"/{i}.html" for i in range(count)]
    numbered = {path: article(f"侨务新闻第{i}篇") for i, path in enumerate(paths)}
    return {"/": article("侨务要闻", *paths), **numbered}


def alerts_of(posted: list[Posted]) -> list[Any]:
    """All warnings of the messages."""
    return [alert for each in posted for alert in each.value["alerts"]]


def test_a_crawl_sends_each_story_once_also_over_several_runs(tmp_path: Path) -> None:
    with receiving() as receiver:
        hook = f"{receiver.url}/{TOKEN}"
        with serving(web(12), "127.0.0.5") as site:
            first = watched(tmp_path, f"{site.url}/", hook)
            again = watched(tmp_path, f"{site.url}/", hook)
        found = alerts_of(receiver.posted)
    assert first.code == again.code == 0
    assert Counter(alert["kind"] for alert in found) == {"story": 2}
    assert {alert["headline"] for alert in found} == {"侨务新闻第3篇", "侨务新闻第4篇"}
    assert first.lines("'topiccrawl/alerts/found': 2")
    assert not again.lines("alerts/found")
    for log in (first.log, again.log):
        assert TOKEN not in log
    database = (tmp_path / "pages.sqlite").read_bytes()
    assert TOKEN.encode() not in database


def test_a_receiver_that_fails_ends_no_crawl_and_gets_the_message_later(tmp_path: Path) -> None:
    with (
        receiving(lambda _posted: (503, {}, b"")) as receiver,
        serving(web(8), "127.0.0.5") as site,
    ):
        done = watched(tmp_path, f"{site.url}/", f"{receiver.url}/{TOKEN}")
    assert done.code == 0
    assert done.lines("503")
    assert TOKEN not in done.log
    assert done.lines("alerts/failed")


def test_sites_that_block_are_reported_while_the_crawl_runs(tmp_path: Path) -> None:
    captcha = Answer(
        "<html><head><title>安全验证</title></head><body><form><p>请输入验证码</p>"
        "<img src=/captcha.jpg><input name=captcha></form></body></html>".encode(),
        status=403,
    )
    answers = {**web(9), **{f"/{i}.html": captcha for i in range(3, 9)}}
    with receiving() as receiver, serving(answers, "127.0.0.5") as site:
        watched(tmp_path, f"{site.url}/", f"{receiver.url}/", TOPICCRAWL_BLOCKED_DELAY_SECONDS=0.3)
        found = alerts_of(receiver.posted)
    health = [it for it in found if it["kind"] == "health"]
    assert {it["facts"]["check"] for it in health} <= {"blocks", "run"}
    assert health


def test_a_wrong_file_stops_the_crawl_before_it_starts(tmp_path: Path) -> None:
    with serving(web(3), "127.0.0.5") as site:
        done = watched(
            tmp_path, f"{site.url}/", "https://desk.example/x", '[[rules]]\nkind = "word"'
        )
    assert done.code == 1
    assert not done.pages
    [line] = done.lines("alerts.toml")
    assert "rules[0].kind" in line

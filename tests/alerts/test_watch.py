"""Rules on a real store: what fires, when, and once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from tests.support.store_records import TOPIC, in_loop
from tests.support.watched import (
    NOW,
    Clock,
    Outgoing,
    alert_settings,
    collection,
    found,
    run,
    service,
)
from topiccrawl.alerts.records import STATE
from topiccrawl.alerts.rules import HealthRule, HostRule, VolumeRule, WordRule, Words
from topiccrawl.alerts.runs import sign_key
from topiccrawl.alerts.volumes import KEPT_DAYS, Counts
from topiccrawl.store.contract import Membership, PageRecord, Store
from topiccrawl.store.desk import DeskRecord
from topiccrawl.store.headlines import PageHeadline

CONSULAR = WordRule(name="领事", words=Words(any=("領事保護", "Embassy")))
OLD = NOW - timedelta(days=40)


async def begin(store: Store, *pages: PageRecord) -> None:
    """Write a first run of long ago, a second one that has begun an hour ago, and pages."""
    first = run(1, OLD, OLD + timedelta(hours=2))
    await store.write(
        pages=[found(0, OLD + timedelta(hours=1), run_id="run-1"), *pages],
        runs=[first, run(2, NOW - timedelta(hours=1), None, "")],
    )


def about(number: int, minutes: float = -5, **changes: object) -> PageRecord:
    """A page about consular protection."""
    title = f"使馆启动领事保护第{number}号"
    return found(number, NOW + timedelta(minutes=minutes), title=title, **changes)


def sign(run_id: str, at: datetime, every: float = 60) -> DeskRecord:
    """A sign of life."""
    return DeskRecord(topic=TOPIC, kind=STATE, key=sign_key(run_id), at=at, value={"every": every})


@in_loop
async def test_words_are_found_in_either_script_as_whole_words_and_each_story_is_sent_once(
    uri: str,
) -> None:
    clock, out = Clock(), Outgoing()
    async with collection(uri) as store:
        await begin(store, about(1), found(2, NOW, body="The embassy said so"), found(3, NOW))
        await begin(store, found(4, NOW, body="embassys"), about(5, -60 * 24 * 3))
        alerts = service(store, alert_settings(CONSULAR), out, clock)
        assert (await alerts.round()).delivered.sent == 1
        assert set(out.subjects) == {about(1).id, found(2, NOW).id}
        clock.go_on(minutes=1)
        await alerts.round()
        await service(store, alert_settings(CONSULAR), out, clock).round()
        await store.write(pages=[about(6, 1)])
        clock.go_on(minutes=1)
        await alerts.round()
    assert len(out.subjects) == 3
    assert out.subjects[-1] == about(6).id


@in_loop
async def test_a_clock_that_is_set_back_hides_no_page(uri: str) -> None:
    out = Outgoing()
    # The store has a clock of its own: what it writes is from now.
    clock = Clock(datetime.now(UTC) + timedelta(hours=8))
    async with collection(uri) as store:
        start = clock() - timedelta(days=1)
        old = found(0, start - timedelta(days=40), run_id="run-1", site="old.example")
        await store.write([old], runs=[run(1, start, None, "")])
        alerts = service(store, alert_settings(CONSULAR, HostRule(name="新站点")), out, clock)
        await alerts.round()
        clock.go_on(hours=-8)
        title = "使馆启动领事保护"
        await store.write(pages=[found(1, clock(), title=title, site="new.example")])
        clock.go_on(hours=2)
        await alerts.round()
        await alerts.round()
    assert sorted(out.subjects) == sorted([found(1, clock()).id, "new.example"])


@in_loop
async def test_a_story_is_not_sent_again_for_its_copies_nor_after_it_merged_with_others(
    uri: str,
) -> None:
    clock, out = Clock(), Outgoing()
    story = about(1).id
    async with collection(uri) as store:
        await begin(store, about(1), about(2, story=story, copy_of=about(1).url))
        alerts = service(store, alert_settings(CONSULAR), out, clock)
        await alerts.round()
        # Another story, which later turns out to be older than both and the same.
        await store.write(pages=[about(3, 1), about(4, 1, story=story, copy_of=about(1).url)])
        older = about(9, -300)
        await store.write(pages=[older])
        members = {
            it.url: Membership(story=older.id, copy_of=older.url, relation="copy", compared=9)
            for it in (about(1), about(2), about(4))
        }
        await store.set_relations(TOPIC, members)
        clock.go_on(minutes=1)
        await alerts.round()
    assert out.subjects == [story, about(3).id]


@in_loop
async def test_a_page_that_is_still_to_be_compared_waits_while_a_crawl_runs(uri: str) -> None:
    clock, out = Clock(), Outgoing()
    async with collection(uri) as store:
        await begin(store, about(1, -1, compared=0, story=""))
        await store.write(desk=[sign("run-2", NOW)])
        alerts = service(store, alert_settings(CONSULAR), out, clock)
        await alerts.round()
        assert out.subjects == []
        clock.go_on(minutes=5)
        await alerts.round()
    assert out.subjects == [about(1).id]


@in_loop
async def test_the_first_page_of_a_new_host_is_sent_once(uri: str) -> None:
    clock, out = Clock(), Outgoing()
    new = found(7, NOW, site="new.example")
    async with collection(uri) as store:
        await begin(store, found(1, NOW))
        alerts = service(store, alert_settings(HostRule(name="hosts")), out, clock)
        await alerts.round()
        assert out.subjects == []
        await store.write(pages=[new, replace(new, url=new.url + "&b=2"), found(8, NOW)])
        clock.go_on(minutes=1)
        await alerts.round()
        clock.go_on(minutes=1)
        await alerts.round()
    assert out.subjects == ["new.example"]


@in_loop
async def test_pages_that_have_left_make_no_new_host(uri: str) -> None:
    clock, out = Clock(), Outgoing()
    gone = found(7, NOW, site="gone.example", withdrawn_at=NOW)
    deleted = found(8, NOW, site="deleted.example")
    async with collection(uri) as store:
        await begin(store, found(1, NOW))
        alerts = service(store, alert_settings(HostRule(name="hosts")), out, clock)
        await alerts.round()
        await store.write(pages=[gone, deleted])
        await store.delete_pages(TOPIC, [deleted.url])
        clock.go_on(minutes=1)
        await alerts.round()
        assert out.subjects == []
        await store.write(pages=[found(9, NOW, site="new.example")])
        await alerts.round()
    assert out.subjects == ["new.example"]
    [shown] = [it for _channel, message in out.messages for it in message.alerts]
    assert shown.alert.facts["known"] == 1


@in_loop
async def test_new_hosts_of_one_domain_are_one_warning_a_day(uri: str) -> None:
    clock, out = Clock(), Outgoing()
    names = [f"h{n}.flood.example" for n in range(30)]
    async with collection(uri) as store:
        await begin(store, found(1, NOW))
        alerts = service(store, alert_settings(HostRule(name="hosts")), out, clock)
        await alerts.round()
        flood = [found(10 + n, NOW + timedelta(seconds=n), site=it) for n, it in enumerate(names)]
        await store.write(pages=[*flood[:20], found(90, NOW, site="www.new.example")])
        clock.go_on(minutes=1)
        await alerts.round()
        await store.write(pages=flood[20:])
        clock.go_on(minutes=1)
        await alerts.round()
        assert sorted(out.subjects) == ["h0.flood.example", "www.new.example"]
        [shown] = [
            it
            for _channel, message in out.messages
            for it in message.alerts
            if it.alert.subject == "h0.flood.example"
        ]
        assert (shown.alert.facts["hosts"], len(shown.pages)) == (20, 5)
        assert "flood.example: 20" in shown.details[0].replace("：", ": ")
        next_day = NOW + timedelta(days=1)
        await store.write(pages=[found(91, next_day, site="later.flood.example")])
        clock.go_on(days=1, minutes=1)
        await service(store, alert_settings(HostRule(name="hosts")), out, clock).round()
        assert len(out.subjects) == 3
        assert out.subjects[-1] == "later.flood.example"
        # Of a day that is looked at in part, the rest is no other subject.
        part = await service(store, alert_settings(HostRule(name="hosts")), out, clock).round(
            since=NOW + timedelta(seconds=10)
        )
    assert (part.found, len(out.subjects)) == ([], 3)


@in_loop
async def test_the_first_run_of_a_collection_warns_of_no_hosts_and_no_volume(uri: str) -> None:
    clock, out = Clock(), Outgoing()
    pages = [found(i, NOW, site=f"s{i}.example", run_id="run-1") for i in range(30)]
    async with collection(uri) as store:
        await store.write(pages=pages, runs=[run(1, NOW - timedelta(hours=1), None, "")])
        rules = HostRule(name="hosts"), VolumeRule(name="volume"), HealthRule(name="health")
        assert not (await service(store, alert_settings(*rules), out, clock).round()).found
    assert out.subjects == []


async def _history(store: Store, days: int, seed: int, level: float = 20) -> int:
    """Write pages of *days* with a weekly rhythm and noise, found by a crawl each hour; return the last number."""
    rng = np.random.default_rng(seed)
    pages: list[PageRecord] = []
    midnight = NOW.replace(hour=16) - timedelta(days=1)
    for back in range(days, 0, -1):
        day = midnight - timedelta(days=back)
        mean = level * (0.4 if (day + timedelta(hours=8)).weekday() >= 5 else 1.0)
        for _ in range(int(rng.poisson(mean * rng.gamma(10, 0.1)))):
            at = day + timedelta(minutes=float(rng.uniform(60, 1_400)))
            site = f"s{rng.integers(12)}.example"
            pages.append(found(len(pages), at, site=site))
    start = midnight - timedelta(days=days, hours=1)
    await store.write(pages=pages, runs=[run(1, start, None, "")])
    await store.write(desk=[sign("run-1", NOW, 1e6)])
    return len(pages)


@in_loop
async def test_three_days_that_are_moderately_high_are_sent(uri: str) -> None:
    out = Outgoing()
    async with collection(uri) as store:
        number = await _history(store, 35, 1)
        burst = [
            found(number + i, NOW - timedelta(days=i % 3), site=f"s{i % 12}.example")
            for i in range(69)
        ]
        await store.write(pages=burst)
        await service(store, alert_settings(VolumeRule(name="volume")), out, Clock()).round()
    [described] = out.messages[0][1].alerts
    facts = described.alert.facts
    assert facts["intervals"] == 3
    assert facts["count"] > 80
    assert len(out.messages) == 1


@in_loop
async def test_an_unusual_day_is_sent_while_it_goes_on_and_once(uri: str) -> None:
    clock, out = Clock(), Outgoing()
    async with collection(uri) as store:
        number = await _history(store, 35, 1)
        alerts = service(store, alert_settings(VolumeRule(name="volume")), out, clock)
        await alerts.round()
        assert out.subjects == []
        burst = [found(number + i, NOW, site="s1.example") for i in range(110)]
        await store.write(pages=burst)
        clock.go_on(minutes=1)
        await alerts.round()
        assert len(out.messages) == 1
        for _ in range(30):
            clock.go_on(hours=1)
            await service(store, alert_settings(VolumeRule(name="volume")), out, clock).round()
    assert len(out.messages) == 1
    [described] = out.messages[0][1].alerts
    assert "110" in described.headline
    facts = described.alert.facts
    assert (facts["largest"], facts["domains"]) == ("s1.example", 1)


@pytest.mark.parametrize("days", [5, 12])
@in_loop
async def test_a_burst_without_enough_history_is_silent(uri: str, days: int) -> None:
    out = Outgoing()
    async with collection(uri) as store:
        number = await _history(store, days, 2)
        burst = [found(number + i, NOW, site="s1.example") for i in range(200)]
        await store.write(pages=burst)
        await service(store, alert_settings(VolumeRule(name="v")), out, Clock()).round()
    assert out.subjects == []


@in_loop
async def test_what_the_crawl_itself_changes_is_no_volume(uri: str) -> None:
    out = Outgoing()
    async with collection(uri) as store:
        number = await _history(store, 35, 3)
        fresh = [found(number + i, NOW, site=f"new{i % 9}.example") for i in range(200)]
        late = [
            found(number + 500 + i, NOW, published_at=NOW - timedelta(days=9), site="s1.example")
            for i in range(200)
        ]
        undated = [found(number + 900 + i, NOW, published_at=None) for i in range(200)]
        await store.write(pages=[*fresh, *late, *undated])
        await service(store, alert_settings(VolumeRule(name="v")), out, Clock()).round()
    assert out.subjects == []


@pytest.mark.parametrize("seed", range(10, 20))
@in_loop
async def test_normal_histories_are_silent_at_every_hour_of_their_last_days(
    uri: str, seed: int
) -> None:
    out, clock = Outgoing(), Clock(NOW - timedelta(days=5))
    rules = VolumeRule(name="d"), VolumeRule(name="h", interval="hour"), HostRule(name="hosts")
    async with collection(uri) as store:
        await _history(store, 40, seed)
        alerts = service(store, alert_settings(*rules), out, clock)
        while clock.now < NOW:
            await alerts.round()
            clock.go_on(hours=3)
    shown = [
        (it.headline, it.details, it.alert.subject) for _c, m in out.messages for it in m.alerts
    ]
    assert shown == []


@pytest.mark.parametrize(
    ("reason", "expected"),
    [("offline", ["run-2"]), ("store_lost", ["run-2"]), ("finished", []), ("shutdown", [])],
)
@in_loop
async def test_a_run_that_failed_is_sent_once(uri: str, reason: str, expected: list[str]) -> None:
    clock, out = Clock(), Outgoing()
    async with collection(uri) as store:
        await begin(store)
        await store.write(runs=[run(2, NOW - timedelta(hours=1), NOW, reason)])
        alerts = service(store, alert_settings(HealthRule(name="health")), out, clock)
        for _ in range(3):
            await alerts.round()
            clock.go_on(minutes=1)
    assert out.subjects == expected


@in_loop
async def test_a_lost_worker_is_noticed_by_another_within_two_intervals_and_sent_once(
    uri: str,
) -> None:
    clock, out = Clock(), Outgoing()
    async with collection(uri) as store:
        await begin(store)
        await store.write(runs=[run(3, NOW - timedelta(hours=1), None, "")])
        alerts = service(store, alert_settings(HealthRule(name="health")), out, clock, "run-3")
        for minute in range(6):
            at = NOW + timedelta(minutes=minute)
            await store.write(
                desk=[sign("run-3", at), *([sign("run-2", at)] if minute < 2 else [])]
            )
            clock.now = at
            await alerts.round()
            assert (out.subjects == ["run-2"]) is (minute >= 3), minute
        await store.write(runs=[run(2, NOW - timedelta(hours=1), None, "killed")])
        await alerts.round()
    assert out.subjects == ["run-2"]


def test_pages_of_intervals_that_are_not_looked_at_any_more_are_forgotten() -> None:
    counts = Counts(VolumeRule(name="pages"))
    days = (0, 1, KEPT_DAYS, KEPT_DAYS + 1, 700)
    moments = [NOW - timedelta(days=it) for it in days]
    counts.add(
        PageHeadline(
            topic=TOPIC, url=f"http://a.cn/{it}", first_seen=it, fetched_at=it, published_at=it
        )
        for it in moments
    )
    counts.forget(NOW)
    assert sorted(counts.counts()) == sorted(counts.number(it) for it in moments[:3])

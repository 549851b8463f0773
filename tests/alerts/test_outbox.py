"""The outbox: retries, limits, several processes, batches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import cast
from unittest.mock import AsyncMock
from weakref import WeakValueDictionary

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
from topiccrawl.alerts.channels.contract import Message
from topiccrawl.alerts.channels.webhook import body as webhook_body
from topiccrawl.alerts.outbox import Outbox
from topiccrawl.alerts.reading import recorded
from topiccrawl.alerts.records import ALERT, ATTEMPT, KEPT, MESSAGE, SLOT, STATE, TopicDesk
from topiccrawl.alerts.rules import HealthRule, HostRule, WordRule, Words
from topiccrawl.alerts.runs import sign_key
from topiccrawl.alerts.settings import ChannelSettings
from topiccrawl.store.contract import Store, StoreUnavailable
from topiccrawl.store.desk import DeskRecord, DeskStore

WORDS = WordRule(name="领事", words=Words(any=("领事保护",)))


async def write(store: Store, *numbers: int) -> None:
    """Write stories that the rule is about."""
    pages = [found(i, NOW, title=f"领事保护第{i}号") for i in numbers]
    await store.write(pages=pages, runs=[run(1, NOW - timedelta(hours=1), None, "")])


@in_loop
async def test_a_message_that_is_not_taken_is_tried_again_later_and_later(uri: str) -> None:
    clock, out = Clock(), Outgoing()
    async with collection(uri) as store:
        await write(store, 1)
        alerts = service(store, alert_settings(WORDS), out, clock)
        out.failures = 2
        first = await alerts.round()
        assert (first.delivered.failed, first.delivered.error) == (1, "desk: no")
        assert (await alerts.round()).delivered.waiting == 1
        clock.go_on(seconds=31)
        assert (await alerts.round()).delivered.failed == 1
        clock.go_on(seconds=31)
        assert (await alerts.round()).delivered.waiting == 1
        clock.go_on(seconds=30)
        assert (await alerts.round()).delivered.sent == 1
        clock.go_on(hours=5)
        await alerts.round()
        [one] = await recorded(store, TOPIC)
    assert [it.state for it in one.deliveries] == ["sent"]
    assert one.deliveries[0].attempts == 3
    [(_channel, message)] = out.messages
    assert message.attempt == 3


@in_loop
async def test_a_clock_that_is_set_back_holds_no_message_up(uri: str) -> None:
    clock, out = Clock(), Outgoing()
    async with collection(uri) as store:
        await write(store, 1)
        limited = alert_settings(WORDS, per_minute=1)
        alerts = service(store, limited, out, clock)
        clock.go_on(hours=8)
        out.failures = 1
        assert (await alerts.round()).delivered.failed == 1
        # An attempt, and a draft, of processes that were killed.
        [(key, message)] = [(it.key, it) async for it in store.desk(TOPIC, MESSAGE)]
        claim = DeskRecord(topic=TOPIC, kind=ATTEMPT, key=f"{key}/0002", at=clock(), value={})
        assert await store.claim_desk(claim)
        draft = {**message.value, "state": "draft", "attempts": 0, "alerts": []}
        await store.write(
            desk=[DeskRecord(topic=TOPIC, kind=MESSAGE, key="draft", at=clock(), value=draft)]
        )
        clock.go_on(hours=-8)
        assert (await alerts.round()).delivered.sent == 1
        assert [it.key async for it in store.desk(TOPIC, MESSAGE)] == [key]
    assert len(out.messages) == 1


@in_loop
async def test_a_message_that_nobody_takes_is_given_up_after_three_days(uri: str) -> None:
    clock, out = Clock(), Outgoing()
    async with collection(uri) as store:
        await write(store, 1)
        alerts = service(store, alert_settings(WORDS), out, clock)
        out.failures = 10_000
        given_up = 0
        for _ in range(100):
            given_up += (await alerts.round()).delivered.given_up
            clock.go_on(hours=1, minutes=1)
        [one] = await recorded(store, TOPIC)
    assert given_up == 1
    assert one.deliveries[0].state == "given-up"
    assert one.deliveries[0].error == "no"


@in_loop
async def test_processes_that_work_at_the_same_time_send_each_story_once(uri: str) -> None:
    clock = Clock()
    outs = [Outgoing() for _ in range(4)]
    async with collection(uri) as store, collection(uri) as other:
        await write(store, *range(60))
        stores = [store, other, store, other]
        made = [
            service(it, alert_settings(WORDS), out, clock)
            for it, out in zip(stores, outs, strict=True)
        ]
        for _ in range(5):
            await asyncio.gather(*(it.round() for it in made))
            clock.go_on(minutes=4)
    subjects = [subject for out in outs for subject in out.subjects]
    assert len(subjects) == len(set(subjects)) == 60


@in_loop
async def test_a_flood_comes_in_few_messages_and_not_all_at_once(uri: str) -> None:
    clock, out = Clock(), Outgoing()
    async with collection(uri) as store:
        await write(store, *range(100))
        alerts = service(store, alert_settings(WORDS, per_minute=2), out, clock)
        sent = []
        for _ in range(4):
            sent.append((await alerts.round()).delivered.sent)
            clock.go_on(seconds=61)
    assert sent == [2, 2, 1, 0]
    assert [len(message.alerts) for _channel, message in out.messages] == [20] * 5
    assert len(set(out.subjects)) == 100


@in_loop
async def test_a_flood_of_one_domain_keeps_no_other_warning_waiting(uri: str) -> None:
    clock, out = Clock(), Outgoing()
    async with collection(uri) as store:
        farm = [
            found(
                i,
                NOW,
                title=f"领事保护第{i}号",
                url=f"http://w{i}.farm.example/{i}.html",
                site=f"w{i}.farm.example",
            )
            for i in range(200)
        ]
        await store.write(pages=farm, runs=[run(1, NOW - timedelta(hours=1), None, "")])
        alerts = service(store, alert_settings(WORDS, per_minute=2), out, clock)
        first = await alerts.round()
        clock.go_on(seconds=61)
        honest = [
            found(i, clock(), title=f"领事保护第{i}号", site=f"www.site{i}.example")
            for i in range(300, 303)
        ]
        await store.write(pages=honest)
        await alerts.round()
        second = [
            alert.alert.pages[0].site
            for _channel, message in out.messages[2:4]
            for alert in message.alerts
        ]
        for _ in range(5):
            clock.go_on(seconds=61)
            last = await alerts.round()
    assert (first.delivered.sent, first.delivered.waiting) == (2, 8)
    assert {it.site for it in honest} <= set(second)
    assert len(second) == 40
    assert last.delivered.waiting == 0
    assert len(set(out.subjects)) == 203


@in_loop
async def test_a_story_of_two_rules_is_one_message_to_each_of_their_channels(uri: str) -> None:
    clock, out = Clock(), Outgoing()
    one = WordRule(name="a", words=Words(any=("领事",)), channels=("x",))
    two = WordRule(name="b", words=Words(any=("保护",)), channels=("x", "y"))
    async with collection(uri) as store:
        await write(store, 1)
        alerts = service(store, alert_settings(one, two, channels=("x", "y", "z")), out, clock)
        await alerts.round()
    assert sorted(channel for channel, _message in out.messages) == ["x", "y"]
    described = out.messages[0][1].alerts[0]
    assert set(described.alert.rules) == {"a", "b"}


@in_loop
async def test_what_another_process_sends_meanwhile_is_not_sent_again(uri: str) -> None:
    clock, first, second = Clock(), Outgoing(), Outgoing()
    async with collection(uri) as store, collection(uri) as other:
        await write(store, *range(30))
        quick = service(other, alert_settings(WORDS), second, clock)

        async def slowly(channel: ChannelSettings, message: Message) -> None:
            await first(channel, message)
            await quick.round()

        made = await service(store, alert_settings(WORDS), slowly, clock).round()
        states = [it.state for one in await recorded(store, TOPIC) for it in one.deliveries]
    subjects = first.subjects + second.subjects
    assert len(subjects) == len(set(subjects)) == 30
    assert first.messages
    assert second.messages
    assert made.delivered.sent == len(first.messages)
    assert states == ["sent"] * 30


@in_loop
async def test_a_message_whose_end_the_store_did_not_take_is_not_sent_again(
    uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, out = Clock(), Outgoing()
    async with collection(uri) as store:
        await write(store, 1)

        async def sender(channel: ChannelSettings, message: Message) -> None:
            await out(channel, message)
            monkeypatch.setattr(store, "write", AsyncMock(side_effect=StoreUnavailable("away")))

        alerts = service(store, alert_settings(WORDS), sender, clock)
        with pytest.raises(StoreUnavailable):
            await alerts.round()
        monkeypatch.undo()
        clock.go_on(minutes=5)
        assert (await alerts.round()).delivered.sent == 0
        [one] = await recorded(store, TOPIC)
    assert [it.state for it in one.deliveries] == ["sent"]
    assert len(out.messages) == 1


@in_loop
async def test_personal_data_in_titles_are_masked_in_warnings(uri: str) -> None:
    clock, out = Clock(), Outgoing()
    async with collection(uri) as store:
        page = found(1, NOW, title="领事保护热线13912345678")
        await store.write(pages=[page], runs=[run(1, NOW - timedelta(hours=1), None, "")])
        await service(store, alert_settings(WORDS), out, clock).round()
        [one] = await recorded(store, TOPIC)
    assert one.alert.pages[0].title == "领事保护热线139****5678"
    [(_channel, message)] = out.messages
    assert "13912345678" not in webhook_body(message).decode() + message.title


@in_loop
async def test_a_warning_is_claimed_once_not_in_each_round(
    uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, out = Clock(), Outgoing()
    old = NOW - timedelta(days=40)
    async with collection(uri) as store:
        await store.write(pages=[found(0, old, run_id="run-1")], runs=[run(1, old, old)])
        claim = AsyncMock(wraps=store.claim_desk)
        monkeypatch.setattr(store, "claim_desk", claim)
        settings = alert_settings(HostRule(name="hosts"))
        alerts = service(store, settings, out, clock)
        await alerts.round()
        hosts = [found(i, NOW, site=f"h{i}.example") for i in range(1, 21)]
        await store.write(pages=hosts, runs=[run(2, NOW, None, "")])
        clock.go_on(minutes=1)
        assert len((await alerts.round()).found) == 20
        for made in (alerts, service(store, settings, out, clock)):
            clock.go_on(minutes=1)
            assert not (await made.round()).found
        assert sum(it.args[0].kind == ALERT for it in claim.await_args_list) == 20


@in_loop
async def test_what_is_half_a_year_old_leaves_the_store_and_is_not_found_again(uri: str) -> None:
    # The store notes by its own clock when records change: none of this is in the future.
    begin = NOW - timedelta(days=700)
    clock, out = Clock(begin), Outgoing()
    settings = alert_settings(WORDS, HostRule(name="站点"), HealthRule(name="抓取"))
    every = timedelta(days=45)
    rounds = 3 * (KEPT // every)
    async with collection(uri) as store:
        lost = run(1, begin - timedelta(days=40), begin - timedelta(minutes=2), "store_lost")
        await store.write(pages=[found(0, begin - timedelta(days=40), run_id="run-1")], runs=[lost])
        counts = []
        for number in range(1, rounds):
            killed = run(number + 1, clock.now - timedelta(hours=1), None, "killed")
            sign = DeskRecord(
                topic=TOPIC, kind=STATE, key=sign_key(killed.id), at=clock.now, value={"every": 60}
            )
            story = found(
                number,
                clock.now,
                title=f"领事保护第{number}号",
                url=f"http://w{number}.example/1.html",
                site=f"w{number}.example",
            )
            await store.write(pages=[story], runs=[killed], desk=[sign])
            # A new process, as with a timer, and one that goes on.
            for it in (service(store, settings, out, clock), service(store, settings, out, clock)):
                await it.round(since=begin - timedelta(days=1) if number == 1 else None)
            kinds = (ALERT, SLOT, MESSAGE, ATTEMPT, STATE)
            counts.append([len([1 async for _ in store.desk(TOPIC, kind)]) for kind in kinds])
            clock.go_on(days=every.days)
    assert counts[-1] == counts[-KEPT // every], "as many leave as come"
    kept = KEPT // every + 1
    assert counts[-1] == [3 * kept, 3 * kept, kept, 0, kept + 1], "stories, hosts, runs; the cursor"
    assert len(set(out.subjects)) == len(out.subjects) == 3 * (rounds - 1) + 1, "none comes twice"


class CountedRecord(DeskRecord):
    """A record of the desk that can be referred to weakly."""

    __slots__ = ("__weakref__",)


class LongDesk:
    """Yields a thousand old records of each kind, and notes how many are held at the same time."""

    def __init__(self) -> None:
        self.held: WeakValueDictionary[int, CountedRecord] = WeakValueDictionary()
        self.most = 0
        self.deleted = 0

    async def desk(self, topic: str, kind: str, *, prefix: str = "") -> AsyncIterator[DeskRecord]:
        for number in range(1000):
            record = CountedRecord(
                topic=topic, kind=kind, key=f"{number}", at=NOW - 2 * KEPT, value={"n": number}
            )
            self.held[number] = record
            self.most = max(self.most, len(self.held))
            yield record
            del record

    async def delete_desk(self, topic: str, kind: str, keys: Sequence[str]) -> int:
        self.deleted += len(keys)
        return len(keys)


def test_old_records_are_removed_without_holding_all_of_them() -> None:
    desk = LongDesk()
    outbox = Outbox(TopicDesk(cast("DeskStore", desk), TOPIC), (), Clock())
    asyncio.run(outbox.forget())
    assert desk.deleted == 5000
    assert desk.most < 10

"""Collections to be watched: pages of many days, runs, and a clock that tests set."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.store_records import TOPIC, page
from topiccrawl.alerts.channels.contract import Message, SendFailed
from topiccrawl.alerts.rules import Rule
from topiccrawl.alerts.service import AlertService
from topiccrawl.alerts.settings import AlertSettings, ChannelSettings
from topiccrawl.store.contract import PageRecord, RunRecord, Store
from topiccrawl.store.factory import open_store

#: A Monday, 10:00 in China.
NOW = datetime(2026, 3, 2, 2, tzinfo=UTC)


class Clock:
    """A clock that stands until it is set."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def go_on(self, **span: float) -> None:
        self.now += timedelta(**span)


class Outgoing:
    """Takes messages in place of a channel; fails as often as it is asked to."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, Message]] = []
        self.failures = 0

    async def __call__(self, channel: ChannelSettings, message: Message) -> None:
        if self.failures:
            self.failures -= 1
            raise SendFailed("no")
        self.messages.append((channel.name, message))

    @property
    def subjects(self) -> list[str]:
        """The subjects of all warnings, in the order of the messages."""
        return [it.alert.subject for _channel, message in self.messages for it in message.alerts]


def alert_settings(*rules: Rule, channels: Sequence[str] = ("desk",), **more: Any) -> AlertSettings:
    """Rules, and channels of one kind."""
    kind: str = "webhook"
    return AlertSettings(
        rules=rules, channels=[ChannelSettings(name=it, kind=kind, **more) for it in channels]
    )


def found(number: int, at: datetime, **changes: Any) -> PageRecord:
    """A page that was published an hour before it was found at *at*; compared, no copy."""
    values: dict[str, Any] = {
        "fetched_at": at,
        "first_seen": at,
        "published_at": at - timedelta(hours=1),
        "compared": 9,
        "run_id": "run-2",
        "html": None,
        **changes,
    }
    record = page(number, **values)
    if "story" not in changes:
        record.story = record.id
    return record


def run(number: int, start: datetime, end: datetime | None, reason: str = "finished") -> RunRecord:
    """A run of the topic."""
    return RunRecord(
        topic=TOPIC, id=f"run-{number}", started_at=start, finished_at=end, stop_reason=reason
    )


@asynccontextmanager
async def collection(uri: str) -> AsyncIterator[Store]:
    """Open the store at *uri*."""
    store = open_store(uri)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def service(
    store: Store, settings: AlertSettings, sender: Any, clock: Clock, run: str = ""
) -> AlertService:
    """A service of the topic."""
    return AlertService(store, TOPIC, settings, sender=sender, clock=clock, run=run)

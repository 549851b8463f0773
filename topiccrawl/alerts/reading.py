"""Recorded warnings and what became of them, for lists, feeds and the console."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from topiccrawl.alerts.records import ALERT, MESSAGE, Alert, value_of
from topiccrawl.store.desk import DeskStore


@dataclass(frozen=True, slots=True)
class Delivery:
    """One channel of a warning."""

    channel: str
    state: str
    """``sent``, ``ready`` (waits), ``unconfirmed`` or ``given-up``."""
    attempts: int
    error: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """One warning and its messages."""

    alert: Alert
    deliveries: Sequence[Delivery]


async def recorded(store: DeskStore, topic: str, limit: int | None = None) -> list[Recorded]:
    """Return the warnings of *topic*, the newest first, at most *limit*."""
    alerts = [Alert.of(it) async for it in store.desk(topic, ALERT)]
    alerts.sort(key=lambda it: (it.at, it.key), reverse=True)
    deliveries: dict[str, list[Delivery]] = defaultdict(list)
    async for record in store.desk(topic, MESSAGE):
        value = value_of(record)
        delivery = Delivery(
            channel=value["channel"],
            state="ready" if value["state"] == "draft" else value["state"],
            attempts=value["attempts"],
            error=value.get("error", ""),
        )
        for key in value["alerts"]:
            deliveries[key].append(delivery)
    return [Recorded(it, deliveries[it.key]) for it in alerts[:limit]]

"""From warnings to messages, such that a kill -9 at any moment neither loses nor doubles one.

Everything is a record of the desk in the store.  The only operation that decides between processes is
``claim_desk``, which inserts a record unless its key exists, atomically:

1. A warning is claimed by its subject.  Whoever finds the same story again, or at the same time, fails.
2. A message is drafted with the warnings that a channel has not got yet, then claims a *slot* for each of
   them, and becomes ready with those that it got.  A draft whose process was killed is completed by any other.
3. An attempt to send a ready message is claimed by its number; then the message is sent, then it is marked
   as sent (``delivery``).  A process that was killed between the last two steps leaves an attempt without a
   result: after :data:`LEASE`, the next attempt is claimed.

The third step promises *at least once*, with the same idempotency key each time (``Idempotency-Key`` of a
webhook, ``Message-ID`` of an e-mail): a receiver that looks at it has each message once.  Robots of groups have
no such key.  With ``after_crash = "skip"`` a message whose fate is unknown is not repeated, which promises *at
most once*; it is then listed as unconfirmed.
"""

from __future__ import annotations

import math
import secrets
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from topiccrawl.alerts.channels.kinds import KINDS
from topiccrawl.alerts.records import (
    ALERT,
    ATTEMPT,
    KEPT,
    MESSAGE,
    SLOT,
    STATE,
    Alert,
    TopicDesk,
    value_of,
)
from topiccrawl.alerts.runs import SIGN
from topiccrawl.alerts.settings import ChannelSettings
from topiccrawl.store.desk import DeskRecord
from topiccrawl.urls.domains import registered_domain

#: Time after which an attempt without a result, or a draft, is one of a process that was killed.  An attempt
#: ends within two minutes (``sending.ATTEMPT_SECONDS``); a clock may be wrong by a minute.  One that lies further
#: ahead was recorded before the clock was set back.
LEASE: Final = timedelta(minutes=3)
#: Time in which warnings of a domain make further ones of it wait for those of others (a choice).
_TURN: Final = timedelta(days=1)
#: How much longer than :data:`KEPT` records stay, until no other process can still use them: clocks differ
#: (a guess).
_MARGIN: Final = timedelta(days=1)
#: Time between two removals of old records by one process (a choice: they are read for it).
_FORGETTING: Final = timedelta(hours=6)


class Outbox:
    """Records the warnings of one topic, and puts them into messages."""

    def __init__(
        self, desk: TopicDesk, channels: Sequence[ChannelSettings], clock: Callable[[], datetime]
    ) -> None:
        self._desk = desk
        self._channels = channels
        self._clock = clock
        self._recorded: set[str] | None = None
        """Keys of warnings that are in the store; ``None`` before the first one is claimed."""
        self._forgot_at: datetime | None = None

    async def claim(self, alerts: Sequence[Alert]) -> list[Alert]:
        """Record warnings; return those that were new.

        Each look finds all hosts and failed runs again that are new since the topic is watched, and a claim
        is a transaction: those that are known to be recorded are not claimed.
        """
        if not alerts:
            return []
        if self._recorded is None:
            self._recorded = set(await self._desk.all(ALERT))
        new = []
        for alert in alerts:
            if alert.key in self._recorded:
                continue
            if await self._desk.claim(ALERT, alert.key, alert.at, alert.value()):
                new.append(alert)
            self._recorded.add(alert.key)
        return new

    async def dispatch(self) -> int:
        """Put warnings that a channel has not got yet into messages; return how many are left for later.

        Of a flood, only as many messages are made as the channel gets in a minute, so that the next round has a
        choice: warnings of the domains with the fewest warnings before them within a day come first.
        """
        # Older ones may be on their way out, and their slots with them: they would be sent again.
        oldest = self._clock() - KEPT
        alerts = {key: it for key, it in (await self._desk.all(ALERT)).items() if it.at >= oldest}
        if not alerts:
            return 0
        slots = set(await self._desk.all(SLOT))
        messages = await self._desk.all(MESSAGE)
        for record in messages.values():
            if record.value["state"] == "draft" and abs(self._clock() - record.at) > LEASE:
                await self._fill(record)
        left = 0
        places: Mapping[str, int] | None = None
        for channel in self._channels:
            waiting = [
                key
                for key, record in alerts.items()
                if channel.name in value_of(record)["channels"]
                and _slot(channel.name, key) not in slots
            ]
            if not waiting:
                continue
            places = places_in_turn(alerts) if places is None else places
            waiting.sort(key=lambda key: (places[key], alerts[key].at, key))
            size = KINDS[channel.kind].batch
            ready = sum(_is_new(it, channel.name) for it in messages.values())
            most = size * max(0, channel.per_minute - ready)
            for start in range(0, len(waiting[:most]), size):
                await self._draft(channel.name, waiting[start : start + size])
            left += math.ceil(len(waiting[most:]) / size)
        return left

    async def _draft(self, channel: str, keys: Sequence[str]) -> None:
        now = self._clock()
        key = f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(8)}"
        value = {"channel": channel, "state": "draft", "alerts": list(keys), "attempts": 0}
        record = self._desk.record(MESSAGE, key, now, value)
        await self._desk.write(record)
        await self._fill(record)

    async def _fill(self, record: DeskRecord) -> None:
        """Claim the slots of a draft, and make it ready with those that it got."""
        channel = str(record.value["channel"])
        mine = []
        for alert in value_of(record)["alerts"]:
            slot = _slot(channel, alert)
            if await self._desk.claim(SLOT, slot, record.at, {"message": record.key}):
                mine.append(alert)
                continue
            taken = await self._desk.entry(SLOT, slot)
            if taken is not None and taken.value["message"] == record.key:
                mine.append(alert)
        now = await self._desk.entry(MESSAGE, record.key)
        if now is None or now.value["state"] != "draft":
            return  # another process has completed it, and may have sent it
        if not mine:
            await self._desk.delete(MESSAGE, [record.key])
            return
        ready = {**record.value, "alerts": mine, "state": "ready"}
        await self._desk.write(replace(record, value=ready))

    async def forget(self) -> None:
        """Delete what is older than :data:`KEPT`: warnings, messages, and signs of life of lost runs."""
        now = self._clock()
        if self._forgot_at is not None and abs(now - self._forgot_at) < _FORGETTING:
            return
        for kind, prefix in ((ALERT, ""), (SLOT, ""), (MESSAGE, ""), (ATTEMPT, ""), (STATE, SIGN)):
            old = await self._desk.older(kind, prefix, now - KEPT - _MARGIN)
            if old:
                await self._desk.delete(kind, old)
            if kind == ALERT and self._recorded is not None:
                self._recorded.difference_update(old)
        self._forgot_at = now


def places_in_turn(alerts: Mapping[str, DeskRecord]) -> dict[str, int]:
    """Return, for each warning, how many of the same domain came before it within :data:`_TURN`.

    Who writes a thousand stories with a word that a rule looks for must not keep the warnings of others waiting.
    Warnings without pages (volume, health) have 0.
    """
    places: dict[str, int] = {}
    recent: dict[str, deque[datetime]] = defaultdict(deque)
    for key, record in sorted(alerts.items(), key=lambda it: (it[1].at, it[0])):
        pages = value_of(record)["pages"] if value_of(record)["kind"] in ("story", "host") else ()
        domain = registered_domain(str(pages[0]["site"])) if pages else ""
        before = recent[domain]
        while before and record.at - before[0] > _TURN:
            before.popleft()
        places[key] = len(before) if domain else 0
        before.append(record.at)
    return places


def _is_new(message: DeskRecord, channel: str) -> bool:
    """Whether a message to *channel* was never sent."""
    value = value_of(message)
    return value["channel"] == channel and value["state"] == "ready" and not value["attempts"]


def _slot(channel: str, alert: str) -> str:
    return f"{channel}/{alert}"

"""From warnings to delivered messages, such that a kill -9 at any moment neither loses nor doubles one.

Everything is a record of the desk in the store.  The only operation that decides between processes is
``claim_desk``, which inserts a record unless its key exists, atomically:

1. A warning is claimed by its subject.  Whoever finds the same story again, or at the same time, fails.
2. A message is drafted with the warnings that a channel has not got yet, then claims a *slot* for each of
   them, and becomes ready with those that it got.  A draft whose process was killed is completed by any other.
3. An attempt to send a ready message is claimed by its number; then the message is sent, then it is marked
   as sent.  A process that was killed between the last two steps leaves an attempt without a result: after
   :data:`LEASE`, the next attempt is claimed.

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
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Literal

from topiccrawl.alerts.channels.contract import Message, SendFailed
from topiccrawl.alerts.channels.sending import BATCH
from topiccrawl.alerts.records import (
    ALERT,
    ATTEMPT,
    KEPT,
    MESSAGE,
    SLOT,
    STATE,
    Alert,
    subject_key,
    value_of,
)
from topiccrawl.alerts.runs import SIGN
from topiccrawl.alerts.texts import describe, message_title
from topiccrawl.backoff import exponential_delay
from topiccrawl.language import user_language
from topiccrawl.store.desk import DeskRecord
from topiccrawl.urls.domains import registered_domain

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from topiccrawl.alerts.settings import AlertSettings, ChannelSettings
    from topiccrawl.store.desk import DeskStore

__all__ = ["LEASE", "Delivered", "Outbox", "State"]

#: Time after which an attempt without a result, or a draft, is one of a process that was killed.  An attempt
#: ends within two minutes (``sending.ATTEMPT_SECONDS``); a clock may be wrong by a minute.
LEASE: Final = timedelta(minutes=3)
#: Pauses after failed attempts, in seconds (a guess: half a minute bridges a restart of a server).
_FIRST_PAUSE: Final = 30.0
_LONGEST_PAUSE: Final = 3_600.0
#: Failures in a row after which a channel rests until the next round (a choice: one may be the message's own).
_FAILURES: Final = 2
#: Time in which warnings of a domain make further ones of it wait for those of others (a choice).
_TURN: Final = timedelta(days=1)
#: Time after which a message that no channel accepts is given up (a choice: a weekend).
_PATIENCE: Final = timedelta(hours=72)

#: How much longer than :data:`KEPT` records stay, until no other process can still use them: clocks differ
#: (a guess).
_MARGIN: Final = timedelta(days=1)
#: Time between two removals of old records by one process (a choice: they are read for it).
_FORGETTING: Final = timedelta(hours=6)

#: ``draft`` and ``ready``: to be sent; the others are final.
State = Literal["draft", "ready", "sent", "unconfirmed", "given-up"]

Send = Callable[["ChannelSettings", Message], "Awaitable[None]"]


@dataclass(slots=True)
class Delivered:
    """What a round of delivery did."""

    sent: int = 0
    failed: int = 0
    waiting: int = 0
    """Messages that wait: for their next attempt, or because a channel takes only so many a minute."""
    unconfirmed: int = 0
    given_up: int = 0
    errors: dict[str, str] = field(default_factory=dict)
    """The last reason of a failure, by channel."""

    @property
    def error(self) -> str:
        """Why messages failed, with the names of the channels; empty if none did."""
        return "; ".join(f"{channel}: {why}" for channel, why in self.errors.items())


class Outbox:
    """The warnings and messages of one topic."""

    def __init__(
        self,
        store: DeskStore,
        topic: str,
        settings: AlertSettings,
        send: Send,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = store
        self._topic = topic
        self._settings = settings
        self._send = send
        self._clock = clock
        self._sent_at: dict[str, list[datetime]] = defaultdict(list)
        self._unwritten: dict[str, DeskRecord] = {}
        """Messages that have ended, and whose end the store has not taken yet."""
        self._recorded: set[str] | None = None
        """Keys of warnings that are in the store; ``None`` before the first one is claimed."""
        self._left: dict[str, int] = {}
        """Messages that the last :meth:`dispatch` has not made yet, by channel."""
        self._forgot_at: datetime | None = None

    async def claim(self, alerts: Sequence[Alert]) -> list[Alert]:
        """Record warnings; return those that were new.

        Each look finds all hosts and failed runs again that are new since the topic is watched, and a claim
        is a transaction: those that are known to be recorded are not claimed.
        """
        if not alerts:
            return []
        if self._recorded is None:
            self._recorded = set(await self._all(ALERT))
        new = []
        for alert in alerts:
            if alert.key in self._recorded:
                continue
            record = self._record(ALERT, alert.key, alert.at, alert.value())
            if await self._store.claim_desk(record):
                new.append(alert)
            self._recorded.add(alert.key)
        return new

    async def dispatch(self) -> int:
        """Put warnings that a channel has not got yet into messages; return how many messages.

        Of a flood, only as many messages are made as the channel gets in a minute, so that the next round has a
        choice: warnings of the domains with the fewest warnings before them within a day come first.
        """
        self._left.clear()
        # Older ones may be on their way out, and their slots with them: they would be sent again.
        oldest = self._clock() - KEPT
        alerts = {key: it for key, it in (await self._all(ALERT)).items() if it.at >= oldest}
        if not alerts:
            return 0
        slots = set(await self._all(SLOT))
        messages = await self._all(MESSAGE)
        made = 0
        for key, record in messages.items():
            if record.value["state"] == "draft" and self._abandoned(record):
                made += await self._fill(key, record)
        places: Mapping[str, int] | None = None
        for channel in self._settings.channels:
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
            size = BATCH[channel.kind]
            ready = sum(_is_new(it, channel.name) for it in messages.values())
            most = size * max(0, channel.per_minute - ready)
            for start in range(0, len(waiting[:most]), size):
                made += await self._draft(channel.name, waiting[start : start + size])
            self._left[channel.name] = math.ceil(len(waiting[most:]) / size)
        return made

    async def _draft(self, channel: str, keys: Sequence[str]) -> int:
        now = self._clock()
        key = f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(8)}"
        value = {"channel": channel, "state": "draft", "alerts": list(keys), "attempts": 0}
        record = self._record(MESSAGE, key, now, value)
        await self._store.write(desk=[record])
        return await self._fill(key, record)

    async def _fill(self, key: str, record: DeskRecord) -> int:
        """Claim the slots of a draft, and make it ready with those that it got."""
        channel = str(record.value["channel"])
        mine = []
        for alert in value_of(record)["alerts"]:
            slot = self._record(SLOT, _slot(channel, alert), record.at, {"message": key})
            if await self._store.claim_desk(slot):
                mine.append(alert)
                continue
            taken = await self._store.desk_entry(self._topic, SLOT, slot.key)
            if taken is not None and taken.value["message"] == key:
                mine.append(alert)
        now = await self._current(key)
        if now is None or now.value["state"] != "draft":
            return 0  # another process has completed it, and may have sent it
        if not mine:
            await self._store.delete_desk(self._topic, MESSAGE, [key])
            return 0
        ready = {**record.value, "alerts": mine, "state": "ready"}
        await self._store.write(desk=[self._record(MESSAGE, key, record.at, ready)])
        return 1

    async def _current(self, key: str) -> DeskRecord | None:
        """Return a message as it is now."""
        return await self._store.desk_entry(self._topic, MESSAGE, key)

    def _abandoned(self, record: DeskRecord) -> bool:
        return self._clock() - record.at > LEASE

    async def deliver(self) -> Delivered:
        """Send what is ready and due: what is new, then what has failed before, the oldest first.

        A channel that fails twice in a row gets nothing more in this round: its server is away, or refuses
        everything, and each attempt can last as long as a time-out.
        """
        await self._write_ends()
        result = Delivered(waiting=sum(self._left.values()))
        channels = {it.name: it for it in self._settings.channels}
        alerts: Mapping[str, DeskRecord] | None = None
        failures: dict[str, int] = defaultdict(int)
        messages = (await self._all(MESSAGE)).items()
        for key, listed in sorted(messages, key=lambda it: (it[1].value["attempts"] != 0, it[0])):
            channel = channels.get(str(listed.value["channel"]))
            if listed.value["state"] != "ready" or channel is None:
                continue
            # Sending takes time, in which another process may have sent this one.
            record = await self._current(key)
            if record is None or record.value["state"] != "ready":
                continue
            if failures[channel.name] == _FAILURES or not self._has_room(channel):
                result.waiting += 1
                continue
            attempt = await self._next_attempt(key, record, channel, result)
            if attempt is None:
                continue
            alerts = await self._all(ALERT) if alerts is None else alerts
            message = self._message(key, record, channel, alerts, attempt)
            accepted = await self._try(key, record, channel, message, result)
            failures[channel.name] = 0 if accepted else failures[channel.name] + 1
        return result

    async def _next_attempt(
        self, key: str, record: DeskRecord, channel: ChannelSettings, result: Delivered
    ) -> int | None:
        """Claim and return the number of the next attempt; ``None`` if it is not this process's turn."""
        now = self._clock()
        last = int(value_of(record)["attempts"])
        error_at = record.value.get("failed_at")
        if error_at is not None:
            pause = exponential_delay(last, base=_FIRST_PAUSE, cap=_LONGEST_PAUSE)
            if now < datetime.fromisoformat(str(error_at)) + timedelta(seconds=pause):
                result.waiting += 1
                return None
        number = last + 1
        claim = self._record(ATTEMPT, f"{key}/{number:04}", now, {})
        if await self._store.claim_desk(claim):
            # The claims of a message that was sent are deleted: whoever comes too late gets one.
            current = await self._current(key)
            if current is not None and current.value == record.value:
                return number
            await self._store.delete_desk(self._topic, ATTEMPT, [claim.key])
            return None
        other = await self._store.desk_entry(self._topic, ATTEMPT, claim.key)
        if other is None or not self._abandoned(other):
            result.waiting += 1
            return None
        # Its process was killed, or cannot write: whether the message has arrived is unknown.
        if channel.after_crash == "skip":
            await self._end(key, record, "unconfirmed", number)
            result.unconfirmed += 1
            return None
        unknown = {**record.value, "attempts": number}
        unknown.pop("failed_at", None)
        await self._store.write(desk=[self._record(MESSAGE, key, record.at, unknown)])
        return await self._next_attempt(
            key, self._record(MESSAGE, key, record.at, unknown), channel, result
        )

    async def _try(
        self,
        key: str,
        record: DeskRecord,
        channel: ChannelSettings,
        message: Message,
        result: Delivered,
    ) -> bool:
        """Send a message, and record the result; return whether anybody has accepted it."""
        self._sent_at[channel.name].append(self._clock())
        try:
            await self._send(channel, message)
        except SendFailed as error:
            result.failed += 1
            result.errors[channel.name] = str(error)
            now = self._clock()
            if now - record.at > _PATIENCE:
                result.given_up += 1
                await self._end(key, record, "given-up", message.attempt, error=str(error))
                return bool(error.left)
            failed = {
                **record.value,
                "attempts": message.attempt,
                "failed_at": now.isoformat(),
                "error": str(error),
            }
            if error.left:
                failed["left"] = list(error.left)
            await self._store.write(desk=[self._record(MESSAGE, key, record.at, failed)])
            result.waiting += 1
            return bool(error.left)
        result.sent += 1
        await self._end(key, record, "sent", message.attempt)
        return True

    async def _end(
        self, key: str, record: DeskRecord, state: State, attempts: int, **more: Any
    ) -> None:
        """Mark a message as done; an end that the store does not take is written by the next delivery."""
        now = self._clock().isoformat()
        value = {**record.value, "state": state, "attempts": attempts, "ended_at": now, **more}
        value.pop("failed_at", None)
        if state == "sent":
            value.pop("error", None)
            value.pop("left", None)
        self._unwritten[key] = self._record(MESSAGE, key, record.at, value)
        await self._write_ends()

    async def _write_ends(self) -> None:
        """Write the ends of messages, then delete the claims of their attempts."""
        for key, record in list(self._unwritten.items()):
            await self._store.write(desk=[record])
            numbers = range(1, value_of(record)["attempts"] + 1)
            await self._store.delete_desk(
                self._topic, ATTEMPT, [f"{key}/{number:04}" for number in numbers]
            )
            del self._unwritten[key]

    def _message(
        self,
        key: str,
        record: DeskRecord,
        channel: ChannelSettings,
        alerts: Mapping[str, DeskRecord],
        attempt: int,
    ) -> Message:
        found = [Alert.of(alerts[it]) for it in value_of(record)["alerts"] if it in alerts]
        left = value_of(record).get("left", ())
        return self._written(key, record.at, channel, found, attempt, left)

    def _written(
        self,
        key: str,
        at: datetime,
        channel: ChannelSettings,
        alerts: Sequence[Alert],
        attempt: int,
        left: Sequence[str] = (),
    ) -> Message:
        language = channel.language or user_language()
        found = [describe(it, language) for it in alerts]
        return Message(
            key=subject_key("message", self._topic, key),
            topic=self._topic,
            at=at.astimezone(UTC),
            title=message_title(self._topic, found, language),
            alerts=found,
            language=language,
            link=self._settings.link,
            attempt=attempt,
            left=left,
        )

    def unrecorded(self, alert: Alert, channel: ChannelSettings) -> Message:
        """Return a message about *alert* alone, for a store that is away."""
        return self._written(f"{channel.name}/{alert.key}", alert.at, channel, [alert], 1)

    async def forget(self) -> None:
        """Delete what is older than :data:`KEPT`: warnings, messages, and signs of life of lost runs."""
        now = self._clock()
        if self._forgot_at is not None and abs(now - self._forgot_at) < _FORGETTING:
            return
        for kind, prefix in ((ALERT, ""), (SLOT, ""), (MESSAGE, ""), (ATTEMPT, ""), (STATE, SIGN)):
            records = self._store.desk(self._topic, kind, prefix=prefix)
            old = [it.key async for it in records if now - it.at > KEPT + _MARGIN]
            if old:
                await self._store.delete_desk(self._topic, kind, old)
            if kind == ALERT and self._recorded is not None:
                self._recorded.difference_update(old)
        self._forgot_at = now

    def use(self, store: DeskStore) -> None:
        """Go on with another connection."""
        self._store = store

    def _has_room(self, channel: ChannelSettings) -> bool:
        """Whether the channel may get another message within this minute."""
        since = self._clock() - timedelta(minutes=1)
        recent = [it for it in self._sent_at[channel.name] if it > since]
        self._sent_at[channel.name] = recent
        return len(recent) < channel.per_minute

    async def _all(self, kind: str) -> dict[str, DeskRecord]:
        return {it.key: it async for it in self._store.desk(self._topic, kind)}

    def _record(self, kind: str, key: str, at: datetime, value: Mapping[str, Any]) -> DeskRecord:
        return DeskRecord(topic=self._topic, kind=kind, key=key, at=at, value=value)


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

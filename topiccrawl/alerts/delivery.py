"""Sending messages of the outbox: attempts, pauses, and the end of each; see :mod:`~topiccrawl.alerts.outbox`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from topiccrawl.alerts.channels.contract import Message, SendFailed
from topiccrawl.alerts.outbox import LEASE
from topiccrawl.alerts.records import (
    ALERT,
    ATTEMPT,
    MESSAGE,
    Alert,
    TopicDesk,
    subject_key,
    value_of,
)
from topiccrawl.alerts.settings import AlertSettings, ChannelSettings
from topiccrawl.alerts.texts import describe, message_title
from topiccrawl.backoff import exponential_delay
from topiccrawl.language import user_language
from topiccrawl.store.desk import DeskRecord

#: Pauses after failed attempts, in seconds (a guess: half a minute bridges a restart of a server).
_FIRST_PAUSE: Final = 30.0
_LONGEST_PAUSE: Final = 3_600.0
#: Failures in a row after which a channel rests until the next round (a choice: one may be the message's own).
_FAILURES: Final = 2
#: Time after which a message that no channel accepts is given up (a choice: a weekend).
_PATIENCE: Final = timedelta(hours=72)

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


class Delivery:
    """Sends the messages of one topic."""

    def __init__(
        self, desk: TopicDesk, settings: AlertSettings, send: Send, clock: Callable[[], datetime]
    ) -> None:
        self._desk = desk
        self._settings = settings
        self._send = send
        self._clock = clock
        self._sent_at: dict[str, list[datetime]] = defaultdict(list)
        self._unwritten: dict[str, DeskRecord] = {}
        """Messages that have ended, and whose end the store has not taken yet."""

    async def deliver(self, left: int = 0) -> Delivered:
        """Send what is ready and due: what is new, then what has failed before, the oldest first.

        A channel that fails twice in a row gets nothing more in this round: its server is away, or refuses
        everything, and each attempt can last as long as a time-out.  *left* messages that wait to be made are
        counted as waiting.
        """
        await self._write_ends()
        result = Delivered(waiting=left)
        channels = {it.name: it for it in self._settings.channels}
        alerts: Mapping[str, DeskRecord] | None = None
        failures: dict[str, int] = defaultdict(int)
        messages = (await self._desk.all(MESSAGE)).items()
        for key, listed in sorted(messages, key=lambda it: (it[1].value["attempts"] != 0, it[0])):
            channel = channels.get(str(listed.value["channel"]))
            if listed.value["state"] != "ready" or channel is None:
                continue
            # Sending takes time, in which another process may have sent this one.
            record = await self._desk.entry(MESSAGE, key)
            if record is None or record.value["state"] != "ready":
                continue
            if failures[channel.name] == _FAILURES or not self._has_room(channel):
                result.waiting += 1
                continue
            attempt = await self._next_attempt(record, channel, result)
            if attempt is None:
                continue
            alerts = await self._desk.all(ALERT) if alerts is None else alerts
            value = value_of(record)
            found = [Alert.of(alerts[it]) for it in value["alerts"] if it in alerts]
            to = value.get("left", ())
            message = self._message(key, record.at, channel, found, attempt, to)
            accepted = await self._try(record, channel, message, result)
            failures[channel.name] = 0 if accepted else failures[channel.name] + 1
        return result

    async def _next_attempt(
        self, record: DeskRecord, channel: ChannelSettings, result: Delivered
    ) -> int | None:
        """Claim and return the number of the next attempt; ``None`` if it is not this process's turn."""
        now = self._clock()
        last = int(value_of(record)["attempts"])
        error_at = record.value.get("failed_at")
        if error_at is not None:
            pause = exponential_delay(last, base=_FIRST_PAUSE, cap=_LONGEST_PAUSE)
            since = now - datetime.fromisoformat(str(error_at))
            # A failure that is yet to come was recorded before the clock was set back.
            if timedelta(0) <= since < timedelta(seconds=pause):
                result.waiting += 1
                return None
        number = last + 1
        claim = f"{record.key}/{number:04}"
        if await self._desk.claim(ATTEMPT, claim, now, {}):
            # The claims of a message that was sent are deleted: whoever comes too late gets one.
            current = await self._desk.entry(MESSAGE, record.key)
            if current is not None and current.value == record.value:
                return number
            await self._desk.delete(ATTEMPT, [claim])
            return None
        other = await self._desk.entry(ATTEMPT, claim)
        if other is None or abs(self._clock() - other.at) <= LEASE:
            result.waiting += 1
            return None
        # Its process was killed, or cannot write: whether the message has arrived is unknown.
        if channel.after_crash == "skip":
            await self._end(record, "unconfirmed", number)
            result.unconfirmed += 1
            return None
        value = {**record.value, "attempts": number}
        value.pop("failed_at", None)
        unknown = replace(record, value=value)
        await self._desk.write(unknown)
        return await self._next_attempt(unknown, channel, result)

    async def _try(
        self,
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
                await self._end(record, "given-up", message.attempt, error=str(error))
                return bool(error.left)
            failed = {
                **record.value,
                "attempts": message.attempt,
                "failed_at": now.isoformat(),
                "error": str(error),
            }
            if error.left:
                failed["left"] = list(error.left)
            await self._desk.write(replace(record, value=failed))
            result.waiting += 1
            return bool(error.left)
        result.sent += 1
        await self._end(record, "sent", message.attempt)
        return True

    async def _end(self, record: DeskRecord, state: State, attempts: int, **more: Any) -> None:
        """Mark a message as done; an end that the store does not take is written by the next delivery."""
        now = self._clock().isoformat()
        value = {**record.value, "state": state, "attempts": attempts, "ended_at": now, **more}
        value.pop("failed_at", None)
        if state == "sent":
            value.pop("error", None)
            value.pop("left", None)
        self._unwritten[record.key] = replace(record, value=value)
        await self._write_ends()

    async def _write_ends(self) -> None:
        """Write the ends of messages, then delete the claims of their attempts."""
        for key, record in list(self._unwritten.items()):
            await self._desk.write(record)
            numbers = range(1, value_of(record)["attempts"] + 1)
            await self._desk.delete(ATTEMPT, [f"{key}/{number:04}" for number in numbers])
            del self._unwritten[key]

    def _message(
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
            key=subject_key("message", self._desk.topic, key),
            topic=self._desk.topic,
            at=at.astimezone(UTC),
            title=message_title(self._desk.topic, found, language),
            alerts=found,
            language=language,
            link=self._settings.link,
            attempt=attempt,
            left=left,
        )

    def unrecorded(self, alert: Alert, channel: ChannelSettings) -> Message:
        """Return a message about *alert* alone, for a store that is away."""
        return self._message(f"{channel.name}/{alert.key}", alert.at, channel, [alert], 1)

    def _has_room(self, channel: ChannelSettings) -> bool:
        """Whether the channel may get another message within this minute."""
        now = self._clock()
        recent = [it for it in self._sent_at[channel.name] if abs(now - it) < timedelta(minutes=1)]
        self._sent_at[channel.name] = recent
        return len(recent) < channel.per_minute

"""A process that makes one round of warnings and kills itself at a given step.

Steps are calls that change the store, counted from 1; a negative step dies after the call, 0 never.  The
step :data:`SENDING` dies before the first message is sent, minus that after it has arrived.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

from tests.support.store_records import TOPIC
from tests.support.watched import NOW, Clock, collection
from topiccrawl.access.login import Secret
from topiccrawl.alerts.channels.contract import Message
from topiccrawl.alerts.channels.sending import send
from topiccrawl.alerts.rules import WordRule, Words
from topiccrawl.alerts.service import AlertService
from topiccrawl.alerts.settings import AlertSettings, ChannelSettings

SENDING = 1_000
#: Methods of the store that change something.
CHANGING = {"write", "claim_desk", "delete_desk"}


class Steps:
    """Counts steps, and ends the process with SIGKILL at one of them."""

    def __init__(self, fatal: int) -> None:
        self._fatal = fatal
        self.taken = 0

    async def take(self, call: Callable[[], Awaitable[Any]], step: int = 0) -> Any:
        self.taken += not step
        step = step or self.taken
        if step == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        result = await call()
        if -step == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        return result


class MortalStore:
    """A store whose changes are steps."""

    def __init__(self, store: Any, steps: Steps) -> None:
        self._store, self._steps = store, steps

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if name not in CHANGING:
            return method
        return lambda *given, **named: self._steps.take(lambda: method(*given, **named))


def settings(url: str, after_crash: str = "repeat") -> AlertSettings:
    """One rule and one webhook."""
    rule = WordRule(name="领事", words=Words(any=("领事保护",)))
    hook = ChannelSettings(
        name="desk",
        kind="webhook",
        url=Secret(url),
        per_minute=1_000,
        after_crash=after_crash,
    )
    return AlertSettings(rules=(rule,), channels=(hook,))


async def main(uri: str, url: str, fatal: int, minutes: int, after_crash: str) -> None:
    steps = Steps(fatal)

    async def sender(channel: ChannelSettings, message: Message) -> None:
        await steps.take(lambda: send(channel, message), SENDING)

    async with collection(uri) as store:
        alerts: Any = AlertService(
            MortalStore(store, steps),
            TOPIC,
            settings(url, after_crash),
            sender=sender,
            clock=Clock(NOW + timedelta(minutes=minutes)),
        )
        await alerts.round()


def round_in_child(uri: str, url: str, fatal: int, minutes: int, after_crash: str) -> None:
    """Make one round, in a process of its own."""
    asyncio.run(main(uri, url, fatal, minutes, after_crash))

"""Send a message through a channel of any kind."""

from __future__ import annotations

import asyncio
import secrets
import time
from concurrent.futures import Future
from datetime import datetime
from threading import Thread
from typing import Final

from topiccrawl.alerts.channels.contract import Message, SendFailed
from topiccrawl.alerts.channels.kinds import KINDS
from topiccrawl.alerts.records import Alert
from topiccrawl.alerts.settings import ChannelSettings
from topiccrawl.alerts.texts import describe, message_title
from topiccrawl.language import _, user_language

#: Seconds for a whole attempt, whose steps each have ``TIMEOUT_SECONDS`` (a choice: a server that answers drop
#: by drop must not hold up the others, nor outlast the lease of the attempt).
ATTEMPT_SECONDS: Final = 120.0


async def send(channel: ChannelSettings, message: Message) -> None:
    """Send *message* without blocking the event loop; raise ``SendFailed`` if it was not accepted."""
    if channel.problem:
        raise SendFailed(channel.problem)
    ended: Future[None] = Future()

    def attempt() -> None:
        try:
            KINDS[channel.kind].send(channel, message, time.time())
        except BaseException as error:
            ended.set_exception(error)
        else:
            ended.set_result(None)

    ended.set_running_or_notify_cancel()
    # Not asyncio's threads: the end of the process waits for them.
    Thread(target=attempt, name=f"alerts-{channel.name}", daemon=True).start()
    try:
        await asyncio.wait_for(asyncio.wrap_future(ended), ATTEMPT_SECONDS)
    except TimeoutError:
        why = _("the server has not answered in full within {n} seconds")
        raise SendFailed(why.format(n=round(ATTEMPT_SECONDS))) from None


async def send_test(channel: ChannelSettings, topic: str, link: str, at: datetime) -> None:
    """Send a test message about *topic*, as :func:`send` does; *link* is the address of the console."""
    alert = Alert(
        key=secrets.token_hex(16),
        kind="test",
        rules=(),
        channels=(channel.name,),
        subject="test",
        at=at,
        facts={},
    )
    language = channel.language or user_language()
    described = [describe(alert, language)]
    title = message_title(topic, described, language)
    await send(channel, Message(alert.key, topic, at, title, described, language, link))

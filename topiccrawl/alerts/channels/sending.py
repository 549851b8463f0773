"""Send a message through a channel of any kind."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Final

from topiccrawl.alerts.channels import dingtalk, feishu, mail, webhook, wecom
from topiccrawl.alerts.channels.contract import Message, SendFailed
from topiccrawl.alerts.settings import ChannelKind, ChannelSettings

__all__ = ["BATCH", "send"]

Sender = Callable[[ChannelSettings, Message, float], None]

_SENDERS: Final[Mapping[ChannelKind, Sender]] = {
    "email": mail.send,
    "webhook": webhook.send,
    "dingtalk": dingtalk.send,
    "wecom": wecom.send,
    "feishu": feishu.send,
}

#: Warnings that one message carries at most (a choice; those of robots must fit into their limits).
BATCH: Final[Mapping[ChannelKind, int]] = {
    "email": 20,
    "webhook": 20,
    "dingtalk": 10,
    "wecom": 5,
    "feishu": 10,
}


async def send(channel: ChannelSettings, message: Message) -> None:
    """Send *message* without blocking the event loop; raise ``SendFailed`` if it was not accepted."""
    if channel.problem:
        raise SendFailed(channel.problem)
    await asyncio.to_thread(_SENDERS[channel.kind], channel, message, time.time())

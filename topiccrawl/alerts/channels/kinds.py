"""The kinds of channels; a new one is a module beside this one and an entry here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from topiccrawl.alerts.channels import dingtalk, feishu, mail, webhook, wecom
from topiccrawl.alerts.channels.contract import Message
from topiccrawl.alerts.settings import ChannelSettings
from topiccrawl.language import N_


@dataclass(frozen=True, slots=True)
class ChannelKind:
    """What channels of one kind have in common."""

    label: str
    keys: Sequence[str]
    """Keys of its table in the file, besides those that all channels have."""
    batch: int
    """Warnings that one message carries at most (a choice; those of robots must fit into their limits)."""
    send: Callable[[ChannelSettings, Message, float], None]
    """Sends a message at a time in Unix seconds; raises ``SendFailed`` if it was not accepted."""


_MAIL: Final = (
    *("host", "port", "tls", "user", "user_env", "user_file", "password_env", "password_file"),
    *("from", "to"),
)
_URL: Final = ("url_env", "url_file")
_SECRET: Final = ("secret_env", "secret_file")

KINDS: Final[Mapping[str, ChannelKind]] = {
    "email": ChannelKind(N_("e-mail"), _MAIL, 20, mail.send),
    "webhook": ChannelKind(N_("webhook"), ("url", *_URL, *_SECRET), 20, webhook.send),
    "dingtalk": ChannelKind(N_("DingTalk"), (*_URL, *_SECRET), 10, dingtalk.send),
    "wecom": ChannelKind(N_("WeCom"), _URL, 5, wecom.send),
    "feishu": ChannelKind(N_("Feishu"), (*_URL, *_SECRET), 10, feishu.send),
}

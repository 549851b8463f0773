"""WeCom (企业微信): a robot of a group.

https://developer.work.weixin.qq.com/document/path/91770: Markdown of at most 4,096 bytes of UTF-8, 20
messages a minute; the key is part of the address.
"""

from __future__ import annotations

import json
from typing import Final

from topiccrawl.alerts.channels.contract import Message, SendFailed, redacted
from topiccrawl.alerts.channels.markdown import markdown
from topiccrawl.alerts.channels.posting import answer_object, post
from topiccrawl.alerts.settings import ChannelSettings

#: Bytes of the text (documentation).
MOST_BYTES: Final = 4_096


def body(message: Message) -> bytes:
    """Return the request's body."""
    value = {"msgtype": "markdown", "markdown": {"content": markdown(message, MOST_BYTES)}}
    return json.dumps(value, ensure_ascii=False).encode()


def send(channel: ChannelSettings, message: Message, now: float) -> None:
    """Send *message*; raise :class:`SendFailed` if the robot does not accept it."""
    headers = {"Content-Type": "application/json; charset=utf-8"}
    answer = answer_object(post(channel.url.value, body(message), headers))
    if answer.get("errcode") != 0:
        why = f"errcode {answer.get('errcode')}: {answer.get('errmsg')}"
        raise SendFailed(redacted(why, channel.secrets))

"""DingTalk (钉钉): a custom robot of a group, signed.

https://open.dingtalk.com/document/robots/custom-robot-access: the address has ``access_token``; a robot with
the option 加签 also wants ``timestamp`` (milliseconds) and ``sign``.  20 messages a minute, 20,000 bytes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Final
from urllib.parse import urlencode

from topiccrawl.alerts.channels.contract import Message, SendFailed, redacted
from topiccrawl.alerts.channels.markdown import markdown
from topiccrawl.alerts.channels.posting import answer_object, post
from topiccrawl.alerts.settings import ChannelSettings

#: Bytes of the text: the limit is one of the whole request, whose JSON escapes nothing but quotes.
_MOST_BYTES: Final = 15_000


def sign(secret: str, timestamp: str) -> str:
    """Return base64(HMAC-SHA256(key = secret, message = timestamp + line feed + secret))."""
    text = f"{timestamp}\n{secret}".encode()
    return base64.b64encode(hmac.digest(secret.encode(), text, hashlib.sha256)).decode()


def signed_url(url: str, secret: str, now: float) -> str:
    """Return *url* with timestamp and sign, if there is a secret."""
    if not secret:
        return url
    timestamp = str(round(now * 1000))
    query = urlencode({"timestamp": timestamp, "sign": sign(secret, timestamp)})
    return f"{url}{'&' if '?' in url else '?'}{query}"


def body(message: Message) -> bytes:
    """Return the request's body."""
    text = markdown(message, _MOST_BYTES)
    value = {"msgtype": "markdown", "markdown": {"title": message.title[:60], "text": text}}
    return json.dumps(value, ensure_ascii=False).encode()


def send(channel: ChannelSettings, message: Message, now: float) -> None:
    """Send *message*; raise :class:`SendFailed` if the robot does not accept it."""
    url = signed_url(channel.url.value, channel.secret.value, now)
    headers = {"Content-Type": "application/json; charset=utf-8"}
    answer = answer_object(post(url, body(message), headers))
    if answer.get("errcode") != 0:
        why = f"errcode {answer.get('errcode')}: {answer.get('errmsg')}"
        raise SendFailed(redacted(why, channel.secrets))

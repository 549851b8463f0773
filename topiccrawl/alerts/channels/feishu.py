"""Feishu (飞书): a custom robot of a group, signed.

https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot: a *post* is a title and lines of text and
links, without markup.  ``timestamp`` (seconds) and ``sign`` are part of the body; the key of the HMAC is
"timestamp, line feed, secret", its message empty.  20 KB, 100 messages a minute.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any, Final

from topiccrawl.alerts.channels.contract import Message, SendFailed, cut_bytes, redacted
from topiccrawl.alerts.channels.posting import answer_object, post
from topiccrawl.alerts.settings import ChannelSettings
from topiccrawl.language import labeled

#: Bytes of a body (documentation: 20 KB), with room for the signature.
_MOST_BYTES: Final = 19_000


def sign(secret: str, timestamp: str) -> str:
    """Return base64(HMAC-SHA256(key = timestamp + line feed + secret, message = empty))."""
    key = f"{timestamp}\n{secret}".encode()
    return base64.b64encode(hmac.digest(key, b"", hashlib.sha256)).decode()


def body(message: Message, secret: str, now: float) -> bytes:
    """Return the request's body."""
    lines: list[list[dict[str, Any]]] = []
    details: list[list[dict[str, Any]]] = []
    for each in message.alerts:
        if len(message.alerts) > 1:
            lines.append([_text(labeled(each.label, each.headline, message.language))])
        for page in each.pages[: 5 if len(message.alerts) == 1 else 1]:
            link = {"tag": "a", "text": page.title, "href": page.url}
            lines.append([link if page.url else _text(page.title), _text(f" {page.origin}")])
        about = [[_text(it)] for it in each.details]
        lines += about
        details += about
    end: list[list[dict[str, Any]]] = []
    if message.link:
        end.append([{"tag": "a", "text": message.link, "href": message.link}])
    end.append([_text(message.last_line)])
    value: dict[str, Any] = {
        "msg_type": "post",
        "content": {
            "post": {"zh_cn": {"title": cut_bytes(message.title, 300), "content": lines + end}}
        },
    }
    if secret:
        timestamp = str(round(now))
        value |= {"timestamp": timestamp, "sign": sign(secret, timestamp)}
    # Addresses are what is long: leave them out from the end, until the rest fits.
    links = [it for line in reversed(lines) for it in line if it["tag"] == "a"]
    while len(_encoded(value)) > _MOST_BYTES and links:
        link = links.pop(0)
        del link["href"]
        link["tag"] = "text"
    # Names of many rules may be long, too: a message beyond the limit would be refused until it is given up.
    while len(_encoded(value)) > _MOST_BYTES and details:
        details.pop()[0]["text"] = "…"
    return _encoded(value)


def _encoded(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _text(text: str) -> dict[str, Any]:
    return {"tag": "text", "text": text}


def send(channel: ChannelSettings, message: Message, now: float) -> None:
    """Send *message*; raise :class:`SendFailed` if the robot does not accept it."""
    headers = {"Content-Type": "application/json; charset=utf-8"}
    sent = body(message, channel.secret.value, now)
    answer = answer_object(post(channel.url.value, sent, headers))
    code = answer.get("code", answer.get("StatusCode"))
    if code != 0:
        why = f"code {code}: {answer.get('msg', answer.get('StatusMessage'))}"
        raise SendFailed(redacted(why, channel.secrets))

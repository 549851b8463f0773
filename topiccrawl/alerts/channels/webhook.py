"""A generic webhook: one JSON object, with an idempotency key, signed if there is a secret."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from topiccrawl.alerts.channels.contract import Message
from topiccrawl.alerts.channels.posting import post
from topiccrawl.alerts.settings import ChannelSettings


def body(message: Message) -> bytes:
    """Return the request's body; the same for each attempt."""
    value: dict[str, Any] = {
        "version": 1,
        "id": message.key,
        "topic": message.topic,
        "at": message.at.isoformat(),
        "title": message.title,
        "link": message.link,
        "alerts": [
            {
                "id": each.alert.key,
                "at": each.alert.at.isoformat(),
                **each.alert.value(),
                "headline": each.headline,
                "details": list(each.details),
            }
            for each in message.alerts
        ],
    }
    for alert in value["alerts"]:
        del alert["channels"]
    return json.dumps(value, ensure_ascii=False, sort_keys=True).encode()


def headers(message: Message, sent: bytes, secret: str, now: float) -> dict[str, str]:
    """Return the request's headers.

    The signature is the hexadecimal HMAC-SHA256 of "timestamp, full stop, body" with the secret as key.
    """
    found = {
        "Content-Type": "application/json; charset=utf-8",
        "Idempotency-Key": message.key,
        "User-Agent": "topiccrawl",
    }
    if secret:
        timestamp = str(round(now))
        digest = hmac.digest(secret.encode(), f"{timestamp}.".encode() + sent, hashlib.sha256)
        found["X-Topiccrawl-Timestamp"] = timestamp
        found["X-Topiccrawl-Signature"] = f"sha256={digest.hex()}"
    return found


def send(channel: ChannelSettings, message: Message, now: float) -> None:
    """Send *message*; raise :class:`SendFailed` unless the server answers with 2xx."""
    sent = body(message)
    post(channel.url.value, sent, headers(message, sent, channel.secret.value, now))

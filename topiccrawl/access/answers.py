"""Tokens in the answers of JSON logins, and the bodies of their requests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

#: Keys of tokens, in lower case without separators, in the order of preference (OAuth 2.0, then custom).
_KEYS: Final = (
    "accesstoken", "token", "jwt", "idtoken", "authtoken", "sessiontoken", "bearer", "authorization",
    "satoken", "xtoken", "tokenvalue", "sessionid", "sid", "session", "ticket", "key",
)  # fmt: skip
#: Levels of an answer that are looked through (a guess: ``{"data": {"user": {"token": …}}}`` has three).
_LEVELS: Final = 4
#: Characters of a token, at least and at most (a guess; a JWT has some 200 to 2,000).
_CHARS: Final = (6, 8_192)


def json_body(values: Mapping[str, str]) -> bytes:
    """Return *values* as JSON; a dot in a name leads into a table.

    >>> json_body({"user.name": "李", "user.code": "1"}).decode()
    '{"user": {"name": "李", "code": "1"}}'
    """
    data: dict[str, Any] = {}
    for name, value in values.items():
        *tables, last = name.split(".")
        inner = data
        for table in tables:
            inner = inner.setdefault(table, {})
        inner[last] = {"true": True, "false": False}.get(value, value)
    return json.dumps(data, ensure_ascii=False).encode("utf-8")


def token_in(body: bytes, path: str = "") -> str:
    """Return the token in a JSON answer, ``""`` if there is none.

    *path* are names of keys with dots between them (``data.token``); without it, usual names are looked for.
    """
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    if path:
        for key in path.split("."):
            if isinstance(data, list) and key.isdigit() and int(key) < len(data):
                data = data[int(key)]
            else:
                data = data.get(key) if isinstance(data, dict) else None
        text = str(data) if isinstance(data, str | int) and not isinstance(data, bool) else ""
        return text if _can_be_sent(text) else ""
    found: dict[str, str] = {}
    _collect(data, found, _LEVELS)
    return next((found[key] for key in _KEYS if key in found), "")


def _collect(data: Any, found: dict[str, str], levels: int) -> None:
    if isinstance(data, list):
        data = dict(enumerate(data[:10]))
    if not isinstance(data, dict) or not levels:
        return
    for key, value in data.items():
        if isinstance(value, str) and len(value) >= _CHARS[0] and _can_be_sent(value):
            found.setdefault(_plain(key), value)
    for key, value in data.items():
        # {"data": "…"} is a token in some answers, {"token": {"value": "…"}} in others.
        if isinstance(value, dict) and _plain(key) in _KEYS:
            inner = value.get("value") or value.get("token")
            if isinstance(inner, str) and _can_be_sent(inner):
                found.setdefault(_plain(key), inner)
        _collect(value, found, levels - 1)


def _can_be_sent(token: str) -> bool:
    """Return whether a header can have *token* in it: visible characters of ASCII (RFC 9110, 5.5), not too many."""
    short = len(token) <= _CHARS[1]
    return short and token.isascii() and token.isprintable() and " " not in token


def _plain(key: object) -> str:
    return "".join(c for c in str(key).lower() if c.isalnum())

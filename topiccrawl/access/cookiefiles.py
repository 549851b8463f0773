"""Cookies that a person has exported from a browser: Netscape's cookies.txt, and JSON."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any, Final

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _

#: How curl and browsers mark cookies that scripts cannot read, in cookies.txt.
_HTTP_ONLY: Final = "#HttpOnly_"
#: Fields of a line of cookies.txt.
_COLUMNS: Final = 7
#: Keys of the expiry in exports of extensions, of Selenium and of Playwright.
_EXPIRES: Final = ("expirationDate", "expires", "expiry", "Expires")


@dataclass(frozen=True, slots=True)
class BrowserCookie:
    """A cookie of a browser."""

    name: str
    value: str = field(repr=False)
    domain: str
    """Host name; with a leading dot it is for the subdomains, too."""
    path: str = "/"
    secure: bool = False
    expires: float | None = None
    """Seconds since the epoch; ``None`` for a cookie of the browser's session."""


def read_cookies(text: str, file: str) -> list[BrowserCookie]:
    """Return the cookies of an export; *file* is for messages, which never show values.

    Raises ``ConfigurationError`` if *text* is neither format, or has no cookies.
    """
    start = text.lstrip("\ufeff \t\r\n")
    cookies = _from_json(start, file) if start[:1] in ("[", "{") else _from_lines(text, file)
    if not cookies:
        raise ConfigurationError(_("{file}: contains no cookies").format(file=file))
    return cookies


def _from_lines(text: str, file: str) -> list[BrowserCookie]:
    cookies = []
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.removeprefix(_HTTP_ONLY)
        if not line.strip() or line.startswith("#"):
            continue
        columns = line.split("\t")
        if len(columns) == _COLUMNS - 1:
            columns.append("")
        if len(columns) != _COLUMNS:
            raise ConfigurationError(
                _(
                    "{file}: line {line} must have {columns} fields with tabs between them, as in "
                    "cookies.txt, got {n}; JSON exports begin with [ or {{"
                ).format(file=file, line=number, columns=_COLUMNS, n=len(columns))
            )
        domain, subdomains, path, secure, expires, name, value = columns
        if subdomains.upper() == "TRUE" and not domain.startswith("."):
            domain = f".{domain}"
        cookies.append(
            BrowserCookie(
                name, value, domain.strip(), path or "/", secure.upper() == "TRUE", _time(expires)
            )
        )
    return cookies


def _from_json(text: str, file: str) -> list[BrowserCookie]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        # Without the library's message, which may quote the file.
        raise ConfigurationError(_("{file}: is not valid JSON").format(file=file)) from None
    if isinstance(data, dict):
        # {"cookies": […]} of Playwright; {"name": "value"} has no hosts.
        data = data.get("cookies")
    if not isinstance(data, list) or not all(isinstance(it, dict) for it in data):
        raise ConfigurationError(
            _("{file}: must be a list of cookies with name, value and domain").format(file=file)
        )
    return [_cookie(entry, i, file) for i, entry in enumerate(data)]


def _cookie(entry: dict[str, Any], i: int, file: str) -> BrowserCookie:
    lower = {key.lower(): value for key, value in entry.items()}
    name, value = lower.get("name"), lower.get("value")
    domain = lower.get("domain") or lower.get("host")
    if not (isinstance(name, str) and isinstance(domain, str) and isinstance(value, str | int)):
        raise ConfigurationError(
            _("{file}: cookie {n} must have name, value and domain").format(file=file, n=i + 1)
        )
    if lower.get("hostonly") is True:
        domain = domain.lstrip(".")
    expires = next((entry[key] for key in _EXPIRES if entry.get(key) is not None), None)
    path = lower.get("path")
    return BrowserCookie(
        name,
        str(value),
        domain.strip(),
        path if isinstance(path, str) and path.startswith("/") else "/",
        lower.get("secure") is True,
        _time(expires),
    )


def _time(value: object) -> float | None:
    """Return a time in seconds, ``None`` for a session cookie (0, -1, infinity, nothing)."""
    try:
        seconds = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    if not 0 < seconds < math.inf:
        return None
    # Some exports are in milliseconds: 10**11 seconds are in the year 5138.
    return seconds / 1000 if seconds > 1e11 else seconds

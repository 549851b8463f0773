"""The language of one request: a cookie, else what the browser asks for, else the user's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from topiccrawl.language import Language, user_language, using_language

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

#: Name of the cookie that keeps the choice of the user.
LANGUAGE_COOKIE: Final = "topiccrawl_lang"

_WEIGHT: Final = re.compile(r";\s*q=([01](?:\.\d{0,3})?)\s*$")


def wanted_language(cookies: Mapping[str, str], accepted: str) -> Language:
    """Return the language for a request with these cookies and this ``Accept-Language``."""
    chosen = cookies.get(LANGUAGE_COOKIE, "")
    if chosen in ("en", "zh"):
        return "zh" if chosen == "zh" else "en"
    best: tuple[float, Language] | None = None
    for part in accepted.lower().split(","):
        weight = _WEIGHT.search(part)
        name = part.split(";")[0].strip().split("-")[0]
        value = float(weight[1]) if weight else 1.0
        if name in ("en", "zh") and value > (best[0] if best else 0.0):
            best = (value, "zh" if name == "zh" else "en")
    return best[1] if best else user_language()


class LanguageMiddleware:
    """Sets the language of messages for each request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request in its language."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        from starlette.requests import HTTPConnection

        connection = HTTPConnection(scope)
        language = wanted_language(
            connection.cookies, connection.headers.get("accept-language", "")
        )
        scope["language"] = language
        with using_language(language):
            await self.app(scope, receive, send)

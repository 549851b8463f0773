"""Who may talk to the console, and what its pages may do: checks before, headers after each request."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse

from topiccrawl.console.config import ConsoleConfig, is_loopback
from topiccrawl.console.frame.assets import asset
from topiccrawl.console.paths import asked_path, local_path
from topiccrawl.language import _

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

TokenPage: TypeAlias = "Callable[[HTTPConnection, bool], ASGIApp]"

#: The hidden field of a form, and the header of a script's request, that carry the CSRF token.
CSRF_FIELD: Final = "csrf"
CSRF_HEADER: Final = "x-csrf-token"
#: Cookie that carries the access token once it has been presented.
TOKEN_COOKIE: Final = "topiccrawl_token"
#: Seconds for which a browser keeps the token: a week (a choice).
_TOKEN_SECONDS: Final = 7 * 86_400
#: Bytes of the body of a request (a guess: a topic file has some 10 KB).
_MOST_BODY: Final = 2_000_000

#: Nothing from elsewhere, no inline scripts or styles, forms to the console only.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not `no-referrer`: browsers then send `Origin: null` with the console's own forms.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
#: What the page that asks for the token leads to, besides files of the package.
_PREFERENCES: Final = "/preferences"
_SECRET: Final = secrets.token_bytes(32)


def csrf_token() -> str:
    """Return the token of the forms of this process."""
    return hmac.new(_SECRET, b"csrf", "sha256").hexdigest()


def is_own_request(headers: Headers) -> bool:
    """Return whether the browser sends the request from a page of this console.

    Requests without ``Origin`` and ``Sec-Fetch-Site`` do not come from a browser of today.
    """
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host", "")
    except ValueError:
        return False


class SecurityMiddleware:
    """Checks host and token, limits bodies, and adds the headers of :data:`POLICY`.

    *token_page* makes the page that asks for the token, from a request and whether it had a wrong one.
    """

    def __init__(self, app: ASGIApp, config: ConsoleConfig, token_page: TokenPage) -> None:
        self.app = app
        self._config = config
        self._token_page = token_page
        self._local = is_loopback(config.host)
        names = {"localhost", config.host.lower(), *map(str.lower, config.allowed_hosts)}
        if not self._local:
            names.add(socket.gethostname().lower())
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is refused; pass everything else on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        refused = self._refused(scope, headers)
        if refused is not None:
            await refused(scope, receive, send_with_headers)
            return
        await self.app(scope, _limited(receive), send_with_headers)

    def _refused(self, scope: Scope, headers: Headers) -> ASGIApp | None:
        if not self._is_known_host(headers.get("host", "")):
            return PlainTextResponse(
                _("This console does not answer to this name; see --allow-host.\n"), 421
            )
        if _stated_length(headers) > _MOST_BODY:
            return PlainTextResponse(_("The request is too large.\n"), 413)
        if self._config.token and not _is_open(scope):
            return self._asked_for_token(scope, headers)
        return None

    def _is_known_host(self, host: str) -> bool:
        """Whether the request was meant for this console, not for a name that was bent to it.

        A page of a stranger can make its own name resolve to this machine (DNS rebinding), but a
        browser then sends that name.  An IP address cannot be bent.
        """
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if name in self._names:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not self._local

    def _asked_for_token(self, scope: Scope, headers: Headers) -> ASGIApp | None:
        """Return what is answered to a request without the token; ``None`` if it has the token."""
        connection = HTTPConnection(scope)
        offered = connection.query_params.get("token", "")
        if offered and scope["method"] == "GET" and self._is_token(offered):
            path = asked_path(scope).partition("?")[0]
            query = connection.url.remove_query_params("token").query
            answer = RedirectResponse(local_path(f"{path}?{query}" if query else path), 303)
            answer.set_cookie(
                TOKEN_COOKIE, offered, _TOKEN_SECONDS, httponly=True, samesite="strict"
            )
            return answer
        scheme, _space, bearer = headers.get("authorization", "").partition(" ")
        bearer = bearer if scheme.lower() == "bearer" else ""
        if any(map(self._is_token, (connection.cookies.get(TOKEN_COOKIE, ""), bearer))):
            return None
        return self._token_page(connection, bool(offered))

    def _is_token(self, offered: str) -> bool:
        return hmac.compare_digest(offered.encode(), self._config.token.encode())


def _is_open(scope: Scope) -> bool:
    """Return whether *scope* asks for something that needs no token.

    Only what is answered without an error: pages of errors show the topics.
    """
    path = str(scope["path"])
    return scope["method"] in ("GET", "HEAD") and (
        path == _PREFERENCES
        or (path.startswith("/static/") and asset(path.removeprefix("/static/")) is not None)
    )


def _stated_length(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdecimal() else _MOST_BODY + 1


def _limited(receive: Receive) -> Receive:
    """Return *receive* that ends a body, as if the client had left, when it becomes too large."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        return {"type": "http.disconnect"} if received > _MOST_BODY else message

    return limited

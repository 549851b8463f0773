"""The application: routes of all sections, and what surrounds each request."""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from topiccrawl.console.config import ConsoleConfig, is_loopback
from topiccrawl.console.desk import Desk, UnknownTopic, desk_of
from topiccrawl.console.frame.assets import serve_asset
from topiccrawl.console.frame.localization import LANGUAGE_COOKIE, LanguageMiddleware
from topiccrawl.console.frame.security import SecurityMiddleware
from topiccrawl.console.paths import local_path
from topiccrawl.console.rendering import THEME_COOKIE, error_page, token_page
from topiccrawl.console.sections import sections
from topiccrawl.errors import ConfigurationError, StoreLocked, StoreMoved, StoreUnavailable
from topiccrawl.language import _

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import ASGIApp, Message, Receive, Scope, Send


__all__ = ["ConsoleConfig", "create_app"]

logger = logging.getLogger(__name__)

#: Seconds for which a browser keeps language and theme: a year (a choice).
_PREFERENCE_SECONDS = 365 * 86_400
#: Bytes below which an answer is not compressed, as Starlette's default doubled (a guess).
_LEAST_COMPRESSED = 1_000


def create_app(config: ConsoleConfig) -> Starlette:
    """Return the console of the store of the configuration.

    Raises ``ConfigurationError`` if the console would be reachable from other machines without a token.
    """
    if not config.token and not is_loopback(config.host):
        raise ConfigurationError(
            _("--host {host}: other machines reach it, which needs a token (--token-file)").format(
                host=config.host
            )
        )
    desk = Desk(config)
    app = Starlette(
        routes=[
            *(route for section in sections() for route in section.routes),
            Route("/static/{name}", serve_asset),
            Route("/preferences", _set_preferences),
        ],
        middleware=[
            Middleware(LanguageMiddleware),
            Middleware(GZipMiddleware, minimum_size=_LEAST_COMPRESSED, compresslevel=5),
            Middleware(SecurityMiddleware, config=config, token_page=token_page),
            Middleware(_TopicsMiddleware, desk=desk),
            Middleware(_FailureMiddleware),
        ],
        exception_handlers={
            HTTPException: _http_error,
            UnknownTopic: _unknown_topic,
            StoreUnavailable: _store_away,
            ConfigurationError: _wrong_value,
            ClientDisconnect: _cut_off,
        },
        lifespan=_lifespan,
    )
    app.state.desk = desk
    app.state.topics_seen = {}
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    desk: Desk = app.state.desk
    async with AsyncExitStack() as stack:
        await desk.store.open()
        stack.push_async_callback(desk.store.close)
        for section in sections():
            if section.lifespan is not None:
                await stack.enter_async_context(section.lifespan(desk))
        yield


class _TopicsMiddleware:
    """Reads the list of topics, which every page shows, before a view is called."""

    def __init__(self, app: ASGIApp, desk: Desk) -> None:
        self.app = app
        self._desk = desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith("/static/"):
            try:
                scope["app"].state.topics_seen = await self._desk.topics()
            except StoreUnavailable as error:
                logger.warning("%s", self._desk.store_problem(error))
        await self.app(scope, receive, send)


class _FailureMiddleware:
    """Answers a failed view with a page like the others.

    Starlette's own handler stands outside of all middlewares: without language and headers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def noticing_start(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, noticing_start)
        except Exception:
            logger.exception("%s failed", scope.get("path", ""))
            if scope["type"] != "http" or started:
                raise
            message = _("The console failed here; its log has the reason.")
            answer = error_page(HTTPConnection(scope), 500, message)
            await answer(scope, receive, send)


async def _set_preferences(request: Request) -> Response:
    """Keep language or theme in a cookie, and return to the page."""
    query = request.query_params
    answer = RedirectResponse(local_path(query.get("next", "")), 303)
    for name, cookie, choices in (
        ("lang", LANGUAGE_COOKIE, ("en", "zh")),
        ("theme", THEME_COOKIE, ("light", "dark", "auto")),
    ):
        if query.get(name) in choices:
            answer.set_cookie(cookie, query[name], _PREFERENCE_SECONDS, samesite="lax")
    return answer


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    messages = {
        404: _("There is nothing at this address."),
        405: _("This address does not do that."),
    }
    return error_page(request, error.status_code, messages.get(error.status_code, error.detail))


async def _unknown_topic(request: Request, error: Exception) -> Response:
    message = _("The store has no topic {topic}.").format(topic=error.args[0])
    return error_page(request, 404, message)


async def _store_away(request: Request, error: Exception) -> Response:
    logger.warning("%s", desk_of(request).store_problem(error))
    message = _("The store does not answer; try again in a moment.")
    if isinstance(error, StoreLocked):
        message = _("Another program is writing to the store and has locked it; nothing was saved.")
    if isinstance(error, StoreMoved):
        # Its own message is in the language of the thread that found it.
        message = _(
            "{store} was deleted, moved or replaced while the console was open; nothing was saved. Once the "
            "right file is there, stop the console and start it again."
        ).format(store=desk_of(request).store_name)
    form = await request.form() if request.method == "POST" else None
    return error_page(request, 503, message, form=form)


async def _cut_off(request: Request, error: Exception) -> Response:
    """Answer a form that was longer than allowed; a browser that has left receives nothing."""
    return error_page(request, 413, _("The request is too large.\n"))


async def _wrong_value(request: Request, error: Exception) -> Response:
    return error_page(request, 400, desk_of(request).reason(error))

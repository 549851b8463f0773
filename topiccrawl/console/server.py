"""Serving a console until the user ends it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import uvicorn

from topiccrawl.console.app import create_app
from topiccrawl.console.config import ConsoleConfig

#: Connections that may wait to be accepted, uvicorn's default.
_BACKLOG = 2_048


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes a free one.  Raises OSError if that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host.strip("[]"), port), family=family, backlog=_BACKLOG)
    listening.setblocking(False)
    return listening


async def serve(
    config: ConsoleConfig,
    listening: socket.socket,
    ready: Callable[[], None],
    until: asyncio.Event | None = None,
) -> None:
    """Serve a console on the *listening* socket until a signal, or *until*, ends it.

    *ready* is called when it answers.  Raises what opening the store raises.
    """
    app = create_app(config)
    original = app.router.lifespan_context
    async with original(app):
        # The store is open: uvicorn would print a traceback where the command prints a line.
        app.router.lifespan_context = _nothing
        server = uvicorn.Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=True,
                proxy_headers=False,
                timeout_graceful_shutdown=3,
            )
        )
        waiting = asyncio.create_task(_end(server, until)) if until is not None else None
        ready()
        try:
            await server.serve(sockets=[listening])
        finally:
            if waiting is not None:
                waiting.cancel()


async def _end(server: uvicorn.Server, until: asyncio.Event) -> None:
    await until.wait()
    server.should_exit = True


@asynccontextmanager
async def _nothing(app: object) -> AsyncIterator[None]:
    yield

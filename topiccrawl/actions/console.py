"""``scrapy console``: check the options, open the store, serve until the user ends it."""

from __future__ import annotations

import asyncio
import secrets
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from topiccrawl.access.secrets import private_text
from topiccrawl.commandline.options import check_no_arguments, check_port
from topiccrawl.commandline.store import store_uri
from topiccrawl.errors import ConfigurationError, needs_extra, system_reason
from topiccrawl.language import _

if TYPE_CHECKING:
    import argparse
    import socket

    from scrapy.settings import Settings

#: Characters of a token that is made: 192 random bits.
_TOKEN_BYTES = 24
#: Least characters of a token of the user (a guess: 80 random bits in base 32).
_LEAST_TOKEN = 16


async def console(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Serve the console; return the exit code when the user has ended it."""
    check_no_arguments(args)
    check_port(opts)
    with needs_extra("console", "scrapy console"):
        from topiccrawl.console.config import ConsoleConfig, is_loopback
        from topiccrawl.console.sections import sections
        from topiccrawl.console.server import serve

        sections()  # imports the views, which need more of the extra
    token = _read_token(opts.token_file) if opts.token_file else ""
    if not token and not is_loopback(opts.host):
        token = secrets.token_urlsafe(_TOKEN_BYTES)
    listening = _listen(opts.host, opts.port)
    config = ConsoleConfig(
        store_uri=store_uri(opts, settings),
        settings=settings,
        host=opts.host,
        port=listening.getsockname()[1],
        is_writable=opts.write,
        token=token,
        allowed_hosts=tuple(opts.allow_host),
        folder=Path.cwd(),
        options=opts,
    )
    address = _address(config.host, config.port, "" if opts.token_file else token)

    def ready() -> None:
        print(_("Console: {address} (Ctrl-C ends it)").format(address=address), flush=True)
        if opts.open:
            asyncio.get_running_loop().run_in_executor(None, webbrowser.open, address)

    with listening:
        await serve(config, listening, ready)
    return 0


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a listening socket; without a *port*, the usual one or, if it is taken, a free one."""
    from topiccrawl.console.config import DEFAULT_PORT
    from topiccrawl.console.server import bound_socket

    try:
        try:
            return bound_socket(host, DEFAULT_PORT if port is None else port)
        except OSError:
            if port is not None:
                raise
            return bound_socket(host, 0)
    except OSError as error:
        raise ConfigurationError(
            _("--host {host} --port {port}: {error}").format(
                host=host, port=DEFAULT_PORT if port is None else port, error=system_reason(error)
            )
        ) from error


def _read_token(path: str) -> str:
    """Return the token in the file *path*, which only its owner may read."""
    token = private_text(Path(path)).strip()
    if len(token) < _LEAST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigurationError(
            _(
                "--token-file {path} must hold at least {least} ASCII characters without spaces"
            ).format(path=path, least=_LEAST_TOKEN)
        )
    return token


def _address(host: str, port: int, token: str) -> str:
    """Return the address that a browser of this machine opens."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
    name = f"[{name}]" if ":" in name and not name.startswith("[") else name
    query = f"?{urlencode({'token': token})}" if token else ""
    return f"http://{name}:{port}/{query}"

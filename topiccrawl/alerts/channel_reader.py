"""Reads one table of ``[[channels]]``."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from email.headerregistry import Address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from topiccrawl.access.login import Secret
from topiccrawl.access.secrets import read_secret
from topiccrawl.alerts.channels.kinds import KINDS
from topiccrawl.alerts.settings import ChannelSettings, Tls
from topiccrawl.language import _
from topiccrawl.tables import TableReader

#: Names that are part of keys and of idempotency keys.
_NAME: Final = re.compile(r"[\w.-]{1,40}")
#: Ports of e-mail by the kind of encryption (RFC 8314, RFC 6409).
_PORTS: Final[Mapping[Tls, int]] = {"starttls": 587, "tls": 465, "none": 25}
#: Keys that not every channel has.
_KEYS: Final = tuple(dict.fromkeys(key for kind in KINDS.values() for key in kind.keys))
#: Hosts to which a password may go without encryption.
_LOCAL: Final = ("localhost", "127.0.0.1", "::1")
#: Messages within a minute that the robots accept: 20 (documentation of DingTalk and WeCom), less some for
#: other senders.
_PER_MINUTE: Final = 15


def read_channel(
    table: TableReader, folder: Path, environ: Mapping[str, str] | None
) -> ChannelSettings:
    """Return the channel that *table* declares; relative paths start from *folder*."""
    kind = table.choice("kind", tuple(KINDS))
    for key in _KEYS:
        if table.raw(key) is not None and key not in KINDS[kind].keys:
            hint = _("is no key of a {kind} channel").format(kind=kind)
            if key == "url":
                hint = _(
                    "must not be in the file, because it contains the token: use url_env or url_file"
                )
            table.reject(key, hint)
    name = table.text("name", required=True)
    if not _NAME.fullmatch(name):
        table.reject("name", _("must have 1 to 40 letters, digits, - . or _"), name)
    language = table.choice("language", ("zh", "en")) if table.text("language") else None
    common: dict[str, Any] = {
        "name": name,
        "kind": kind,
        "language": language,
        "after_crash": table.choice("after_crash", ("repeat", "skip"), "repeat"),
        "per_minute": table.count("per_minute") or _PER_MINUTE,
    }
    known = os.environ if environ is None else environ
    if kind == "email":
        return _email(table, folder, known, common)
    url = Secret(table.text("url")) or read_secret(table, "url", folder, known)
    if not url:
        table.reject("url_env", _("or url_file is missing"))
    if not _is_web_url(url.value):
        # The value may contain a token.
        table.reject("url", _("must be an http or https URL, in ASCII"))
    return ChannelSettings(**common, url=url, secret=read_secret(table, "secret", folder, known))


def _is_web_url(text: str) -> bool:
    """Return whether *text* is an http or https URL of printable ASCII characters without blanks."""
    try:
        parts = urlsplit(text)
        has_host = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False
    return has_host and text.isascii() and text.isprintable() and " " not in text


def _email(
    table: TableReader, folder: Path, environ: Mapping[str, str], common: Mapping[str, Any]
) -> ChannelSettings:
    tls = table.choice("tls", tuple(_PORTS), "starttls")
    port = table.count("port") or _PORTS[tls]
    if port > 65_535:
        table.reject("port", _("must be <= {most}").format(most=65_535), port)
    if (
        tls == "none"
        and table.text("host") not in _LOCAL
        and (table.raw("password_env") or table.raw("password_file"))
    ):
        table.reject("tls", _("must not be none where a password is sent"), tls)
    user = Secret(table.text("user")) or read_secret(table, "user", folder, environ)
    password = read_secret(table, "password", folder, environ)
    if bool(user) != bool(password):
        key = "password_env" if user else "user"
        table.reject(key, _("is missing: user and password belong together"))
    to = table.texts("to")
    if not to:
        table.reject("to", _("is missing"))
    sender = table.text("from", required=True)
    sender = _address(table, "from", sender)
    return ChannelSettings(
        **common,
        host=table.text("host", required=True),
        port=port,
        tls=tls,
        user=user,
        password=password,
        sender=sender,
        to=[_address(table, "to", it) for it in to],
    )


def _address(table: TableReader, key: str, address: str) -> str:
    """Return an address of e-mail as it is written on the wire, with the domain in ASCII."""
    user, _at, domain = address.rpartition("@")
    try:
        written = f"{user}@{domain.encode('idna').decode()}"
        parsed = Address(addr_spec=written)
        good = bool(parsed.username and parsed.domain) and address.isprintable()
    except (ValueError, IndexError):
        good = False
    except Exception as error:  # errors of the header parser have no common class
        if type(error).__module__.split(".")[0] != "email":
            raise
        good = False
    if not good:
        table.reject(key, _("must be an address such as name@example.cn"), address)
    return written

"""Addresses of stores: the file or database that TOPICCRAWL_STORE_URI names, and how to show it.

Passwords never reach a log: every address that is shown goes through :func:`masked`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _

#: Database of a ``mongodb://`` address without one.
DEFAULT_DATABASE: Final = "topiccrawl"

#: The supported forms of an address, for messages.
FORMS: Final = (
    "sqlite:///relative/file.db, sqlite:////absolute/file.db, file.sqlite, "
    "mongodb://host[:port]/database, mongodb+srv://host/database or package.module.Class://…"
)

#: Endings of names that are read as the file of a SQLite store, as SQLite's own tools write them.
_FILES: Final = (".sqlite", ".sqlite3", ".db")

#: Shorter pieces of a password are not hidden: harmless text would be hidden with them.
_SECRET_PIECE: Final = 3

#: MongoDB's limit for the name of a database, and the characters that it must not contain.
_DATABASE_BYTES: Final = 63
_DATABASE_FORBIDDEN: Final = re.compile(r'[/\\. "$*<>:|?\x00]')


def address_of(store: str) -> str:
    """Return the address of a store, for the name of a file that of the SQLite store in it.

    >>> address_of("data/a b.sqlite"), address_of("/tmp/c.db")
    ('sqlite:///data/a%20b.sqlite', 'sqlite:////tmp/c.db')
    """
    if "://" not in store and store.lower().endswith(_FILES) and store.isprintable():
        return f"sqlite:///{quote(store)}"
    return store


def shown(uri: str) -> str:
    """Return the address *uri* as short as :func:`address_of` reads it, without a password.

    >>> shown("sqlite:////tmp/a%20b.sqlite"), shown("sqlite:///data/pages")
    ('/tmp/a b.sqlite', 'sqlite:///data/pages')
    """
    if uri.startswith("sqlite:///"):
        path = unquote(uri.removeprefix("sqlite:///"))
        if address_of(path) == uri:
            return path
    return masked(uri)


def masked(uri: str) -> str:
    """Return *uri* without its password and its options, for messages.

    >>> masked("mongodb://me:secret@db.example:27017/pages?tlsCertificateKeyFilePassword=x")
    'mongodb://me:***@db.example:27017/pages?…'
    """
    scheme, separator, rest = uri.partition("://")
    if not separator or scheme == "sqlite":
        return uri
    # The last @ ends the credentials: an unescaped password may contain /, ? or @ itself.
    credentials, at, place = rest.rpartition("@")
    user, colon, _ = credentials.partition(":")
    place, question, _ = place.partition("?")
    secret = ":***" if colon else ""
    return f"{scheme}://{user}{secret}{at}{place}{'?…' if question else ''}"


def without_password(message: str, uri: str) -> str:
    """Return *message* with every longer piece of the password in *uri* hidden.

    Drivers quote the part of an address that they cannot parse, which may contain an unescaped
    password.
    """
    password = uri.partition("://")[2].rpartition("@")[0].partition(":")[2]
    for piece in re.split(r"[/?@:]", password):
        if len(piece) >= _SECRET_PIECE:
            message = message.replace(piece, "***")
    return message


def sqlite_path(uri: str) -> Path:
    """Return the file that a ``sqlite:///`` address names, relative to the working directory."""
    rest = uri.removeprefix("sqlite://")
    if not rest.startswith("/"):
        raise _wrong(
            uri, _("a SQLite address has three slashes before a relative path, four before /")
        )
    path = unquote(rest[1:])
    if path == ":memory:":
        raise _wrong(uri, _("a store in memory would lose the crawl; name a file"))
    if not path or path.endswith("/"):
        raise _wrong(uri, _("the name of the file is missing"))
    if "?" in path or "\x00" in path:
        raise _wrong(uri, _("options and NUL are not supported in a SQLite address"))
    return Path(path).expanduser()


def mongo_database(uri: str) -> str:
    """Return the database that a ``mongodb://`` address names, or :data:`DEFAULT_DATABASE`."""
    credentials, __, place = uri.partition("://")[2].rpartition("@")
    # Behind a question mark, an @ may belong to the options.
    if "?" not in credentials and re.search(r"[/#@\[\]]", credentials):
        raise _wrong(
            uri,
            _("in user and password, the characters : / ? # [ ] @ % must be percent-encoded"),
        )
    rest = place.partition("?")[0]
    hosts, __, name = rest.partition("/")
    if not hosts:
        raise _wrong(uri, _("the host is missing"))
    name = unquote(name)
    if _DATABASE_FORBIDDEN.search(name) or len(name.encode()) > _DATABASE_BYTES:
        raise _wrong(
            uri,
            _(
                'a database name has at most {most} bytes and none of / \\ . " $ * < '
                "> : | ? or blanks, got {name!r}"
            ).format(most=_DATABASE_BYTES, name=name),
        )
    return name or DEFAULT_DATABASE


def _wrong(uri: str, rule: str) -> ConfigurationError:
    return ConfigurationError(
        _("TOPICCRAWL_STORE_URI: {rule}; got {uri!r} (forms: {forms})").format(
            rule=rule, uri=masked(uri), forms=FORMS
        )
    )

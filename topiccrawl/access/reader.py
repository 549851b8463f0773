"""Reads ``logins.toml``: the tables ``[[logins]]``."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from topiccrawl.access.cookiefiles import read_cookies
from topiccrawl.access.login import KINDS, Login, Secret
from topiccrawl.access.passwords import check_transform
from topiccrawl.access.secrets import private_text, read_secret, reject_literals
from topiccrawl.access.sites import HostPatterns, site_of
from topiccrawl.language import _
from topiccrawl.tables import TableReader
from topiccrawl.topics.addresses import check_seed_url
from topiccrawl.userfiles import read_user_toml

#: Largest file of logins (a choice).
_MOST_BYTES: Final = 1_000_000

_KEYS: Final = (
    "name", "kind", "url", "sites", "through", "user", "user_env", "user_file", "password_env",
    "password_file", "cookies_file", "page", "fields", "user_field", "password_field", "transform",
    "form", "action", "csrf_field", "csrf_header", "csrf_pattern", "token", "token_header", "token_format",
    "token_cookie", "check", "logged_in_when", "lost_when",
)  # fmt: skip
#: Keys that would hold a secret; their values are never shown.
_LITERAL: Final = ("password", "passwd", "pwd", "secret", "cookies", "cookie")


def read_logins(file: Path, environ: Mapping[str, str] | None = None) -> tuple[Login, ...]:
    """Return the logins that *file* describes, with their secrets.

    Raises ``ConfigurationError`` if anything is wrong; the message names file, key and rule, and never a
    secret.
    """
    parsed = read_user_toml(file, _MOST_BYTES)
    reader = TableReader(str(file), "", parsed, ("logins",))
    reject_literals(reader, "logins", _LITERAL, "password_env", "password_file, cookies_file")
    logins: list[Login] = []
    for table in reader.tables("logins", _KEYS):
        login = _login(table, file.parent, os.environ if environ is None else environ)
        if login.name in {it.name for it in logins}:
            table.reject("name", _("occurs twice"), login.name)
        logins.append(login)
    return tuple(logins)


def _login(table: TableReader, folder: Path, environ: Mapping[str, str]) -> Login:
    kind = table.choice("kind", KINDS, "form")
    url, page, check, action = (_url(table, key) for key in ("url", "page", "check", "action"))
    if not url and kind in ("form", "json"):
        table.reject("url", _("is missing"))
    sites = _patterns(table, "sites") or HostPatterns((site_of(url),) if url else ())
    if not sites:
        table.reject("sites", _("is missing"))
    user = Secret(table.text("user")) or read_secret(table, "user", folder, environ)
    password = read_secret(table, "password", folder, environ)
    if kind != "cookies" and not password:
        table.reject("password_env", _("or password_file is missing"))
    if kind != "cookies" and not user and not (kind == "json" and table.raw("fields")):
        table.reject("user", _("is missing"))
    cookies_file = None
    if kind == "cookies":
        cookies_file = folder / Path(table.text("cookies_file", required=True)).expanduser()
        # Read now, so that a wrong file stops the run before it starts.
        read_cookies(private_text(cookies_file), str(cookies_file))
    return Login(
        name=table.text("name") or site_of(url) if url else table.text("name") or sites.patterns[0],
        kind=kind,
        url=url,
        sites=sites,
        through=_patterns(table, "through"),
        user=user,
        password=password,
        cookies_file=cookies_file,
        page=page,
        fields=_fields(table),
        user_field=table.text("user_field"),
        password_field=table.text("password_field"),
        transform=_transform(table),
        form=table.text("form"),
        action=action,
        csrf_field=table.text("csrf_field"),
        csrf_header=table.text("csrf_header"),
        csrf_pattern=_regex(table, "csrf_pattern"),
        token=table.text("token"),
        token_header=table.text("token_header"),
        token_format=table.text("token_format"),
        token_cookie=table.text("token_cookie"),
        check=check,
        logged_in_when=table.text("logged_in_when"),
        lost_when=table.text("lost_when"),
    )


def _url(table: TableReader, key: str) -> str:
    value = table.raw(key)
    return "" if value is None else check_seed_url(table.file, table.key(key), value)


def _patterns(table: TableReader, key: str) -> HostPatterns:
    try:
        return HostPatterns(table.texts(key))
    except ValueError as error:
        rule = _("must be hosts: example.cn, *.example.cn or example.cn:8080")
        table.reject(key, rule, str(error))


def _fields(table: TableReader) -> dict[str, str]:
    given = table.raw("fields")
    if given is None:
        return {}
    rule = _("must be a table of strings, numbers, true or false")
    if not isinstance(given, dict):
        table.reject("fields", rule)
    fields: dict[str, str] = {}
    for name, value in given.items():
        # The value may be a secret all the same.
        if not isinstance(value, str | int | float):
            table.reject(f"fields.{name}", rule)
        fields[name] = _written(value)
    return fields


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _transform(table: TableReader) -> tuple[str, ...]:
    raw = table.raw("transform")
    steps: Sequence[str] = (
        (table.text("transform"),) if isinstance(raw, str) else table.texts("transform")
    )
    for step in steps:
        if (rule := check_transform(step)) is not None:
            table.reject("transform", rule, step)
    return tuple(step for step in steps if step)


def _regex(table: TableReader, key: str) -> str:
    pattern = table.text(key)
    try:
        if pattern and re.compile(pattern).groups != 1:
            table.reject(key, _("must have one group"), pattern)
    except re.error as error:
        rule = _("must be a regular expression ({error})").format(error=error)
        table.reject(key, rule, pattern)
    return pattern

"""Tokens against forged requests: where pages keep them, and how a login sends them back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from topiccrawl.access import words

if TYPE_CHECKING:
    from topiccrawl.access.document import Document
    from topiccrawl.access.forms import Form
    from topiccrawl.access.login import Login

#: ``name = "value"``, ``name: 'value'``, ``obj["name"] = "value"``, ``x.name.value = "value"`` in scripts.
_ASSIGNED: Final = re.compile(
    r"""["']?([A-Za-z_$][\w$.-]{1,60})["']?\]?(?:\.value)?\s*[:=]\s*["']([\w+/=.:~|-]{6,512})["']"""
)
#: ``setRequestHeader('X-CSRF-Token', 'value')``, ``append("token", "value")``, ``.attr('value', '…')``.
_CALLED: Final = re.compile(
    r"""\(\s*["']([\w-]{2,60})["']\s*,\s*["']([\w+/=.:~|-]{6,512})["']\s*\)"""
)
#: ``getElementById('csrf').value = '…'``, ``$('#csrf').val('…')``, ``querySelector('[name=csrf]').value = '…'``.
_SET: Final = re.compile(
    # A name is tried at its first character only.
    r"""\(\s*["'][#.\w\[\]="' -]*?(?<![\w-])([A-Za-z_][\w-]{1,60}+)["'\]\s]*\)"""
    r"""\.(?:value\s*=\s*|val\(\s*|setAttribute\(\s*["']value["']\s*,\s*)["']([\w+/=.:~|-]{6,512})["']"""
)
#: Hidden inputs that a script writes.
_WRITTEN: Final = re.compile(
    r"""name=\\?["']([\w.\[\]-]{1,60})\\?["'][^<>]{0,80}?value=\\?["']([\w+/=.:~|-]{1,512})\\?["']"""
)
#: ``"name": "value"`` in JSON.
_PAIR: Final = re.compile(r'"([A-Za-z_][\w.-]{1,60})"\s*:\s*"([\w+/=.:~|-]{6,512})"')
#: Names under which servers look for the header of a token: Rails and Laravel, Django, Angular and axios.
_HEADERS: Final = ("X-CSRF-Token", "X-CSRFToken", "X-XSRF-TOKEN")


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of a page by name, best sources first."""

    metas: Mapping[str, str] = field(default_factory=dict)
    scripts: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    parameter: str = ""
    """Name of the field for the token of a meta tag (Rails: ``csrf-param``)."""

    @property
    def best(self) -> tuple[str, str] | None:
        """Name and value of the token that most likely counts."""
        for each in (self.metas, self.scripts, self.cookies):
            for name, value in each.items():
                return name, value
        return None


def find_tokens(document: Document, cookies: Mapping[str, str], login: Login) -> Tokens:
    """Return the tokens of a page and of the *cookies* that a request to it sends."""
    metas: dict[str, str] = {}
    parameter = ""
    for meta in document.root.iter("meta"):
        name = meta.get("name") or meta.get("id") or meta.get("property") or ""
        content = meta.get("content", "")
        if re.search(r"(?:csrf|xsrf).*(?:param|name)|param.*csrf", name, re.IGNORECASE):
            parameter = content
        elif words.TOKEN.search(name) and content and "header" not in name.lower():
            metas[name] = content
    scripts: dict[str, str] = {}
    if login.csrf_pattern and (match := re.search(login.csrf_pattern, document.text)):
        return Tokens({login.csrf_field or "csrf_token": match[1]}, parameter=login.csrf_field)
    for pattern in (_SET, _WRITTEN, _CALLED, _ASSIGNED):
        for name, value in pattern.findall(document.scripts):
            last = name.rpartition(".")[2]
            if words.TOKEN.search(last) and last not in scripts:
                scripts[last] = value
    if document.text.lstrip()[:1] == "{":
        # An address that gives a token only.
        scripts |= {name: value for name, value in _PAIR.findall(document.text) if _counts(name)}
    echoed = {name: unquote(value) for name, value in cookies.items() if words.TOKEN.search(name)}
    return Tokens(metas, scripts, echoed, parameter)


def _counts(name: str) -> bool:
    return bool(words.TOKEN.search(name)) and "header" not in name.lower()


def with_tokens(
    values: list[tuple[str, str]], form: Form, tokens: Tokens, login: Login
) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """Return *values* of a form with tokens, and headers with them.

    A hidden field that has a token keeps it; an empty one is filled in; without one, the token is sent
    under its own name.  Servers ignore fields that they do not know.
    """
    best = tokens.best
    hidden = [it for it in form.fields if it.type == "hidden" and it.name]
    named = [it for it in hidden if words.TOKEN.search(it.name) or it.name == login.csrf_field]
    for it in hidden:
        known = {**tokens.scripts, **tokens.metas}
        found = known.get(it.name) or known.get(it.id)
        if found is None and it in named and best is not None:
            found = best[1]
        if not it.value and found:
            values = [(name, found if name == it.name else value) for name, value in values]
    own = next((it.value for it in named if it.value), "")
    if best is None:
        return values, _headers(own, login)
    sent = {name for name, _ in values}
    if login.csrf_field:
        if not dict(values).get(login.csrf_field):
            values = [it for it in values if it[0] != login.csrf_field]
            values.append((login.csrf_field, best[1]))
    elif not named:
        name = tokens.parameter or best[0]
        if name not in sent:
            values.append((name, best[1]))
    return values, _headers(best[1], login, tokens)


def _headers(value: str, login: Login, tokens: Tokens | None = None) -> dict[str, str]:
    if login.csrf_header:
        return {login.csrf_header: value} if value else {}
    if tokens is None or not value:
        return {}
    headers = dict.fromkeys(_HEADERS, value)
    # Double submission compares the header with the cookie, whatever the page says.
    cookie = next(iter(tokens.cookies.values()), "")
    if cookie:
        headers |= {"X-CSRFToken": cookie, "X-XSRF-TOKEN": cookie}
        if not (tokens.metas or tokens.scripts):
            headers["X-CSRF-Token"] = cookie
    return headers

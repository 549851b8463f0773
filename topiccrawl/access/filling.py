"""Fill in a login form as a person would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from topiccrawl.access import words
from topiccrawl.access.passwords import transformed
from topiccrawl.access.tokens import find_tokens, with_tokens

if TYPE_CHECKING:
    from topiccrawl.access.document import Document
    from topiccrawl.access.exchange import Ask
    from topiccrawl.access.finding import LoginForm
    from topiccrawl.access.login import Login


def fill(document: Document, found: LoginForm, login: Login, cookies: Mapping[str, str]) -> Ask:
    """Return the request of a form with the user's name, the password and tokens.

    *cookies* are those that a request to the page sends; tokens are among them.
    """
    values = _ticked(found)
    tokens = find_tokens(document, cookies, login)
    values, headers = with_tokens(values, found.form, tokens, login)
    password = transformed(login.password.value, login.transform, dict(values))
    if found.user is not None:
        values = _set(values, _name(found, user=True) or login.user_field, login.user.value)
    if found.password is not None:
        name = _name(found, user=False) or login.password_field
        values = _set(values, name, password)
    for name, value in login.fields.items():
        values = _set(values, name, placed(value, login, password))
    form = found.form
    if login.action:
        form = replace(form, action=login.action, method="POST")
    ask = form.request(values, {**origin_headers(document.url, form.action), **headers})
    return replace(ask, secrets=(login.password.value, password))


def placed(value: str, login: Login, password: str) -> str:
    """Return *value* with the secrets in the places of ``{user}`` and ``{password}``."""
    if value == "{user}":
        return login.user.value
    return password if value == "{password}" else value


def origin_headers(page: str, target: str = "") -> dict[str, str]:
    """Return the headers by which a server sees from which *page* a form was sent.

    Another origin sees only the page's own (``strict-origin-when-cross-origin``), as with browsers.
    """
    parts = urlsplit(page)
    origin = f"{parts.scheme}://{parts.netloc}"
    same = not target or target.startswith(f"{origin}/")
    return {"Referer": page.partition("#")[0] if same else f"{origin}/", "Origin": origin}


def _ticked(found: LoginForm) -> list[tuple[str, str]]:
    """Return the values of a form with the boxes that must be ticked."""
    values, sent = found.form.values(), {it.name for it in found.form.fields if it.checked}
    for it in found.form.fields:
        if not it.name or it.name in sent or it.type not in ("checkbox", "radio"):
            continue
        needed = it.required or (it.type == "radio" and it.seen)
        if needed or (it.seen and words.AGREEMENT.search(it.about)):
            values.append((it.name, it.value))
            sent.add(it.name)
    return values


def _name(found: LoginForm, *, user: bool) -> str:
    """Return the name under which a field is sent.

    A field without a name is read by a script, which fills in a hidden one.
    """
    it = found.user if user else found.password
    pattern = words.USER if user else words.PASSWORD
    if it is None or it.name:
        return "" if it is None else it.name
    hidden = [each for each in found.form.fields if each.type == "hidden" and not each.value]
    named = next((each.name for each in hidden if each.name and pattern.search(each.about)), "")
    return named or it.id


def _set(values: list[tuple[str, str]], name: str, value: str) -> list[tuple[str, str]]:
    if not name:
        return values
    if any(it[0] == name for it in values):
        return [(it[0], value if it[0] == name else it[1]) for it in values]
    return [*values, (name, value)]

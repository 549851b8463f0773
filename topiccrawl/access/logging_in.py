"""Log in: from the description of a login to a session."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from topiccrawl.access.answers import json_body, token_in
from topiccrawl.access.attempt import Access, Attempt, OtherHost, TooManyRequests, address_of
from topiccrawl.access.captchas import asks_person
from topiccrawl.access.challenges import Challenge, HttpAuthorization, best_challenge
from topiccrawl.access.cookiefiles import read_cookies
from topiccrawl.access.document import Document
from topiccrawl.access.exchange import Ask, Fetch, Got, Unreachable
from topiccrawl.access.filling import fill, origin_headers, placed
from topiccrawl.access.finding import find_login_form, seen_fields
from topiccrawl.access.following import login_link
from topiccrawl.access.login import Login
from topiccrawl.access.passwords import transformed
from topiccrawl.access.secrets import private_text
from topiccrawl.access.tokens import find_tokens
from topiccrawl.access.verdicts import Outcome, Verdict, judge, judge_json
from topiccrawl.access.walls import Evidence, evidence_of
from topiccrawl.errors import ConfigurationError

#: Links to a login page that are followed, from the address that the user has given.
_MOST_LINKS: Final = 2
#: Pages of a login in steps, at most: name, password, and one more.
_MOST_PAGES: Final = 3
#: Statuses of servers that miss a token: 403 (Django, Spring), 419 (Laravel).
_NO_TOKEN: Final = (403, 419)


async def log_in(login: Login, fetch: Fetch) -> tuple[Access, Verdict]:
    """Log in once.

    *fetch* sends a request without following redirects.  Returns the session, and whether there is one.
    """
    attempt = Attempt(login, fetch)
    try:
        verdict = await _KINDS[login.kind](attempt)
        if verdict.open and login.check:
            verdict = await _checked(attempt)
    except Unreachable as error:
        verdict = Verdict(Outcome.UNREACHABLE, str(error))
    except OtherHost as error:
        verdict = Verdict(Outcome.OTHER_HOST, str(error))
    except TooManyRequests:
        verdict = Verdict(Outcome.REFUSED, "too many requests")
    if verdict.outcome in (Outcome.REFUSED, Outcome.NO_FORM) and attempt.stopped_at:
        verdict = Verdict(Outcome.OTHER_HOST, attempt.stopped_at)
    return attempt.access, verdict


async def _by_form(attempt: Attempt) -> Verdict:
    login = attempt.login
    got = await attempt.get(login.url)
    attempt.access.addresses.add(address_of(login.url))
    links = 0
    for _page in range(_MOST_PAGES + _MOST_LINKS):
        if got.status >= 500:
            return Verdict(Outcome.UNREACHABLE, f"status {got.status}")
        document = Document.of(got)
        found = find_login_form(document, login)
        if found is None or not (found.form.is_form or login.action):
            link = login_link(document) if links < _MOST_LINKS else None
            if link is None or address_of(link) == address_of(got.url):
                return Verdict(Outcome.NO_FORM, ", ".join(seen_fields(document)))
            links += 1
            got = await attempt.get(link, got.url)
            continue
        if (person := asks_person(document, found, login.fields)) is not None:
            return Verdict(Outcome.CAPTCHA, person)
        attempt.access.addresses.add(address_of(got.url))
        cookies = attempt.access.jar.named(got.url)
        answer = await attempt.send(fill(document, found, login, cookies))
        got = await attempt.follow(answer)
        if found.password is not None:
            led_on = got is not answer
            return judge(got, login, cookies=bool(attempt.access.jar.values()), led_on=led_on)
    return Verdict(Outcome.REFUSED, "no page with a password")


async def _by_json(attempt: Attempt) -> Verdict:
    login = attempt.login
    attempt.access.addresses.add(address_of(login.url))
    headers = {"Accept": "application/json", "X-Requested-With": "XMLHttpRequest"}
    headers |= origin_headers(login.page or login.url)
    token = ""
    if login.page:
        token, tokens = await _tokens(attempt, login.page)
        headers |= tokens
    got = await _send_json(attempt, headers, token)
    if got.status in _NO_TOKEN and not login.page:
        parts = urlsplit(login.url)
        token, tokens = await _tokens(attempt, f"{parts.scheme}://{parts.netloc}/")
        if tokens:
            got = await _send_json(attempt, {**headers, **tokens}, token)
    verdict = judge_json(got, cookies=True)
    if not verdict.open:
        return verdict
    access_token = token_in(got.body, login.token) or got.header("Authorization")
    if access_token:
        _use_token(attempt, access_token)
        return verdict
    return judge_json(got, cookies=not login.token and bool(attempt.access.jar.values()))


async def _tokens(attempt: Attempt, page: str) -> tuple[str, dict[str, str]]:
    """Return the token that *page* gives, and the headers that send it."""
    got = await attempt.get(page)
    cookies = attempt.access.jar.named(attempt.login.url)
    tokens = find_tokens(Document.of(got), cookies, attempt.login)
    best = tokens.best
    if best is None:
        return "", {}
    if attempt.login.csrf_header:
        return best[1], {attempt.login.csrf_header: best[1]}
    echoed = next(iter(tokens.cookies.values()), best[1])
    names = {"X-CSRF-Token": best[1], "X-CSRFToken": echoed, "X-XSRF-TOKEN": echoed}
    return best[1], names


async def _send_json(attempt: Attempt, headers: dict[str, str], token: str) -> Got:
    login = attempt.login
    password = transformed(login.password.value, login.transform, login.fields)
    values: dict[str, str] = {}
    if "{user}" not in login.fields.values():
        values[login.user_field or "username"] = login.user.value
    if "{password}" not in login.fields.values():
        values[login.password_field or "password"] = password
    if token and login.csrf_field:
        values[login.csrf_field] = token
    values |= {name: placed(value, login, password) for name, value in login.fields.items()}
    headers = {**headers, "Content-Type": "application/json"}
    secrets = (login.password.value, password)
    return await attempt.send(Ask(login.url, "POST", headers, json_body(values), secrets))


def _use_token(attempt: Attempt, token: str) -> None:
    login, access = attempt.login, attempt.access
    if login.token_cookie:
        hosts = [it for it in login.sites.patterns if not it.startswith("*")]
        for url in (login.url, *(f"http://{host}/" for host in hosts)):
            access.jar.set(url, login.token_cookie, token, secure=login.by_tls)
        return
    name = login.token_header or "Authorization"
    token = token.removeprefix("Bearer ")
    usual = "Bearer {token}" if name.lower() == "authorization" else "{token}"
    access.headers[name] = (login.token_format or usual).replace("{token}", token)


async def _by_http(attempt: Attempt) -> Verdict:
    login, access = attempt.login, attempt.access
    user, password = login.user.value, login.password.value
    url = login.check or login.url
    if login.kind == "basic":
        access.authorization = HttpAuthorization(user, password, Challenge("basic"))
        if not url:
            return Verdict(Outcome.OPEN)
        got = await attempt.send(Ask(url, headers=_authorized(access, url)))
    else:
        got = await attempt.send(Ask(url))
    if got.status == 401:
        challenge = best_challenge(got.all_headers("WWW-Authenticate"))
        if challenge is None:
            return Verdict(Outcome.REFUSED, "status 401")
        if login.kind == "basic" and challenge.scheme == "basic":
            return Verdict(Outcome.REFUSED, "status 401")
        access.authorization = HttpAuthorization(user, password, challenge)
        got = await attempt.send(Ask(url, headers=_authorized(access, url)))
    if got.status >= 500:
        return Verdict(Outcome.UNREACHABLE, f"status {got.status}")
    if got.status in (401, 403):
        return Verdict(Outcome.REFUSED, f"status {got.status}")
    if access.authorization is None:
        return Verdict(Outcome.NO_FORM, f"status {got.status}, WWW-Authenticate")
    return Verdict(Outcome.OPEN)


def _authorized(access: Access, url: str) -> dict[str, str]:
    assert access.authorization is not None
    return {"Authorization": access.authorization.header("GET", url)}


async def _by_cookies(attempt: Attempt) -> Verdict:
    login, jar = attempt.login, attempt.access.jar
    assert login.cookies_file is not None
    try:
        cookies = read_cookies(private_text(login.cookies_file), str(login.cookies_file))
    except ConfigurationError as error:
        # The run has begun: the file was right then.
        return Verdict(Outcome.REFUSED, str(error))
    if login.url:
        attempt.access.addresses.add(address_of(login.url))
    if not jar.load(cookies):
        return Verdict(Outcome.REFUSED, "expired cookies")
    return Verdict(Outcome.OPEN)


async def _checked(attempt: Attempt) -> Verdict:
    login, access = attempt.login, attempt.access
    url = login.check
    headers = dict(access.headers)
    if access.authorization is not None:
        headers |= _authorized(access, url)
    got = await attempt.follow(await attempt.send(Ask(url, headers=headers)))
    if got.status >= 500:
        return Verdict(Outcome.UNREACHABLE, f"status {got.status}")
    if evidence_of(got, login, access.addresses) is not Evidence.NONE or got.status >= 400:
        return Verdict(Outcome.REFUSED, "check")
    return Verdict(Outcome.OPEN)


_KINDS: Final = {
    "form": _by_form,
    "json": _by_json,
    "basic": _by_http,
    "digest": _by_http,
    "cookies": _by_cookies,
}

"""Whether a login succeeded, by the last answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.access import words
from topiccrawl.access.captchas import asks_person
from topiccrawl.access.document import Document, squeezed, text_of
from topiccrawl.access.finding import find_login_form
from topiccrawl.access.forms import forms_of

if TYPE_CHECKING:
    from topiccrawl.access.exchange import Got
    from topiccrawl.access.login import Login

#: Visible characters of an answer in which words such as 密码错误 are about this login, and not an article's
#: (a guess: message pages of forums have up to 500 with their navigation).
_MESSAGE_CHARS: Final = 1_500
#: Visible characters of a page that consists of a message box (a guess).
_ALERT_CHARS: Final = 100
#: Keys of JSON answers that state a result, and the values that mean success (seen in common frameworks).
_RESULTS: Final = ("success", "ok", "code", "errcode", "errno", "error", "status", "ret", "result")
_GOOD: Final = frozenset(
    {
        "0",
        "1",
        "200",
        "true",
        "ok",
        "success",
        "succeed",
        "00000",
        "0000",
        "none",
        "",
        "201",
        "20000",
    }
)
#: Statuses of pages that do not exist.
_MISSING: Final = (404, 405, 410)


class Outcome(Enum):
    """The result of a login."""

    OPEN = "open"
    REFUSED = "refused"
    CAPTCHA = "captcha"
    NO_FORM = "no form"
    OTHER_HOST = "other host"
    UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result with what a person needs to know of it; never a secret."""

    outcome: Outcome
    detail: str = ""

    @property
    def open(self) -> bool:
        """Whether there is a session."""
        return self.outcome is Outcome.OPEN


def has_logout(document: Document) -> bool:
    """Whether a page links to the end of a session, as pages for users do."""
    for link in document.root.iter("a", "button"):
        if words.LOGOUT_LINK.fullmatch(squeezed(text_of(link))):
            return True
        if words.LOGOUT_ADDRESS.search(link.get("href", "")):
            return True
    return False


def judge(got: Got, login: Login, *, cookies: bool, led_on: bool = False) -> Verdict:
    """Return the verdict on the last answer of a login with a form.

    *cookies*: there are any.  *led_on*: the answer to the form led to this page; its absence means nothing
    then.
    """
    if got.status >= 500:
        return Verdict(Outcome.UNREACHABLE, f"status {got.status}")
    if "json" in got.header("Content-Type").lower():
        return judge_json(got, cookies=cookies)
    document = Document.of(got)
    if login.logged_in_when and document.has(login.logged_in_when):
        return Verdict(Outcome.OPEN)
    logout = has_logout(document)
    asks = find_login_form(document)
    if asks is not None and asks.password is not None and not logout:
        if (person := asks_person(document, asks, login.fields)) is not None:
            return Verdict(Outcome.CAPTCHA, person)
        return Verdict(Outcome.REFUSED, _said(document))
    if not logout and (code := _one_time(document, login)):
        return Verdict(Outcome.CAPTCHA, code)
    if got.status >= 400 and not (led_on and got.status in _MISSING):
        return Verdict(Outcome.REFUSED, _said(document) or f"status {got.status}")
    if not logout and len(document.visible_text) <= _MESSAGE_CHARS and (said := _said(document)):
        return Verdict(Outcome.REFUSED, said)
    if not cookies:
        return Verdict(Outcome.REFUSED, "no cookie")
    return Verdict(Outcome.OPEN)


def judge_json(got: Got, *, cookies: bool) -> Verdict:
    """Return the verdict on a JSON answer without a token."""
    if got.status >= 500:
        return Verdict(Outcome.UNREACHABLE, f"status {got.status}")
    try:
        data: Any = json.loads(got.body)
    except (ValueError, RecursionError):
        data = None
    text = got.body[:2_000].decode("utf-8", "replace")
    said = next((m[0] for m in (words.REFUSED.search(text), words.LOCKED.search(text)) if m), "")
    if got.status >= 400:
        return Verdict(Outcome.REFUSED, said or f"status {got.status}")
    if isinstance(data, dict) and (said or not _states_success(data)):
        return Verdict(Outcome.REFUSED, said)
    if not cookies:
        return Verdict(Outcome.REFUSED, said or "neither token nor cookie")
    return Verdict(Outcome.OPEN)


def _states_success(data: dict[str, Any]) -> bool:
    """Return whether an answer states success, or no result at all."""
    lower = {str(key).lower(): value for key, value in data.items()}
    if isinstance(lower.get("success"), bool):
        return bool(lower["success"])
    for key in _RESULTS:
        value = lower.get(key)
        if isinstance(value, bool):
            return value if key != "error" else not value
        if value is None or isinstance(value, dict | list):
            continue
        good = str(value).strip().lower() in _GOOD
        if key == "error" or not good:
            return good
    return True


def _one_time(document: Document, login: Login) -> str:
    """Return the field for a code that was sent to a person, ``""`` without one."""
    for form in forms_of(document):
        for it in form.fields:
            typed = it.seen and it.is_text and it.name not in login.fields
            if typed and words.ONE_TIME.search(f"{it.about} {it.autocomplete}"):
                return it.name or it.about
    return ""


def _said(document: Document) -> str:
    """Return the words of a refusal."""
    for pattern in (words.LOCKED, words.REFUSED):
        text = document.visible_text
        if len(text) <= _ALERT_CHARS:
            # Login pages contain the messages of their own checks.
            text = f"{text} {document.alerts}"
        if match := pattern.search(text):
            return match[0][:80]
    return ""

"""Signs that a page was answered to somebody who is not logged in."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from topiccrawl.access import words
from topiccrawl.access.attempt import address_of
from topiccrawl.access.document import Document
from topiccrawl.access.finding import has_login_form
from topiccrawl.access.following import login_link, next_address, redirect_of
from topiccrawl.access.verdicts import has_logout

if TYPE_CHECKING:
    from topiccrawl.access.exchange import Got
    from topiccrawl.access.login import Login

#: Visible characters of a page whose only message is that one has to log in (a guess: such pages have 20 to
#: 200, and the navigation of their site).
_WALL_CHARS: Final = 600


#: Statuses without a session: 401, and those of Laravel (419) and IIS (440) when it has expired.
_STATUSES: Final = (401, 419, 440)


class Evidence(Enum):
    """What speaks for a lost session; weak evidence is checked by one renewal."""

    NONE = "none"
    REDIRECT = "redirect to the login page"
    STATUS = "status 401"
    MARK = "lost_when or logged_in_when"
    WALL = "login page"
    HOME = "redirect to the front page"
    FORBIDDEN = "status 403"
    FORM = "login form"
    TEXT = "request to log in"
    LINK = "login link in place of a logout link"

    @property
    def weak(self) -> bool:
        """Whether pages of a session may look so, too."""
        return self in _WEAK


_WEAK: Final = frozenset(
    {Evidence.HOME, Evidence.FORBIDDEN, Evidence.FORM, Evidence.TEXT, Evidence.LINK}
)


class PageSigns:
    """What a page shows of a session."""

    def __init__(self, evidence: Evidence, *, logout: bool = False) -> None:
        self.evidence = evidence
        self.logout = logout
        """Whether it links to the end of the session."""


def evidence_of(got: Got, login: Login, addresses: Collection[str]) -> Evidence:
    """Return the evidence of one answer; see :func:`signs_of`."""
    return signs_of(got, login, addresses).evidence


def signs_of(
    got: Got, login: Login, addresses: Collection[str], *, logout_expected: bool = False
) -> PageSigns:
    """Return what an answer shows of a session.

    *addresses* are those of the login pages (:func:`~topiccrawl.access.attempt.address_of`); *logout_expected*:
    pages of the session have shown links that end it.
    """
    if (target := redirect_of(got)) is not None:
        if _is_login(target, addresses):
            return PageSigns(Evidence.REDIRECT)
        return PageSigns(Evidence.HOME if _is_front(target, got.url) else Evidence.NONE)
    if got.status in _STATUSES:
        return PageSigns(Evidence.STATUS)
    if got.status == 403:
        return PageSigns(Evidence.FORBIDDEN)
    if not 200 <= got.status < 300 or not _is_html(got):
        return PageSigns(Evidence.NONE)
    document = Document.of(got)
    logout = has_logout(document)
    if login.lost_when and document.has(login.lost_when):
        return PageSigns(Evidence.MARK)
    if login.logged_in_when:
        found = document.has(login.logged_in_when)
        return PageSigns(Evidence.NONE if found else Evidence.MARK, logout=logout)
    if logout:
        return PageSigns(Evidence.NONE, logout=True)
    if (target := next_address(document)) is not None and _is_login(target, addresses):
        return PageSigns(Evidence.REDIRECT)
    return PageSigns(_without_logout(document, logout_expected=logout_expected))


def _is_login(url: str, addresses: Collection[str]) -> bool:
    return address_of(url) in addresses or bool(words.LOGIN_PATH.search(urlsplit(url).path))


def _is_front(target: str, url: str) -> bool:
    """Whether a redirect leads from a page to the front page of its host."""
    to, source = urlsplit(target), urlsplit(url)
    same = to.netloc.removeprefix("www.") == source.netloc.removeprefix("www.")
    return same and to.path in ("", "/") and source.path not in ("", "/")


def _without_logout(document: Document, *, logout_expected: bool) -> Evidence:
    size, link = len(document.visible_text), login_link(document)
    form, text = has_login_form(document), words.WALL_TEXT.search(document.visible_text)
    if size <= _WALL_CHARS // 2:
        text = text or words.WALL_TEXT.search(document.alerts)
    if size <= _WALL_CHARS and (form or (text and (link or size <= _WALL_CHARS // 2))):
        return Evidence.WALL
    if form:
        return Evidence.FORM
    if text:
        return Evidence.TEXT
    return Evidence.LINK if logout_expected and link else Evidence.NONE


def _is_html(got: Got) -> bool:
    kind = got.header("Content-Type").lower()
    return "html" in kind or (not kind and b"<" in got.body[:200])

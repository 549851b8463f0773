"""What a person reads about a login that did not succeed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.access.verdicts import Outcome, Verdict
from topiccrawl.errors import printable
from topiccrawl.language import _

if TYPE_CHECKING:
    from topiccrawl.access.login import Login


def advice(login: Login, verdict: Verdict) -> str:
    """Return what went wrong and what to do, in one line."""
    detail = printable(verdict.detail)[:200]
    if verdict.outcome is Outcome.CAPTCHA:
        return _(
            "asks for what only a person can answer ({detail}): log in with a browser, export its "
            'cookies and use kind = "cookies"'
        ).format(detail=detail)
    if verdict.outcome is Outcome.NO_FORM:
        return _("no form with a password at {url}; found: {detail}").format(
            url=login.check or login.url, detail=detail or _("no fields")
        )
    if verdict.outcome is Outcome.OTHER_HOST:
        return _("leads to {host}, which it does not name: add it to through").format(host=detail)
    if verdict.outcome is Outcome.UNREACHABLE:
        return _("no answer ({detail})").format(detail=detail)
    if login.kind == "cookies":
        return _(
            "the cookies of {file} are not accepted: log in with a browser and export them again"
        ).format(file=login.cookies_file)
    if detail:
        return _("the server refuses ({detail}): check the name and the password").format(
            detail=detail
        )
    return _("the server refuses: check the name and the password")

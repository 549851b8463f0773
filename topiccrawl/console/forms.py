"""Views that change something: only with ``--write``, only by POST, only from the console's forms."""

from __future__ import annotations

import functools
import hmac
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeAlias

# Starlette imports it for the first form, and would fail there.
import python_multipart  # noqa: F401
from starlette.responses import RedirectResponse, Response

from topiccrawl.console.desk import desk_of
from topiccrawl.console.frame.security import CSRF_FIELD, CSRF_HEADER, csrf_token, is_own_request
from topiccrawl.console.paths import local_path
from topiccrawl.console.rendering import error_page
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request

View: TypeAlias = "Callable[[Request], Awaitable[Response]]"
WritingView: TypeAlias = "Callable[[Request, FormData], Awaitable[Response]]"

#: Fields of a form at most (a guess: an event table has some hundred).
_MOST_FIELDS = 2_000


def writing(view: WritingView) -> View:
    """Make *view*, which takes the form too, an endpoint that checks ``--write`` and the CSRF token.

    Use it in ``Route(path, writing_view, methods=["POST"])``.
    """

    @functools.wraps(view)
    async def checked(request: Request) -> Response:
        if request.method != "POST":
            return error_page(request, 405, _("This address only takes forms."))
        if not desk_of(request).is_writable:
            return error_page(
                request, 403, _("The console is read-only; start it with scrapy console --write.")
            )
        form = await request.form(max_files=0, max_fields=_MOST_FIELDS)
        offered = request.headers.get(CSRF_HEADER) or text_field(form, CSRF_FIELD)
        matches = hmac.compare_digest(offered.encode(), csrf_token().encode())
        is_own = is_own_request(request.headers)
        if not matches and is_own and CSRF_FIELD in form and "origin" in request.headers:
            # A tab that was open while the console was restarted: what was typed is not lost.
            message = _(
                "The console was restarted meanwhile. Send the form again: nothing is lost."
            )
            return error_page(request, 403, message, form=form)
        if not matches or not is_own:
            return error_page(
                request,
                403,
                _("The form comes from an older console: load its page again and repeat it."),
            )
        return await view(request, form)

    return checked


def text_field(form: FormData, name: str, most: int = 100_000) -> str:
    """Return the text of a form's field, empty without it.

    Raises ``ConfigurationError`` if it has more than *most* characters: nothing typed is cut off unseen.
    """
    value = form.get(name)
    if not isinstance(value, str):
        return ""
    text = value.replace("\r\n", "\n").encode("utf-8", "replace").decode("utf-8")
    return within(text, most)


def within(text: str, most: int) -> str:
    """Return *text*; raise ``ConfigurationError`` if it has more than *most* characters."""
    if len(text) > most:
        raise ConfigurationError(
            _(
                "a text of {length:,} characters is too long here, where {most:,} are the most"
            ).format(length=len(text), most=most)
        )
    return text


def back(request: Request, form: FormData, default: str = "/") -> Response:
    """Return to the page whose form was sent: its field ``next``, a path of this console."""
    return RedirectResponse(local_path(text_field(form, "next"), default), 303)

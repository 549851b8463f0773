"""From a template and values to an answer: all views and errors look alike."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, FunctionLoader, StrictUndefined
from starlette.responses import HTMLResponse
from starlette.routing import Route

from topiccrawl import __version__
from topiccrawl.console import paths
from topiccrawl.console.frame.assets import asset_path
from topiccrawl.console.frame.cleaning import finalize, visible, web_link
from topiccrawl.console.frame.formats import FILTERS
from topiccrawl.console.frame.security import CSRF_FIELD, csrf_token
from topiccrawl.console.sections import Section, sections
from topiccrawl.language import _, clauses, labeled, listed, ngettext, user_language

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import HTTPConnection

    from topiccrawl.console.desk import Desk

#: Cookie that keeps the choice of light or dark.
THEME_COOKIE: Final = "topiccrawl_theme"


@cache
def environment() -> Environment:
    """Return the templates of the package: everything they print is escaped and cleaned."""
    made = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=finalize,
        auto_reload=False,
    )
    made.globals.update(
        _=_,
        ngettext=ngettext,
        clauses=clauses,
        labeled=labeled,
        listed=listed,
        asset_path=asset_path,
        topic_path=paths.topic_path,
        page_path=paths.page_path,
        story_path=paths.story_path,
        csrf_field=CSRF_FIELD,
        version=__version__,
    )
    made.filters.update(FILTERS, web_link=web_link, visible=visible)
    return made


def _template(name: str) -> str | None:
    file = resources.files("topiccrawl.console").joinpath("templates", *name.split("/"))
    return file.read_text("utf-8") if file.is_file() else None


def render(request: HTTPConnection, name: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return the template *name* of ``console/templates`` with *values*.

    Besides them, templates have ``request``, ``desk``, ``topic`` (the topic of the path, or ``None``),
    ``section`` (key of the view's section), ``topics``, ``navigation``, ``language``, ``theme``,
    ``is_writable`` and ``here`` (the path of this view with its query).
    """
    desk: Desk = request.app.state.desk
    written = request.path_params.get("topic")
    known = values.get("topics", request.app.state.topics_seen)
    topic = values.pop("topic", None) or (
        paths.topic_named(written, known) if written is not None else None
    )
    theme = request.cookies.get(THEME_COOKIE, "")
    current = current_section(request)
    context = {
        "request": request,
        "desk": desk,
        "topic": topic,
        "topics": known,
        "section": current.key if current else "",
        "navigation": _navigation(topic),
        "language": user_language(),
        "theme": theme if theme in ("light", "dark") else "",
        "is_writable": desk.is_writable,
        "csrf": csrf_token() if desk.is_writable else "",
        "here": paths.asked_path(request.scope),
        **values,
    }
    return HTMLResponse(environment().get_template(name).render(context), status)


def error_page(
    request: HTTPConnection,
    status: int,
    message: str,
    title: str = "",
    form: FormData | None = None,
) -> HTMLResponse:
    """Return a page that shows why a request was not answered, or what *title* states instead.

    It can send a *form* again that was filled in correctly, with the token of this console.
    """
    title = title or (_("Not found") if status == 404 else _("Not answered"))
    lost = status >= 400 and request.scope.get("method") == "POST"
    fields = (
        [
            (name, csrf_token() if name == CSRF_FIELD else text)
            for name, text in form.multi_items()
            if isinstance(text, str)
        ]
        if form
        else []
    )
    return render(
        request,
        "error.html",
        status,
        message=message,
        title=title,
        is_form_lost=lost,
        fields=fields,
    )


def token_page(request: HTTPConnection, wrong: bool) -> HTMLResponse:
    """Return the page that asks for the access token; it shows nothing of the store."""
    page = (
        environment()
        .get_template("token.html")
        .render(
            language=user_language(),
            wrong=wrong,
            path=paths.asked_path(request.scope).partition("?")[0],
        )
    )
    return HTMLResponse(page, 401)


def current_section(request: HTTPConnection) -> Section | None:
    """Return the section whose route answers *request*."""
    endpoint = request.scope.get("endpoint")
    for section in sections():
        for route in section.routes:
            if isinstance(route, Route) and route.endpoint is endpoint:
                return section
    return None


def _navigation(topic: str | None) -> list[tuple[str, str, str]]:
    """Return key, title and path of the sections that the navigation shows."""
    shown: list[tuple[str, str, str]] = []
    for section in sections():
        first = next((it for it in section.routes if isinstance(it, Route)), None)
        if first is None or not section.in_navigation or section.needs_topic is not bool(topic):
            continue
        path = first.path
        if topic is not None:
            path = paths.topic_path(topic, path.removeprefix("/t/{topic}/"))
        shown.append((section.key, _(section.title), path))
    return shown

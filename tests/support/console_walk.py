"""Walking all views of a console with Chromium and axe-core."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from starlette.routing import Route

from tests.support.chromium import CHROMIUM
from topiccrawl.console.paths import topic_path
from topiccrawl.console.sections import sections

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

#: Views of one path that show different things, as queries; a page's address is put in for {url}.
QUERIES: Final[Mapping[str, tuple[str, ...]]] = {
    "/t/{topic}/page": tuple(
        f"url={{url}}&view={view}"
        for view in ("text", "evidence", "versions", "copies", "snapshot")
    ),
    "/t/{topic}/snapshot": ("url={url}",),
    "/t/{topic}/search": ("", "q=侨", "q=无此词语"),
    "/search": ("", "q=侨"),
}
#: Findings of axe-core that fail a test.
SERIOUS: Final = frozenset({"serious", "critical"})


@dataclass
class Findings:
    """What went wrong on one page."""

    serious: list[str] = field(default_factory=list)
    """Serious and critical findings of axe-core: rule, and elements."""
    errors: list[str] = field(default_factory=list)
    """Errors of scripts, and what the content security policy refused."""
    dialogs: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    """Requests to other hosts."""
    width: int = 0
    """Width of the document in CSS pixels."""
    ran: bool = False
    """Whether a script of a collected page ran."""
    status: int = 0

    def problems(self, width: int) -> list[str]:
        """Everything that must not be, for a window of *width*."""
        found = [*self.serious, *self.errors, *self.dialogs, *self.elsewhere]
        if self.width > width:
            found.append(f"the page is {self.width} wide")
        if self.ran:
            found.append("a script of a collected page ran")
        if self.status >= 500 and self.status != 503:
            found.append(f"status {self.status}")
        return found


def view_paths(section: str, topic: str, url: str, examples: Mapping[str, str]) -> Iterator[str]:
    """Yield the paths of all views of *section* that are read with GET.

    *examples* are values of parameters of paths, by name.
    """
    (found,) = [it for it in sections() if it.key == section]
    for route in found.routes:
        if not isinstance(route, Route) or "GET" not in (route.methods or {"GET"}):
            continue
        path = route.path
        if path.startswith("/t/{topic}/"):
            path = topic_path(topic, path.removeprefix("/t/{topic}/"))
        names = re.findall(r"\{(\w+)(?::\w+)?\}", path)
        for name in names:
            value = quote(examples.get(name, "none"), safe="")
            path = re.sub(rf"\{{{name}(:\w+)?\}}", lambda _, value=value: value, path)
        for query in QUERIES.get(route.path, ("",)):
            filled = query.replace("{url}", quote(url, safe=""))
            yield f"{path}?{filled}" if filled else path


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def window(
    browser: Browser, width: int, language: str, theme: str, *, scripts: bool = True
) -> Iterator[Page]:
    """Yield a tab of a *width* in CSS pixels, for a user of a language who likes it light or dark."""
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        locale="zh-CN" if language == "zh" else "en-US",
        color_scheme=theme,  # type: ignore[arg-type]
        java_script_enabled=scripts,
    )
    try:
        yield context.new_page()
    finally:
        context.close()


def walk(page: Page, base: str, path: str, *, axe: bool = True) -> Findings:
    """Open *path* of the console at *base*, and report what is wrong with it."""
    found = Findings()

    def asked(request: Request) -> None:
        if not request.url.startswith((base, "data:", "about:", "chrome-error:")):
            found.elsewhere.append(request.url)

    handlers: dict[str, Any] = {
        "request": asked,
        "pageerror": lambda error: found.errors.append(str(error)),
        "console": lambda message: (
            found.errors.append(message.text)
            if message.type == "error" and "status of" not in message.text
            else None
        ),
        "dialog": lambda dialog: (found.dialogs.append(dialog.message), dialog.dismiss()),
    }
    for event, handler in handlers.items():
        page.on(event, handler)  # type: ignore[call-overload]
    try:
        answer = page.goto(base + path)
        page.wait_for_load_state("load")
        found.status = answer.status if answer else 0
        found.width = page.evaluate("document.documentElement.scrollWidth")
        found.ran = page.evaluate("Boolean(window.ran)")
        if axe:
            found.serious = _axe(page)
    finally:
        for event, handler in handlers.items():
            page.remove_listener(event, handler)
    return found


def _axe(page: Page) -> list[str]:
    """Return the serious findings of axe-core on the page that is open."""
    script = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    page.evaluate(script)
    result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{it['id']}: {it['help']}: {[node['html'][:160] for node in it['nodes'][:3]]}"
        for it in result["violations"]
        if it["impact"] in SERIOUS
    ]

"""Finds the browser's executable, and what keeps it from starting."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from topiccrawl.errors import ConfigurationError, MissingExtraError
from topiccrawl.language import _

if TYPE_CHECKING:
    from topiccrawl.crawl.settings.browser import BrowserSettings

#: Names of Chromium and Chrome on the PATH.
_NAMES: Final = (
    "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge",
)  # fmt: skip
#: Variable with the folder of Playwright's browsers, and its default on Linux and macOS.
_PLACE: Final = "PLAYWRIGHT_BROWSERS_PATH"
_PLACES: Final = ("~/.cache/ms-playwright", "~/Library/Caches/ms-playwright")


def check_browser(settings: BrowserSettings) -> str:
    """Return the path of the browser, ``""`` for Playwright's own.

    Raises ``ConfigurationError`` if the extra is not installed, there is no browser, or it would not start as
    root.
    """
    if find_spec("playwright") is None or find_spec("scrapy_playwright") is None:
        raise MissingExtraError(_("Loading pages in a browser"), "browser", "scrapy-playwright")
    path = settings.executable
    if path and not os.access(path, os.X_OK):
        raise ConfigurationError(
            _("TOPICCRAWL_BROWSER_EXECUTABLE must be a program, got {path!r}").format(path=path)
        )
    if not path and not _playwright_has_one():
        path = next(filter(None, map(shutil.which, _NAMES)), "")
        if not path:
            raise ConfigurationError(
                _(
                    "no browser is found: install chromium, run `playwright install chromium`, or set"
                    " TOPICCRAWL_BROWSER_EXECUTABLE"
                )
            )
    if settings.sandbox and hasattr(os, "geteuid") and os.geteuid() == 0:
        raise ConfigurationError(
            _(
                "the browser does not start as root in its sandbox: run the crawl as another user, or"
                " set TOPICCRAWL_BROWSER_SANDBOX=0 in a container that holds nothing else"
            )
        )
    return path


def _playwright_has_one() -> bool:
    places = [os.environ[_PLACE]] if os.environ.get(_PLACE) else list(_PLACES)
    return any(
        any(Path(place).expanduser().glob("chromium*-*/INSTALLATION_COMPLETE")) for place in places
    )

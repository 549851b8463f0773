"""PageBrowser: loads a fetched page in a browser, and returns its content after the scripts have run.

The browser has no network of its own: its proxy is a name that does not exist.  The page itself is the one
that the crawl has fetched, and each request of its scripts is sent as a request of the crawl, through the
same middlewares: addresses, robots.txt, delays, proxies, cookies and limits of size are those of every
request.  What is not http or https cannot leave; service workers, downloads and sub-frames are off, and
pages do not navigate: where a script leads elsewhere, the target becomes a link.

Needs the extra ``browser``; this module is imported only when a page is to be loaded.
"""

from __future__ import annotations

import asyncio
import html
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any, Final

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, Route
from playwright.async_api import Request as PageRequest
from playwright.async_api import TimeoutError as PlaywrightTimeout
from scrapy import Request
from scrapy_playwright.handler import Config, ScrapyPlaywrightDownloadHandler

from topiccrawl.crawl.requests.failures import BrowserFailed
from topiccrawl.network.browsed import SubRequests
from topiccrawl.network.scripts import FLATTEN, PREPARE, STATE
from topiccrawl.urls.routes import shown_url

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from topiccrawl.crawl.settings.browser import BrowserSettings

logger = logging.getLogger(__name__)

#: Command line of Chromium: no network but a proxy that does not exist, nothing in the background.
ARGUMENTS: Final = (
    "--proxy-server=http://no-network.invalid:1",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--dns-prefetch-disable",
)
#: Loads of one page before it fails: a browser that crashes is started again (a guess).
TRIES: Final = 3
#: Seconds between two looks at a page, for which it has to be unchanged, and within which one without
#: text is expected to get some (guesses: timers of scripts are of half a second).
_LOOK: Final = 0.1
_QUIET: Final = 0.4
_EMPTY_QUIET: Final = 2.0
#: Characters below which a page counts as empty (a guess).
_EMPTY: Final = 60
#: Seconds for closing a page or a browser before it is abandoned.
_CLOSING: Final = 5.0
#: Seconds for starting the browser, which are not taken from its first pages (a guess: half a second on
#: an idle machine, over 20 beside ten other busy processes on two cores).
_STARTING: Final = 180.0


@dataclass
class _Load:
    """One page in the browser."""

    response: Response
    shown_as: str
    """The address that the page believes to have; differs from the response's in its fragment."""
    until: float
    requests: SubRequests
    begun: bool = False
    pending: int = 0
    changed_at: float = 0.0
    leads_to: list[str] = field(default_factory=list)
    page: Page | None = None


class _Handler(ScrapyPlaywrightDownloadHandler):  # type: ignore[misc]  # not typed
    """scrapy-playwright's handler, whose browser is started before its first page."""

    def __init__(self, crawler: Crawler, config: Config) -> None:
        super().__init__(crawler)
        self.config = config

    async def _maybe_launch_in_thread(self) -> None:
        """Do nothing when the engine starts."""

    async def start(self) -> None:
        """Start Playwright and the browser."""
        await self._launch()
        await self._maybe_launch_browser()

    async def stop(self) -> None:
        """Close the browser, or abandon one that does not close."""
        for closing in (self._close(), self.browser_provider.close()):
            with suppress(Exception):
                await asyncio.wait_for(closing, _CLOSING)


class PageBrowser:
    """Loads pages, several at a time, each in a context of its own."""

    def __init__(
        self,
        crawler: Crawler,
        settings: BrowserSettings,
        executable: str,
        download: Callable[[Request], Awaitable[Response]],
        count: Callable[[str], object],
    ) -> None:
        """*download* fetches what the scripts of a page request."""
        logging.getLogger("scrapy-playwright").setLevel(logging.ERROR)
        self._crawler = crawler
        self._settings = settings
        self._executable = executable
        self._download = download
        self._count = count
        self._places = asyncio.Semaphore(settings.pages)
        self._starting = asyncio.Lock()
        self._handler: _Handler | None = None
        self._scripts: dict[str, Response] = {}

    async def render(self, request: Request, response: Response) -> bytes:
        """Return the HTML of *response* after its scripts.

        Raises :class:`BrowserFailed` if the browser did not show it, however often it was tried.
        """
        async with self._places:
            problem: Exception | None = None
            tries = 0
            for _attempt in range(3 * TRIES):
                handler: _Handler | None = None
                try:
                    handler = await self._ready()
                    return await self._render(handler, request, response)
                except BrowserFailed:
                    raise
                except (TimeoutError, PlaywrightTimeout) as error:
                    problem = error  # a script without end: another try would be as long
                    break
                except Exception as error:
                    problem = error
                    logger.debug("The browser failed for %s: %s", response.url, error)
                    if self._handler is handler:
                        await self.close()
                        self._count("browser/crashes")
                        tries += 1
                    # else another page has found out before
                if tries >= TRIES:
                    break
            raise BrowserFailed(_short(problem)) from problem

    async def close(self) -> None:
        """Close the browser; the next page starts another."""
        if (handler := self._handler) is not None:
            self._handler = None
            await handler.stop()

    # -- the browser -------------------------------------------------------------------------------

    async def _ready(self) -> _Handler:
        async with self._starting:
            if self._handler is None:
                handler = _Handler(self._crawler, self._config())
                try:
                    await handler.start()
                except BaseException:
                    await handler.stop()
                    raise
                self._handler = handler
                self._count("browser/starts")
            return self._handler

    def _config(self) -> Config:
        settings = self._crawler.settings.copy()
        settings.frozen = False
        arguments = list(ARGUMENTS)
        if not self._settings.sandbox:
            arguments.append("--no-sandbox")
        options: dict[str, Any] = {
            "args": arguments,
            "chromium_sandbox": self._settings.sandbox,
            "handle_sigint": False,
            "handle_sigterm": False,
            "handle_sighup": False,
            "timeout": 1000 * _STARTING,
        }
        if self._executable:
            options["executable_path"] = self._executable
        for name, value in {
            "PLAYWRIGHT_LAUNCH_OPTIONS": options,
            "PLAYWRIGHT_BROWSER_TYPE": "chromium",
            "PLAYWRIGHT_MAX_PAGES_PER_CONTEXT": 1,
            "PLAYWRIGHT_DEFAULT_NAVIGATION_TIMEOUT": 1000 * self._settings.seconds,
        }.items():
            settings.set(name, value, "cmdline")
        return Config.from_settings(settings)

    # -- one page ----------------------------------------------------------------------------------

    async def _render(self, handler: _Handler, request: Request, response: Response) -> bytes:
        seconds = self._settings.seconds
        load = _Load(
            response,
            shown_url(response.url),
            time.monotonic() + seconds,
            SubRequests(request, self._settings, self._download, self._scripts),
        )
        agent = (request.headers.get(b"User-Agent") or b"").decode("latin-1")
        shown = Request(
            load.shown_as,
            meta={
                "playwright": True,
                "playwright_include_page": True,
                "playwright_context": f"{id(load)}",
                "playwright_context_kwargs": {
                    "accept_downloads": False,
                    "service_workers": "block",
                    "locale": "zh-CN",
                    "timezone_id": "Asia/Shanghai",
                    **({"user_agent": agent} if agent else {}),
                },
                "playwright_page_init_callback": self._prepare(load, request),
                "playwright_page_goto_kwargs": {
                    "wait_until": "commit",
                    "timeout": 1000 * seconds,
                },
            },
        )
        try:
            # Beyond the limits of the steps, for those that have none.
            async with asyncio.timeout(seconds + _CLOSING):
                await handler.download_request(shown)
                if load.page is None:
                    raise BrowserFailed("no page")
                await self._settle(load, load.page)
                body = (await load.page.content()).encode("utf-8", "replace")
        finally:
            load.requests.close()
            await self._leave(handler, load)
        self._count("browser/pages")
        if len(body) > self._settings.max_bytes:
            raise BrowserFailed(f"{len(body)} bytes")
        return body + _targets(load.leads_to)

    async def _leave(self, handler: _Handler, load: _Load) -> None:
        """Close the page with its context; abandon a browser that does not."""
        if load.page is None:
            return
        try:
            await asyncio.wait_for(load.page.context.close(), _CLOSING)
        except Exception:
            if self._handler is handler:
                await self.close()

    def _prepare(self, load: _Load, request: Request) -> Callable[[Page, Request], Awaitable[None]]:
        async def prepare(page: Page, shown: Request) -> None:
            load.page, load.begun = page, False
            await page.route("**/*", lambda route: self._answer(load, route))
            await page.route_web_socket("**/*", lambda socket: socket.close())
            await page.add_init_script(PREPARE)
            page.on("dialog", lambda dialog: asyncio.ensure_future(_dismissed(dialog)))
            page.on("popup", lambda popup: asyncio.ensure_future(_closed(popup)))
            if cookies := _cookies(request, load.shown_as):
                await page.context.add_cookies(cookies)

        return prepare

    async def _answer(self, load: _Load, route: Route) -> None:
        """Answer a request of the page."""
        asked = route.request
        load.changed_at = time.monotonic()
        try:
            if asked.is_navigation_request():
                await self._navigate(load, route, asked)
            elif asked.resource_type == "stylesheet":
                await route.fulfill(status=200, content_type="text/css", body="")
            elif time.monotonic() > load.until or not load.requests.allows(asked):
                await route.abort("blockedbyclient")
            else:
                load.pending += 1
                self._count("browser/requests")
                try:
                    answer = await load.requests.fetch(asked)
                finally:
                    load.pending -= 1
                    load.changed_at = time.monotonic()
                if answer is None:
                    await route.abort("failed")
                else:
                    await route.fulfill(**answer)
        except PlaywrightError:
            pass  # the page is closed

    async def _navigate(self, load: _Load, route: Route, asked: PageRequest) -> None:
        page = load.page
        main = page is not None and asked.frame == page.main_frame
        if main and not load.begun:
            load.begun = True
            kind = load.response.headers.get(b"Content-Type") or b"text/html"
            await route.fulfill(
                status=200,
                headers={"Content-Type": kind.decode("latin-1")},
                body=load.response.body,
            )
            return
        if main and asked.url.startswith(("http://", "https://")):
            load.leads_to.append(asked.url)
        await route.abort("aborted")

    async def _settle(self, load: _Load, page: Page) -> None:
        """Wait until the page does not change any more, then write what it shows into its HTML."""
        last: Mapping[str, Any] | None = None
        load.changed_at = time.monotonic()
        settled = False
        while (left := load.until - time.monotonic()) > 0:
            state: Mapping[str, Any] = await asyncio.wait_for(page.evaluate(STATE), left)
            now = time.monotonic()
            if state != last:
                last, load.changed_at = state, now
            empty = state["text"] < _EMPTY and not load.leads_to
            quiet = _EMPTY_QUIET if empty else _QUIET
            if state["ready"] and not load.pending and now - load.changed_at >= quiet:
                settled = True
                break
            await asyncio.sleep(_LOOK)
        if (last is None or last["text"] < _EMPTY) and (not settled or load.requests.failed):
            # Shows nothing about the page: its data did not come, or not in time.
            raise BrowserFailed("time-out" if not settled else "no data")
        size = await page.evaluate(FLATTEN)
        if size > self._settings.max_bytes:
            raise BrowserFailed(f"{size} characters")


async def _dismissed(dialog: Any) -> None:
    with suppress(PlaywrightError):
        await dialog.dismiss()


async def _closed(popup: Page) -> None:
    with suppress(PlaywrightError):
        await popup.close()


def _cookies(request: Request, url: str) -> list[Any]:
    """Return the cookies of *request* for the scripts of the page that read them."""
    found: list[Any] = []
    for header in request.headers.getlist(b"Cookie"):
        with suppress(Exception):
            jar = SimpleCookie(header.decode("latin-1"))
            found += [{"name": n, "value": m.value, "url": url} for n, m in jar.items()]
    return found


def _targets(urls: list[str]) -> bytes:
    """Return links to where scripts of a page led."""
    return "".join(
        f'\n<a href="{html.escape(url)}"></a>' for url in dict.fromkeys(urls[:10])
    ).encode()


def _short(error: Exception | None) -> str:
    """Return the first line of an error of Playwright, whose messages have a call log."""
    if isinstance(error, TimeoutError) and not str(error):
        return "time-out"
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]

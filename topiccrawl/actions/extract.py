"""``scrapy extract``: title, body, time and more of saved pages or URLs, as JSON Lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy.exceptions import UsageError

from topiccrawl import details
from topiccrawl.analysis.extraction import Inputs, PageExtractor, find_inputs
from topiccrawl.commandline.console import progress
from topiccrawl.commandline.errors import fail
from topiccrawl.crawl.documents import unreadable_detail
from topiccrawl.crawl.settings import PageSettings
from topiccrawl.documents.names import file_name
from topiccrawl.documents.text import DocumentText, UnreadableDocumentError
from topiccrawl.errors import ConfigurationError
from topiccrawl.export.atomic import output_stream
from topiccrawl.language import _, user_language
from topiccrawl.page.body.extractors import check_extractor
from topiccrawl.topics.reader import check_seed_url

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator, Callable, Sequence

    from scrapy.http import Response
    from scrapy.settings import Settings

#: Largest file that is read (a choice: 16 times what a crawl downloads); a device has no end.
MOST_BYTES = 64_000_000


def extract(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Read, analyze and write; the exit code is 1 if anything could not be read."""
    if not args or not opts.jsonl:
        raise UsageError(_("name pages and --jsonl OUT, e.g. scrapy extract a.html --jsonl -"))
    try:
        check_extractor(opts.extractor)
    except ValueError as error:
        return fail(str(error))
    inputs = find_inputs(args)
    if opts.url and (len(inputs.files) != 1 or inputs.urls):
        raise UsageError(_("--url is for one file"), print_help=False)
    return _work(inputs, opts, settings)


def _work(inputs: Inputs, opts: argparse.Namespace, settings: Settings) -> int:
    pages = PageSettings.from_settings(settings)
    extractor = PageExtractor(opts.extractor, pages.summary_sentences, pages.keywords)
    failures = [*inputs.missing]
    written = 0
    total = len(inputs.files) + len(inputs.urls)
    with output_stream(opts.jsonl) as stream, progress(_("pages"), total) as tick:
        for failure in inputs.missing:
            fail(failure)

        def write(record: dict[str, object]) -> None:
            nonlocal written
            line = json.dumps(record, ensure_ascii=False)
            # A lone surrogate (from an escape in JSON-LD) cannot be encoded as UTF-8.
            stream.write(line.encode("utf-8", "replace") + b"\n")
            written += 1

        def lost(what: str) -> None:
            failures.append(what)
            fail(what)

        for path in inputs.files:
            _read(path, opts.url or "", extractor, write, lost)
            tick()
        urls = _fetchable(inputs.urls, lost)
        if urls:
            _fetch(urls, settings, extractor, write, lost, tick)
    extractor.close()
    if opts.jsonl != "-":
        print(_("{path}: {count} pages").format(path=opts.jsonl, count=written))
    if failures:
        return fail(
            _("{failed} of {all} could not be read").format(
                failed=len(failures), all=written + len(failures)
            )
        )
    return 0


def _fetchable(urls: Sequence[str], lost: Callable[[str], None]) -> list[str]:
    """Return the URLs that can be requested; report the others."""
    found = []
    for url in urls:
        try:
            found.append(check_seed_url("scrapy extract", "URL", url))
        except ConfigurationError as error:
            lost(str(error))
    return found


def _read(
    path: Path,
    url: str,
    extractor: PageExtractor,
    write: Callable[[dict[str, object]], None],
    lost: Callable[[str], None],
) -> None:
    try:
        with path.open("rb") as file:
            body = file.read(MOST_BYTES + 1)
    except OSError as error:
        lost(f"{path}: {error.strerror or error}")
        return
    if len(body) > MOST_BYTES:
        lost(_("{path}: more than {most} MB").format(path=path, most=MOST_BYTES // 1_000_000))
        return
    try:
        write(extractor.extract(body, path.stem, url, file_name=path.name))
    except UnreadableDocumentError as error:
        lost(f"{path}: {_reason(error)}")


def _reason(error: UnreadableDocumentError) -> str:
    """Return why a document cannot be read, in the user's language."""
    found = DocumentText(reason=error.reason, detail=error.detail)
    return details.translated(unreadable_detail(found), user_language())


class _ExtractSpider(scrapy.Spider):
    """Fetches the URLs without following links."""

    name = "extract"

    def __init__(
        self,
        urls: list[str],
        extractor: PageExtractor,
        write: Callable[[dict[str, object]], None],
        lost: Callable[[str], None],
        tick: Callable[[], None],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._urls, self._extractor = urls, extractor
        self._write, self._lost, self._tick = write, lost, tick
        self.open = dict.fromkeys(urls)

    async def start(self) -> AsyncIterator[scrapy.Request]:
        for url in self.open:
            yield scrapy.Request(
                url, self.page, errback=self.failed, dont_filter=True, cb_kwargs={"asked": url}
            )

    def page(self, response: Response, asked: str) -> None:
        self.open.pop(asked, None)
        header = (response.headers.get("Content-Type") or b"").decode("latin-1")
        charset = header.partition("charset=")[2].partition(";")[0].strip() or None
        name = file_name(response.headers.get("Content-Disposition") or b"", response.url)
        try:
            record = self._extractor.extract(
                response.body,
                asked,
                response.url,
                charset=charset,
                content_type=header,
                file_name=name,
            )
        except UnreadableDocumentError as error:
            self._lost(f"{asked}: {_reason(error)}")
        else:
            self._write(record)
        self._tick()

    def failed(self, failure: Any) -> None:
        asked = failure.request.cb_kwargs["asked"]
        self.open.pop(asked, None)
        error = failure.value
        response = getattr(error, "response", None)
        reason = f"HTTP {response.status}" if response is not None else str(error)
        self._lost(f"{asked}: {reason or type(error).__name__}")
        self._tick()


def _fetch(
    urls: list[str],
    project: Settings,
    extractor: PageExtractor,
    write: Callable[[dict[str, object]], None],
    lost: Callable[[str], None],
    tick: Callable[[], None],
) -> None:
    """Fetch the URLs with the project's settings, but with Scrapy's own components only."""
    from scrapy.crawler import AsyncCrawlerProcess

    settings = project.copy()
    settings.set("ADDONS", {}, "cmdline")
    settings.set("SCHEDULER", "scrapy.core.scheduler.Scheduler", "cmdline")
    settings.set("FEEDS", {}, "cmdline")
    settings.set("ITEM_PIPELINES", {}, "cmdline")
    settings.set("JOBDIR", None, "cmdline")
    if settings.getpriority("LOG_LEVEL") in (None, 0, 20):
        settings.set("LOG_LEVEL", "ERROR", "cmdline")
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(_ExtractSpider)
    process.crawl(crawler, urls=urls, extractor=extractor, write=write, lost=lost, tick=tick)
    process.start()
    # A crawl that did not start, or was cut short, has not called back for all URLs.
    spider = crawler.spider
    rest = spider.open if isinstance(spider, _ExtractSpider) else dict.fromkeys(urls)
    for url in rest:
        lost(_("{url}: not fetched").format(url=url))

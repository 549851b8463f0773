"""``scrapy extract``: title, body, time and more of saved pages or URLs, as JSON Lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from topiccrawl.analysis.extraction import FIELDS, Inputs, PageExtractor, find_inputs
from topiccrawl.commandline.console import progress
from topiccrawl.commandline.errors import exit_code, fail, reject_unknown_options
from topiccrawl.crawl.settings import PageSettings
from topiccrawl.export.atomic import output_stream
from topiccrawl.language import _
from topiccrawl.page.body.extractors import DEFAULT_EXTRACTOR, check_extractor, extractor_names

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator, Callable

    from scrapy.http import Response
    from scrapy.settings import Settings


class Command(ScrapyCommand):
    """Analyzes pages without a topic, a store or a frontier."""

    requires_project = False
    requires_crawler_process = False

    def syntax(self) -> str:
        """Return the arguments after the command's name."""
        return "FILE_OR_URL… --jsonl OUT [--extractor NAME] [--url URL]"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return _("Extract title, body, time … of pages as JSON Lines")

    def long_desc(self) -> str:
        """Return the text of ``scrapy extract -h``."""
        return _(
            "Write one JSON object a page to OUT (- for standard output): {fields}. Files, "
            "folders and globs are read; URLs are fetched, obeying robots.txt. What cannot "
            "be read is named on standard error, the rest is written, and the exit code is "
            "1."
        ).format(fields=", ".join(FIELDS))

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add this command's options."""
        super().add_options(parser)
        parser.add_argument(
            "--jsonl", metavar="OUT", help=_("file to write, - for standard output")
        )
        parser.add_argument(
            "--extractor",
            metavar="NAME",
            default=DEFAULT_EXTRACTOR,
            help=_(
                "body extractor: {names}, or the dotted path of a class (default: {default})"
            ).format(names=", ".join(extractor_names()), default=DEFAULT_EXTRACTOR),
        )
        parser.add_argument(
            "--url",
            metavar="URL",
            help=_("URL of the page, for one file (default: what it states)"),
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read, analyze and write; the exit code is 1 if anything could not be read."""
        reject_unknown_options(args)
        if not args or not opts.jsonl:
            raise UsageError(_("name pages and --jsonl OUT, e.g. scrapy extract a.html --jsonl -"))
        try:
            check_extractor(opts.extractor)
        except ValueError as error:
            self.exitcode = fail(str(error))
            return
        inputs = find_inputs(args)
        if opts.url and (len(inputs.files) != 1 or inputs.urls):
            raise UsageError(_("--url is for one file"), print_help=False)
        self.exitcode = exit_code(lambda: self._work(inputs, opts))

    def _work(self, inputs: Inputs, opts: argparse.Namespace) -> int:
        assert self.settings is not None
        pages = PageSettings.from_settings(self.settings)
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
            if inputs.urls:
                _fetch(inputs.urls, self.settings, extractor, write, lost, tick)
        if opts.jsonl != "-":
            print(_("{path}: {count} pages").format(path=opts.jsonl, count=written))
        if failures:
            return fail(
                _("{failed} of {all} could not be read").format(
                    failed=len(failures), all=written + len(failures)
                )
            )
        return 0


def _read(
    path: Path,
    url: str,
    extractor: PageExtractor,
    write: Callable[[dict[str, object]], None],
    lost: Callable[[str], None],
) -> None:
    try:
        body = path.read_bytes()
    except OSError as error:
        lost(f"{path}: {error.strerror or error}")
        return
    write(extractor.extract(body, path.stem, url))


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
        record = self._extractor.extract(
            response.body, asked, response.url, charset=charset, content_type=header
        )
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

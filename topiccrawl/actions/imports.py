"""``scrapy import``: run the import spider, and print counts and reasons at its end."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from topiccrawl.actions.crawl import run_crawler, run_problem, run_summary
from topiccrawl.commandline.errors import CommandError, as_given, fail
from topiccrawl.commandline.logs import fail_logged
from topiccrawl.commandline.store import choose_topic, opened_store
from topiccrawl.crawl.account.import_summary import import_lines
from topiccrawl.crawl.account.summary import summary_lines
from topiccrawl.crawl.session.current import session_of
from topiccrawl.crawl.settings.links import TopicSettings
from topiccrawl.crawl.settings.store import StoreSettings
from topiccrawl.errors import ConfigurationError, StoreUnavailable
from topiccrawl.language import _
from topiccrawl.reporting.markup import clean
from topiccrawl.spiders.imports import ImportSpider

if TYPE_CHECKING:
    import argparse

    from scrapy.crawler import Crawler
    from scrapy.crawler import CrawlerProcessBase as Process
    from scrapy.settings import Settings


def import_pages(
    args: list[str], opts: argparse.Namespace, settings: Settings, process: Process
) -> int:
    """Import the path *args* names; return the exit code."""
    arguments = {
        "path": args[0],
        "topic": args[1] if len(args) > 1 else _topic(settings),
        "again": "1" if opts.again else "",
        "links": "1" if opts.queue_links else "",
    }
    crawler = process.create_crawler(ImportSpider)
    problem = run_crawler(process, crawler, arguments) or run_problem(crawler)
    if problem:
        return fail_logged(as_given(problem, opts), settings)
    _show(crawler)
    spider = crawler.spider
    assert isinstance(spider, ImportSpider)
    if spider.counts.found_anything:
        return 0
    return fail(_("nothing in {path} can be imported").format(path=args[0]))


def _topic(settings: Settings) -> str:
    """Return the topic that is meant when none is named."""
    if name := TopicSettings.from_settings(settings).topic:
        return name
    uri = StoreSettings.from_settings(settings).store_uri

    async def only() -> str:
        async with opened_store(uri) as store:
            return await choose_topic(store, None)

    # Not asyncio.run, which leaves the thread without the event loop that Scrapy takes.
    loop = asyncio.new_event_loop()
    try:
        if uri:
            return loop.run_until_complete(only())
    except (CommandError, ConfigurationError, StoreUnavailable):
        pass
    finally:
        loop.close()
    raise CommandError(
        _("into which topic? scrapy import PATH TOPIC; `scrapy topics` lists the known topics")
    )


def _show(crawler: Crawler) -> None:
    """Print the results of the import, to standard error like the summary of a crawl."""
    spider = crawler.spider
    assert isinstance(spider, ImportSpider)
    # Of an import that has found nothing, nothing can be reported or exported.
    found = run_summary(crawler) if spider.counts.found_anything else None
    topic = session_of(crawler).topic.name
    if found is None:
        lines = import_lines(topic, spider.counts, None)
    else:
        summary, commands = found
        if spider.counts.urls or spider.counts.links:
            store = ["--store", commands.store] if commands.store else []
            again = ["crawl", "topic", "-a", f"topic={topic}", *store]
            commands = replace(commands, again=again)
        lines = summary_lines(summary, commands, import_lines(topic, spider.counts, summary))
    if spider.new_topic:
        lines = [clean(spider.new_topic), *lines]
    print(*lines, sep="\n", file=sys.stderr)

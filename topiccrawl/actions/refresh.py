"""``scrapy refresh``: run the refresh spider, and print what its visits have found."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from topiccrawl.actions.crawl import run_crawler, run_problem, run_summary
from topiccrawl.actions.report import REPORT_FILES, format_of_file, write_report
from topiccrawl.commandline.errors import CommandError, as_given
from topiccrawl.commandline.logs import fail_logged
from topiccrawl.commandline.options import output_path
from topiccrawl.commandline.store import choose_topic, opened_store
from topiccrawl.crawl.account.refresh_summary import visit_lines, visits_problem
from topiccrawl.crawl.account.summary import summary_lines
from topiccrawl.crawl.session.current import session_of
from topiccrawl.crawl.settings.links import TopicSettings
from topiccrawl.crawl.settings.store import StoreSettings
from topiccrawl.errors import OptionError
from topiccrawl.export.atomic import prepare_folder
from topiccrawl.language import _, listed
from topiccrawl.spiders.refresh import RefreshSpider

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable
    from datetime import datetime

    from scrapy.crawler import Crawler
    from scrapy.crawler import CrawlerProcessBase as Process
    from scrapy.settings import Settings

    from topiccrawl.crawl.session.session import CrawlSession
    from topiccrawl.store.contract import RunRecord

#: Share of revisits of a run that also fetches what waits in the queue (a choice: half and half).
_SHARE_GOING_ON = 0.5


def refresh(args: list[str], opts: argparse.Namespace, settings: Settings, process: Process) -> int:
    """Visit the pages of the topic that *args* names; return the exit code."""
    if opts.pages is not None and opts.pages < 1:
        raise OptionError(_("--pages must be a whole number >= 1, got {n}").format(n=opts.pages))
    if opts.budget is not None:
        if opts.budget < 1:
            raise OptionError(
                _("--budget must be a whole number >= 1, got {n}").format(n=opts.budget)
            )
        settings.set("TOPICCRAWL_REFRESH_PER_DAY", opts.budget, "cmdline")
    if opts.policy:
        settings.set("TOPICCRAWL_REFRESH_POLICY", opts.policy, "cmdline")
    if opts.go_on:
        settings.set("TOPICCRAWL_REFRESH_SHARE", _SHARE_GOING_ON, "cmdline")
    if opts.report:
        _prepare_report(opts.report)
    topic = _topic(args[0] if args else "", settings)
    arguments = {"topic": topic, "pages": str(opts.pages or "")}
    crawler = process.create_crawler(RefreshSpider)
    problem = run_crawler(process, crawler, arguments)
    if problem:
        return fail_logged(as_given(problem, opts), settings)
    problem = run_problem(crawler) or _failed(crawler)
    session = session_of(crawler)
    if opts.report and session.control.start_error is None:
        asyncio.run(_report(opts.report, session))
    if problem:
        return fail_logged(as_given(problem, opts), settings)
    _show(crawler)
    return 0


def _prepare_report(out: str) -> None:
    """Make the folder of the report: a wrong name or a missing folder must not cost a night."""
    if format_of_file(out) is None:
        raise OptionError(
            _("--report must be a file that ends with {choices}, got {out!r}").format(
                choices=listed(REPORT_FILES), out=out
            )
        )
    prepare_folder(Path(output_path(out)))


async def _report(out: str, session: CrawlSession) -> None:
    """Write what is new since the run before this one."""
    topic = session.topic.name
    async with opened_store(session.settings.store_uri) as store:
        others = [it for it in await store.runs(topic) if it.id != session.id]
        since = reported_since(others, session.started_at)
        await write_report(store, topic, out, since=since)


def reported_since(others: Iterable[RunRecord], started_at: datetime) -> datetime:
    """Return since when a run that began at *started_at* reports, from the *others* of its topic.

    Since the end of the run that began last before it.  A run that was still going on then counts from
    its beginning, and one that began later does not count: both runs report what they found together.
    """
    before = [it for it in others if it.started_at <= started_at]
    if not before:
        return started_at
    last = max(before, key=lambda it: it.started_at)
    if last.finished_at is None or last.finished_at > started_at:
        return last.started_at
    return last.finished_at


def _topic(name: str, settings: Settings) -> str:
    """Return the name of the topic that is meant; the store must have something of it."""
    uri = StoreSettings.from_settings(settings).store_uri
    if not uri:
        raise CommandError(_("TOPICCRAWL_STORE_URI is empty: there is nothing to visit again"))
    name = name or TopicSettings.from_settings(settings).topic

    async def chosen() -> str:
        async with opened_store(uri) as store:
            return await choose_topic(store, name or None)

    # Not asyncio.run, which leaves the thread without the event loop that Scrapy takes.
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(chosen())
    finally:
        loop.close()


def _failed(crawler: Crawler) -> str:
    """Return why a run that tried something has reached nothing; ``""`` if it did, or nothing was due."""
    session = session_of(crawler)
    assert session.visits is not None
    begin = "topiccrawl/refresh/failed/"
    reasons = {
        name.removeprefix(begin): count
        for name, count in crawler.stats.get_stats().items()
        if name.startswith(begin)
    }
    return visits_problem(
        session.visits.counts,
        session.progress,
        reasons,
        taken=_taken(crawler),
        stopped=crawler.stats.get_value("finish_reason") == "shutdown",
    )


def _taken(crawler: Crawler) -> int:
    """Return how many links were taken from the queue; those that went back to it are counted, too."""
    return int(crawler.stats.get_value("topiccrawl/frontier/popped", 0))


def _show(crawler: Crawler) -> None:
    """Print what the visits have found, to standard error like the summary of a crawl."""
    session = session_of(crawler)
    assert session.visits is not None
    known = 0 if session.refresher is None else len(session.refresher)
    topic = session.topic.name
    found = run_summary(crawler)
    counts, taken = session.visits.counts, _taken(crawler)
    lines = visit_lines(topic, counts, session.progress, known, taken=taken)
    if found is not None:
        summary, commands = found
        if summary.waiting:
            store = ["--store", commands.store] if commands.store else []
            again = ["crawl", "topic", "-a", f"topic={topic}", *store]
            commands = replace(commands, again=again)
        lines = summary_lines(summary, commands, lines)
    print(*lines, sep="\n", file=sys.stderr)

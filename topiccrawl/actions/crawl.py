"""``scrapy crawl``: what is asked before a run, and what is printed at its end."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.asyncio import is_asyncio_available

from topiccrawl.commandline.asking import is_confirmed
from topiccrawl.commandline.errors import as_given, interrupted, system_problem
from topiccrawl.commandline.logs import fail_logged, report_log_failures_once, writes_json
from topiccrawl.commandline.program import program
from topiccrawl.commandline.store import opened_store
from topiccrawl.crawl.account.summary import (
    Commands,
    RunSummary,
    away_line,
    read_summary,
    summary_lines,
)
from topiccrawl.crawl.judgments.deciding import classifies
from topiccrawl.crawl.session.current import find_session
from topiccrawl.endings import STOP_REASONS, STORE_LOST
from topiccrawl.errors import ConfigurationError, described, located
from topiccrawl.extensions.feeds import check_feeds
from topiccrawl.heap import collect_all, collect_soon
from topiccrawl.language import _, listed, ngettext
from topiccrawl.spiders.topic import is_yes
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.store.uri import shown

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from scrapy.crawler import Crawler
    from scrapy.crawler import CrawlerProcessBase as Process
    from scrapy.settings import Settings

#: Priority of a setting that was given by ``-s``.
_COMMAND_LINE = SETTINGS_PRIORITIES["cmdline"]

#: Seconds between two looks whether a crawl that is to stop is open (a choice).
_LOOK_SECONDS: Final = 0.05


def crawl(
    name: str,
    opts: argparse.Namespace,
    settings: Settings,
    process: Process,
    create_crawler: Callable[[str], Crawler],
) -> int:
    """Run the spider *name* and return the exit code; print the reason of a failure as one line."""
    try:
        check_feeds(settings.getdict("FEEDS"))
        problem = _may_erase(opts) or _run(name, opts, process, create_crawler)
    except ConfigurationError as error:
        problem = str(error)
    except KeyboardInterrupt:
        return interrupted()
    return fail_logged(as_given(problem, opts), settings) if problem else 0


def _run(
    name: str, opts: argparse.Namespace, process: Process, create_crawler: Callable[[str], Crawler]
) -> str:
    """Run the spider *name*; return the error message, ``""`` on success."""
    known = process.spider_loader.list()
    if name not in known:
        return _("there is no spider {name!r}; known: {known}").format(
            name=name, known=listed(sorted(known))
        )
    crawler = create_crawler(name)
    problem = run_crawler(process, crawler, opts.spargs) or run_problem(crawler)
    failed = problem or _blocked(crawler) or _lost(crawler)
    if not problem and not opts.no_summary:
        _show_summary(crawler)
    if not (failed or _fetched(crawler)):
        why = _(str(crawler.stats.get_value("topiccrawl/stop_reason")))
        failed = _("no page was fetched: {why}").format(why=why)
    return failed


def _stop_when_open(crawler: Crawler) -> None:
    """Have a stop that is asked for while *crawler* opens or closes wait until it is open, or closed.

    Scrapy stops an engine that does not run yet, or is closing by itself, by ending the event loop: the session
    would stay open, as if the process had been killed.  A large crawl takes minutes to open, and to close.
    """
    stop, closed, stopped = crawler.stop_async, asyncio.Event(), asyncio.Event()
    asked = False

    async def stop_async() -> None:
        nonlocal asked
        again, asked = asked, True
        if is_asyncio_available():
            # No signal is sent when the engine runs: that of its start comes before.
            while crawler.crawling and not closed.is_set() and not _runs(crawler):  # noqa: ASYNC110
                await asyncio.sleep(_LOOK_SECONDS)
            # By itself: it calls this when it is closed.  A second signal forces the end.
            if _closes(crawler) and not again:
                await stopped.wait()
        await stop()
        stopped.set()

    crawler.stop_async = stop_async  # type: ignore[method-assign]
    crawler.signals.connect(closed.set, signals.spider_closed, weak=False)


def _runs(crawler: Crawler) -> bool:
    engine = getattr(crawler, "engine", None)
    return engine is not None and engine.running


def _closes(crawler: Crawler) -> bool:
    slot = getattr(getattr(crawler, "engine", None), "_slot", None)
    return slot is not None and slot.closing is not None


def run_crawler(process: Process, crawler: Crawler, arguments: Mapping[str, str]) -> str:
    """Run *crawler* to its end; return the error message if it did not run, else ``""``."""
    report_log_failures_once()
    _stop_when_open(crawler)
    failure: list[BaseException] = []
    awaitable: Any = process.crawl(crawler, **arguments)
    if hasattr(awaitable, "addErrback"):
        awaitable.addErrback(lambda f: failure.append(f.value))
    crawler.signals.connect(collect_soon, signals.engine_started)  # whatever the spider
    try:
        process.start()
    finally:
        collect_all()
    if hasattr(awaitable, "exception") and awaitable.done() and not awaitable.cancelled():
        failure += [error for error in [awaitable.exception()] if error is not None]
    if failure:
        return _message(failure[0])
    if process.bootstrap_failed:
        return _("the crawl could not run; see the log")
    return ""


def _show_summary(crawler: Crawler) -> None:
    """Print the results of the run.

    To standard error, because a feed may be written to standard output; and not where the log
    is a file and no terminal is attached (cron, scrapyd): the log contains a line of its own.  Nor among log
    lines in JSON.
    """
    alone = crawler.settings.get("LOG_FILE") or writes_json(crawler.settings)
    if alone and not sys.stderr.isatty():
        return
    if not getattr(crawler.spidercls, "makes_page_items", False):
        return  # what a spider of another project collects is its own
    found = run_summary(crawler)
    if found is None or found[0].run.finished_at is None:  # its last record is not in the store
        return
    summary, commands = found
    if summary.waiting:
        commands = replace(commands, again=without_fresh(sys.argv[1:]))
    print(*summary_lines(summary, commands), sep="\n", file=sys.stderr)


def run_summary(crawler: Crawler) -> tuple[RunSummary, Commands] | None:
    """Return what is shown of the run of *crawler*, ``None`` if the store has no record of it."""
    session = find_session(crawler)
    if session is None or session.store is None:
        return None
    uri, topic, run = session.settings.store_uri, session.topic.name, session.id

    async def read() -> RunSummary | None:
        async with opened_store(uri) as store:
            return await read_summary(store, topic, run)

    try:
        summary = asyncio.run(read())
    except (ConfigurationError, StoreUnavailable):
        return None  # the log contains why
    if summary is None:
        return None
    given = (crawler.settings.getpriority("TOPICCRAWL_STORE_URI") or 0) >= _COMMAND_LINE
    learns = classifies(session.topic, session.settings)
    return summary, Commands(topic, shown(uri) if given else "", learns=learns, program=program())


def _may_erase(opts: argparse.Namespace) -> str:
    """Ask before the queue of a topic is erased; return an error message, ``""`` to continue."""
    value = str(opts.spargs.get("fresh", "")).strip().lower()
    if not is_yes("fresh", value) or opts.yes or value == "yes":
        return ""
    topic = opts.spargs.get("topic", "")
    if not sys.stdin.isatty():
        return _(
            "-a fresh={value} erases the queue of {topic!r} and the list of fetched pages, and keeps the"
            " stored pages, the judgments and what the classifier has learned; confirm it with --yes,"
            " or with -a fresh=yes where there are no options"
        ).format(value=value, topic=topic)
    print(
        _(
            "The queue of {topic!r} and the list of fetched pages will be erased; the stored pages, the"
            " judgments and what the classifier has learned stay."
        ).format(topic=topic),
        file=sys.stderr,
    )
    if is_confirmed(_("Erase? [y/N] ")):
        return ""
    return _("nothing was erased, nothing was crawled")


def run_problem(crawler: Crawler) -> str:
    """Return what went wrong in a crawl that has ended, ``""`` if nothing did."""
    session = find_session(crawler)
    if session is None:
        return ""
    if session.control.start_error is not None:
        return str(session.control.start_error)
    if session.control.offline:
        return session.control.offline
    # Whatever ended the crawl: a signal that came later does not make it a success.
    if session.control.frontier_problem:
        return _("the crawl stopped, its queue cannot be used: {error}").format(
            error=session.control.frontier_problem
        )
    stats = crawler.stats.get_stats()
    # The engine's end comes first, that of the session and its store later.
    if "finish_reason" not in stats or (session.store is not None and session.store.is_open):
        return _("the crawl was cut short; pages that were being worked on are not stored")
    if session.control.store_lost:
        return _("the crawl stopped: {why}; see the log").format(why=_(STOP_REASONS[STORE_LOST]))
    if session.store is not None and session.store.away:
        # Nothing is lost, but whoever reads the collection now finds nothing of this run.
        pages, folder = session.progress.pages, session.store.spool.folder
        return away_line(session.topic.name, pages, str(folder))
    if session.frontier.size().away:
        return _(
            "the server of the queue does not answer; what was fetched is stored, and the next run goes on"
            " once the server is back"
        )
    return ""


def _blocked(crawler: Crawler) -> str:
    """Return why a crawl that was blocked is not a success, ``""`` if it was not."""
    session = find_session(crawler)
    return "" if session is None else session.control.blocked


def _lost(crawler: Crawler) -> str:
    """Return how many requests of the spider could not be queued, ``""`` if all could."""
    lost = crawler.stats.get_value("topiccrawl/frontier/unkeepable", 0)
    if not lost:
        return ""
    return ngettext(
        "{n} request of the spider was lost, because the queue cannot keep it; see the log",
        "{n} requests of the spider were lost, because the queue cannot keep them; see the log",
        lost,
    ).format(n=lost)


def _fetched(crawler: Crawler) -> bool:
    """Whether a crawl, or an earlier run or another worker, has fetched a page."""
    session = find_session(crawler)
    if session is None:
        return True
    return bool(session.progress.pages or session.resumed or session.others_fetched)


def without_fresh(words: list[str]) -> list[str]:
    """Return the command line that continues the crawl which *words* started.

    Scrapy has removed the command's name from them.
    """
    left: list[str] = []
    for word in words:
        if word.startswith("fresh=") and left and left[-1] == "-a":
            left.pop()
        elif word != "--yes" and not word.startswith("-afresh="):
            left.append(word)
    return ["crawl", *left]


def _message(error: BaseException) -> str:
    if isinstance(error, ConfigurationError):
        return str(error)
    reason = described(error)
    if isinstance(error, OSError) and error.strerror:
        reason = system_problem(error)
    why = _("the crawl could not run: {error}").format(error=reason)
    return located(why, error)

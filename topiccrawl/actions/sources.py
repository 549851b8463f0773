"""``scrapy sources``: show, test and refresh what search engines find for a topic."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from rich.table import Table
from scrapy import Request

from topiccrawl.actions.downloading import Downloading, with_downloader
from topiccrawl.commandline.console import make_console
from topiccrawl.commandline.errors import WrongUsageError
from topiccrawl.commandline.store import topic_argument
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.journal.kinds import SEARCH
from topiccrawl.crawl.journal.queries import SearchEntry
from topiccrawl.crawl.queue.redis_client import redis_client
from topiccrawl.crawl.search.asking import EngineRequests
from topiccrawl.crawl.search.factory import engines_of, source_search
from topiccrawl.crawl.search.searching import SearchingCrawl, SourceSearch
from topiccrawl.crawl.search.shared import shared_rests
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.details import ENGINE_RESTS, translated
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.language import _, ngettext, user_language
from topiccrawl.reporting.markup import clean
from topiccrawl.sources.planner import Plan
from topiccrawl.sources.queries import topic_queries
from topiccrawl.sources.rests import EngineRests
from topiccrawl.sources.results import Answer, Asked, Verdict
from topiccrawl.topics.load import find_definition
from topiccrawl.topics.topic import Topic

if TYPE_CHECKING:
    import argparse

    from scrapy.http import Response
    from scrapy.settings import Settings

#: Sources, and queries, that are listed.
_SHOWN: Final = 20
#: Results of a tested engine that are listed.
_TESTED: Final = 5


def sources(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Run the chosen action and return the exit code."""
    name = topic_argument(args, "sources")
    if opts.test and opts.refresh:
        raise WrongUsageError(_("give one of --test, --refresh"))
    config = CrawlSettings.from_settings(settings)
    topic = Topic.learn(find_definition(name, word_is_known=True))
    if opts.test:
        return _test(topic, config, settings)
    return _show(topic, config, settings, refresh=opts.refresh)


def _test(topic: Topic, config: CrawlSettings, settings: Settings) -> int:
    """Send the topic's first query to each engine, and show what comes back."""
    engines = engines_of(config, topic.definition)
    question = topic_queries(topic.definition)[0].question
    answers: list[Answer] = []

    async def ask(download: Downloading) -> None:
        asking = EngineRequests(download, language=topic.definition.language, clock=time.time)
        answers.extend([await _tested(asking, Plan(it, question, 0), config) for it in engines])

    with_downloader(settings, ask)
    for engine, answer in zip(engines, answers, strict=True):
        detail = translated(answer.detail, user_language())
        print(
            ngettext(
                "{engine}: {verdict}, {count} result for {query} {detail}",
                "{engine}: {verdict}, {count} results for {query} {detail}",
                len(answer.results),
            )
            .format(
                engine=engine.name,
                verdict=_verdict(answer.verdict),
                count=len(answer.results),
                query=question,
                detail=f"({clean(detail)})" if detail else "",
            )
            .rstrip()
        )
        for result in answer.results[:_TESTED]:
            print(f"  {clean(result.title)}\n    {clean(result.url)}")
    return 0 if all(answer.verdict is Verdict.GOOD for answer in answers) else 1


async def _tested(asking: EngineRequests, plan: Plan, config: CrawlSettings) -> Answer:
    """Ask as a crawl does: not while the engine rests, and not too soon after the last query."""
    shared = shared_rests(config)
    rests = EngineRests(config.search_rest_seconds)
    engine, now = plan.engine, time.time()
    shared.read_into(rests, now)
    wait = rests.until(engine.name) - now
    if wait > engine.interval:
        detail = ENGINE_RESTS(n=math.ceil(wait), reason=rests.reason(engine.name))
        return Answer(Verdict.PAUSED, (), detail)
    await asyncio.sleep(max(0.0, wait))
    shared.write(engine.name, rests, time.time() + engine.interval)
    answer = await asking.ask(plan)
    if answer.verdict.sent:
        rests.add(Asked(engine.name, plan.question, 0, time.time(), answer), engine.interval)
        shared.write(engine.name, rests)
    return answer


def _show(topic: Topic, config: CrawlSettings, settings: Settings, *, refresh: bool) -> int:
    """Show what is in the topic's journal, after a new round if that was requested."""
    engines_of(config, topic.definition)
    asked: list[SearchEntry] = []
    backend = frontier_backend(config, lambda: redis_client(settings))
    if not refresh and not backend.has_queue(topic.name):
        _print(_unused(topic, config), asked)
        return 0
    opened = backend.open(topic.name)
    try:

        def receive(entry: SearchEntry) -> None:
            search.receive(entry)
            if entry.is_reset:
                asked.clear()
            elif entry.answer is not None:
                asked.append(entry)

        journal = CrawlJournal(opened.frontier.journal)
        journal.subscribe(SEARCH, receive, own=True)
        lent: list[Downloading] = []
        search = source_search(
            topic,
            config,
            lambda request: lent[0](request),
            SearchingCrawl(
                publish=partial(journal.publish, SEARCH),
                clock=opened.clock,
                shared=shared_rests(config),
            ),
        )
        while journal.replay():
            pass

        async def ask(download: Downloading) -> None:
            lent.append(download)
            journal.publish(SEARCH, SearchEntry.reset(opened.clock()))
            async for _sources in search.first_round():
                pass

        if refresh:
            with_downloader(settings, ask)
    finally:
        opened.frontier.close()
    _print(search, asked)
    return 0


def _unused(topic: Topic, config: CrawlSettings) -> SourceSearch:
    """Return a search that is only read."""

    async def download(request: Request) -> Response:
        raise RuntimeError("nothing is asked")

    crawl = SearchingCrawl(publish=lambda entry: None, clock=time.time)
    return source_search(topic, config, download, crawl)


def _print(search: SourceSearch, asked: Sequence[SearchEntry]) -> None:
    # Titles are those of strangers, and brackets in queries are no markup.
    console = make_console(plain=True)
    queries = Table(
        title=_("Queries: {spent} of {budget} sent").format(
            spent=search.planner.spent, budget=search.planner.budget
        )
    )
    for heading in (_("engine"), _("query"), _("page"), _("answer"), _("results")):
        queries.add_column(heading, overflow="fold")
    for entry in asked[-2 * _SHOWN :]:
        answer = entry.answer
        assert answer is not None
        said = _verdict(answer.verdict)
        if answer.detail:
            said += f" ({clean(translated(answer.detail, user_language()))})"
        queries.add_row(
            entry.engine, str(entry.question), str(entry.page + 1), said, str(len(answer.results))
        )
    if not asked:
        for query in search.planner.queries[:_SHOWN]:
            queries.add_row("", str(query.question), "1", _("not sent yet"), "")
    console.print(queries)
    for engine in search.engines:
        console.print(
            _("trust in {engine}: {trust}").format(
                engine=engine.name, trust=f"{search.pool.trust(engine.name):.2f}"
            )
        )
    found = search.pool.sources(_SHOWN)
    if found:
        table = Table(
            title=_("Best sources: {shown} of {count}").format(
                shown=len(found), count=len(search.pool)
            )
        )
        for heading in (_("score"), _("title"), "URL", _("found by")):
            table.add_column(heading, overflow="fold")
        for source in found:
            words, engine_name, rank = source.found[0]
            table.add_row(
                f"{source.score:.4f}",
                clean(source.title, 60),
                clean(source.url),
                clean(f"{words}, {engine_name}, {rank}"),
            )
        console.print(table)


def _verdict(verdict: Verdict) -> str:
    return {
        Verdict.GOOD: _("good"),
        Verdict.NONE: _("nothing found"),
        Verdict.EMPTY: _("without results"),
        Verdict.BLOCKED: _("blocked"),
        Verdict.GARBLED: _("unreadable"),
        Verdict.FAILED: _("failed"),
        Verdict.FORBIDDEN: _("forbidden"),
        Verdict.PAUSED: _("resting"),
        Verdict.UNREACHABLE: _("not reached"),
    }[verdict]

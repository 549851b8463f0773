"""Opening a session with what earlier runs have left, and closing it such that later ones can go on."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.journal.kinds import BASIS, JUDGMENT, JUDGMENT_FORGOTTEN
from topiccrawl.crawl.judgments.given import file_names, given_judgments
from topiccrawl.crawl.queue.allowed import links_possible_now
from topiccrawl.crawl.storing.definitions import refuse_bare_word, refuse_twin
from topiccrawl.endings import BLOCKED, KILLED, REFRESHED
from topiccrawl.language import ngettext
from topiccrawl.steps import pieces
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.urls.addresses import AddressRules
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topiccrawl.crawl.session.session import CrawlSession
    from topiccrawl.frontier.contract import QueuedLink
    from topiccrawl.store.writer import StoreWriter

logger = logging.getLogger(__name__)

#: Links of the queue that are read, or dropped, between two turns of the event loop: 20 ms with SQLite (200,000 links
#: of 3,000 hosts took 35 s, 2026-11).
_PIECE: Final = 100


async def open_session(session: CrawlSession) -> None:
    """Open the store, begin the queue and read what other workers and earlier runs have found.

    Nothing is fetched before.  Raises :class:`~topiccrawl.errors.ConfigurationError` or
    :class:`~topiccrawl.store.contract.StoreUnavailable` when store or queue cannot be used.
    """
    if session.processes is not None:
        # First: a fork has none of the threads that the store and others start.
        session.processes.start()
    if session.logins is not None:
        session.logins.open()
    if session.store is not None:
        await session.store.open()
        # Before a fresh crawl erases its queue.
        await _check_definition(session, session.store)
    session.journal.publish_earlier(session.begin_queue())
    if session.store is not None:
        await _mark_killed_runs(session, session.store)
        await session.store.put(session.records.of_run())
        await session.deleted.open()
    if session.visits is not None:
        await session.visits.open()
    await _leave_scope(session)
    await session.copies.load()
    await session.replay()
    await _offer_allowed(session)
    session.basis.announce(partial(session.journal.publish, BASIS))
    await _exchange_judgments(session)
    if session.journal.pages:
        for __ in session.order.ranking_round():
            await asyncio.sleep(0)
    elif session.judging.classifier.due:
        await session.judging.learn()
    if session.judging.judgments.forgotten:
        await session.judge_again()
    if session.refresher is not None:
        await session.refresher.load()
    session.settling.start()


async def _check_definition(session: CrawlSession, store: StoreWriter) -> None:
    try:
        runs = await store.store.runs(session.topic.name)
        topics = {} if runs else await store.store.topics()
    except StoreUnavailable:
        return  # as good as it gets: the crawl goes on without the store
    refuse_bare_word(session.topic.definition, runs, Path.cwd())
    refuse_twin(session.topic.definition, topics)


async def _leave_scope(session: CrawlSession) -> None:
    """Drop the queued links of earlier runs that are outside the scope now."""
    if not (session.scope and session.resumed):
        return
    ids = []
    for number, link in enumerate(session.frontier.best(session.frontier.size().queued)):
        if session.scope.exclusion(link.url) is not None:
            ids.append(link.id)
        if number % _PIECE == 0:
            await asyncio.sleep(0)
    for piece in pieces(ids, _PIECE):
        if dropped := session.frontier.forget(piece):
            session.control.count("frontier/out_of_scope", dropped)
        await asyncio.sleep(0)


async def _offer_allowed(session: CrawlSession) -> None:
    """Queue the links that earlier runs must not contact and this one may, or that a login opens now."""
    if not session.resumed or session.store is None or session.only_refreshes:
        return
    allowed, logins = session.settings.network.private_allowed, session.logins
    if not allowed and logins is None:
        return
    found = await links_possible_now(
        session.store.store,
        session.topic.name,
        AddressRules(allowed),
        lambda url: logins is not None and logins.of(url) is not None,
    )
    if allowed:
        _queue_again(
            session,
            found.allowed,
            ngettext(
                "%(n)d link that was refused for its address may be fetched now, and is queued again",
                "%(n)d links that were refused for their addresses may be fetched now, and are queued again",
                len(found.allowed),
            ),
        )
    _queue_again(
        session,
        found.opened,
        ngettext(
            "%(n)d link that led to a login page is queued again: there is a login now",
            "%(n)d links that led to login pages are queued again: there is a login now",
            len(found.opened),
        ),
    )


def _queue_again(session: CrawlSession, links: list[QueuedLink], message: str) -> None:
    if links:
        session.frontier.push(links, again=True)
        logger.info(message, {"n": len(links)})


async def _mark_killed_runs(session: CrawlSession, store: StoreWriter) -> None:
    """Write into the records of runs without an end that they were killed.

    Nothing is marked while other workers are alive: one of them may be such a run.
    """
    if session.frontier.others(session.clock()):
        return
    try:
        runs = await store.store.runs(session.topic.name)
    except StoreUnavailable:
        return  # the next run marks them
    for run in runs:
        if run.finished_at is None and not run.stop_reason:
            await store.put(replace(run, stop_reason=KILLED))
            session.control.count("run/killed_before")


async def _exchange_judgments(session: CrawlSession) -> None:
    """Publish the user's judgments for all workers, and bring classifier and store to them."""
    judgments, definition = session.judging.judgments, session.topic.definition
    # Read again: what was published meanwhile was in the file before.
    given = given_judgments(definition, session.settings)
    judgments.read_again(given)
    left = {it.url for it in given}
    for url in judgments.deleted(file_names(definition, session.settings), left):
        session.journal.publish(JUDGMENT_FORGOTTEN, url)
    for url, relevant in judgments.items():
        session.judging.classifier.set_relevant(link_id(url), relevant)
    judgments.subscribe(lambda url, it: session.judging.classifier.set_relevant(link_id(url), it))
    for judgment in judgments.unpublished():
        session.journal.publish(JUDGMENT, judgment)
    await session.judging.rejudging.apply()
    judgments.wanted = tuple(await session.judging.rejudging.missing())


async def close_session(session: CrawlSession, reason: str, stats: Mapping[str, object]) -> None:
    """Close frontier and store; *reason* is the spider's, *stats* go into the run's record.

    All leases are settled by now, or return to the queue.
    """
    session.trials.close()
    if session.processes is not None:
        session.processes.close()
    session.documents.close()
    if session.store is not None:
        session.store.hurry()
    await session.outcomes.drain()
    # Of a run that could not start, words or judgments may be wrong: it changes nothing.
    opened = session.control.start_error is None
    if opened and (session.store is None or session.store.is_open):
        try:
            await _last_judgments(session)
        except Exception:
            # The next run repeats them; this one needs its end.
            logger.exception("The last judgments failed")
    store = session.store if opened and not session.control.store_lost else None
    if store is not None and store.is_open:
        # For ``scrapy explain`` and the report, which show the best waiting links.
        best = session.frontier.best(session.settings.store_queued_links)
        for position, link in enumerate(best, start=1):
            await store.put(session.records.of_queued(link, position), wait=False)
    size = session.frontier.size()
    ended = reason in ("finished", BLOCKED, REFRESHED)
    if ended and not (size.queued or size.delayed or size.leased):
        session.journal.publish_finished()
    session.frontier.close()
    if session.logins is not None:
        session.logins.close()
    if session.store is not None and session.store.is_open:
        record = session.records.of_run(
            finished_at=datetime.now(UTC), stop_reason=reason, stats=stats
        )
        await session.outcomes.write_run(record)
        await session.store.close()


async def _last_judgments(session: CrawlSession) -> None:
    """Bring classifier and store to what all workers have found until now."""
    try:
        # The last look at what other workers have done; see others_fetched.
        await session.replay()
        # The last judgments depend on the pages and not on when rounds were.
        await session.judging.learn()
        # Judgments that came while their pages were on their way into the store.
        await session.judge_again(everything=True)
        await session.near_misses.trim()
        await session.versions.trim()
    finally:
        await session.settling.finish()

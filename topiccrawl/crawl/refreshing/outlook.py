"""When a stored page is visited next, according to the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import aclosing
from typing import TYPE_CHECKING

from topiccrawl.crawl.refreshing.candidates import Candidate, candidates
from topiccrawl.crawl.refreshing.due import look_again, planner_of, rests
from topiccrawl.freshness.outlook import NextVisit, Reason
from topiccrawl.freshness.restoring import restore
from topiccrawl.steps import run_steps_in_turns

if TYPE_CHECKING:
    from topiccrawl.crawl.settings.refresh import RefreshSettings
    from topiccrawl.freshness.history import PageHistory
    from topiccrawl.freshness.planner import RevisitPlanner
    from topiccrawl.store.contract import Store


async def next_visit(
    store: Store,
    topic: str,
    url: str,
    settings: RefreshSettings,
    now: float,
    *,
    seeds: Iterable[str],
    tick: Callable[[], object],
) -> NextVisit | None:
    """Return when *url* is visited next; ``None`` for a page that is not visited again.

    Lists and feeds of whole sites are known after their first visit.
    """
    articles: list[tuple[str, PageHistory]] = []
    least_seconds = settings.refresh_least_hours * 3600.0
    wanted: Candidate | None = None
    found = candidates(store, topic, now=now, least=least_seconds, seeds=seeds, lists=(), feeds={})
    async with aclosing(found) as all_of_them:  # type: ignore[type-var]
        async for candidate in all_of_them:
            tick()
            if candidate.url == url:
                wanted = candidate
            if not rests(candidate) and candidate.kind == "article":
                articles.append((candidate.url, candidate.history))
    if wanted is None:
        return None
    if rests(wanted):
        at = look_again(wanted, least_seconds)
        reason: Reason = "idle"
        if wanted.history.gone:
            reason = "gone" if wanted.gone else "missing"
        return NextVisit(reason, at, at <= now)
    if wanted.kind != "article":
        return _of_list(wanted, planner_of(settings), now)
    at = wanted.history.last_visit + least_seconds
    planner = planner_of(settings)
    await run_steps_in_turns(restore(planner, articles))
    place, count = planner.place(url, now)
    return NextVisit(
        "article",
        at,
        at <= now,
        place,
        count,
        settings.refresh_per_day,
        planner.rate(url),
        settings.refresh_policy,
    )


def _of_list(candidate: Candidate, planner: RevisitPlanner, now: float) -> NextVisit:
    planner.add(candidate.url, candidate.history)
    at = planner.next_due(candidate.history.last_visit)
    assert at is not None
    return NextVisit("list", at, at <= now)

"""Make the proposal of a briefing from a store."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from topiccrawl.briefing.categories import category_names
from topiccrawl.briefing.model import Briefing
from topiccrawl.briefing.proposal import DEFAULT_LIMITS, Candidate, Limits, propose
from topiccrawl.briefing.reading import Period, candidates_of, completed, read_headlines
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.store.contract import Store
from topiccrawl.topics.definition import Category


async def make_briefing(
    store: Store,
    topic: str,
    period: Period,
    *,
    now: datetime,
    limits: Limits = DEFAULT_LIMITS,
    categories: Sequence[Category] = (),
    tick: Callable[[], None] = lambda: None,
) -> Briefing:
    """Return the proposal of a briefing of *topic*; *tick* is called for each page that is read.

    *categories* are those of the topic: each gets a section.
    """
    headlines = await read_headlines(store, topic, period, tick)
    found = candidates_of(headlines, period)
    if categories:
        names = await asyncio.to_thread(category_names, headlines, categories)
        found = [replace(it, category=names.get(it.url, "")) for it in found]
    return await briefing_of(store, topic, found, period, now=now, limits=limits)


async def briefing_of(
    store: Store,
    topic: str,
    candidates: Sequence[Candidate],
    period: Period,
    *,
    now: datetime,
    limits: Limits = DEFAULT_LIMITS,
    stories: int | None = None,
) -> Briefing:
    """Return the proposal that is made of *candidates*, which may be some of so many *stories*."""
    sections = await asyncio.to_thread(propose, candidates, limits)
    return Briefing(
        id=new_id(now),
        topic=topic,
        created_at=now,
        since=period.since,
        until=period.until,
        sections=await completed(store, topic, sections),
        stories=len(candidates) if stories is None else stories,
    )


def new_id(now: datetime) -> str:
    """Return a new id, in whose order briefings are in that of their times."""
    return f"{now.astimezone(CHINA_TIME):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"

"""Proposals of briefings, each kept for some minutes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from topiccrawl.bounded import BoundedDict
from topiccrawl.briefing.categories import first_categories, topic_categories
from topiccrawl.briefing.choosing import choice_of
from topiccrawl.briefing.making import briefing_of
from topiccrawl.briefing.model import Briefing
from topiccrawl.briefing.reading import Period
from topiccrawl.console.desk import Desk
from topiccrawl.console.overviews import computed
from topiccrawl.export.selection import named_span
from topiccrawl.insight.overview import Overview
from topiccrawl.language import _

#: Seconds for which a proposal is shown again although pages came meanwhile: making it takes up to a second
#: (a guess).
_FRESH_SECONDS: Final = 300.0
#: Proposals kept.
_KEPT: Final = 16


class _Proposals:
    """The last proposals of a console, by topic and period."""

    def __init__(self) -> None:
        self.known: BoundedDict[tuple[object, ...], tuple[float, int, Briefing]] = BoundedDict(
            _KEPT
        )
        self.lock = asyncio.Lock()


async def proposed(
    desk: Desk, topic: str, overview: Overview, since: str, until: str, *, anew: bool = False
) -> Briefing:
    """Return the proposal of a period of *topic*; *anew*, if pages came since it was made.

    One whose pages have left the collection meanwhile is made anew. Raises ``ConfigurationError`` if *since*
    or *until* is not a time.
    """
    now = desk.now()
    span = named_span(_("the beginning"), _("the end"), since[:40], until[:40] or None, now)
    # The same period within an hour, so that a reload finds what was made.
    period = Period(span.since and _hour(span.since), span.until)
    proposals = desk.shared("briefing-proposals", _Proposals)
    key = (topic, period.since, period.until)
    async with proposals.lock:
        made_at, number, briefing = proposals.known.get(key, (0.0, -1, None))
        is_old = anew or time.monotonic() - made_at > _FRESH_SECONDS
        has_left = briefing and any(it.url not in overview.row_of for it in briefing.entries())
        if briefing is None or has_left or (is_old and number != overview.number):
            categories = topic_categories(topic)
            names: Mapping[int, str] = {}
            if categories:
                names = await computed(
                    overview,
                    ("first-categories", categories),
                    lambda: first_categories(overview, categories),
                )
            choice = await asyncio.to_thread(choice_of, overview, topic, period, categories=names)
            briefing = await briefing_of(
                desk.store, topic, choice.candidates, period, now=now, stories=choice.total
            )
            proposals.known[key] = (time.monotonic(), overview.number, briefing)
    return replace(briefing, created_at=now)


def _hour(moment: datetime) -> datetime:
    return moment - timedelta(
        minutes=moment.minute, seconds=moment.second, microseconds=moment.microsecond
    )

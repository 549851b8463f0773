"""The stories of a period out of an overview, for the console: no page is read from the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.briefing.proposal import PROBABILITY_WEIGHT, Candidate
from topiccrawl.briefing.reading import Period
from topiccrawl.insight.overview import NO_TIME, Overview, moment_of
from topiccrawl.page.title import strip_site_tail
from topiccrawl.store.ids import record_id
from topiccrawl.store.values import to_milliseconds

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Candidates that are turned into records, of the most important and of the newest ones.
MOST: Final = 400


@dataclass(frozen=True, slots=True)
class Choice:
    """The stories of a period, the most important ones first."""

    candidates: Sequence[Candidate]
    total: int
    """Stories of the period, also those beyond the limit."""


def choice_of(
    overview: Overview,
    topic: str,
    period: Period,
    *,
    categories: Mapping[int, str] = MappingProxyType({}),
    most: int = MOST,
) -> Choice:
    """Return the most important and the newest stories of the period, at most *most* of each.

    *categories* has the names of categories by row.
    """
    rows = _rows(overview, period)
    sites = _sites(overview)
    judged = overview.columns.probability[rows]
    sure = np.where(np.isnan(judged), overview.columns.relevance[rows], judged)
    value = np.log2(1 + sites[rows]) + PROBABILITY_WEIGHT * np.clip(sure, 0, 1)
    best = rows[np.argsort(-value, kind="stable")][:most]
    newest = rows[np.argsort(-overview.time[rows], kind="stable")][:most]
    chosen = dict.fromkeys([*best.tolist(), *newest.tolist()])
    found = [
        replace(_candidate(overview, topic, row, sites), category=categories.get(row, ""))
        for row in chosen
    ]
    return Choice(found, len(rows))


def _rows(overview: Overview, period: Period) -> NDArray[np.int64]:
    columns = overview.columns
    # A code of -1 is that of a kind which no page has.
    wanted = ~overview.is_copy
    wanted &= columns.kind != overview.books.kind.code("list")
    if period.since is not None:
        wanted &= overview.time >= to_milliseconds(period.since)
    if period.until is not None:
        wanted &= overview.time <= to_milliseconds(period.until)
    return np.flatnonzero(wanted)


def _sites(overview: Overview) -> NDArray[np.int64]:
    """Return for each row how many registered domains have its story; computed once for an overview."""
    known = overview.results.get("briefing-sites")
    if known is None:
        story = overview.columns.story.astype(np.int64)
        site = overview.domain
        pairs = np.unique(story * (int(site.max(initial=0)) + 1) + site)
        per_story = np.bincount(pairs // (int(site.max(initial=0)) + 1)) if len(pairs) else pairs
        known = per_story[story] if len(story) else story
        overview.results["briefing-sites"] = known
    return known


def _candidate(overview: Overview, topic: str, row: int, sites: NDArray[np.int64]) -> Candidate:
    columns, books = overview.columns, overview.books
    url = str(columns.url[row])
    at = moment_of(int(overview.time[row]))
    published = int(columns.published[row])
    probability = float(columns.probability[row])
    story = books.story.names[columns.story[row]]
    return Candidate(
        story=record_id(topic, url) if story in ("", url) else story,
        url=url,
        title=strip_site_tail(str(columns.title[row])) or url,
        at=at or datetime.min,
        published_at=None if published == NO_TIME else moment_of(published),
        outlet=books.site.names[columns.site[row]],
        source=books.source.names[columns.source[row]],
        author=books.author.names[columns.author[row]],
        keywords=overview.terms(row),
        probability=float(columns.relevance[row]) if np.isnan(probability) else probability,
        sites=int(sites[row]),
    )

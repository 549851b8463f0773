"""When pages rest that the planner does not order, and the planner of a crawl's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from topiccrawl.freshness.config import FreshnessConfig
from topiccrawl.freshness.planner import RevisitPlanner
from topiccrawl.urls.domains import registered_domain

if TYPE_CHECKING:
    from topiccrawl.crawl.refreshing.candidates import Candidate
    from topiccrawl.crawl.settings.refresh import RefreshSettings

_DAY: Final = 86_400.0
#: Days between two looks at a page that is gone: as long as it has been gone, within these limits (a guess).
_GONE_DAYS: Final = (7.0, 90.0)
#: Most hours between two visits of a list that has had new links lately: a night without any must not make it
#: miss the morning (two simulated days of 2026-11: 24 hours caught .69 of the entries of three lists, 6 hours .77).
_LIST_HOURS: Final = 3.0
#: Days without a new link after which a list is visited more rarely: after a share of that time, up to a limit
#: (guesses).
_IDLE_DAYS: Final = 1.0
_IDLE_SHARE: Final = 0.25
_MOST_IDLE_DAYS: Final = 7.0


def planner_of(settings: RefreshSettings, seed: int = 0) -> RevisitPlanner:
    """Return an empty planner."""
    config = FreshnessConfig(
        min_hours=settings.refresh_least_hours,
        list_polls=settings.list_visits_per_day,
        list_max_hours=max(_LIST_HOURS, 24.0 / settings.list_visits_per_day),
    )
    return RevisitPlanner(settings.refresh_policy, config, seed, owner=registered_domain)


def rests(candidate: Candidate) -> bool:
    """Return whether a page is not part of the order: it is missing, gone, or a list without new links."""
    return candidate.gone or candidate.history.gone or idle_seconds(candidate) > 0


def look_again(candidate: Candidate, least_seconds: float) -> float:
    """Return when a resting page is looked at again: a missing one soon for the second time, later rarely."""
    history = candidate.history
    last = history.last_visit
    if not history.gone:
        return last + idle_seconds(candidate)
    if not candidate.gone:
        return last + least_seconds
    least, most = _GONE_DAYS
    # The visit at which the page was missing for the first time counts as its last change.
    gone = next((it.at for it in reversed(history.visits) if it.changed), history.first_seen)
    return last + min(max(least * _DAY, last - gone), most * _DAY)


def idle_seconds(candidate: Candidate) -> float:
    """Return how long a list rests that has had no new link for days; 0 for any other page."""
    history = candidate.history
    if candidate.kind == "article" or history.gone or not history.visits:
        return 0.0
    begun = history.earlier_until or history.visits[0].at
    silence = history.last_visit - max(
        (it.at for it in history.visits if it.new_links), default=begun
    )
    if silence < _IDLE_DAYS * _DAY:
        return 0.0
    return min(_IDLE_SHARE * silence, _MOST_IDLE_DAYS * _DAY)

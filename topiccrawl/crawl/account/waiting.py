"""When a crawl can do nothing but wait, for how long, and for what."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.crawl.account.leftovers import closed_hosts
from topiccrawl.language import _, choose, listed, ngettext
from topiccrawl.reporting.words.reasons import reason_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from topiccrawl.frontier.contract import Frontier

#: Shorter waits are those of politeness between two pages of a host; in seconds, a guess.
SHORT_SECONDS = 10.0
#: Links whose last failure is read: some 10 ms on a server.
_LINKS = 20
#: Kinds of failures that are named, the most frequent ones.
_REASONS = 3


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing can be fetched before *until*."""

    until: float
    """Seconds on the frontier's clock."""
    retries: int
    """Links that failed and wait for their next try."""
    paused: int
    """Links of hosts that may not be contacted now."""
    closed: bool = False
    """Whether the hosts of *paused* are outside their time windows."""
    reasons: tuple[str, ...] = ()
    """Words of the last failures of *retries*, the most frequent first."""

    def __str__(self) -> str:
        """Return what is waited for, and until when, in the user's language."""
        parts = []
        if self.retries:
            parts.append(
                ngettext(
                    "{n} link waits for its next try{why}",
                    "{n} links wait for their next try{why}",
                    self.retries,
                ).format(n=self.retries, why=self._why())
            )
        if self.paused and self.closed:
            parts.append(
                ngettext(
                    "{n} link waits for the time window of its host (TOPICCRAWL_HOST_WINDOWS)",
                    "{n} links wait for the time windows of their hosts (TOPICCRAWL_HOST_WINDOWS)",
                    self.paused,
                ).format(n=self.paused)
            )
        elif self.paused:
            parts.append(
                ngettext(
                    "{n} link waits for its host, which is paused or outside its time window",
                    "{n} links wait for their hosts, which are paused or outside their time windows",
                    self.paused,
                ).format(n=self.paused)
            )
        return _("nothing can be fetched until {time}: {what}").format(
            time=local_time(self.until), what=_(", ").join(parts)
        )

    def _why(self) -> str:
        if not self.reasons:
            return ""
        return _(" ({reasons})").format(
            reasons=listed(choose(*reason_text(reason)) for reason in self.reasons)
        )


def waiting(
    frontier: Frontier,
    now: float,
    opens_at: Callable[[str, float], float | None] = lambda host, now: None,
) -> Wait | None:
    """Return what *frontier* waits for at *now*; ``None`` if a link is out or can be had soon.

    *opens_at* returns when the time window of a host begins, ``None`` for a host that is open.
    """
    size = frontier.size()
    if size.leased or not size.queued + size.delayed:
        return None
    until = frontier.next_ready(now)
    if until is None or until < now + SHORT_SECONDS:
        return None
    reasons = Counter(_failures(frontier)) if size.delayed else Counter[str]()
    words = tuple(reason for reason, _count in reasons.most_common(_REASONS))
    found = closed_hosts(frontier, opens_at, now, _LINKS)
    return Wait(until, size.delayed, size.queued, found.links > found.others, words)


def _failures(frontier: Frontier) -> Iterator[str]:
    """Yield why some of the waiting links failed."""
    ids, _scores = next(frontier.queued(_LINKS), (np.zeros(0, np.int64), np.zeros(0)))
    for id in ids.tolist():
        if reason := frontier.reason(id):
            yield reason


def local_time(at: float, now: float | None = None) -> str:
    """Return a moment by the clock of this machine, with the day unless it is *now*'s (today's)."""
    moment = datetime.fromtimestamp(at)
    today = datetime.now() if now is None else datetime.fromtimestamp(now)
    return moment.strftime("%H:%M:%S" if moment.date() == today.date() else "%Y-%m-%d %H:%M:%S")

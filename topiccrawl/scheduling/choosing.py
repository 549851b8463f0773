"""Which of the waiting links is handed out now."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.queue.page_budget import PageBudget
from topiccrawl.scheduling.slots import READY, AwaitedAnswers, Readiness

if TYPE_CHECKING:
    from scrapy import Request

    from topiccrawl.frontier.contract import Frontier, Lease, QueuedLink
    from topiccrawl.scheduling.shares import SlotShares

#: A shared frontier is read again after this long, as other workers do not announce what they push.
#: Short compared to the time that a worker spends on a page, long compared to a pop (.3 ms).
_POLL_SECONDS = 0.1
#: Hosts set aside between two turns of the event loop: 30 ms with SQLite (a pop and its return: 1.5 ms).
_MOST_LOOKS = 20


@dataclass(frozen=True, slots=True)
class ChoiceRules:
    """What a crawl demands of the next link; by default nothing."""

    hold: Callable[[], bool] = lambda: False
    """Returns ``True`` while nothing may be handed out: a page's links are about to arrive."""
    page_budget: PageBudget = field(default_factory=lambda: PageBudget(0))
    """Pages of the run."""
    closed_until: Callable[[str, float], float | None] = lambda host, now: None
    """Returns when a host outside its time window opens, ``None`` for an open one."""
    least_score: Callable[[], float] = lambda: -math.inf
    """Returns the least score of the links that may be fetched now; others stay in the queue."""
    most_in_flight: Callable[[], int] = lambda: sys.maxsize
    """Returns how many answers may be awaited at a time."""
    is_crowd: Callable[[QueuedLink], bool] = lambda link: False
    """Returns whether a link leads to one of too many new domains, so that others are waited for."""


#: Any link may be next.
ANY_LINK: Final = ChoiceRules()


class LinkChooser:
    """Leases the best link of a frontier whose host may be contacted now."""

    def __init__(
        self,
        frontier: Frontier,
        rules: ChoiceRules = ANY_LINK,
        *,
        readiness: Callable[[], Readiness] = lambda: READY,
        awaited: AwaitedAnswers | None = None,
        shares: SlotShares | None = None,
        count: Callable[[str], object] = lambda what: None,
    ) -> None:
        """Store the components that decide.

        Parameters
        ----------
        frontier
            What to fetch next.
        rules
            What the crawl demands of it.
        readiness
            The state of the downloader's hosts.
        awaited
            The requests whose answers are waited for; default: none.
        shares
            Decides which hosts may take a connection; default: all may.
        count
            Receives the statistics ``outside_window`` and ``set_aside`` of docs/frontier.md.
        """
        self._frontier = frontier
        self._readiness = readiness
        self._hosts = READY
        """The state of the downloader's hosts when a link was last asked for."""
        self._rules = rules
        self._awaited = awaited
        self._shares = shares
        self._count = count

    def answer_in(self) -> float | None:
        """Return in how many seconds to look again, if answers must be waited for before the next link."""
        return None if self._awaited is None else self._awaited.wait()

    def lease(self, now: float) -> Lease | None:
        """Lease the best link; links that give way only when no others are expected."""
        self._hosts = self._readiness()
        busy, shares = self._hosts.busy, self._shares
        if shares is None:
            return self._pop(busy, now)
        shares.refresh()
        for _look in range(_MOST_LOOKS):
            lease = self._pop({*busy, *shares.aside}, now)
            if lease is None:
                break
            link = lease.link
            if shares.patience > 0 and self._rules.is_crowd(link) and self._others_wait():
                # Its score is behind those of all others: none of them is ready.
                self._frontier.put_back(link)
                return None
            if shares.has_room or not shares.is_doubtful(link.host):
                return lease
            self._frontier.put_back(link)
            shares.set_aside(link.host)
            self._count("set_aside")
        return self._pop(busy, now) if shares.aside and shares.patience <= 0 else None

    def handed_out(self, lease: Lease, request: Request) -> None:
        """Record that the *request* of a leased link is sent, and limit its time if its host is doubtful."""
        link, shares = lease.link, self._shares
        # Seeds of the user are fetched in any case: no answer changes that.
        is_awaited = not link.evidence.named and not (shares and shares.is_doubtful(link.host))
        if self._awaited is not None and is_awaited:
            self._awaited.sent(lease.id)
        if shares is not None:
            if (timeout := shares.first_timeout(link.host)) is not None:
                request.meta.setdefault("download_timeout", timeout)
            shares.sent(lease.id, link.host)

    def answered(self, lease: int) -> None:
        """Record that the request of a leased link has been answered."""
        if self._shares is not None:
            self._shares.answered(lease)

    def waits(self, now: float) -> Iterator[float]:
        """Yield in how many seconds a link may be ready, for each reason why :meth:`lease` has found none."""
        if self._hosts.wait is not None:
            yield self._hosts.wait
        if (opens := self._frontier.next_ready(now)) is not None:
            yield opens - now
        if self._frontier.shared:
            yield _POLL_SECONDS
        if self._shares is not None and (patience := self._shares.patience) > 0:
            yield patience

    def has_work(self) -> bool:
        """Return whether links wait that may be fetched, now or later, or are leased by other workers."""
        if (least := self._rules.least_score()) > -math.inf:
            best = next(iter(self._frontier.best(1)), None)
            return best is not None and best.evidence.score >= least
        size = self._frontier.size()
        return size.queued + size.delayed + size.elsewhere > 0

    def _others_wait(self) -> bool:
        """Return whether the best of all links that wait is none of too many to new domains."""
        best = next(iter(self._frontier.best(1)), None)
        return best is not None and not self._rules.is_crowd(best)

    def _pop(self, busy: Collection[str], now: float) -> Lease | None:
        """Lease the best link whose score suffices and whose host is open."""
        while (lease := self._frontier.pop(busy, now)) is not None:
            link = lease.link
            if link.evidence.score < self._rules.least_score():
                self._frontier.put_back(link)
                return None
            if (opens := self._rules.closed_until(link.host, now)) is None:
                return lease
            self._frontier.hold_host(link.host, opens)
            self._frontier.put_back(link)
            self._count("outside_window")
        return None

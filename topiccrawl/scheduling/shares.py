"""Connections are shared between hosts that answer and those that keep the crawl waiting.

A host *answers* when its last page came within :data:`~topiccrawl.scheduling.slots.PATIENCE_SECONDS`; all others
are *doubtful*: nothing has come from them yet, or it came late, or not at all.  As long as no request is late and
some host answers, nothing is held back.  Since a request was late, until as many new hosts answered in time:

* Links of doubtful hosts hold at most half of the connections, two each (robots.txt and the page that waits for
  it), while hosts that answer have links.  A crawl with fewer than four connections waits for doubtful hosts half
  of the time: after a late one, it takes others for as long as that took.
* The first request to a doubtful host has a short time-out.  Without an answer it rests, so that others are tried;
  the next attempt has all of DOWNLOAD_TIMEOUT.
* A link that gives way does so as long as others come: when none of a host that answers was handed out for the
  same patience, it goes.

Before any host has answered, those that did not come after those that were not tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import Final

from topiccrawl.bounded import BoundedDict
from topiccrawl.crawl.requests.meta import LEASE
from topiccrawl.scheduling.slots import PATIENCE_SECONDS, DownloaderLike

#: One link of doubtful hosts for so many connections: half of them, as it may hold two (a choice).
_SHARE: Final = 4
#: Time-out of the first request to a doubtful host: twice the patience (a guess, far above most answers).
FIRST_TIMEOUT_SECONDS: Final = 10.0
#: Rest of a host that was late without an answer: a guess, the longest pause of a host that is down
#: (politeness/backoff.py).  With 16 connections, 120 others are tried meanwhile.
REST_SECONDS: Final = 300.0
#: Hosts of each kind that are remembered (a choice: some MB).
_HOSTS: Final = 10_000


class SlotShares:
    """Decides which hosts may take a connection now."""

    def __init__(
        self,
        downloader: Callable[[], DownloaderLike | None],
        monotonic: Callable[[], float],
        connections: int,
        timeout: float = math.inf,
    ) -> None:
        """*downloader* returns ``None`` before there is one.

        *connections* is the setting CONCURRENT_REQUESTS, *timeout* DOWNLOAD_TIMEOUT in seconds.
        """
        self._downloader = downloader
        self._monotonic = monotonic
        self._connections = connections
        self._timeout = timeout
        self._answering: BoundedDict[str, None] = BoundedDict(_HOSTS)
        #: Links without an answer: when they were handed out, and their hosts.
        self._sent: dict[int, tuple[float, str]] = {}
        self._late_links: set[int] = set()
        #: Late requests less new hosts that answered in time since.
        self._late = 0
        self._rest_until = self._served = -math.inf
        #: Hosts that gave way or did not answer; among them those that rest, until when, the first to end first.
        self._aside: BoundedDict[str, None] = BoundedDict(_HOSTS)
        self._resting: BoundedDict[str, float] = BoundedDict(_HOSTS)
        #: Hosts of which a link was handed out.
        self._asked: BoundedDict[str, None] = BoundedDict(_HOSTS)

    # -- requests ------------------------------------------------------------------------------

    def sent(self, lease: int, host: str) -> None:
        """Record that a link of *host* is handed out now."""
        now = self._monotonic()
        self._sent[lease] = now, host
        self._asked[host] = None
        self._call_in(host)
        if host in self._answering:
            self._served = now

    def first_timeout(self, host: str) -> float | None:
        """Return the time-out of a link of *host* that is about to be sent, in seconds; ``None``: the usual one."""
        usual = self._timeout <= FIRST_TIMEOUT_SECONDS or host in self._asked
        return None if usual or not self.is_doubtful(host) else FIRST_TIMEOUT_SECONDS

    def answered(self, lease: int) -> None:
        """Record that a whole page, or an error of its server, has come."""
        if lease not in self._sent:
            return
        since, host = self._sent.pop(lease)
        took = self._monotonic() - since
        if took > PATIENCE_SECONDS:
            self._end_late(lease, host, took)
            return
        if not self._answering:
            # The first one: its links are about to come.
            self._served = self._monotonic()
        if host not in self._answering:
            self._late = max(self._late - 1, 0)
        self._answering[host] = None
        self._call_in(host)

    def refresh(self) -> None:
        """Find out which requests are late, which have ended without an answer, and whose rest is over."""
        now = self._monotonic()
        while self._resting and next(iter(self._resting.values())) <= now:
            self._resting.popitem(last=False)
        if not self._sent or (downloader := self._downloader()) is None:
            return
        active = {request.meta.get(LEASE) for request in downloader.active}
        for lease in [lease for lease in self._sent if lease not in active]:
            since, host = self._sent.pop(lease)
            if now - since > PATIENCE_SECONDS:
                self._end_late(lease, host, now - since)
                self._resting[host] = now + REST_SECONDS
            if host not in self._answering:
                self.set_aside(host)
        for lease, (since, host) in self._sent.items():
            if now - since > PATIENCE_SECONDS:
                self._note_late(lease, host)

    def _note_late(self, lease: int, host: str) -> None:
        self._answering.pop(host, None)
        if lease not in self._late_links:
            self._late_links.add(lease)
            self._late = min(self._late + 1, self._connections)

    def _end_late(self, lease: int, host: str, took: float) -> None:
        self._note_late(lease, host)
        self._late_links.discard(lease)
        self._rest_until = self._monotonic() + took

    # -- hosts ---------------------------------------------------------------------------------

    def is_doubtful(self, host: str) -> bool:
        """Return whether *host* may keep the crawl waiting, as others have lately."""
        return self._late > 0 and host not in self._answering

    @property
    def has_room(self) -> bool:
        """Whether a doubtful host may take a connection although other links wait."""
        if not self._late or not self._answering:
            return True
        doubtful = sum(host not in self._answering for _, host in self._sent.values())
        if self._connections < _SHARE:
            return not doubtful and self._monotonic() >= self._rest_until
        return doubtful < self._connections // _SHARE

    @property
    def patience(self) -> float:
        """Seconds for which links of hosts that answer are still waited for, <= 0 when none is expected."""
        return self._served + PATIENCE_SECONDS - self._monotonic()

    @property
    def aside(self) -> Collection[str]:
        """Hosts whose turn comes when no other host is ready."""
        if not self._answering:
            return self._aside.keys()
        if not self._late:
            return ()
        return self._resting.keys() if self.has_room else self._aside.keys()

    def set_aside(self, host: str) -> None:
        """Leave out *host*, which gives way or did not answer."""
        self._aside[host] = None

    def _call_in(self, host: str) -> None:
        self._aside.pop(host, None)
        self._resting.pop(host, None)

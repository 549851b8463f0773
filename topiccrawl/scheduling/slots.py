"""What may not be requested now, derived from the state of Scrapy's downloader.

The downloader keeps one slot per politeness key (host name, ``download_slot`` of the meta, or IP) with
its concurrency and delay, and queues requests that come too early.  A request that waits there holds
one of the crawl's connections, and is fetched even if a better link of its host turns up.  So nothing is
popped for a host whose requests the downloader would queue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from topiccrawl.crawl.requests.meta import LEASE

#: Requests without an answer after so many seconds are not waited for: a host that does not answer must not
#: stop the crawl until its time-out (a guess, far above the time of most answers).
PATIENCE_SECONDS = 5.0
#: Requests that are remembered before those that have ended are forgotten (a choice; some 150 bytes each).
_REMEMBERED = 1_000


class SlotLike(Protocol):
    """The public part of ``scrapy.core.downloader.Slot`` that is used here."""

    @property
    def concurrency(self) -> int:
        """Most transfers at a time."""

    @property
    def delay(self) -> float:
        """Seconds between the beginnings of two transfers."""

    @property
    def lastseen(self) -> float:
        """Begin of the last transfer, on the monotonic clock."""

    @property
    def transferring(self) -> Collection[Any]:
        """Requests whose transfer is under way."""


class DownloaderLike(Protocol):
    """The public part of ``scrapy.core.downloader.Downloader`` that is used here."""

    @property
    def active(self) -> Collection[Any]:
        """Requests from entering the downloader (middlewares included) to leaving it."""

    @property
    def slots(self) -> Mapping[str, SlotLike]:
        """Slots by politeness key."""

    @property
    def per_slot_settings(self) -> Mapping[str, Mapping[str, Any]]:
        """The setting DOWNLOAD_SLOTS."""

    @property
    def domain_concurrency(self) -> int:
        """The setting CONCURRENT_REQUESTS_PER_DOMAIN."""

    @property
    def ip_concurrency(self) -> int:
        """The setting CONCURRENT_REQUESTS_PER_IP; 0 = by host name."""

    def get_slot_key(self, request: Any) -> str:
        """Return the politeness key of *request*."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """The state of the hosts at one moment."""

    busy: Collection[str]
    """Politeness keys of hosts that may not be contacted now."""
    wait: float | None
    """Seconds until the first of them may be ready without any request finishing; ``None`` if all of
    them wait for a request to finish."""


#: No host is busy.
READY = Readiness(frozenset(), None)


class HostReadiness:
    """Reads the downloader; it has no state of its own."""

    def __init__(
        self,
        downloader: Callable[[], DownloaderLike | None],
        monotonic: Callable[[], float],
        default_delay: float = 0.0,
    ) -> None:
        """*downloader* returns ``None`` before there is one; *monotonic* is the clock of ``lastseen``.

        *default_delay* is the delay, in seconds, of a host that has no slot yet (its first request
        waits for robots.txt).
        """
        self._downloader = downloader
        self._monotonic = monotonic
        self._default_delay = default_delay

    def now(self) -> Readiness:
        """Return which hosts are busy, and when the first delay ends.

        A host is busy when it has as many requests in flight as its concurrency allows, or when it
        has a delay and either its last transfer began less than the delay ago or one of its requests
        in flight has not begun its transfer.  The delay is the nominal one: the downloader's jitter,
        drawn when the request arrives there, can only lengthen it.
        """
        downloader = self._downloader()
        if downloader is None:
            return READY
        flying = Counter(downloader.get_slot_key(request) for request in downloader.active)
        now = self._monotonic()
        busy: set[str] = set()
        waits: list[float] = []
        for key, slot in downloader.slots.items():
            count = flying.pop(key, 0)
            left = self._delay_left(slot, count, now)
            if count >= slot.concurrency:
                busy.add(key)
            elif left > 0:
                busy.add(key)
                waits.append(left)
        for key, count in flying.items():
            concurrency, delay = self._settings_of(downloader, key)
            if count >= concurrency:
                busy.add(key)
            elif delay > 0:
                busy.add(key)
                waits.append(delay)
        return Readiness(busy, min(waits, default=None))

    def _delay_left(self, slot: SlotLike, count: int, now: float) -> float:
        if slot.delay <= 0:
            return 0.0
        if count > len(slot.transferring):
            # One waits in the slot or for robots.txt.  Its transfer will restart the delay at an
            # unknown time: check again after one delay.
            return slot.delay
        return slot.lastseen + slot.delay - now

    def _settings_of(self, downloader: DownloaderLike, key: str) -> tuple[int, float]:
        """Return concurrency and delay that the downloader will give a slot that does not exist yet."""
        settings = downloader.per_slot_settings.get(key, {})
        concurrency = settings.get(
            "concurrency", downloader.ip_concurrency or downloader.domain_concurrency
        )
        return concurrency, settings.get("delay", self._default_delay)


class AwaitedAnswers:
    """Counts the requests of the queue whose answers may still change what is requested next."""

    def __init__(
        self,
        downloader: Callable[[], DownloaderLike | None],
        monotonic: Callable[[], float],
        most: Callable[[], int],
    ) -> None:
        """*downloader* returns ``None`` before there is one, *most* how many answers may be awaited."""
        self._downloader = downloader
        self._monotonic = monotonic
        self._most = most
        self._sent: dict[int, float] = {}

    def sent(self, lease: int) -> None:
        """Record that a link is handed out now."""
        self._sent[lease] = self._monotonic()

    def wait(self) -> float | None:
        """Return the seconds until the next request if as many answers are awaited as may be, or ``None``."""
        downloader, most = self._downloader(), self._most()
        if downloader is None or len(self._sent) < min(most, _REMEMBERED):
            return None
        active = {request.meta.get(LEASE) for request in downloader.active}
        oldest = self._monotonic() - PATIENCE_SECONDS
        self._sent = {
            lease: at for lease, at in self._sent.items() if lease in active and at > oldest
        }
        if len(self._sent) < most:
            return None
        return min(self._sent.values()) - oldest

"""The proxies of a crawl: which one a request takes, and what its result means for it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable
from statistics import median
from typing import Final

from topiccrawl.bounded import BoundedDict
from topiccrawl.proxies.address import ProxyAddress
from topiccrawl.proxies.health import UNKNOWN_LATENCY, ProxyHealth

#: Sites whose proxy is remembered (a guess).
_STICKY_SITES: Final = 10_000
#: Proxies that take turns are at most this much worse than the best (a guess).
_SLOWER: Final = 4.0
#: Rests in a row after which a proxy of a pool is replaced by another of the pool (a guess).
DEAD_AFTER_RESTS: Final = 4


class ProxyRoster:
    """Proxies with their health; times are monotonic seconds, sites are host names."""

    def __init__(
        self,
        proxies: Iterable[ProxyAddress] = (),
        *,
        first_rest: float = 10.0,
        sticky: bool = True,
    ) -> None:
        """*first_rest*: seconds of a first rest.  *sticky*: a site keeps its proxy while that works."""
        self._first_rest = first_rest
        self._sticky = sticky
        self._health: dict[ProxyAddress, ProxyHealth] = {}
        self._from_pool: set[ProxyAddress] = set()
        self._kept: BoundedDict[str, ProxyAddress] = BoundedDict(_STICKY_SITES)
        self._given = 0
        self._last: dict[ProxyAddress, int] = {}
        for proxy in proxies:
            self.add(proxy)

    def __len__(self) -> int:
        return len(self._health)

    def __contains__(self, proxy: ProxyAddress) -> bool:
        return proxy in self._health

    @property
    def proxies(self) -> list[ProxyAddress]:
        """All proxies, resting ones included."""
        return list(self._health)

    def health(self, proxy: ProxyAddress) -> ProxyHealth:
        """Return the health of *proxy*; that of an unknown one counts for nothing."""
        return self._health.get(proxy) or ProxyHealth(self._first_rest)

    def add(self, proxy: ProxyAddress, *, from_pool: bool = False) -> bool:
        """Add *proxy* unless it is here; return whether it is new."""
        if proxy in self._health:
            return False
        self._health[proxy] = ProxyHealth(self._first_rest)
        if from_pool:
            self._from_pool.add(proxy)
        return True

    def usable(self, now: float) -> int:
        """Return how many proxies do not rest."""
        return sum(now >= health.rests_until for health in self._health.values())

    def choose(
        self,
        site: str,
        now: float,
        *,
        https: bool = False,
        without: Collection[ProxyAddress] = (),
        proven: bool = False,
    ) -> ProxyAddress | None:
        """Return the proxy for a request to *site*, ``None`` if all rest or are in *without*.

        The site's own proxy first, then the one with the smallest expected time for a good answer;
        with *proven*, for another try, one that has just answered well.
        """
        kept = self._kept.get(site)
        if kept is not None and kept not in without and not proven:
            health = self._health.get(kept)
            if health is not None and health.available(site, now) and (kept.https or not https):
                self._kept.move_to_end(site)
                return kept
        found = [
            proxy
            for proxy, health in self._health.items()
            if proxy not in without and (proxy.https or not https) and health.available(site, now)
        ]
        if not found:
            return None
        known = [health.latency for health in self._health.values() if health.known]
        usual = median(known) if known else UNKNOWN_LATENCY
        sites = Counter(self._kept.values())

        costs = {it: self._health[it].cost(now, usual, sites[it]) for it in found}
        if not (self._sticky or proven):
            # In turn, without those that are far slower or worse.
            limit = _SLOWER * min(costs.values())
            return min(
                (it for it in found if costs[it] <= limit), key=lambda it: self._last.get(it, 0)
            )

        def order(proxy: ProxyAddress) -> tuple[bool, float, int]:
            tested = proven and self._health[proxy].proven(now)
            return not tested, costs[proxy], self._last.get(proxy, 0)

        return min(found, key=order)

    def ready_at(self, site: str, now: float, *, https: bool = False) -> float:
        """Return when a proxy may be used for *site* again; infinity without any."""
        times = (
            health.ready_at(site)
            for proxy, health in self._health.items()
            if proxy.https or not https
        )
        return max(now, min(times, default=math.inf))

    # -- what requests have shown ------------------------------------------------------------------

    def began(self, proxy: ProxyAddress) -> None:
        """Record that a request goes through *proxy*."""
        self._given += 1
        self._last[proxy] = self._given
        self.health(proxy).in_flight += 1

    def ended(self, proxy: ProxyAddress) -> None:
        """Record that it is over, however it ended."""
        self.health(proxy).in_flight -= 1

    def succeeded(self, proxy: ProxyAddress, site: str, now: float, seconds: float) -> None:
        """Record a page of *site* that came through *proxy*."""
        self.health(proxy).succeeded(site, now, seconds)
        if self._sticky and proxy in self._health:
            self._kept[site] = proxy

    def failed(self, proxy: ProxyAddress, now: float, *, at_once: bool = False) -> bool:
        """Record a failure of *proxy* itself; return whether it rests now."""
        return self._after(proxy, self.health(proxy).failed(now, at_once=at_once))

    def falsified(self, proxy: ProxyAddress, now: float) -> bool:
        """Record a page that *proxy* has put in the place of the site's; return whether it rests now."""
        return self._after(proxy, self.health(proxy).falsified(now))

    def blocked(self, proxy: ProxyAddress, site: str, now: float) -> None:
        """Record that *site* refuses *proxy* and no other."""
        self.health(proxy).blocked(site, now)
        if self._kept.get(site) == proxy:
            del self._kept[site]

    def take_dead(self) -> list[ProxyAddress]:
        """Remove the proxies of the pool that failed each test, and return them."""
        dead = [
            proxy
            for proxy in self._from_pool
            if self._health[proxy].rests >= DEAD_AFTER_RESTS and not self._health[proxy].in_flight
        ]
        for proxy in sorted(dead):
            del self._health[proxy]
            self._from_pool.discard(proxy)
            self._last.pop(proxy, None)
        return sorted(dead)

    def _after(self, proxy: ProxyAddress, rests: bool) -> bool:
        if rests:
            for site in [site for site, kept in self._kept.items() if kept == proxy]:
                del self._kept[site]
        return rests

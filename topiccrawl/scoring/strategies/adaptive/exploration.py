"""Exploration: while a crawl finds nothing, a part of it looks at hosts that it has not seen.

The rate of finds and its best value so far tell how dry the crawl is::

    r ← .95·r + .05·y(p) after each page            dryness = clip(2·(1 - r / (½·max r)), 0, 1)

y(p) in [0, 1] is what a page is worth as a find; pages without a text of their own count as far as their domain has
credit (:mod:`topiccrawl.scoring.credit`).  While the dryness is above 0 a round comes every ten
pages, and some of these ten are *probes*, of one link each on the hosts least visited::

    share = dryness · 3·U_new / (3·U_new + U_old)
    probes = max(10·share, 10 - number of waiting links whose z is above the model's constant)
    merit(u) = z(u) + 4·ln(1 + a) - 2·ln(1 + n_domain) - ln(1 + n_host) - ½·depth

So no link without any evidence is fetched in place of a probe; likeness to the topic's words is none.  U is
the upper end of Wilson's interval for the finds per dry page on domains visited fewer than ten times and on
all others: as soon as one of both finds more, the crawl does more of it.  In the first hundred pages, when
few hosts are known, the next round comes as soon as the probes and the links with evidence are used up.  a is how
popular u's domain is: each other domain that links there counts 1 + 10·y, with the largest y of its pages that
do, as sites link to sites of their own field.  A probe's score lies above those of all other queued links, by a bonus
that is a part of the score; a better link that appears meanwhile still comes first.

The budget of pages without finds is the tunnel rule of [thesis] 4.4.4; an upper bound for what is
little known is the rule of bandits (Auer et al., "Finite-time analysis of the multiarmed bandit problem",
2002).  The form and the numbers were chosen on generated webs (docs/laboratory/order.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, GrowingArray, IdArray
from topiccrawl.scoring.credit import DomainCredit
from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.strategies.adaptive.model import PRIOR
from topiccrawl.scoring.strategies.adaptive.places import IndexArray, KnownPlaces
from topiccrawl.scoring.strategy import PageView

#: Weight of a page in the rate of finds: a half-life of 14 pages.  With .3 for finds a single false one
#: ends the exploration too early.
RECENT = 0.05
#: The best rate counts as at least this.  The first pages of a crawl are fetched in the normal order, as
#: the rate begins at half of it.
LEAST_BEST = 0.4
#: Share of the best rate under which a crawl is dry, and how fast dryness grows below it.
DRY_BELOW, STEEPNESS = 0.5, 2.0
#: Pages between two rounds while the crawl is dry, and so the largest number of probes of a round.
INTERVAL = 10
#: Pages before the first round of a dry crawl: as many as it has seeds, as a rule.
FIRST_ROUND = 5
#: In a young crawl a round may come when it has grown by this share.
YOUNG_GROWTH = 0.1
#: log-odds of a link without any evidence: worth no fetch as long as there are unseen hosts.
NO_EVIDENCE = PRIOR[0]
#: A domain with fewer visits is new.
NEW_VISITS = 10
#: New domains begin with three fetches of four.
ODDS = 3.0
#: Hosts with more visits are not probed.
MOST_VISITS = 3
#: With fewer hosts to probe there is nothing to explore: the rule would only cost.
LEAST_HOSTS = 3
#: How often a link is a probe until it is given up: it may not be in the queue any more.
MOST_OFFERS = 3
#: Another request may be in flight for each so many pages or requests, and for each so many finds while the
#: crawl is not dry.  What 16 requests in flight cost, and what waiting costs: docs/adaptive.md.
PAGES_PER_REQUEST, FINDS_PER_REQUEST = 128, 4
#: Weights of the merit: ln(1+a), ln(1+n_domain), ln(1+n_host), depth.
POPULARITY, DOMAIN, HOST, DEPTH = 4.0, 2.0, 1.0, 0.5
#: Log-odds between two probes, and between the last one and the best other link.
MARGIN = 0.01
#: A domain that links to another from a page on the topic counts so many times more.  Links between sites stay
#: in their field some ten times as often as chance would have it (topiccrawl/demo/fields.py; a choice).
LOCALITY = 10
#: Links examined between two turns of the event loop: some 5 ms.
BLOCK = 4096
#: 97.5 % quantile of the normal distribution.
Z_95 = 1.959963984540054


class Exploration:
    """Measures how dry a crawl is and chooses the probes of each round.

    Memory: 9 bytes per node and what :class:`KnownPlaces` needs.
    """

    def __init__(self) -> None:
        self._places = KnownPlaces()
        self._credit = DomainCredit()
        self._bonus = GrowingArray(np.float64)
        self._offers = GrowingArray(np.int8)
        self._probes: IdArray = np.empty(0, dtype=np.int64)
        self._best = LEAST_BEST
        self._rate = LEAST_BEST * DRY_BELOW
        self._pages, self._requests, self._finds = 0, 0, 0.0
        #: Pages from the last round to the next one.
        self.interval = FIRST_ROUND
        #: Pages and finds, of new domains and of all others, while the crawl was dry.
        self._dry = np.zeros((2, 2))

    @property
    def dryness(self) -> float:
        """How far the rate of finds is below the best one, in [0, 1]."""
        return min(1.0, max(0.0, STEEPNESS * (1 - self._rate / (DRY_BELOW * self._best))))

    @property
    def active(self) -> bool:
        """Whether the crawl is dry and there are hosts to look at."""
        return self.dryness > 0 and self._places.unseen_hosts(MOST_VISITS) >= LEAST_HOSTS

    @property
    def most_in_flight(self) -> int:
        """Most requests that may wait for their answers, so that the answers can change the order."""
        found = 0.0 if self.dryness > 0 else self._finds / FINDS_PER_REQUEST
        # Revisits and failures give no page that is scored, pages of earlier runs no request.
        fetched = max(self._pages, self._requests)
        return int(max(1.0, fetched / PAGES_PER_REQUEST, found))

    @property
    def share(self) -> float:
        """Share of the next pages that are probes, in [0, 1)."""
        new, old = (wilson_upper(finds, pages) for pages, finds in self._dry.tolist())
        return self.dryness * ODDS * new / (ODDS * new + old)

    def requested(self) -> None:
        """Count a request."""
        self._requests += 1

    def add(self, page: PageView, nodes: IdArray, size: int, node: int, promise: float) -> int:
        """Count a fetched page; y is what it is worth as a find.

        Parameters
        ----------
        nodes
            Nodes of its links, shape (n,).
        size
            Number of nodes of the graph.
        node
            Node of the link that was followed.
        promise
            What that link promised, in [0, 1]; 0 for a seed.

        Returns
        -------
        int
            Number of the page's registered domain, -1 if unknown.
        """
        self._bonus.resize(size)
        self._offers.resize(size)
        places, credit = self._places, self._credit
        places.resize(size)
        asked, known = int(places.domain(np.array([node]))[0]), places.domains
        domain = places.number(page)
        # Who redirects to a new domain introduces it.
        credit.introduce(range(known, places.domains), by=asked)
        known = places.domains
        value = credit.add(domain, page, asked=asked, promise=promise)
        earlier = places.add(page, nodes, size, 1 + round(LOCALITY * value))
        credit.introduce(range(known, places.domains), by=domain)
        if self.dryness > 0:
            self._dry[0 if earlier < NEW_VISITS else 1] += (1.0, value)
        self._pages += 1
        self._finds += value
        self._rate += RECENT * (value - self._rate)
        self._best = max(self._best, self._rate)
        return domain

    def list_credit(self, domains: IndexArray) -> FloatArray:
        """Return the credit of lists of domains by their numbers, in (0, 1], shape (n,)."""
        return self._credit.of_lists(domains)

    def link_credit(self, nodes: IdArray, promises: FloatArray) -> FloatArray:
        """Return what the credit of domains adds to z of links there, which promise so much, <= 0, shape (n,)."""
        return self._credit.log_odds(self._places.domain(nodes), promises)

    def bonus(self, nodes: IdArray) -> FloatArray:
        """Return the log-odds that exploration adds to links, >= 0, shape (n,)."""
        return self._bonus.view()[nodes]

    def choose_steps(
        self,
        graph: LinkGraph,
        log_odds: Callable[[IdArray], FloatArray],
        evidence: Callable[[IdArray], FloatArray] | None = None,
    ) -> Generator[None, None, None]:
        """Replace the probes of the last round by new ones, in cooperative steps.

        Parameters
        ----------
        log_odds
            Returns z of links without the bonus, shape (n,), for nodes of shape (n,).
        evidence
            Returns the part of z that is evidence; default: all of it.
        """
        self._bonus.view()[self._probes] = 0.0
        missed = self._probes[graph.row_of_node[self._probes] < 0]
        self._probes = np.empty(0, dtype=np.int64)
        self._places.count_miss(missed)
        self.interval = INTERVAL
        if not self.active:
            return
        # Of each host the link of the largest merit.
        merit = np.full(self._places.hosts, -np.inf)
        link = np.full(self._places.hosts, -1, dtype=np.int64)
        z_of_link = np.zeros(self._places.hosts)
        best, promising = -np.inf, 0
        size = len(self._bonus)
        for start in range(0, size, BLOCK):
            nodes = np.arange(start, min(start + BLOCK, size))
            nodes = nodes[(graph.row_of_node[nodes] < 0) & (self._places.host(nodes) >= 0)]
            if len(nodes):
                z = log_odds(nodes)
                best = max(best, float(z.max()))
                known = z if evidence is None else evidence(nodes)
                promising += int(np.count_nonzero(known > NO_EVIDENCE))
                self._collect(nodes, z, merit, link, z_of_link)
            yield
        wanted = max(round(self.share * INTERVAL), INTERVAL - promising)
        probes = self._spread(np.argsort(-merit, kind="stable"), merit, link)[:wanted]
        self._probes = link[probes]
        above = MARGIN * np.arange(len(probes), 0, -1)
        self._bonus.view()[self._probes] = np.maximum(0.0, best + above - z_of_link[probes])
        self._offers.view()[self._probes] += 1
        least = max(1, int(YOUNG_GROWTH * self._pages))
        self.interval = min(INTERVAL, max(least, len(probes) + promising))
        yield

    def _collect(
        self, nodes: IdArray, z: FloatArray, merit: FloatArray, link: IdArray, z_of_link: FloatArray
    ) -> None:
        """Update the best link of each host, *link*, with its *merit* and z."""
        places = self._places
        host_visits = places.host_visits(nodes)
        usable = (host_visits <= MOST_VISITS) & (self._offers.view()[nodes] < MOST_OFFERS)
        own = (
            z
            + POPULARITY * np.log1p(places.popularity(nodes))
            - DOMAIN * np.log1p(places.domain_visits(nodes))
            - HOST * np.log1p(host_visits)
            - DEPTH * places.depth(nodes)
        )[usable]
        nodes, z, host = nodes[usable], z[usable], places.host(nodes)[usable]
        order = np.argsort(-own, kind="stable")
        _, first = np.unique(host[order], return_index=True)
        chosen = order[first]
        chosen = chosen[own[chosen] > merit[host[chosen]]]
        merit[host[chosen]] = own[chosen]
        link[host[chosen]] = nodes[chosen]
        z_of_link[host[chosen]] = z[chosen]

    def _spread(self, hosts: IdArray, merit: FloatArray, link: IdArray) -> IdArray:
        """Return the hosts that have a link, one of each domain first, in their order otherwise."""
        hosts = hosts[np.isfinite(merit[hosts])]
        _, first = np.unique(self._places.domain(link[hosts]), return_index=True)
        rest = np.ones(len(hosts), dtype=np.bool_)
        rest[first] = False
        return np.concatenate([hosts[np.sort(first)], hosts[rest]])


def wilson_upper(successes: float, trials: float) -> float:
    """Return the upper end of Wilson's score interval of 95 % for a proportion; 1 without trials.

    ``(p + z²/2n + z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n)`` (E. B. Wilson, JASA 22, 1927); in [p, 1].

    >>> round(wilson_upper(1, 20), 4)
    0.2361
    """
    if not trials:
        return 1.0
    p, square = successes / trials, Z_95 * Z_95 / trials
    spread = Z_95 * math.sqrt(p * (1 - p) / trials + square / (4 * trials))
    return min(1.0, (p + square / 2 + spread) / (1 + square))

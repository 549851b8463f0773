"""Links that failed for want of a network: they wait, and the crawl ends when that lasts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.requests.failures import NO_ANSWER, cause_of
from topiccrawl.crawl.requests.meta import DOWNLOAD_SLOT, lease_of
from topiccrawl.crawl.requests.refused import PrivateAddress
from topiccrawl.details import translated
from topiccrawl.language import N_, _, user_language
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from scrapy import Request

    from topiccrawl.crawl.session.session import CrawlSession

#: Shortest pause of a host whose link went back for want of a network, so that others are tried (a guess).
_NO_NETWORK_SECONDS: Final = 1.0
#: Links at the head of the queue whose hosts are counted, where the others are not fetched (a guess).
_BEST_LINKS: Final = 1_000


class OfflineWatch:
    """Puts back links that failed for want of a network.

    A queue whose hosts are all refused by a crawl that continues is treated alike: earlier runs were allowed to
    contact them.
    """

    def __init__(self, session: CrawlSession) -> None:
        self._session = session
        self._seed_hosts = {host_of(seed.url) for seed in session.topic.definition.seeds}

    def put_back(self, request: Request, error: BaseException) -> bool:
        """Put a link back if the network is the reason of its failure; return whether it was."""
        session, network = self._session, self._session.network
        cause, host = cause_of(error), host_of(request.url)
        if lease_of(request.meta) is None:
            return False
        tried = 0 if network.reached else network.tried(host)
        refused = isinstance(cause, PrivateAddress) and session.journal.pages > 0
        if not (refused or isinstance(cause, NO_ANSWER)):
            return False
        if network.reached and (refused or not network.in_doubt):
            return False
        pause = max(_NO_NETWORK_SECONDS, session.settings.politeness.backoff)
        session.frontier.hold_host(request.meta.get(DOWNLOAD_SLOT) or host, session.clock() + pause)
        session.control.put_back(request)
        session.control.count("network/put_back")
        size = session.frontier.size()
        hosts = max(self._hosts_left(size.hosts), 0 if session.resumed else len(self._seed_hosts))
        if network.missing(hosts, size.leased - size.elsewhere):
            why = translated(str(cause), user_language()).rstrip(".")
            message = _REFUSED if refused else _UNREACHABLE
            session.control.go_offline(_(message).format(tried=tried, host=host, cause=why))
        return True

    def _hosts_left(self, queued: int) -> int:
        """Return how many hosts have links that this run fetches, of *queued* ones with links."""
        least = self._session.least_score()
        if least == -math.inf:
            return queued
        best = self._session.frontier.best(_BEST_LINKS)
        return len({link.host for link in best if link.evidence.score >= least})


#: What is logged when the crawl stops.
_REFUSED: Final = N_(
    "none of the hosts may be contacted, {tried} tried, at last {host}: {cause}. Earlier"
    " runs were allowed to. The links stay queued, and the crawl goes on with them when"
    " the setting allows it again"
)
_UNREACHABLE: Final = N_(
    "no host can be reached, {tried} tried, at last {host}: {cause}. Is this machine"
    " online? Does it need a proxy (http_proxy, https_proxy)? The links stay queued,"
    " and the same command goes on with them"
)

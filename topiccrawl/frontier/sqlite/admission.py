"""Admission of offered links to an SQLite frontier, and the links that are dropped for them."""

from __future__ import annotations

from topiccrawl.frontier.contract import PushResult, QueuedLink
from topiccrawl.frontier.sqlite.hosts import SQLiteHosts
from topiccrawl.frontier.sqlite.links import SQLiteLinks
from topiccrawl.frontier.sqlite.openlink import KnownLink
from topiccrawl.frontier.sqlite.schema import WAS_DONE, WAS_GIVEN_UP
from topiccrawl.frontier.sqlite.seen import SeenLinks


class Admission:
    """Decides about offered links, inside a transaction of the frontier."""

    def __init__(
        self, hosts: SQLiteHosts, links: SQLiteLinks, seen: SeenLinks, max_links: int
    ) -> None:
        """At most *max_links* may wait; 0 means no limit."""
        self._hosts = hosts
        self._links = links
        self._seen = seen
        self._max_links = max_links

    def offer(
        self, id: int, link: QueuedLink, found: dict[int, KnownLink], again: bool
    ) -> PushResult:
        """Queue or merge one link; *found* has the rows of the links offered together."""
        known = found.get(id)
        if known is not None:
            if self._links.merge(known, link, again=again):
                return PushResult.MERGED
            if not again or self._links.is_leased(known.key):
                return PushResult.SEEN
        elif id in self._seen and not again:
            return PushResult.SEEN
        if self._hosts.used_up(self._hosts.number(link.host)):
            return PushResult.REFUSED
        if not self._make_room(link.evidence.score, found):
            return PushResult.REFUSED
        flags = 0
        if known is not None:
            self._links.drop_closed(known.key)
        elif again and (count := self._seen.count_of(id)) is not None:
            self._links.count(count, -1)
            flags = WAS_DONE if count == "done" else WAS_GIVEN_UP
        found[id] = self._links.add(id, link, flags)
        return PushResult.NEW

    def _make_room(self, score: float, found: dict[int, KnownLink]) -> bool:
        """Forget the worst waiting links until one more fits; ``False`` if *score* is no better."""
        limit = self._max_links
        while limit and self._links.waiting_count() >= limit:
            key, least = self._links.worst()
            if score <= least:
                return False
            taken = self._links.take_waiting(key)
            assert taken is not None
            self._links.forget(taken)
            found.pop(taken.id, None)
        return True

"""Conditional requests, and which hosts answer them truthfully."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from topiccrawl.crawl.refreshing.records import history_of
from topiccrawl.crawl.refreshing.visit import Found
from topiccrawl.store.contract import VisitRecord
from topiccrawl.urls.hosts import host_of

#: One of so many visits of a page is unconditional, to see whether equal validators mean an equal page (a guess:
#: a wrong one costs a page some visits, a right one saves seven of eight transfers).
_TRIAL_EVERY: Final = 8


class Validators:
    """The hosts whose ETag or Last-Modified have proved wrong: the page had changed, and they had not.

    *enabled*: requests are made conditional at all.  *publish* tells other workers and later runs of a host.
    """

    def __init__(
        self,
        *,
        enabled: bool,
        publish: Callable[[str], object] = lambda host: None,
        count: Callable[[str], object] = lambda name: None,
    ) -> None:
        self._enabled = enabled
        self._publish = publish
        self._count = count
        self._wrong: set[str] = set()

    def receive(self, host: str) -> None:
        """Take note of a host whose validators are wrong."""
        self._wrong.add(host)

    def headers(self, known: VisitRecord) -> dict[str, str]:
        """Return the headers by which only a changed page is sent; empty for an unconditional request."""
        if not self._enabled or host_of(known.url) in self._wrong or not known.body_digest:
            return {}
        history = history_of(known)
        if known.gone_at is not None or history.gone:
            return {}
        visits = history.earlier_visits + len(history.visits)
        if (visits + zlib.crc32(known.url.encode())) % _TRIAL_EVERY == 0:
            return {}
        found = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
        return {name: value for name, value in found.items() if value}

    def compare(self, known: VisitRecord, etag: str, last_modified: str, changed: bool) -> None:
        """Learn from a whole answer with the validators of the one before."""
        if not changed or not known.body_digest:
            return
        same = etag == known.etag if etag or known.etag else last_modified == known.last_modified
        host = host_of(known.url)
        if same and (etag or last_modified) and host not in self._wrong:
            self._wrong.add(host)
            self._publish(host)
            self._count("refresh/wrong_validators")

    def trusted(self, url: str, found: Found) -> Found:
        """Return *found* without the validators of a host whose validators are wrong."""
        return replace(found, etag="", last_modified="") if host_of(url) in self._wrong else found

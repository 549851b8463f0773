"""Learning which query parameters of a host do not change its pages.

The rules in :mod:`topiccrawl.urls.rules` cover common systems; a site's own session id, list position
or campaign code is learned from its pages: URLs that differ in one parameter only and have the same
content, again and again and without exception.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field

from topiccrawl.bounded import BoundedDict
from topiccrawl.urls.hosts import host_of

#: Pairs of pages with equal content, each pair with another content, from which a rule is learned.  If a
#: share *q* of a parameter's pairs differed, N equal ones in a row would have the probability
#: ``(1-q)^N``; with N = 20 the parameter changes fewer than 14 % of the pages, at 95 % confidence
#: (Clopper-Pearson: ``1 - 0.05^(1/N)``), and the first page it does change unlearns the rule.  The
#: price is 20 pages fetched twice, 1 % of the smallest host budget.
PAIRS = 20
#: Different values that a parameter must have had in these pairs.  With fewer, ``page`` would be learned
#: from ``list`` and ``list?page=1``, which are the same on every list.
VALUES = 3
#: Nothing is learned from URLs with more different parameters: each takes an entry in memory.  A guess.
MAX_PARAMETERS = 8
#: Parameters of one host that are observed; further ones are not learned.  A guess: sites have about
#: ten, traps have no limit.
MAX_NAMES = 64


@dataclass(slots=True)
class _Observations:
    """Observations of one parameter on one host."""

    contents: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    learned: bool = False
    refuted: bool = False

    def settle(self, *, learned: bool) -> None:
        self.learned, self.refuted = learned, not learned
        self.contents.clear()
        self.values.clear()


class ParameterLearner:
    """Learns for each host which query parameters do not change content; bounded and deterministic.

    A contradiction is final (until the host is dropped): a page fetched twice costs less than a page
    that is never found. Raises ``ValueError`` if a number is below 1.

    Parameters
    ----------
    pairs, values
        Evidence required for a rule, >= 1; see :data:`PAIRS` and :data:`VALUES`.
    max_pages
        Variants of URLs kept in memory, >= 1; the least recently seen are dropped.  A variant takes
        about 0.5 kB (measured 2026-11).
    max_hosts
        Hosts kept in memory, >= 1; the least recently seen are dropped with their rules.
    """

    def __init__(
        self,
        *,
        pairs: int = PAIRS,
        values: int = VALUES,
        max_pages: int = 20_000,
        max_hosts: int = 2_000,
    ) -> None:
        for name, value in (
            ("pairs", pairs),
            ("values", values),
            ("max_pages", max_pages),
            ("max_hosts", max_hosts),
        ):
            if value < 1:
                raise ValueError(f"{name} must be >= 1, got {value!r}")
        self._pairs = pairs
        self._values = values
        self._max_hosts = max_hosts
        self._hosts: OrderedDict[str, dict[str, _Observations]] = OrderedDict()
        # URL without one parameter -> name of that parameter -> (its value, content hash); the empty
        # name stands for the page at this very URL.
        self._pages: BoundedDict[bytes, dict[str, tuple[str, str]]] = BoundedDict(max_pages)
        self._ignored: dict[str, frozenset[str]] = {}

    def observe(self, url: str, content_hash: str) -> bool:
        """Learn from a fetched page.

        Parameters
        ----------
        url
            Canonical URL of the page.
        content_hash
            Hash of all visible text, with the words of the links: of two pages of a list, the main
            text alone may be equal.  It must not cover the addresses of the links (they contain the
            session ids).  Pages without text must not be observed.

        Returns
        -------
        bool
            Whether a rule was learned or unlearned.
        """
        host = host_of(url)
        base, _, query = url.partition("?")
        names = self._hosts.get(host)
        if not host or (names is None and not query):
            return False  # most sites have no queries: nothing is kept for them
        if names is None:
            names = self._hosts[host] = {}
        self._hosts.move_to_end(host)
        before = self._ignored.get(host)
        variants = self._variants(url)
        for name, (value, content) in variants.items():
            if name and name in names:
                self._compare(names[name], {value}, content_hash, content)
        variants[""] = ("", content_hash)
        for name, value, rest in _without_each(base, query):
            self._observe_parameter(names, name, value, self._variants(rest), content_hash)
        self._drop_oldest()
        self._refresh(host)
        return self._ignored.get(host) != before

    def ignored(self, host: str) -> frozenset[str]:
        """Return the parameters that are ignored on *host*, as a canonical URL writes them."""
        return self._ignored.get(host, frozenset())

    def clean(self, url: str) -> str:
        """Return *url* without the parameters that are ignored on its host.

        For the URL of a newly found link, which is then requested in this form: the canonical form of
        the result is the link's key.
        """
        if not self._ignored or "?" not in url:
            return url
        names = self._ignored.get(host_of(url))
        if names is None:
            return url
        address, hash_mark, fragment = url.partition("#")
        base, _, query = address.partition("?")
        parts = query.split("&")
        kept = [part for part in parts if part.partition("=")[0] not in names]
        if len(kept) == len(parts):
            return url
        return f"{base}{'?' if kept else ''}{'&'.join(kept)}{hash_mark}{fragment}"

    def _observe_parameter(
        self,
        names: dict[str, _Observations],
        name: str,
        value: str,
        variants: dict[str, tuple[str, str]],
        content: str,
    ) -> None:
        if name not in names:
            if len(names) >= MAX_NAMES:
                return
            names[name] = _Observations()
        if names[name].refuted:
            return  # most parameters, after two pages: nothing more is kept for them
        other, without = variants.get(name), variants.get("")
        if other is not None and other[0] != value:
            self._compare(names[name], {value, other[0]}, content, other[1])
        if without is not None:
            self._compare(names[name], {value}, content, without[1])
        variants[name] = (value, content)

    def _compare(self, seen: _Observations, values: set[str], content: str, other: str) -> None:
        if seen.refuted:
            return
        if content != other:
            seen.settle(learned=False)
        elif not seen.learned:
            # Each content counts once: "please log in" at a hundred URLs proves nothing.
            seen.contents.add(content)
            if len(seen.values) < self._values:
                seen.values |= values
            enough = len(seen.contents) >= self._pairs
            if enough and len(seen.values) >= self._values:
                seen.settle(learned=True)

    def _variants(self, url: str) -> dict[str, tuple[str, str]]:
        key = hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return self._pages.use(key, dict)

    def _drop_oldest(self) -> None:
        while len(self._hosts) > self._max_hosts:
            host, _ = self._hosts.popitem(last=False)
            self._ignored.pop(host, None)

    def _refresh(self, host: str) -> None:
        names = frozenset(name for name, e in self._hosts.get(host, {}).items() if e.learned)
        if names:
            self._ignored[host] = names
        else:
            self._ignored.pop(host, None)


def _without_each(base: str, query: str) -> Iterator[tuple[str, str, str]]:
    """Yield (name, values, URL without the parameter) for each parameter of the query."""
    parts = [part for part in query.split("&") if part]
    values: dict[str, list[str]] = {}
    for part in parts:
        name, _, value = part.partition("=")
        values.setdefault(name, []).append(value)
    if len(values) > MAX_PARAMETERS:
        return
    for name, own in values.items():
        rest = "&".join(part for part in parts if part.partition("=")[0] != name)
        yield name, "&".join(own), f"{base}?{rest}" if rest else base

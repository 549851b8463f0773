"""Learning which query parameters of a host do not change its pages.

Rules as data name what is known of common systems; a site's own session id, list position or
campaign code is learned from its pages: URLs that differ in one parameter only and have the same
content, again and again and without exception.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from topiccrawl.urls.hosts import host_of

PAIRS = 20
"""Pairs with equal content that teach a rule, each of another content.  If a share *q* of the pairs of
a parameter differed, N equal ones in a row had the chance ``(1-q)^N``; with N = 20 the parameter
changes fewer than 14 % of the pages, at 95 % (Clopper-Pearson: ``1 - 0.05^(1/N)``), and the first page
it does change unlearns it.  The price is 20 pages fetched twice, 1 % of the smallest host budget."""

VALUES = 3
"""Different values that a parameter must have had in these pairs.  With fewer, ``page`` would be learned
from ``list`` and ``list?page=1``, which are the same on every list."""

MAX_PARAMETERS = 8
"""URLs with more different parameters teach nothing: each costs a place in memory.  A guess."""

MAX_NAMES = 64
"""Parameters of one host that are watched; further ones are not learned.  A guess: sites have about ten,
traps as many as one likes."""

STATE_VERSION = 1


@dataclass(slots=True)
class _Evidence:
    """What is known of one parameter of one host."""

    contents: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    learned: bool = False
    refuted: bool = False

    def settle(self, *, learned: bool) -> None:
        self.learned, self.refuted = learned, not learned
        self.contents.clear()
        self.values.clear()


class ParameterLearner:
    """Learns per host which query parameters do not change content; bounded and deterministic.

    A contradiction counts for ever (until the host is forgotten): a page that was fetched twice is
    cheaper than a page that is never found.  Remembered are the *max_pages* variants and *max_hosts*
    hosts that were seen last, about 0.5 kB for a variant (measured 2026-11).
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
        self._max_pages = max_pages
        self._max_hosts = max_hosts
        self._hosts: OrderedDict[str, dict[str, _Evidence]] = OrderedDict()
        # A URL without one parameter -> that parameter's name -> (its value, the content); under ""
        # stands the page at this very URL.
        self._pages: OrderedDict[bytes, dict[str, tuple[str, str]]] = OrderedDict()
        self._ignored: dict[str, frozenset[str]] = {}

    def observe(self, url: str, content_hash: str) -> bool:
        """A page at this canonical *url* had this content; whether a rule came or went.

        The hash must cover all that a visitor reads, with the words of the links: of two pages of a
        list, the main text alone may be equal.  It must not cover the links' addresses (they hold
        the session ids) nor be given for a page without text.
        """
        host = host_of(url)
        base, _, query = url.partition("?")
        known = self._hosts.get(host)
        if not host or (known is None and not query):
            return False  # most sites have no queries and cost nothing
        if known is None:
            known = self._hosts[host] = {}
        self._hosts.move_to_end(host)
        before = self._ignored.get(host)
        here = self._variants(url)
        for name, (value, content) in here.items():
            if name and name in known:
                self._compare(known[name], {value}, content_hash, content)
        here[""] = ("", content_hash)
        for name, value, rest in _without_each(base, query):
            self._observe_parameter(known, name, value, self._variants(rest), content_hash)
        self._forget()
        self._refresh(host)
        return self._ignored.get(host) != before

    def ignored(self, host: str) -> frozenset[str]:
        """Return the parameters that are ignored on *host*, as a canonical URL writes them."""
        return self._ignored.get(host, frozenset())

    def clean(self, url: str) -> str:
        """Return *url* without the parameters that are ignored on its host, else as it is.

        For links that are newly found, before they are offered, and for the URL that is requested:
        the canonical form of the result is the link's key.
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

    def state(self) -> dict[str, Any]:
        """Return rules and evidence as JSON-compatible data; single pages are left out."""
        return {
            "version": STATE_VERSION,
            "hosts": {
                host: {
                    name: {
                        "learned": e.learned,
                        "refuted": e.refuted,
                        "contents": sorted(e.contents),
                        "values": sorted(e.values),
                    }
                    for name, e in known.items()
                }
                for host, known in self._hosts.items()
            },
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over what :meth:`state` returned, in place of what is known; ``ValueError`` if it is not."""
        if state.get("version") != STATE_VERSION:
            raise ValueError(f"version must be {STATE_VERSION}, got {state.get('version')!r}")
        try:
            hosts = OrderedDict(
                (
                    str(host),
                    {
                        str(name): _Evidence(
                            set(map(str, e["contents"])),
                            set(map(str, e["values"])),
                            bool(e["learned"]),
                            bool(e["refuted"]),
                        )
                        for name, e in known.items()
                    },
                )
                for host, known in state["hosts"].items()
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"state must be what state() returned: {error!r}") from None
        self._hosts = hosts
        self._pages.clear()
        self._ignored.clear()
        self._forget()
        for host in self._hosts:
            self._refresh(host)

    def _observe_parameter(
        self,
        known: dict[str, _Evidence],
        name: str,
        value: str,
        variants: dict[str, tuple[str, str]],
        content: str,
    ) -> None:
        if name not in known:
            if len(known) >= MAX_NAMES:
                return
            known[name] = _Evidence()
        if known[name].refuted:
            return  # most parameters, after two pages: nothing more is remembered for them
        other, without = variants.get(name), variants.get("")
        if other is not None and other[0] != value:
            self._compare(known[name], {value, other[0]}, content, other[1])
        if without is not None:
            self._compare(known[name], {value}, content, without[1])
        variants[name] = (value, content)

    def _compare(self, evidence: _Evidence, values: set[str], content: str, other: str) -> None:
        if evidence.refuted:
            return
        if content != other:
            evidence.settle(learned=False)
        elif not evidence.learned:
            # A content counts once: "please log in" at a hundred addresses proves nothing.
            evidence.contents.add(content)
            if len(evidence.values) < self._values:
                evidence.values |= values
            enough = len(evidence.contents) >= self._pairs
            if enough and len(evidence.values) >= self._values:
                evidence.settle(learned=True)

    def _variants(self, url: str) -> dict[str, tuple[str, str]]:
        key = hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        found = self._pages.setdefault(key, {})
        self._pages.move_to_end(key)
        return found

    def _forget(self) -> None:
        while len(self._pages) > self._max_pages:
            self._pages.popitem(last=False)
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
    """Each parameter with its values and the URL without it."""
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

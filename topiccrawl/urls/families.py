"""How much of a host, and of a family of its addresses, is worth fetching.

Traps that no address gives away end here: a host earns its pages by being relevant, and a family of
addresses behind which there is always the same text is left.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass, field

from topiccrawl.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class HostBudget:
    """Pages that a host may be asked for: ``base + growth · relevant pages of the host``.

    A host with a share *h* of relevant pages has after n pages ``base + growth·h·n`` of them allowed:
    with ``h >= 1/growth`` it never runs out (5 % with the defaults), else at about ``base / (1 - growth·h)``:
    2,000 pages without a relevant one, 2,500 at 1 %, 10,000 at 4 %.  Relevant pages of a focused crawl
    come early, so that ordinary hosts stay above these figures.

    Raises :class:`ConfigurationError` for values below 0.
    """

    base: int = 2_000
    """Pages of a host that has shown nothing; goes into ``FrontierLimits.host_budget``; 0 = no limit.
    A guess: a site of an overseas Chinese affairs office has some thousand pages, at a page per
    second a trap costs half an hour of its own host, which delays no other."""
    growth: int = 20
    """Pages that one relevant page adds.  The inverse is the share of relevant pages that a host needs
    to go on for ever; in a topic's web the hosts that matter have 10 % and more."""

    def __post_init__(self) -> None:
        for name in ("base", "growth"):
            if getattr(self, name) < 0:
                raise ConfigurationError(f"{name} must be >= 0, got {getattr(self, name)!r}")

    def allowed(self, relevant: int) -> int | None:
        """Pages that a host with so many relevant ones may be asked for; ``None`` without a limit."""
        return self.base + self.earned(relevant) if self.base else None

    def earned(self, relevant: int = 1) -> int:
        """Links that *relevant* more relevant pages add: what ``Frontier.allow`` is told.

        The frontier keeps the sum, for all workers together and over a restart.
        """
        return self.growth * relevant if self.base else 0


#: Numbers, and words of 8 and more letters that hold a digit: dates, ids, hashes.
_VARIABLE = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z]*[0-9])[A-Za-z0-9]{8,}|[0-9]+")


def url_pattern(url: str) -> str:
    """Return *url* with ``0`` for every number and id: the family of addresses it belongs to.

    >>> url_pattern("http://a.cn/2020-01/13/t20200113_5468.html?id=7f3a9c0d21")
    'http://a.cn/0-0/0/0_0.html?id=0'
    """
    return _VARIABLE.sub("0", url)


@dataclass(slots=True)
class _Family:
    pages: int = 0
    relevant: bool = False
    contents: set[str] = field(default_factory=set)


class FamilyBudget:
    """Finds families of addresses behind which there is nothing: the same few texts, none relevant.

    A family is exhausted when *pages* of it were fetched, none was relevant and they had at most
    *contents* different texts: soft error pages, empty days of a calendar, sessions in the path.
    Texts must repeat: the articles of a news site are one family, too, and a hundred of them without
    a relevant one are ordinary.  One relevant page clears a family for good.  The *families* that were
    seen last are remembered, at most about 1.5 kB each (measured 2026-11); after a restart it begins anew.
    """

    def __init__(self, *, pages: int = 100, contents: int = 5, families: int = 10_000) -> None:
        # 100 and 5 are guesses: 95 of 100 pages told nothing new.
        for name, value in (("pages", pages), ("contents", contents), ("families", families)):
            if value < 1:
                raise ConfigurationError(f"{name} must be >= 1, got {value!r}")
        self._pages = pages
        self._contents = contents
        self._most = families
        self._families: OrderedDict[str, _Family] = OrderedDict()

    def observe(self, url: str, relevant: bool, content_hash: str | None) -> bool:
        """A page of canonical *url* was fetched; whether its family is exhausted by it.

        *content_hash* covers all visible text with the words of the links; ``None`` for a page
        without text, which is not counted (its content may be drawn by a script).
        """
        pattern = url_pattern(url)
        family = self._families.get(pattern)
        if family is None:
            family = self._families[pattern] = _Family()
            while len(self._families) > self._most:
                self._families.popitem(last=False)
        self._families.move_to_end(pattern)
        if family.relevant or (content_hash is None and not relevant):
            return False
        if relevant:
            family.relevant = True
            family.contents.clear()
            return False
        before = self._is_exhausted(family)
        family.pages += 1
        if content_hash is not None and len(family.contents) <= self._contents:
            family.contents.add(content_hash)
        return not before and self._is_exhausted(family)

    def exhausted(self, url: str) -> bool:
        """Whether canonical *url* belongs to an exhausted family: not worth a request."""
        family = self._families.get(url_pattern(url))
        return family is not None and self._is_exhausted(family)

    def _is_exhausted(self, family: _Family) -> bool:
        return (
            not family.relevant
            and family.pages >= self._pages
            and len(family.contents) <= self._contents
        )

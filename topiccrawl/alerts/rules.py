"""The rules of warnings, as ``alerts.toml`` declares them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from topiccrawl.insight.bursts.intervals import DAY, HOUR, Rhythm, VolumeTest
from topiccrawl.text.normalize import normalize
from topiccrawl.urls.hosts import is_below

Interval = Literal["hour", "day"]
#: What can be wrong with a crawl, in the order of docs/alerts.md.
Check = Literal["harvest", "blocks", "queue", "disk", "worker", "store", "run"]
CHECKS: Final[tuple[Check, ...]] = get_args(Check)

#: What is unusual unless the rule states otherwise.
DEFAULT_TEST: Final = VolumeTest()

_RHYTHMS: Final[Mapping[Interval, Rhythm]] = {"hour": HOUR, "day": DAY}


@dataclass(frozen=True, slots=True)
class Words:
    """A condition on the text of a page; all parts must hold."""

    any: Sequence[str] = ()
    """At least one of these occurs."""
    all: Sequence[str] = ()
    """Each of these occurs."""
    none: Sequence[str] = ()
    """None of these occurs."""

    def __bool__(self) -> bool:
        """Whether there is a condition."""
        return bool(self.any or self.all or self.none)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What all rules have."""

    name: str
    channels: Sequence[str] = ()
    """Names of channels; empty for all."""
    topics: Sequence[str] = ()
    """Names of topics; empty for all."""
    sites: Sequence[str] = ()
    """Hosts, with their subdomains; empty for all."""

    def takes_topic(self, topic: str) -> bool:
        """Whether the rule is about *topic*, which may be written in either script."""
        return not self.topics or normalize(topic) in map(normalize, self.topics)

    def takes_site(self, site: str) -> bool:
        """Whether the rule is about pages of the host *site*."""
        return not self.sites or is_below(site, self.sites)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordRule(Rule):
    """Stories whose text has certain words."""

    words: Words
    where: Sequence[str] = ("title", "body")
    """Fields of the page: ``title``, ``body``, ``author``, ``source``, ``summary``."""
    least: int = 1
    """Least number of occurrences of the words in ``any`` and ``all`` together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRule(Rule):
    """The first page of a host that had none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeRule(Rule):
    """An unusual number of pages in an hour or a day."""

    interval: Interval = "day"
    words: Words = Words()
    """Only pages whose title has these."""
    direction: Literal["rise", "fall", "both"] = "rise"
    test: VolumeTest = DEFAULT_TEST
    undated: bool = False
    """Whether pages without a date count, at the time at which they were found."""

    @property
    def rhythm(self) -> Rhythm:
        """Length and cycles of the intervals."""
        return _RHYTHMS[self.interval]


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthRule(Rule):
    """What can go wrong with a crawl."""

    checks: Sequence[Check] = CHECKS
    disk_mb: int = 1_000
    """Free space below which a disk is nearly full."""
    least_hosts: int = 2
    """Hosts that block, from which on blocks are reported, if they are ``blocked_share`` of all."""
    blocked_share: float = 0.3
    waiting_records: int = 1_000
    """Records that wait for the store, from which on it is behind."""

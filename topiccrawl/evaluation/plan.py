"""The plan of an evaluation, validated before the first page is read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_args

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.experiment import HOME_MADE, Define, Mode
from topiccrawl.evaluation.judging.judge import JUDGES, JudgeName
from topiccrawl.evaluation.judging.seeds import drawn_names
from topiccrawl.language import _, listed
from topiccrawl.scoring.strategies import STRATEGIES, find_strategy, make_strategy

if TYPE_CHECKING:
    from topiccrawl.evaluation.webs.web import Web, WebTopic

#: Strategies compared by default: the usual orders of the literature, this project's own, and the
#: spider that users write first.
DEFAULT_STRATEGIES = (
    "breadth-first", "random", "best-first", "shark-search", "pagerank", "hits", "rwb",
    "ipagerank-rwb", "adaptive", HOME_MADE,
)  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """A strategy on a topic from a seed set, with all repeats."""

    topic: str
    seeds: str
    strategy: str


@dataclass(frozen=True, slots=True)
class Plan:
    """All options that affect the figures; see ``scrapy evaluate -h``."""

    web: str
    """Argument of :func:`~topiccrawl.evaluation.webs.open.open_web`."""
    units: tuple[Unit, ...]
    max_pages: int = 2_000
    mode: Mode = "simulate"
    repeats: int = 5
    define: Define = "keywords"
    concurrency: int = 1
    judge: JudgeName = "labels"
    baseline: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    """Scrapy and TOPICCRAWL settings that differ from the project's."""
    whole_web: bool = False
    """Whether all pages of the web are judged after each run."""

    def __post_init__(self) -> None:
        """Check the values.

        Raises:
            ConfigurationError: a number out of range, or an unknown name.
        """
        numbers = (self.max_pages, self.repeats, self.concurrency)
        for name, value in zip(("--max-pages", "--repeats", "--concurrency"), numbers, strict=True):
            if value < 1:
                raise ConfigurationError(
                    _("{name} must be >= 1, got {value}").format(name=name, value=value)
                )
        for option, given, choices in (
            ("--mode", self.mode, get_args(Mode)),
            ("--define", self.define, get_args(Define)),
            ("--judge", self.judge, JUDGES),
        ):
            if given not in choices:
                raise ConfigurationError(
                    _("{option} must be one of {choices}, got {value!r}").format(
                        option=option, choices=listed(choices), value=given
                    )
                )
        if self.mode == "crawl" and self.whole_web:
            raise ConfigurationError(
                _(
                    "--whole-web must not be given with --mode crawl: only a simulated crawl can "
                    "judge pages that it has not fetched"
                )
            )

    @property
    def strategies(self) -> list[str]:
        """Names of this project's strategies in the order given, without ``home-made``."""
        names = dict.fromkeys(unit.strategy for unit in self.units)
        return [name for name in names if name != HOME_MADE]

    def repeats_of(self, strategy: str) -> int:
        """Return the number of runs: one, unless the strategy is randomized."""
        return self.repeats if self.draws(strategy) else 1

    def draws(self, strategy: str) -> bool:
        """Return whether a strategy uses the run seed, so that repeats differ."""
        return strategy != HOME_MADE and make_strategy(strategy).draws


def split_names(text: str) -> list[str]:
    """Split a comma-separated list of names and drop duplicates."""
    return list(dict.fromkeys(name for name in re.split(r"[,，\s]+", text) if name))


def make_units(
    web: Web,
    topics: Sequence[str],
    seeds: Sequence[str],
    strategies: Sequence[str],
    baseline: str,
) -> tuple[Unit, ...]:
    """Return what is evaluated on *web*; empty lists mean everything (for strategies: the usual ones).

    Raises:
        ConfigurationError: an unknown name.
    """
    chosen = _strategies(strategies, baseline)
    units = tuple(
        Unit(topic.name, seed_set, strategy)
        for topic in _topics(web, topics)
        for seed_set in _seed_sets(web, topic, seeds)
        for strategy in chosen
    )
    if not units:
        raise ConfigurationError(
            _("{name}: no topic has a seed set named {seeds}").format(
                name=web.name, seeds=listed(seeds)
            )
        )
    return units


def _strategies(names: Sequence[str], baseline: str) -> list[str]:
    chosen = _known_strategies(names)
    if baseline and baseline not in chosen:
        raise ConfigurationError(
            _(
                "--baseline must be one of the strategies compared ({chosen}), got {baseline!r}"
            ).format(chosen=listed(chosen), baseline=baseline)
        )
    return chosen


def _known_strategies(names: Sequence[str]) -> list[str]:
    if list(names) == ["all"]:
        return [*STRATEGIES, HOME_MADE]
    for name in names:
        try:
            if name != HOME_MADE:
                find_strategy(name)
        except ConfigurationError as error:
            raise ConfigurationError(
                _("--strategies: {error} ({home_made} is possible, too)").format(
                    error=error, home_made=HOME_MADE
                )
            ) from None
    return list(names) or list(DEFAULT_STRATEGIES)


def _topics(web: Web, names: Sequence[str]) -> list[WebTopic]:
    by_name = {topic.name: topic for topic in web.topics}
    if not by_name:
        raise ConfigurationError(
            _("{name}: the web has no topics to evaluate on").format(name=web.name)
        )
    for name in names:
        if name not in by_name:
            raise ConfigurationError(
                _("--topics must be of {topics} in this web, got {name!r}").format(
                    topics=listed(by_name), name=name
                )
            )
    return [by_name[name] for name in names or by_name]


def _seed_sets(web: Web, topic: WebTopic, names: Sequence[str]) -> list[str]:
    known = {name for each in web.topics for name in each.seeds}
    found = []
    for name in names or topic.seeds:
        drawn = drawn_names(name)
        if not drawn and name not in known:
            raise ConfigurationError(
                _("--seeds must be of {known} in this web, or drawn:N, got {name!r}").format(
                    known=listed(sorted(known)), name=name
                )
            )
        found += drawn or ([name] if topic.seeds.get(name) else [])
    return found

"""Our settings as one checked record, read once per crawl.

Wrong values stop the run with a message that names the setting, the rule and the value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

from topiccrawl.errors import ConfigurationError
from topiccrawl.page.body.extractors import DEFAULT_EXTRACTOR, check_extractor
from topiccrawl.politeness.options import PolitenessOptions
from topiccrawl.politeness.windows import WINDOWS
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.ipagerank import Teleport
from topiccrawl.scoring.metadata import RwbMode
from topiccrawl.text.keywords import MAX_KEYWORDS
from topiccrawl.text.summary import SENTENCES
from topiccrawl.urls.traps import TrapRules

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

Live = Literal["auto", "on", "off"]
TeleportChoice = Literal["auto", "relevance", "constant"]
Choice = TypeVar("Choice", bound=str)


@dataclass(frozen=True, slots=True)
class CrawlSettings:
    """Typed values of the TOPICCRAWL_* settings; see docs/settings.md for each."""

    seed: int
    strategy: str
    rwb_mode: RwbMode
    teleport: Teleport | None
    rank_every_pages: int
    rank_iterations: int
    damping: float
    semantic_wordnet: str
    semantic_vectors: str
    follow_nofollow: bool
    frontier_backend: str
    frontier_dir: str
    frontier_prefix: str
    frontier_max_links: int
    frontier_exact_links: int
    score_tolerance: float
    lease_seconds: float
    worker_seconds: float
    host_budget: int
    host_budget_growth: int
    host_concurrency: int
    host_concurrencies: Mapping[str, int]
    host_delay: float
    trap_rules: TrapRules
    learn_parameters: bool
    pattern_pages: int
    reseed: bool
    politeness: PolitenessOptions
    retry_delay_seconds: float
    retry_max_attempts: int
    body_extractor: str
    body_min_chars: int
    relevance_threshold: float
    title_threshold: float
    summary_sentences: int
    keywords: int
    store_uri: str
    store_html: bool
    store_batch_pages: int
    store_flush_seconds: float
    spool_dir: str
    store_queued_links: int
    progress_interval_seconds: float
    live: Live

    def strategy_config(self, link_threshold: float) -> StrategyConfig:
        """Return the strategy's parameters; ``link_threshold`` is the topic's c."""
        return StrategyConfig(
            run_seed=self.seed,
            c=link_threshold,
            damping=self.damping,
            iterations=self.rank_iterations,
            mode=self.rwb_mode,
            teleport=self.teleport,
        )

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> CrawlSettings:
        """Read and check all settings; raises :class:`ConfigurationError` on the first wrong one."""
        read = _Reader(settings)
        return cls(
            seed=read.integer("SEED", 1),
            strategy=read.text("STRATEGY", "ipagerank-rwb"),
            rwb_mode=read.choice("RWB_MODE", "capped", get_args(RwbMode)),
            teleport=_teleport(read.choice("IPAGERANK_TELEPORT", "auto", get_args(TeleportChoice))),
            rank_every_pages=read.integer("IPAGERANK_EVERY_PAGES", 100, low=1),
            rank_iterations=read.integer("IPAGERANK_ITERATIONS", 5, low=1),
            damping=read.number("IPAGERANK_DAMPING", 0.85, low=0.0, high=0.999),
            semantic_wordnet=read.text("SEMANTIC_WORDNET", ""),
            semantic_vectors=read.text("SEMANTIC_VECTORS", ""),
            follow_nofollow=read.flag("LINKS_FOLLOW_NOFOLLOW", False),
            frontier_backend=read.text("FRONTIER_BACKEND", "sqlite"),
            frontier_dir=read.text("FRONTIER_DIR", ""),
            frontier_prefix=read.text("FRONTIER_PREFIX", "topiccrawl"),
            frontier_max_links=read.integer("FRONTIER_MAX_LINKS", 0, low=0),
            frontier_exact_links=read.integer("FRONTIER_EXACT_LINKS", 5_000_000, low=1000),
            score_tolerance=read.number("FRONTIER_SCORE_TOLERANCE", 0.001, low=0),
            lease_seconds=read.number("FRONTIER_LEASE_SECONDS", 1800, low=1),
            worker_seconds=read.number("FRONTIER_WORKER_SECONDS", 60, low=1),
            host_budget=read.integer("HOST_BUDGET_PAGES", 2000, low=0),
            host_budget_growth=read.integer("HOST_BUDGET_GROWTH", 20, low=0),
            host_concurrency=settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"),
            host_concurrencies={
                host: int(slot["concurrency"])
                for host, slot in settings.getdict("DOWNLOAD_SLOTS").items()
                if "concurrency" in slot
            },
            host_delay=settings.getfloat("DOWNLOAD_DELAY"),
            trap_rules=_trap_rules(read),
            learn_parameters=read.flag("LEARN_PARAMETERS", True),
            pattern_pages=read.integer("PATTERN_BUDGET_PAGES", 100, low=0),
            reseed=read.flag("RESEED", True),
            politeness=_politeness(settings),
            retry_delay_seconds=read.number("RETRY_DELAY_SECONDS", 60, low=0),
            retry_max_attempts=read.integer("RETRY_MAX_ATTEMPTS", 3, low=1),
            body_extractor=_body_extractor(read.text("BODY_EXTRACTOR", DEFAULT_EXTRACTOR)),
            body_min_chars=read.integer("BODY_MIN_CHARS", 50, low=0),
            relevance_threshold=read.number("RELEVANCE_THRESHOLD", 0.0, low=0.0, high=1.0),
            title_threshold=read.number("TITLE_DEDUP_THRESHOLD", 0.8, low=0.01, high=1.0),
            summary_sentences=digest_limits(settings)[0],
            keywords=digest_limits(settings)[1],
            store_uri=read.text("STORE_URI", ""),
            store_html=read.flag("STORE_HTML", False),
            store_batch_pages=read.integer("STORE_BATCH_PAGES", 100, low=1),
            store_flush_seconds=read.number("STORE_FLUSH_SECONDS", 0.2, low=0.0),
            spool_dir=read.text("STORE_SPOOL_DIR", "data/spool"),
            store_queued_links=read.integer("STORE_QUEUED_LINKS", 1000, low=0),
            progress_interval_seconds=read.number("PROGRESS_INTERVAL_SECONDS", 60, low=1),
            live=read.choice("PROGRESS_LIVE", "auto", get_args(Live)),
        )


def digest_limits(settings: BaseSettings) -> tuple[int, int]:
    """Return the most sentences of a summary and the most keywords, each >= 0.

    Also for commands that analyse pages without a crawl.
    """
    read = _Reader(settings)
    return (
        read.integer("SUMMARY_SENTENCES", SENTENCES, low=0),
        read.integer("KEYWORDS", MAX_KEYWORDS, low=0),
    )


class _Reader:
    def __init__(self, settings: BaseSettings) -> None:
        self._settings = settings

    def text(self, part: str, default: str) -> str:
        return str(self._settings.get(f"TOPICCRAWL_{part}", default)).strip()

    def flag(self, part: str, default: bool) -> bool:
        name = f"TOPICCRAWL_{part}"
        try:
            return self._settings.getbool(name, default)
        except ValueError:
            raise ConfigurationError(
                f"{name} must be True or False, got {self._settings.get(name)!r}"
            ) from None

    def integer(self, part: str, default: int, low: int | None = None) -> int:
        name = f"TOPICCRAWL_{part}"
        value = self._settings.get(name, default)
        try:
            number = int(value)
        except (TypeError, ValueError, OverflowError):
            raise ConfigurationError(f"{name} must be an integer, got {value!r}") from None
        return int(_within(name, number, low, None, value))

    def number(
        self, part: str, default: float, low: float | None = None, high: float | None = None
    ) -> float:
        name = f"TOPICCRAWL_{part}"
        value = self._settings.get(name, default)
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ConfigurationError(f"{name} must be a number, got {value!r}") from None
        _within(name, number, low, high, value)
        if math.isinf(number):
            # Delays without an end would keep a crawl from ending.
            raise ConfigurationError(f"{name} must be a finite number, got {value!r}")
        return number

    def choice(self, part: str, default: Choice, choices: tuple[Choice, ...]) -> Choice:
        name = f"TOPICCRAWL_{part}"
        value = self.text(part, default)
        for choice in choices:
            if choice == value:
                return choice
        raise ConfigurationError(f"{name} must be one of {', '.join(choices)}, got {value!r}")


def _trap_rules(read: _Reader) -> TrapRules:
    default = TrapRules()
    values = {
        rule.name: read.integer(f"TRAP_{rule.name.upper()}", getattr(default, rule.name), low=0)
        for rule in fields(TrapRules)
    }
    try:
        return TrapRules(**values)
    except ConfigurationError as error:
        name, _, rest = str(error).partition(" ")
        raise ConfigurationError(f"TOPICCRAWL_TRAP_{name.upper()} {rest}") from error


def _politeness(settings: BaseSettings) -> PolitenessOptions:
    ours = {str(name): settings[name] for name in settings if str(name).startswith("TOPICCRAWL_")}
    if WINDOWS in ours:
        try:
            # JSON on the command line.
            ours[WINDOWS] = settings.getdict(WINDOWS)
        except ValueError:
            raise ConfigurationError(
                f"{WINDOWS} must map host patterns to time windows, got {settings[WINDOWS]!r}"
            ) from None
    return PolitenessOptions.from_settings(ours)


def _body_extractor(name: str) -> str:
    try:
        return check_extractor(name)
    except ValueError as error:
        raise ConfigurationError(f"TOPICCRAWL_BODY_EXTRACTOR: {error}") from error


def _teleport(choice: TeleportChoice) -> Teleport | None:
    return None if choice == "auto" else choice


def _within(
    name: str, number: float, low: float | None, high: float | None, value: object
) -> float:
    if number != number or (low is not None and number < low):
        raise ConfigurationError(f"{name} must be >= {low:g}, got {value!r}")
    if high is not None and number > high:
        raise ConfigurationError(f"{name} must be <= {high:g}, got {value!r}")
    return number

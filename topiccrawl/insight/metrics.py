"""Figures of a collection and of its crawls for monitoring: a bounded number of series.

However many topics and hosts there are, :func:`metrics` returns at most :data:`MOST_SERIES` series: topics
beyond the largest ones are summed up, and no series belongs to a host.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Final

__all__ = ["MOST_SERIES", "Metric", "SystemFigures", "TopicFigures", "metrics"]

#: Series at most (issue of the desk: a Prometheus of a small installation keeps 300 a target easily).
MOST_SERIES: Final = 300
#: Topics that have series of their own: 16 figures each, with those of all others together.
MOST_TOPICS: Final = 15
#: Label of the others.
OTHERS: Final = "(others)"
#: Characters of a label.
_LONGEST_LABEL: Final = 100


@dataclass(frozen=True, slots=True)
class TopicFigures:
    """Figures of one topic; crawls are those that run now on this machine."""

    pages: int = 0
    """Pages in the store, without copies."""
    crawls: int = 0
    """Processes that crawl it."""
    paused: int = 0
    silent: int = 0
    """Processes that live and have not written their state for a while."""
    fetched: int = 0
    """Pages fetched by these processes."""
    relevant: int = 0
    stored: int = 0
    failed: int = 0
    speed: float = 0.0
    """Pages per second."""
    queued: int = 0
    """Links in the queue; the largest number that a process has seen."""
    delayed: int = 0
    errors: int = 0
    """Lines of level ERROR in the logs of these processes."""
    warnings: int = 0
    updated_at: float = 0.0
    """Last write of a state, in seconds since 1970; 0 without a process."""
    killed: int = 0
    """Runs without an end among those that are kept."""


@dataclass(frozen=True, slots=True)
class SystemFigures:
    """Figures of the console and its machine."""

    store_up: bool = True
    disk_free: int | None = None
    """Free bytes where queue and store are."""
    version: str = ""
    topics: int = 0
    more: Mapping[str, float] = field(default_factory=dict)
    """Further figures by name, at most 20: ``{"alerts_waiting": 2}``."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric with its series."""

    name: str
    help: str
    samples: Sequence[tuple[Mapping[str, str], float]]
    """Labels and value."""


#: Help of each figure of a topic, by field.
_HELP: Final = {
    "pages": "Pages in the store, without copies",
    "crawls": "Crawling processes",
    "paused": "Crawling processes that are paused",
    "silent": "Crawling processes that have not written their state for a while",
    "fetched": "Pages fetched by the running processes",
    "relevant": "Of these, pages that were kept",
    "stored": "Of these, pages stored without copies",
    "failed": "Requests of the running processes that failed",
    "speed": "Pages per second, of the last minute",
    "queued": "Links in the queue",
    "delayed": "Links that wait for their next try",
    "errors": "Log lines of level ERROR of the running processes",
    "warnings": "Log lines of level WARNING of the running processes",
    "updated_at": "Last write of the state of a running process, seconds since 1970",
    "killed": "Kept runs that were killed",
}
_NAMES: Final = {"speed": "pages_per_second", "updated_at": "updated_timestamp_seconds"}
#: Figures of which the largest counts when topics are put together; the others are summed up.
_LARGEST: Final = frozenset({"updated_at"})
_MOST_MORE: Final = 20


def metrics(topics: Mapping[str, TopicFigures], system: SystemFigures) -> list[Metric]:
    """Return all metrics, at most :data:`MOST_SERIES` series.

    Topics that are crawled come first, then those with the most pages.
    """
    order = sorted(topics, key=lambda name: (-topics[name].crawls, -topics[name].pages, name))
    shown: dict[str, list[TopicFigures]] = {}
    for place, name in enumerate(order):
        label = _label(name) if place < MOST_TOPICS else OTHERS
        shown.setdefault(label, []).append(topics[name])
    sums = {label: _together(figures) for label, figures in shown.items()}
    found = [
        Metric("topiccrawl_up", "The console answers", [({}, 1.0)]),
        Metric("topiccrawl_store_up", "The store answers", [({}, float(system.store_up))]),
        Metric("topiccrawl_topics", "Topics in the store", [({}, float(system.topics))]),
        Metric("topiccrawl_info", "Version", [({"version": system.version}, 1.0)]),
    ]
    if system.disk_free is not None:
        help_ = "Free bytes where queue and store are"
        found.append(Metric("topiccrawl_disk_free_bytes", help_, [({}, float(system.disk_free))]))
    for name, value in sorted(system.more.items())[:_MOST_MORE]:
        found.append(Metric(f"topiccrawl_{name}", name.replace("_", " "), [({}, float(value))]))
    for figure in fields(TopicFigures):
        samples = [
            ({"topic": label}, float(getattr(it, figure.name))) for label, it in sums.items()
        ]
        name = f"topiccrawl_{_NAMES.get(figure.name, figure.name)}"
        found.append(Metric(name, _HELP[figure.name], samples))
    return found


def _together(figures: Sequence[TopicFigures]) -> TopicFigures:
    values = {}
    for it in fields(TopicFigures):
        each = [getattr(one, it.name) for one in figures]
        values[it.name] = max(each) if it.name in _LARGEST else sum(each)
    return TopicFigures(**values)


def _label(name: str) -> str:
    """Return the label of a topic: one line of text that any reader of the format takes."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)
    return text[:_LONGEST_LABEL] or "\N{REPLACEMENT CHARACTER}"

"""Figures of a collection and of its crawls for monitoring: a bounded number of series.

However many topics and hosts there are, :func:`metrics` returns at most :data:`MOST_SERIES` series: topics
beyond the largest ones are summed up, and no series belongs to a host.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

#: Series at most (a choice: a Prometheus of a small installation keeps 300 a target easily).
MOST_SERIES: Final = 300
#: Topics that have series of their own: 16 figures each, with those of all others together.
MOST_TOPICS: Final = 15
#: Label of the others.
OTHERS: Final = "(others)"
#: Characters of a label.
_LONGEST_LABEL: Final = 100


def _figure(help_: str, *, name: str = "", largest: bool = False) -> Any:
    """Declare a figure by its help; *name* is that of its metric, by default the field's.

    Figures of several topics are summed up; of some, the *largest* counts.
    """
    return field(default=0, metadata={"help": help_, "name": name, "largest": largest})


@dataclass(frozen=True, slots=True)
class TopicFigures:
    """Figures of one topic; crawls are those that run now on this machine."""

    pages: int = _figure("Pages in the store, without copies")
    crawls: int = _figure("Crawling processes")
    paused: int = _figure("Crawling processes that are paused")
    silent: int = _figure("Crawling processes that have not written their state for a while")
    fetched: int = _figure("Pages fetched by the running processes")
    relevant: int = _figure("Of these, pages that were kept")
    stored: int = _figure("Of these, pages stored without copies")
    failed: int = _figure("Requests of the running processes that failed")
    speed: float = _figure("Pages per second, of the last minute", name="pages_per_second")
    queued: int = _figure("Links in the queue")
    delayed: int = _figure("Links that wait for their next try")
    errors: int = _figure("Log lines of level ERROR of the running processes")
    warnings: int = _figure("Log lines of level WARNING of the running processes")
    updated_at: float = _figure(
        "Last write of the state of a running process, seconds since 1970",
        name="updated_timestamp_seconds",
        largest=True,
    )
    killed: int = _figure("Kept runs that were killed")


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


#: Further figures of the console at most.
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
        name = f"topiccrawl_{figure.metadata['name'] or figure.name}"
        found.append(Metric(name, figure.metadata["help"], samples))
    return found


def _together(figures: Sequence[TopicFigures]) -> TopicFigures:
    values = {}
    for it in fields(TopicFigures):
        each = [getattr(one, it.name) for one in figures]
        values[it.name] = max(each) if it.metadata["largest"] else sum(each)
    return TopicFigures(**values)


def _label(name: str) -> str:
    """Return the label of a topic: one line of text that any reader of the format takes."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)
    return text[:_LONGEST_LABEL] or "\N{REPLACEMENT CHARACTER}"

"""The state of one running crawl, as it is written every few seconds and read by others."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from typing import Any, Final, Literal, TypeAlias, get_args

#: Format of the file; files of another one are ignored.
FORMAT: Final = 1

#: What a crawl does; ``ended`` is the last one.
Phase: TypeAlias = Literal["starting", "running", "waiting", "paused", "stopping", "ended"]

#: Pages fetched, of these relevant, and seconds since the start.
CurvePoint: TypeAlias = tuple[int, int, float]


@dataclass(frozen=True, slots=True)
class HeadLink:
    """One of the best waiting links, with the reasons of its score."""

    url: str = ""
    host: str = ""
    score: float = 0.0
    anchor: str = ""
    parent: str = ""
    depth: int = 0
    found_by: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HostState:
    """One host of this run."""

    host: str = ""
    pages: int = 0
    """Responses of this run."""
    kept: int = 0
    errors: int = 0
    """Responses with a status of 400 or more, and requests without a response."""
    delay: float = 0.0
    """Seconds between two requests."""
    active: int = 0
    """Requests that wait for their response."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A warning or an error."""

    at: float = 0.0
    level: str = ""
    logger: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """The state of one process that crawls a topic."""

    run: str
    topic: str
    pid: int
    started_at: float
    """Times are seconds since 1970."""
    updated_at: float
    phase: Phase
    spider: str = ""
    launch: str = ""
    """Identity of the start by a console; empty for other crawls."""
    machine: str = ""
    """Name of the machine and its process numbers: ``pid`` means something only there."""
    command: tuple[str, ...] = ()
    """The command line without values that may be secret."""
    store: str = ""
    """Address of the store without its password."""
    stop_reason: str = ""
    interval: float = 2.0
    pages: int = 0
    relevant: int = 0
    stored: int = 0
    copies: int = 0
    left: int = 0
    """Pages that left the collection after a new judgment, and that entered it; of earlier runs too."""
    entered: int = 0
    visits: int = 0
    """Known pages that were visited again."""
    dropped: int = 0
    failed: int = 0
    speed: float = 0.0
    """Pages per second, of the last minute."""
    queued: int = 0
    delayed: int = 0
    leased: int = 0
    done: int = 0
    given_up: int = 0
    queue_hosts: int = 0
    waits_for: str = ""
    error_lines: int = 0
    warning_lines: int = 0
    curve: tuple[CurvePoint, ...] = ()
    problems: tuple[LogEntry, ...] = ()
    """The last warnings and errors."""
    head: tuple[HeadLink, ...] = ()
    """The best waiting links; only while somebody looks."""
    hosts: tuple[HostState, ...] = ()
    """The hosts with the most pages and those in work; only while somebody looks."""

    @property
    def harvest_rate(self) -> float:
        """Share of the fetched pages that were kept, in [0, 1]."""
        return self.relevant / self.pages if self.pages else 0.0

    def as_json(self) -> bytes:
        """Return the content of the file."""
        document = {"format": FORMAT, **asdict(self)}
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(
            "utf-8", "replace"
        )

    @classmethod
    def from_json(cls, data: bytes) -> RunState | None:
        """Return the state in a file, ``None`` for another format or a damaged file."""
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):
            return None
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            return None
        try:
            values = {it.name: document[it.name] for it in fields(cls) if it.name in document}
            for name, value in values.items():
                values[name] = _checked(name, value)
            return cls(**values)
        except (AttributeError, KeyError, TypeError, ValueError):
            return None


_RECORDS: Final = {"problems": LogEntry, "head": HeadLink, "hosts": HostState}
_TEXTS: Final = frozenset(it.name for it in fields(RunState) if it.type in ("str", "Phase"))


def _checked(name: str, value: Any) -> Any:
    if name in _TEXTS:
        if not isinstance(value, str) or (name == "phase" and value not in get_args(Phase)):
            raise TypeError(name)
        return value
    if name == "command":
        return tuple(map(str, value))
    if name == "curve":
        return tuple((int(pages), int(kept), _number(at)) for pages, kept, at in value)
    if (record := _RECORDS.get(name)) is not None:
        return tuple(_record(record, it) for it in value)
    return _number(value)


def _record(cls: type[Any], document: Mapping[str, Any]) -> Any:
    values: dict[str, Any] = {}
    for it in fields(cls):
        value = document.get(it.name, None if it.default is MISSING else it.default)
        if it.name == "parts":
            values[it.name] = {str(k): _number(v) for k, v in dict(value or {}).items()}
        elif isinstance(it.default, str):
            values[it.name] = str(value)
        else:
            values[it.name] = _number(value)
    return cls(**values)


def _number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError(value)
    return value

"""What is known about the visits and changes of one page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

#: An article is visited for its text, a list (a front page, a channel, a feed) for its new links.
PageKind = Literal["article", "list"]
#: Visits kept one by one; older ones are only counted (a guess: a page that is visited every other day
#: keeps two months, 1 KB in the store).
MOST_VISITS = 32
#: Signals kept one by one (a guess: those before the last visit only matter to the trust in their source).
MOST_SIGNALS = 16


class Visit(NamedTuple):
    """One later fetch of a page: when, whether its text or link list differed, new links found."""

    at: float
    changed: bool
    new_links: int = 0


class Signal(NamedTuple):
    """A source's claim that the page changed at a time."""

    at: float
    source: str


@dataclass(frozen=True, slots=True)
class PageHistory:
    """Visits, changes and change signals of one page; times are POSIX timestamps in seconds.

    Visits and signals are bounded; what no longer fits is counted in ``earlier_visits`` and
    ``earlier_changes``.
    """

    first_seen: float
    """When the page was fetched for the first time."""
    site: str = ""
    directory: str = ""
    """Pages of one directory share prior knowledge; see :func:`directory_of`."""
    kind: PageKind = "article"
    visits: tuple[Visit, ...] = ()
    """Fetches after the first, oldest first."""
    signals: tuple[Signal, ...] = ()
    earlier_visits: int = 0
    earlier_changes: int = 0
    earlier_until: float = 0.0
    """Time of the last visit that is only counted; 0: none."""
    gone: bool = False
    """The page's address answered 404 or 410 at the last visit."""

    @property
    def last_visit(self) -> float:
        """Time of the last fetch."""
        return self.visits[-1].at if self.visits else max(self.first_seen, self.earlier_until)

    @property
    def changes(self) -> int:
        """Number of visits that found a change."""
        return self.earlier_changes + sum(visit.changed for visit in self.visits)

    def visited(self, at: float, changed: bool, new_links: int = 0) -> PageHistory:
        """Return the history with one more visit; a visit means that the page exists."""
        visits = (*self.visits, Visit(at, changed, new_links))
        dropped, kept = visits[:-MOST_VISITS], visits[-MOST_VISITS:]
        return replace(
            self,
            visits=kept,
            gone=False,
            earlier_visits=self.earlier_visits + len(dropped),
            earlier_changes=self.earlier_changes + sum(visit.changed for visit in dropped),
            earlier_until=dropped[-1].at if dropped else self.earlier_until,
        )

    def signaled(self, at: float, source: str) -> PageHistory:
        """Return the history with one more signal; one that is already known changes nothing."""
        signal = Signal(at, source)
        if signal in self.signals:
            return self
        signals = sorted((*self.signals, signal))[-MOST_SIGNALS:]
        return replace(self, signals=tuple(signals))

    def vanished(self, at: float) -> PageHistory:
        """Return the history of a page whose address answered 404 or 410."""
        return replace(self.visited(at, changed=not self.gone), gone=True)

    def until(self, at: float) -> PageHistory:
        """Return the history as it was at a time, as far as its visits were kept one by one."""
        visits = tuple(visit for visit in self.visits if visit.at <= at)
        signals = tuple(signal for signal in self.signals if signal.at <= at)
        return replace(self, visits=visits, signals=signals)

    def not_after(self, at: float) -> PageHistory:
        """Return the history with all later times moved to *at*: they are of before a clock was set back."""
        if max(self.last_visit, self.first_seen) <= at:
            return self
        return replace(
            self,
            first_seen=min(self.first_seen, at),
            visits=tuple(visit._replace(at=min(visit.at, at)) for visit in self.visits),
            earlier_until=min(self.earlier_until, at),
        )

    def to_json(self) -> dict[str, Any]:
        """Return a JSON object; :meth:`from_json` is its inverse."""
        return {
            "first_seen": self.first_seen,
            "site": self.site,
            "directory": self.directory,
            "kind": self.kind,
            "visits": [[visit.at, int(visit.changed), visit.new_links] for visit in self.visits],
            "signals": [list(signal) for signal in self.signals],
            "earlier": [self.earlier_visits, self.earlier_changes, self.earlier_until],
            "gone": self.gone,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> PageHistory:
        """Read what :meth:`to_json` returned; absent fields have their defaults."""
        visits, changes, until = record.get("earlier", (0, 0, 0.0))
        return cls(
            first_seen=float(record["first_seen"]),
            site=record.get("site", ""),
            directory=record.get("directory", ""),
            kind=record.get("kind", "article"),
            visits=tuple(
                Visit(float(v[0]), bool(v[1]), int(v[2])) for v in record.get("visits", ())
            ),
            signals=tuple(
                Signal(float(at), str(source)) for at, source in record.get("signals", ())
            ),
            earlier_visits=int(visits),
            earlier_changes=int(changes),
            earlier_until=float(until),
            gone=bool(record.get("gone", False)),
        )


def directory_of(url: str) -> str:
    """Return the part of a URL that siblings share: everything up to the last ``/`` of the path.

    Examples
    --------
    >>> directory_of("https://www.gqb.gov.cn/news/2024/0315/58961.shtml?from=index")
    'https://www.gqb.gov.cn/news/2024/0315/'
    """
    plain = url.split("#", 1)[0].split("?", 1)[0]
    head, slash, rest = plain.partition("://")
    if not slash:
        return plain[: plain.rfind("/") + 1]
    return head + slash + (rest[: rest.rfind("/") + 1] if "/" in rest else rest + "/")

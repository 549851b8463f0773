"""What the request of a revisit carries through the queue."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Self

from topiccrawl.urls.canonical import canonical_url

#: What is visited: an article for its text, a list page or a feed for its new links.
VisitKind = Literal["article", "list", "feed"]

#: Key of ``request.meta``: the request visits a known address again.
REVISIT: Final = "topic_revisit"
#: Key of ``request.meta``: the stored visit record of the address, for the time of one download.
KNOWN_VISIT: Final = "topic_known_visit"
#: Signals that a mark carries, at most: a sitemap states one time for each page (a choice).
MOST_SIGNALS: Final = 4


@dataclass(frozen=True, slots=True)
class RevisitMark:
    """A request for an address that was visited before."""

    url: str
    """Canonical URL; the target of a redirect has another one and is not a revisit."""
    kind: VisitKind = "article"
    signals: Sequence[tuple[float, str]] = ()
    """What sitemaps and feeds say about the page: time of the change, and which of them says so."""
    offered: float = math.inf
    """When the visit was planned, in seconds on the frontier's clock: a later visit is this one, made before."""

    def meta(self) -> dict[str, Any]:
        """Return the meta of the request."""
        signals = [list(it) for it in self.signals[-MOST_SIGNALS:]]
        found: dict[str, Any] = {"url": self.url, "kind": self.kind, "signals": signals}
        if math.isfinite(self.offered):
            found["offered"] = self.offered
        return {REVISIT: found}

    @classmethod
    def of(cls, meta: Mapping[str, Any]) -> Self | None:
        """Return the mark of a request, ``None`` for one without, or with a damaged one."""
        given = meta.get(REVISIT)
        if not isinstance(given, Mapping):
            return None
        url, kind = given.get("url"), given.get("kind")
        if not isinstance(url, str) or kind not in ("article", "list", "feed"):
            return None
        offered = given.get("offered")
        return cls(
            url,
            kind,
            _signals(given.get("signals")),
            float(offered) if isinstance(offered, int | float) else math.inf,
        )

    @classmethod
    def of_url(cls, meta: Mapping[str, Any], url: str) -> Self | None:
        """Return the mark of a request for *url*; ``None`` also behind a redirect to another address."""
        mark = cls.of(meta)
        return mark if mark is not None and mark.url == canonical_url(url) else None


def _signals(given: object) -> tuple[tuple[float, str], ...]:
    found = []
    for it in given if isinstance(given, list) else []:
        if isinstance(it, list | tuple) and len(it) == 2 and isinstance(it[1], str):
            at = it[0]
            if isinstance(at, int | float) and math.isfinite(at):
                found.append((float(at), it[1]))
    return tuple(found[:MOST_SIGNALS])

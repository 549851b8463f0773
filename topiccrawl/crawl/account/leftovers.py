"""What a run leaves in its queue, and what never got there, by the limits that are the reason."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from topiccrawl.frontier.contract import Frontier

#: Waiting links whose hosts are looked at, the best first (a choice: some 10 ms).
_LOOKED_AT: Final = 1_000


@dataclass(frozen=True, slots=True)
class Closed:
    """Waiting links of hosts that are outside their time window."""

    links: int
    others: int
    """Links of other hosts among those that were looked at."""
    opens: float
    """When the first of the hosts opens; 0 if none is closed."""


def closed_hosts(
    frontier: Frontier,
    opens_at: Callable[[str, float], float | None],
    now: float,
    most: int = _LOOKED_AT,
) -> Closed:
    """Return how many of the *most* best links wait for the time windows of their hosts.

    *opens_at* returns when a host opens, ``None`` for one that is open; *now* is on the frontier's clock.
    """
    opens = cache(lambda host: opens_at(host, now))
    moments = [opens(link.host) for link in frontier.best(most)]
    closed = [moment for moment in moments if moment is not None]
    return Closed(len(closed), len(moments) - len(closed), min(closed, default=0.0))


def over_budget(frontier: Frontier, stats: Mapping[str, object], before: int, most: int) -> int:
    """Return how many links a run did not keep because of the budgets of their hosts.

    0 if the queue may have been full in the meantime, which drops links, too.

    *stats* are those of the run, with the prefix ``topiccrawl/frontier/``; *before* are the links that the queue had
    dropped when it began, or for other reasons that are not among *stats*.  *most* is the number of links that the
    queue may have; 0: no limit.
    """
    size = frontier.size()
    ever = size.queued + size.delayed + size.leased + size.done + size.given_up + size.forgotten
    if most and ever > most:
        return 0

    def count(name: str) -> int:
        found = stats.get(f"topiccrawl/frontier/{name}", 0)
        return found if isinstance(found, int) else 0

    dropped = size.forgotten - before - count("exhausted") - count("out_of_scope")
    return max(0, dropped) + count("refused")

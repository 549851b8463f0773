"""Options that every backend of the frontier accepts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _

#: Finished links kept as rows: some 300 bytes each in SQLite, a gigabyte and a half.
EXACT_LINKS: Final = 5_000_000
#: First part of all keys in Redis.
DEFAULT_PREFIX: Final = "topiccrawl"


@dataclass(frozen=True, slots=True)
class FrontierLimits:
    """Limits of one frontier; raises :class:`ConfigurationError` for values that make no sense."""

    max_links: int = 0
    """Most queued and delayed links; beyond it the worst are dropped; 0 = no limit."""
    host_budget: int = 0
    """Different links of one host that are handed out before the rest is dropped (crawler traps);
    0 = no limit."""
    lease_seconds: float = 1800.0
    """How long a popped link belongs to its worker.  A guess: far above the time-out of a download and
    its retries, far below a working day."""
    max_attempts: int = 3
    """Failures of a link before it is given up."""
    max_returns: int = 8
    """How often a link may come back from a dead worker or an expired lease before it is given up.  A
    guess: a machine that is often switched off does no harm, and a page that kills its worker does not
    come back forever."""
    worker_seconds: float = 60.0
    """A worker without a heartbeat for this long is dead."""
    host_concurrency: int = 0
    """Transfers from one host at a time, over all workers; 0 = no limit."""
    host_concurrencies: Mapping[str, int] = field(default_factory=dict)
    """The same for single hosts that differ."""
    host_delay: float = 0.0
    """Seconds between the beginnings of two transfers from one host, until ``transfer_finished`` sets
    the host's own."""

    def __post_init__(self) -> None:
        lows = {"max_links": 0, "host_budget": 0, "max_attempts": 1, "max_returns": 0}
        for name, low in {**lows, "host_concurrency": 0, "host_delay": 0}.items():
            if getattr(self, name) < low:
                raise ConfigurationError(
                    _("{name} must be >= {low}, got {value!r}").format(
                        name=name, low=low, value=getattr(self, name)
                    )
                )
        for name in ("lease_seconds", "worker_seconds"):
            if not getattr(self, name) > 0:
                raise ConfigurationError(
                    _("{name} must be > 0, got {value!r}").format(
                        name=name, value=getattr(self, name)
                    )
                )

    def concurrency(self, host: str) -> int:
        """Return the transfers from *host* at a time; 0 = no limit."""
        return self.host_concurrencies.get(host, self.host_concurrency)

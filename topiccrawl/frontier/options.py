"""What every backend of the frontier can be told."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class FrontierLimits:
    """Limits of one frontier; raises :class:`ConfigurationError` for values that make no sense."""

    max_links: int = 0
    """Queued and delayed links together; beyond it the worst are forgotten; 0 = no limit."""
    host_budget: int = 0
    """Different links of one host that are handed out before the rest of it is forgotten (crawler
    traps); 0 = no limit."""
    lease_seconds: float = 1800.0
    """How long a popped link belongs to its worker.  A guess: far above a download's time-out and
    its retries, far below a working day."""
    max_attempts: int = 3
    """Failures and expired leases of a link before it is given up."""

    def __post_init__(self) -> None:
        for name, low in (("max_links", 0), ("host_budget", 0), ("max_attempts", 1)):
            if getattr(self, name) < low:
                raise ConfigurationError(f"{name} must be >= {low}, got {getattr(self, name)!r}")
        if not self.lease_seconds > 0:
            raise ConfigurationError(f"lease_seconds must be > 0, got {self.lease_seconds!r}")

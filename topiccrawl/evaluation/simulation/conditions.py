"""The conditions of all crawls of stored webs, simulated and true: the order of links, alone.

A stored web answers at once and never changes: politeness and budgets of hosts would only blur what
is compared.  They are printed with every figure.
"""

from __future__ import annotations

__all__ = ["CONDITIONS"]

CONDITIONS: dict[str, object] = {
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "TOPICCRAWL_HOST_BUDGET_PAGES": 0,
    "TOPICCRAWL_HOST_BUDGET_GROWTH": 0,
    # Addresses above the pages found are no links, and the simulation follows nothing else.
    "TOPICCRAWL_RESEED": False,
}

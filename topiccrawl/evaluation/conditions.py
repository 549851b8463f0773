"""Settings shared by all crawls of stored webs, simulated and real.

A stored web answers at once and never changes, so politeness and host budgets would only blur the
comparison of link orders.  The conditions are printed with every table.
"""

from __future__ import annotations

#: Settings by name; they override the project's.
CONDITIONS: dict[str, object] = {
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "TOPICCRAWL_HOST_BUDGET_PAGES": 0,
    "TOPICCRAWL_HOST_BUDGET_GROWTH": 0,
    # Reseeding adds parent URLs of known pages; the simulation follows links only.
    "TOPICCRAWL_RESEED": False,
    # The simulation analyzes each page once for all strategies, whatever came before it.
    "TOPICCRAWL_HOST_LINES": False,
}

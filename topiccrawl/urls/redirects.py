"""Which answers of a server redirect."""

from __future__ import annotations

from typing import Final

#: Statuses whose ``Location`` header a crawler follows, as Scrapy's RedirectMiddleware does.
REDIRECT_STATUSES: Final = frozenset({301, 302, 303, 307, 308})

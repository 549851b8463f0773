"""Dates in sitemaps and feeds."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

#: Days after which a page has half the recency of one of today (a guess).
_HALF_DAYS: Final = 365.0
_ISO: Final = re.compile(r"\s*([0-9]{4})-([0-9]{1,2})(?:-([0-9]{1,2}))?")


def moment_of(text: str) -> datetime | None:
    """Return the day of a date in W3C's format or the moment of one of RFC 822; ``None`` if it is neither.

    >>> moment_of("2024-03-15T08:00:00+08:00")
    datetime.datetime(2024, 3, 15, 0, 0, tzinfo=datetime.timezone.utc)
    """
    found = _ISO.match(text)
    try:
        if found is not None:
            return datetime(int(found[1]), int(found[2]), int(found[3] or 1), tzinfo=UTC)
        moment = parsedate_to_datetime(text) if text else None
    except (ValueError, TypeError, OverflowError):
        return None
    if moment is None:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def recency(text: str, now: datetime) -> float:
    """Return h / (h + d) for a date d days before *now*, with h = 365; 0 without a date."""
    moment = moment_of(text)
    if moment is None:
        return 0.0
    days = max((now - moment).total_seconds() / 86_400, 0.0)
    return _HALF_DAYS / (_HALF_DAYS + days)

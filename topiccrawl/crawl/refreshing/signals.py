"""Times of changes according to sitemaps and feeds."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

from topiccrawl.page.dates import CHINA_TIME

_DAY_ONLY: Final = re.compile(r"\s*([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})\s*\Z")
#: A time before it is a fault of the site: there was no web.
_FIRST: Final = datetime(1990, 1, 1, tzinfo=UTC)


def claimed_at(text: str, now: float) -> float | None:
    """Return the moment that *text* states, in seconds; ``None`` for none, or one in the future.

    A day without a time is taken as its end in China, at the latest now: the change may have come after the
    visit of that day.  A time without a zone is one in China, as in pages.

    Examples
    --------
    >>> claimed_at("2024-03-15T08:00:00+08:00", 1.8e9)
    1710460800.0
    >>> claimed_at("2024-03-15 08:00:00", 1.8e9)
    1710460800.0
    """
    if day := _DAY_ONLY.match(text):
        try:
            begin = datetime(int(day[1]), int(day[2]), int(day[3]), tzinfo=CHINA_TIME)
        except ValueError:
            return None
        if begin.timestamp() > now:
            return None
        return min((begin + timedelta(days=1)).timestamp() - 1.0, now)
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        try:
            moment = parsedate_to_datetime(text)
        except (ValueError, TypeError, OverflowError, IndexError):
            return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC if text.rstrip().endswith("-0000") else CHINA_TIME)
    if moment < _FIRST or moment.timestamp() > now:
        return None
    return moment.timestamp()

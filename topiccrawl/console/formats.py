"""Filters of the templates: numbers, times and links in the form that reports use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, Final

from topiccrawl.language import _
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.scale import china_day, moment, number, percent, short, span_text

__all__ = ["FILTERS"]


def _moment(at: datetime | None) -> str:
    """Return a time in China to the minute."""
    return "—" if at is None else moment(at)


def _day(at: datetime | date | None) -> str:
    """Return a day in China."""
    if at is None:
        return "—"
    return str(china_day(at) if isinstance(at, datetime) else at)


def _stamp(at: datetime | date) -> str:
    """Return a time for the attribute ``datetime`` of an element ``time``."""
    return at.isoformat(timespec="minutes") if isinstance(at, datetime) else at.isoformat()


def _number(value: float | None) -> str:
    return "—" if value is None else number(value)


def _percent(value: float | None) -> str:
    return "—" if value is None else percent(value)


def _score(value: float | None) -> str:
    return "—" if value is None else short(value)


def _bytes(count: float) -> str:
    """Return a number of bytes as ``1.2 MB``."""
    for unit in ("B", "KB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.3g} {unit}"
        count /= 1000
    raise AssertionError


def _titled(text: object) -> str:
    """Return a title as one line, or a word that stands for a missing one."""
    return clean(str(text), 200) or _("(no title)")


#: Filters by name: ``{{ page.published_at | moment }}``.
FILTERS: Final[Mapping[str, Callable[..., Any]]] = {
    "moment": _moment,
    "day": _day,
    "stamp": _stamp,
    "number": _number,
    "percent": _percent,
    "score": _score,
    "span": span_text,
    "bytes": _bytes,
    "clean": clean,
    "titled": _titled,
}

"""The period and the filters of a view: from the parameters of a request to a selection of pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from topiccrawl.console.paths import topic_path
from topiccrawl.errors import ConfigurationError
from topiccrawl.insight.days import day_of, day_of_moment
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.selection import Selection, span
from topiccrawl.insight.trends import period_of
from topiccrawl.language import _
from topiccrawl.reporting.when import parse_when
from topiccrawl.text.normalize import normalize
from topiccrawl.text.searching import host_as_stored

#: Lengths of the periods that a link chooses, in days; 0: all.
PRESETS: Final = (7, 30, 90, 365, 0)

#: Characters of a parameter that are read (a guess: longer than any host or term).
_MOST_TEXT: Final = 200


def asked_selection(parameters: Mapping[str, str], overview: Overview, now: datetime) -> Selection:
    """Return the selection that ``since``, ``until``, ``days``, ``by``, ``site`` and ``term`` ask for.

    Its period is always stated: by default, the last 90 days that have pages. Raises ``ConfigurationError``
    if ``since`` or ``until`` is not a time, or the former is later.
    """
    clock = "seen" if parameters.get("by") == "seen" else "published"
    selection = Selection(
        clock=clock,  # type: ignore[arg-type]
        site=host_as_stored(parameters.get("site", "").strip()[:_MOST_TEXT]),
        term=normalize(parameters.get("term", "").strip()[:_MOST_TEXT]),
    )
    return asked_days(parameters, overview, now, selection)


def asked_days(
    parameters: Mapping[str, str], overview: Overview, now: datetime, selection: Selection
) -> Selection:
    """Return *selection* with the period that the parameters ask for."""
    first = _day("since", parameters, now, end=False)
    last = _day("until", parameters, now, end=True)
    if first is not None and last is not None and first > last:
        raise ConfigurationError(_("since must not be later than until"))
    days = parameters.get("days", "")
    if first is None and days.isascii() and days.isdecimal() and len(days) < 6:
        whole = span(overview, selection.clock) or (0, 0)
        end = min(last, whole[1]) if last is not None else whole[1]
        first = end - int(days) + 1 if int(days) else whole[0]
        last = end
    chosen = replace(selection, first_day=first, last_day=last)
    start, end = period_of(overview, chosen)
    return replace(chosen, first_day=start, last_day=end)


def _day(name: str, parameters: Mapping[str, str], now: datetime, *, end: bool) -> int | None:
    text = parameters.get(name, "").strip()[:_MOST_TEXT]
    # Pages may state a day that is to come, and the chart links to it.
    return day_of_moment(parse_when(name, text, now, end=end, future=True)) if text else None


def day_name(number: int | None) -> str:
    """Return a day as ``2026-03-02``."""
    return "" if number is None else day_of(number).isoformat()


def period_name(selection: Selection) -> str:
    """Return the period of a selection for readers."""
    first, last = day_name(selection.first_day), day_name(selection.last_day)
    return first if first == last else f"{first} – {last}"


def preset_links(parameters: Mapping[str, str], topic: str, view: str) -> list[dict[str, object]]:
    """Return the links that choose a period of a view, keeping the other parameters."""
    kept = {name: parameters.get(name, "") for name in ("by", "site", "term", "order")}
    return [
        {
            "text": _("{n} days").format(n=days) if days else _("All"),
            "href": topic_path(topic, view, days=str(days), **kept),
            "current": parameters.get("days", "") == str(days),
        }
        for days in PRESETS
    ]

"""The visits of a page as text: how many there were, how often it had changed, and when the next one is."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from topiccrawl.freshness.history import PageHistory
from topiccrawl.language import N_, _, ngettext
from topiccrawl.reporting.scale import moment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topiccrawl.freshness.outlook import NextVisit
    from topiccrawl.store.visits import VisitRecord

#: Why a page that is not in the order of articles is visited then.
_REASONS: Final = {
    "list": N_("a list, visited before new links have left it"),
    "idle": N_("a list that rests: it has had no new link for more than a day"),
    "missing": N_("its site did not have the page; it is looked for a second time"),
    "gone": N_("its site does not have the page; it is looked for rarely"),
}


def visit_text(record: VisitRecord) -> str | None:
    """Return how often the page was visited again, and what that found; ``None`` without such a visit."""
    try:
        history = PageHistory.from_json(json.loads(record.history))
    except (ValueError, TypeError, KeyError, AttributeError, IndexError):
        return None
    visits = history.earlier_visits + len(history.visits)
    if not visits:
        return None
    days = (history.last_visit - history.first_seen) / 86_400
    if history.kind == "list":
        links = sum(it.new_links for it in history.visits)
        return ngettext(
            "visited again once in {days:.1f} days, new links: {links}",
            "visited again {visits} times in {days:.1f} days, new links: {links}",
            visits,
        ).format(visits=visits, days=days, links=links)
    return ngettext(
        "visited again once in {days:.1f} days, changes: {changes}",
        "visited again {visits} times in {days:.1f} days, changes: {changes}",
        visits,
    ).format(visits=visits, days=days, changes=history.changes)


def next_visit_facts(visit: NextVisit) -> Iterator[tuple[str, str]]:
    """Yield names and texts of what is known in advance about the next visit of a page."""
    when = _("due now")
    if not visit.due:
        when = _("from {time} (UTC+8)").format(time=moment(datetime.fromtimestamp(visit.at, UTC)))
    if visit.reason != "article":
        yield (
            _("next visit"),
            _("{when}; {reason}").format(when=when, reason=_(_REASONS[visit.reason])),
        )
        return
    text = _("{when}; no. {place} of {articles} articles in the order {policy}").format(
        when=when, place=visit.place, articles=visit.articles, policy=visit.policy
    )
    if visit.per_day:
        days = visit.place / visit.per_day
        words = _("{text}; reached after {days:.1f} days of {per_day} visits")
        if days <= 1:
            words = _("{text}; reached within a day of {per_day} visits")
        text = words.format(text=text, days=days, per_day=visit.per_day)
    yield _("next visit"), text
    if visit.rate:
        yield (
            _("expected changes"),
            _("one in {days:.3g} days, learned from the page, its directory and its site").format(
                days=1 / visit.rate
            ),
        )

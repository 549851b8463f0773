"""The visits of a page in one line: how many, and how often it had changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from topiccrawl.freshness.history import PageHistory
from topiccrawl.language import _

if TYPE_CHECKING:
    from topiccrawl.store.visits import VisitRecord


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
        return _("visited again {visits} times in {days:.1f} days, {links} new links").format(
            visits=visits, days=days, links=links
        )
    return _("visited again {visits} times in {days:.1f} days, {changes} changes").format(
        visits=visits, days=days, changes=history.changes
    )

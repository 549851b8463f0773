"""A report as plain text and as JSON: what a nightly mail or a program reads."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from topiccrawl.language import _, choose, ngettext
from topiccrawl.reporting.aggregates.activity import Activity, ActivityRow
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.scale import moment, number, percent
from topiccrawl.reporting.words.reasons import reason_text
from topiccrawl.store.values import in_zone

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from topiccrawl.reporting.aggregates.report_data import ReportData


def report_text(data: ReportData) -> str:
    """Return the report as text in the user's language, without escapes or markup."""
    return "\n".join(_lines(data)) + "\n"


def report_json(data: ReportData) -> str:
    """Return the report as JSON: times in ISO 8601, UTC; days are those of China."""
    counts, activity = data.counts, data.activity or Activity(data.generated_at)
    document: dict[str, Any] = {
        "topic": clean(data.topic, 80),
        "generated_at": _iso(data.generated_at),
        "since": _iso(data.since),
        "run": data.run_id,
        "pages": data.collection,
        "fetched": counts.fetched,
        "stored": counts.stored,
        "copies": counts.copies,
        "dropped": counts.dropped,
        "failed": counts.failed,
        "queued": counts.queued,
        "harvest": round(counts.harvest, 4),
        "activity": {
            "since": _iso(activity.since),
            "new": activity.new,
            "changed": activity.changed,
            "gone": activity.gone,
            "days": [
                {"day": str(it.day), "new": it.new, "changed": it.changed, "gone": it.gone}
                for it in activity.days
            ],
            "new_pages": _rows(activity.new_pages),
            "changed_pages": _rows(activity.changed_pages),
            "gone_pages": _rows(activity.gone_pages),
        },
        "runs": [
            {
                "id": clean(run.id, 60),
                "started_at": _iso(run.started_at),
                "finished": run.finished,
                "stop_reason": clean(run.stop_reason, 60),
                "fetched": run.counts.fetched,
                "stored": run.counts.stored,
            }
            for run in data.runs
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _lines(data: ReportData) -> Iterator[str]:
    counts, activity = data.counts, data.activity
    yield _("{topic}: report of {time} (UTC+8)").format(
        topic=clean(data.topic, 80), time=moment(data.generated_at)
    )
    yield ngettext(
        "In the collection: {pages} page", "In the collection: {pages} pages", data.collection
    ).format(pages=number(data.collection))
    if data.since is not None:
        yield _("Since {since}:").format(since=moment(data.since))
    yield _(
        "Fetched {fetched}, stored {stored}, copies {copies}, failed {failed}; on topic {harvest}"
    ).format(
        fetched=number(counts.fetched),
        stored=number(counts.stored),
        copies=number(counts.copies),
        failed=number(counts.failed),
        harvest=percent(counts.harvest),
    )
    if (run := data.last_run) is not None:
        reason = choose(*reason_text(clean(run.stop_reason, 60))) if run.stop_reason else "—"
        yield _("The last run ended: {reason}").format(reason=reason)
    if activity is not None:
        yield from _activity(activity)


def _activity(activity: Activity) -> Iterator[str]:
    yield ""
    yield ngettext(
        "Since {since}: {new} new page, {changed} changed, {gone} gone",
        "Since {since}: {new} new pages, {changed} changed, {gone} gone",
        activity.new,
    ).format(
        since=moment(activity.since),
        new=number(activity.new),
        changed=number(activity.changed),
        gone=number(activity.gone),
    )
    for day in activity.days:
        figures = ((_("new"), day.new), (_("changed"), day.changed), (_("gone"), day.gone))
        yield f"  {day.day}  " + "  ".join(f"{name} {number(n)}" for name, n in figures)
    yield from _pages(_("New pages"), activity.new, activity.new_pages)
    yield from _pages(_("Changed pages"), activity.changed, activity.changed_pages)
    yield from _pages(_("Pages that are gone from their sites"), activity.gone, activity.gone_pages)


def _pages(heading: str, count: int, rows: Sequence[ActivityRow]) -> Iterator[str]:
    if not rows:
        return
    yield ""
    yield _("{heading} ({count}):").format(heading=heading, count=number(count))
    for row in rows:
        yield f"  {moment(row.at)}  {row.title}"
        if row.url:
            yield f"    {row.url}"
    if count > len(rows):
        yield _("  … and {count} more").format(count=number(count - len(rows)))


def _rows(rows: Sequence[ActivityRow]) -> list[dict[str, str | None]]:
    return [
        {"at": _iso(row.at), "url": row.url, "title": row.title, "site": row.site} for row in rows
    ]


def _iso(at: datetime | None) -> str | None:
    return None if at is None else in_zone(at, UTC).isoformat(timespec="seconds")

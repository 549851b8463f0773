"""What the visits of a run have found, in a few lines for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.language import _, choose
from topiccrawl.reporting.words import reason_text

#: Reasons of failed visits that are named, the most frequent ones (a guess).
_REASONS = 3

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topiccrawl.crawl.progress import CrawlProgress
    from topiccrawl.crawl.refreshing.found import VisitCounts


def visit_lines(topic: str, counts: VisitCounts, progress: CrawlProgress, known: int) -> list[str]:
    """Return the lines about a run of visits; *known* pages may be visited."""
    if not (counts.visited or counts.failed):
        return [
            _("{topic}: of {known} known pages and lists none is due").format(
                topic=topic, known=known
            )
        ]
    articles = counts.visited - counts.lists
    lines = [
        _("{topic}: {articles} pages and {lists} lists visited again, of {known}").format(
            topic=topic, articles=articles, lists=counts.lists, known=known
        ),
        _(
            "{changed} changed, {unchanged} unchanged, {not_modified} of them not sent again (304)"
        ).format(
            changed=counts.changed,
            unchanged=counts.unchanged,
            not_modified=counts.not_modified,
        ),
        _("{links} new links in lists, {stored} new pages stored").format(
            links=counts.new_links, stored=progress.stored + progress.copies
        ),
    ]
    if counts.missing:
        lines.append(
            _("{missing} pages are missing, {vanished} of them were marked as gone").format(
                missing=counts.missing, vanished=counts.vanished
            )
        )
    if counts.back:
        lines.append(_("{back} pages that were gone are back").format(back=counts.back))
    if counts.failed:
        lines.append(
            _("{failed} visits failed; what is stored stays as it is").format(failed=counts.failed)
        )
    return lines


def visits_problem(counts: VisitCounts, progress: CrawlProgress, reasons: Mapping[str, int]) -> str:
    """Return why a run that tried something has reached nothing; ``""`` if it did, or nothing was due.

    A run that also goes on with its queue has reached something when it fetched a page there.
    *reasons* are the numbers of failed visits by reason.
    """
    if not counts.failed or counts.visited or progress.pages:
        return ""
    named = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))[:_REASONS]
    return _("none of {n} pages could be visited ({reasons})").format(
        n=counts.failed,
        reasons=_(", ").join(f"{choose(*reason_text(name))}: {n}" for name, n in named),
    )

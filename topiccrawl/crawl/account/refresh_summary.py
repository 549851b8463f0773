"""What the visits of a run have found, in a few lines for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.crawl.account.summary import copies_lines
from topiccrawl.language import _, choose, labeled, listed, ngettext
from topiccrawl.reporting.words.reasons import reason_text

#: Reasons of failed visits that are named, the most frequent ones (a guess).
_REASONS = 3

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topiccrawl.crawl.progress import CrawlProgress
    from topiccrawl.crawl.refreshing.visit import VisitCounts


def visit_lines(
    topic: str, counts: VisitCounts, progress: CrawlProgress, known: int, *, taken: int = 0
) -> list[str]:
    """Return the lines about a run of visits: *known* pages may be visited, *taken* links were tried."""
    if not (counts.visited or counts.failed):
        if taken and not _ended(progress):
            return [
                _("{topic}: of {known} known pages and lists none has answered").format(
                    topic=topic, known=known
                )
            ]
        lines = [
            _("{topic}: of {known} known pages and lists none is due").format(
                topic=topic, known=known
            )
        ]
        if progress.pages:
            lines.append(
                _("pages fetched from the queue: {pages}, new pages stored: {stored}").format(
                    pages=progress.pages, stored=progress.stored
                )
            )
        return [*lines, *copies_lines(progress.copies)]
    articles = counts.visited - counts.lists
    lines = [
        _("{topic}: pages visited again: {articles}, lists: {lists}, of {known} known").format(
            topic=topic, articles=articles, lists=counts.lists, known=known
        ),
        _(
            "{changed} changed, {unchanged} unchanged, {not_modified} of them not sent again (304)"
        ).format(
            changed=counts.changed,
            unchanged=counts.unchanged,
            not_modified=counts.not_modified,
        ),
        _("new links in lists: {links}, new pages stored: {stored}").format(
            links=counts.new_links, stored=progress.stored
        ),
        *copies_lines(progress.copies),
    ]
    if counts.missing:
        lines.append(
            ngettext(
                "{missing} page is missing, {vanished} of them were marked as gone",
                "{missing} pages are missing, {vanished} of them were marked as gone",
                counts.missing,
            ).format(missing=counts.missing, vanished=counts.vanished)
        )
    if counts.back:
        lines.append(
            ngettext(
                "{back} page that was gone is back",
                "{back} pages that were gone are back",
                counts.back,
            ).format(back=counts.back)
        )
    if counts.failed:
        lines.append(
            ngettext(
                "{failed} visit failed; what is stored stays as it is",
                "{failed} visits failed; what is stored stays as it is",
                counts.failed,
            ).format(failed=counts.failed)
        )
    return lines


def visits_problem(
    counts: VisitCounts,
    progress: CrawlProgress,
    reasons: Mapping[str, int],
    *,
    taken: int = 0,
    stopped: bool = False,
) -> str:
    """Return why a run that tried something has reached nothing; ``""`` if it did, or nothing was due.

    A run that also goes on with its queue has reached something when it fetched a page there.
    *reasons* are the numbers of failed visits by reason.  A site that is down is waited for: of the links
    *taken* from the queue none may have ended when the time is up.  That is not a failure if a person or a
    signal has *stopped* the run.
    """
    if counts.visited or counts.made_before or progress.pages:
        return ""
    if not counts.failed:
        if not taken or stopped or _ended(progress):
            return ""
        return _("no page could be visited in the time of the run: no site has answered")
    named = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))[:_REASONS]
    text = ngettext(
        "a page could not be visited ({reasons})",
        "none of {n} pages could be visited ({reasons})",
        counts.failed,
    )
    return text.format(
        n=counts.failed,
        reasons=listed(labeled(choose(*reason_text(name)), str(n)) for name, n in named),
    )


def _ended(progress: CrawlProgress) -> bool:
    """Whether any link was fetched, dropped or given up."""
    return bool(progress.pages or progress.dropped or progress.failed)

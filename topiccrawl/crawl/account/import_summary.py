"""The end of an import in a few lines for the terminal: what entered the collection, what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from topiccrawl.imports.reasons import REASONS
from topiccrawl.language import _, ngettext
from topiccrawl.reporting.markup import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topiccrawl.crawl.account.summary import RunSummary
    from topiccrawl.crawl.importing import ImportCounts

#: Reasons for which an example helps: the user can do something about the file.
_WITH_EXAMPLE: Final = frozenset(
    {
        "no-reader",
        "too-large",
        "bomb",
        "nesting",
        "encrypted",
        "other-archive",
        "unsafe-name",
        "damaged",
        "unreadable",
        "url-list",
        "not-a-url",
        "out-of-scope",
    }
)


def import_lines(topic: str, counts: ImportCounts, summary: RunSummary | None) -> list[str]:
    """Return the lines about an import; *summary* is that of its run, ``None`` without a store."""
    return [*_brought(topic, counts, summary), *_left_out(counts)]


def _brought(topic: str, counts: ImportCounts, summary: RunSummary | None) -> Iterator[str]:
    if counts.entries or not counts.urls:
        yield ngettext(
            "{topic}: {count} page or document was read.",
            "{topic}: {count} pages and documents were read.",
            counts.entries,
        ).format(topic=clean(topic), count=counts.entries)
        if summary is not None:
            yield _(
                "{stored} were stored, and {copies} more as copies; {collection} in the collection"
            ).format(
                stored=summary.counts.stored,
                copies=summary.counts.copies,
                collection=summary.collection,
            )
    if counts.urls:
        yield ngettext(
            "{topic}: {new} of {count} URLs is new in the queue of the next crawl.",
            "{topic}: {new} of {count} URLs are new in the queue of the next crawl.",
            counts.queued,
        ).format(topic=clean(topic), new=counts.queued, count=counts.urls)
    if counts.links:
        yield ngettext(
            "{count} link of the pages was added to the queue.",
            "{count} links of the pages were added to the queue.",
            counts.links,
        ).format(count=counts.links)


def _left_out(counts: ImportCounts) -> Iterator[str]:
    if not counts.left_out:
        return
    yield ""
    yield _("Left out:")
    order = {reason: position for position, reason in enumerate(REASONS)}
    for reason in sorted(counts.left_out, key=lambda it: order.get(it, len(order))):
        line = f"  {counts.left_out[reason]:>5}  {_(REASONS.get(reason, reason))}"
        if reason in _WITH_EXAMPLE:
            line += _(", e.g. {name}").format(name=clean(counts.examples[reason], 200))
        yield line

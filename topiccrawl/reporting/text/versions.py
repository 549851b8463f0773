"""The versions of a page as text for the terminal: a table, and what changed from one to the next.

Marks show the changes without color, too: ``-`` and ``+`` before a sentence that went or came, ``~``
before one that changed, and in it ``[-old-]{+new+}``.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from rich.table import Table
from rich.text import Text

from topiccrawl.language import _, bracketed, ngettext
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.scale import moment, number
from topiccrawl.store.versions import PageVersion, unpack_versions
from topiccrawl.text.changes import Change, sentence_change, text_changes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from topiccrawl.store.records import PageRecord
    from topiccrawl.store.visits import VersionRecord

#: Sentences of one change that are shown (a choice): some ten screens.
MAX_SENTENCES: Final = 300

#: Characters of a paragraph shown; bodies have at most 150,000.
MAX_PARAGRAPH: Final = 150_000

#: Mark before a sentence, and its style.
_MARGINS: Final = {"same": "  ", "removed": "- ", "added": "+ ", "changed": "~ "}
_STYLES: Final = {"same": "", "removed": "red", "added": "green", "changed": ""}
_MARKS: Final = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}


def version_lines(page: PageRecord, records: Sequence[VersionRecord]) -> Iterator[RenderableType]:
    """Yield the lines to print of the stored *page* and its former versions, oldest first."""
    current = PageVersion(
        page.changed_at or page.first_seen or page.fetched_at, page.title, page.body
    )
    versions = [*unpack_versions(records), current]
    count = Text(_("Versions: {n}").format(n=len(versions)), style="bold")
    yield Text("\n").append_text(count)
    yield _table(versions, page)
    if len(versions) == 1:
        yield Text(_("No former version is stored."), style="dim")
    for place, (old, new) in enumerate(pairwise(versions), 1):
        heading = (
            f"\n{place} → {place + 1}, {moment(old.replaced_at or new.at)}{bracketed('UTC+8')}"
        )
        yield Text(heading, style="bold")
        if old.replaced_at is not None and old.replaced_at != new.at:
            yield Text(_("  Versions between these two are not stored."), style="dim")
        yield from _difference(old, new)


def _table(versions: Sequence[PageVersion], page: PageRecord) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for column in ("", _("since"), _("until"), _("characters"), _("title")):
        table.add_column(column, overflow="fold")
    for place, it in enumerate(versions, 1):
        until = it.replaced_at or page.gone_at
        table.add_row(
            str(place),
            moment(it.at),
            moment(until) if until else _("now"),
            "?" if it.damaged else number(len(it.body)),
            Text(clean(it.title, 80)),
        )
    return table


def _difference(old: PageVersion, new: PageVersion) -> Iterator[Text]:
    if old.damaged or new.damaged:
        yield Text(_("  The text of a version cannot be read."), style="dim")
        return
    title = sentence_change(clean(old.title), clean(new.title))
    if title.kind != "same":
        yield Text(_("  title: ")).append_text(_sentence(title))
    changes = text_changes(_plain(old.body), _plain(new.body))
    lines = list(_changed_lines(changes))
    yield from lines[:MAX_SENTENCES]
    if len(lines) > MAX_SENTENCES:
        more = len(lines) - MAX_SENTENCES
        yield _dim(ngettext("  … and {n} more line", "  … and {n} more lines", more).format(n=more))
    if not lines and title.kind == "same":
        yield _dim(_("  Only spaces, line ends or invisible characters differ."))


def _changed_lines(changes: Sequence[Change]) -> Iterator[Text]:
    """Yield the changed sentences, each with the unchanged one before and after it."""
    changed = [it.kind != "same" for it in changes]
    skipped = 0
    shown = False
    for place, change in enumerate(changes):
        if not any(changed[max(0, place - 1) : place + 2]):
            skipped += 1
            continue
        if skipped and (shown or skipped == place):
            yield _skipped(skipped)
        skipped, shown = 0, True
        line = Text(_MARGINS[change.kind], style=_STYLES[change.kind] or "dim")
        if change.kind == "changed":
            line = Text(_MARGINS["changed"])
        yield line.append_text(_sentence(change))
    if skipped and shown:
        yield _skipped(skipped)


def _skipped(count: int) -> Text:
    return _dim(_("  … {n} unchanged").format(n=count))


def _sentence(change: Change) -> Text:
    if not change.pieces:
        return Text(change.text, style=_STYLES[change.kind] or "dim")
    text = Text()
    for piece in change.pieces:
        text.append(_MARKS[piece.kind].format(piece.text), style=_STYLES[piece.kind] or None)
    return text


def _dim(text: str) -> Text:
    return Text(text, style="dim")


def _plain(body: str) -> str:
    """Return the paragraphs of *body* without what a terminal would obey."""
    return "\n".join(clean(it, MAX_PARAGRAPH) for it in body.split("\n"))

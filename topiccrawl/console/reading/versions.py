"""The versions of a page, and what changed from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from topiccrawl.store.versions import PageVersion, unpack_versions
from topiccrawl.text.changes import Change, sentence_change, text_changes

if TYPE_CHECKING:
    from topiccrawl.store.contract import PageRecord, VersionRecord

#: Sentences of one difference, and their characters, that are shown (guesses: a long article's).
_MOST_SENTENCES: Final = 300
_MOST_CHARS: Final = 20_000
#: Characters of a title that are compared (a guess: longer than any).
_MOST_TITLE: Final = 300


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed between two versions."""

    old: PageVersion
    new: PageVersion
    title: Change
    changes: Sequence[Change]
    """The changed sentences, each with the unchanged one before and after it."""
    more: int
    """Sentences that are not among them."""


def versions_of(page: PageRecord, records: Sequence[VersionRecord]) -> list[PageVersion]:
    """Return all versions of *page*, the current one last."""
    at = page.changed_at or page.first_seen or page.fetched_at
    return [*unpack_versions(records), PageVersion(at, page.title, page.body)]


def difference_of(old: PageVersion, new: PageVersion) -> Difference:
    """Return the changed sentences from *old* to *new*."""
    changes = text_changes(old.body, new.body)
    changed = [it.kind != "same" for it in changes]
    shown = [it for at, it in enumerate(changes) if any(changed[max(0, at - 1) : at + 2])]
    sizes = accumulate(len(it.text) + sum(len(piece.text) for piece in it.pieces) for it in shown)
    fitting = sum(size <= _MOST_CHARS for size in sizes)
    cut = shown[: min(_MOST_SENTENCES, fitting)]
    title = sentence_change(old.title[:_MOST_TITLE], new.title[:_MOST_TITLE])
    return Difference(old, new, title, cut, len(shown) - len(cut))

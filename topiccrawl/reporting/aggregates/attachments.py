"""The documents of a report, by the page that links them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from topiccrawl.reporting.markup import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.store.contract import PageRecord, Store

#: Documents listed at most, the newest ones (a choice: they take 300 KB of the file).
MAX_LISTED: Final = 1_000


@dataclass(frozen=True, slots=True)
class AttachedPage:
    """A page with its documents."""

    url: str
    title: str
    """Empty if the page is not kept."""
    documents: Sequence[tuple[str, str]]
    """URL and title of each."""


@dataclass(frozen=True, slots=True)
class Attachments:
    """The documents that pages of the collection link."""

    count: int
    pages: Sequence[AttachedPage]
    """Pages with the newest documents, latest first."""


class AttachmentTally:
    """Counts documents and keeps those to list, in bounded memory."""

    def __init__(self) -> None:
        self.count = 0
        self._newest: deque[tuple[str, str, str]] = deque(maxlen=MAX_LISTED)

    def add(self, page: PageRecord) -> None:
        """Count *page* if it is a document that another page links; pages come oldest first."""
        if page.attached_to:
            self.count += 1
            self._newest.append((page.attached_to, page.url, clean(page.title, 200)))

    async def result(self, store: Store, topic: str) -> Attachments:
        """Return the documents by their pages, whose titles are read from the *store*."""
        found: dict[str, list[tuple[str, str]]] = {}
        for parent, url, title in reversed(self._newest):
            found.setdefault(parent, []).append((url, title))
        pages = []
        for parent, documents in found.items():
            page = await store.page(topic, parent)
            title = "" if page is None else clean(page.title, 200)
            pages.append(AttachedPage(parent, title, documents))
        return Attachments(self.count, pages)

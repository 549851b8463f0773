"""Pages that are kept ready for the next comparisons."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from topiccrawl.dedup.prepared import PreparedPage

#: Characters of the texts of all pages that are kept, at most: with its shingles a character takes some 35
#: bytes, so this is 13 MB (550 pages of the demonstration web, 2026-11), and 250 pages of 1,500 characters (a choice).
MOST_CHARS: Final = 400_000
#: What a page counts besides its text, in characters (a guess).
_RECORD_CHARS: Final = 100


@dataclass(frozen=True, slots=True)
class Ready:
    """A page with what comparisons need of it."""

    prepared: PreparedPage
    copy_of: str
    """URL of the page of which it is a copy, or empty."""

    @property
    def url(self) -> str:
        """URL of the page."""
        return self.prepared.page.url


class ReadyPages:
    """Pages with what comparisons need of them; those that were not used longest leave first."""

    def __init__(self) -> None:
        self._chars = 0
        self._pages: OrderedDict[str, Ready] = OrderedDict()

    def get(self, url: str) -> Ready | None:
        """Return the page of this URL."""
        found = self._pages.get(url)
        if found is not None:
            self._pages.move_to_end(url)
        return found

    def peek(self, url: str) -> Ready | None:
        """Return the same without counting it as a use; may be called in any thread."""
        return self._pages.get(url)

    def put(self, page: Ready) -> None:
        """Keep a page, in the place of an earlier version."""
        self.remove(page.url)
        self._pages[page.url] = page
        self._chars += _size(page)
        while self._chars > MOST_CHARS:
            self.remove(next(iter(self._pages)))

    def remove(self, url: str) -> None:
        """Forget a page; an unknown URL is ignored."""
        found = self._pages.pop(url, None)
        if found is not None:
            self._chars -= _size(found)


def _size(page: Ready) -> int:
    return _RECORD_CHARS + len(page.prepared.page.body)

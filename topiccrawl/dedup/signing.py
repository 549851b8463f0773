"""From a page to what it is found by and compared with."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.dedup.compared import ComparedPage
from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.title_vectors import TitleVectors
from topiccrawl.dedup.tokens import body_tokens, day_of, title_tokens


@dataclass(frozen=True, slots=True, eq=False)
class SignedPage:
    """A page, and what it is found by."""

    prepared: PreparedPage
    tokens: tuple[int, ...]
    """Tokens under which the page is stored."""
    lookups: tuple[int, ...]
    """Tokens by which its possible copies are found."""


class Signer:
    """Computes what pages are found by."""

    def __init__(self) -> None:
        self._titles = TitleVectors()

    def sign(self, given: ComparedPage | PreparedPage) -> SignedPage:
        """Return the page, ready to be found and compared."""
        ready = given if isinstance(given, PreparedPage) else PreparedPage(given)
        page = ready.page
        title, body = self._titles.vector(page.title), body_tokens(ready.sequence)
        stored, lookups = title_tokens(title, day_of(page.published_at, page.fetched_at))
        return SignedPage(ready, (*body, *stored), (*body, *lookups))

"""From a page to what it is found by and compared with: its tokens, its title's vector, its shingles."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.dedup.compared import ComparedPage
from topiccrawl.dedup.shingles import ShingleSequence, shingle_sequence
from topiccrawl.dedup.title_vectors import TitleVector, TitleVectors
from topiccrawl.dedup.tokens import day_of, lookup_tokens, page_tokens


@dataclass(frozen=True, slots=True)
class SignedPage:
    """A page, and what it is found by."""

    page: ComparedPage
    title: TitleVector
    shingles: ShingleSequence
    """In order, with repetitions."""
    day: int

    @property
    def tokens(self) -> tuple[int, ...]:
        """Tokens under which the page is stored."""
        return page_tokens(self.title, self.shingles, self.day)

    @property
    def lookups(self) -> tuple[int, ...]:
        """Tokens by which its possible copies are found."""
        return lookup_tokens(self.title, self.shingles, self.day)


class Signer:
    """Computes what pages are found by."""

    def __init__(self) -> None:
        self._titles = TitleVectors()

    def sign(self, page: ComparedPage) -> SignedPage:
        """Return the page with its title's vector, its shingles and its day."""
        return SignedPage(
            page,
            self._titles.vector(page.title),
            shingle_sequence(page.body),
            day_of(page.published_at, page.fetched_at),
        )

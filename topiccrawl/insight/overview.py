"""The kept pages of a topic as columns in memory, from which lists, counts and trends are computed.

An overview is made once of all headlines of a topic; after that, a question is an operation on arrays
that takes milliseconds.  It never changes: :meth:`Overview.updated` returns a new one, which shares
the codebooks with the old one.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from topiccrawl.insight.columns import NO_TIME, Books, Columns, Times, columns_of
from topiccrawl.insight.days import days_of
from topiccrawl.store.values import from_milliseconds
from topiccrawl.urls.domains import registered_domain

if TYPE_CHECKING:
    from topiccrawl.store.headlines import PageHeadline

__all__ = ["NO_TIME", "Overview", "moment_of"]


@dataclass(frozen=True)
class Overview:
    """The kept pages of one topic.

    Examples
    --------
    >>> overview = Overview.of(headlines)                       # doctest: +SKIP
    >>> newest = overview.newest[:20]                           # rows      # doctest: +SKIP
    >>> [overview.columns.title[row] for row in newest]         # doctest: +SKIP
    >>> overview.books.site.names[overview.columns.site[0]]     # doctest: +SKIP
    """

    columns: Columns
    books: Books = field(default_factory=Books)
    number: int = field(default_factory=count(1).__next__)
    """Different for each overview of a process; a key for what is computed from several."""

    @classmethod
    def of(cls, headlines: Sequence[PageHeadline]) -> Self:
        """Return the overview of *headlines*; of several with one URL, the last counts."""
        books = Books()
        return cls(columns_of(_kept(_last_of_each(headlines)), books), books)

    def updated(self, changed: Sequence[PageHeadline], removed: Collection[str] = ()) -> Self:
        """Return the overview after pages came or changed; those withdrawn since leave it.

        *removed* are URLs of pages that had left before.
        """
        changed = _last_of_each(changed)
        replaced = {it.url for it in changed}.union(removed)
        keep = np.ones(len(self), dtype=np.bool_)
        keep[[row for url in replaced if (row := self.row_of.get(url)) is not None]] = False
        added = columns_of(_kept(changed), self.books)
        return type(self)(self.columns.take(keep).joined(added), self.books)

    def __len__(self) -> int:
        return len(self.columns.url)

    @cached_property
    def results(self) -> dict[Hashable, Any]:
        """What was computed from this overview, by keys of the callers."""
        return {}

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Row of each URL."""
        return {url: row for row, url in enumerate(self.columns.url)}

    @cached_property
    def time(self) -> Times:
        """Publish time of each page, or when it was first seen where there is no possible one."""
        columns = self.columns
        return np.where(columns.published == NO_TIME, columns.first_seen, columns.published)

    @cached_property
    def day(self) -> NDArray[np.int32]:
        """Day in China of ``time``: days since 1970-01-01."""
        return days_of(self.time)

    @cached_property
    def seen_day(self) -> NDArray[np.int32]:
        """Day in China on which each page was first seen."""
        return days_of(self.columns.first_seen)

    @cached_property
    def is_copy(self) -> NDArray[np.bool_]:
        """Whether each page is a copy of another."""
        return np.asarray(self.columns.copy_of != "", dtype=np.bool_)

    @cached_property
    def domain(self) -> NDArray[np.int64]:
        """Code of the registered domain of each page's host: an owner may answer under any number of names."""
        codes: dict[str, int] = {}
        by_site = [
            codes.setdefault(registered_domain(name), len(codes)) for name in self.books.site.names
        ]
        return np.asarray(by_site, dtype=np.int64)[self.columns.site]

    @cached_property
    def newest(self) -> NDArray[np.int64]:
        """Rows by ``time``, the latest first."""
        return np.argsort(-self.time, kind="stable")

    @cached_property
    def story_sizes(self) -> NDArray[np.int64]:
        """Number of pages of each story, by its code."""
        return self.books.story.counts(self.columns.story)

    def terms(self, row: int) -> list[str]:
        """Return the terms of one page, best first."""
        lists, names = self.columns.terms, self.books.term.names
        return [names[code] for code in lists.terms[lists.starts[row] : lists.starts[row + 1]]]


def moment_of(milliseconds: int) -> datetime | None:
    """Return the time of a column's value, ``None`` for a missing one."""
    return None if milliseconds == NO_TIME else from_milliseconds(int(milliseconds))


def _last_of_each(headlines: Sequence[PageHeadline]) -> list[PageHeadline]:
    """Return the last headline of each URL."""
    return list({it.url: it for it in headlines}.values())


def _kept(headlines: Sequence[PageHeadline]) -> list[PageHeadline]:
    """Return the headlines of pages that are in the collection."""
    return [it for it in headlines if it.withdrawn_at is None]

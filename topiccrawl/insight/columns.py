"""Columns of headlines: one array per field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.insight.codebook import Codebook, Codes
from topiccrawl.insight.days import DAY_MS
from topiccrawl.store.values import to_milliseconds

if TYPE_CHECKING:
    from topiccrawl.store.headlines import PageHeadline

#: Times in milliseconds since 1970, UTC.
Times = NDArray[np.int64]

#: A missing time.
NO_TIME: Final = np.iinfo(np.int64).min

#: A publish time that is further after the fetch than this is an error of the page.  One day, because
#: pages state times without a zone, and pages of some zones are ahead of China.
_AHEAD_MS: Final = DAY_MS

#: A publish time before 1994 is an error of the page: China's first web server dates from that year.
_FIRST_MS: Final = 757_382_400_000


@dataclass(frozen=True, slots=True)
class Books:
    """The codebooks of the columns; an overview shares them with those it was updated from."""

    site: Codebook = field(default_factory=Codebook)
    author: Codebook = field(default_factory=Codebook)
    source: Codebook = field(default_factory=Codebook)
    kind: Codebook = field(default_factory=Codebook)
    language: Codebook = field(default_factory=Codebook)
    story: Codebook = field(default_factory=Codebook)
    term: Codebook = field(default_factory=Codebook)


@dataclass(frozen=True, slots=True)
class TermLists:
    """The terms of each row, one after the other: row *i* has ``terms[starts[i]:starts[i + 1]]``."""

    starts: NDArray[np.int64]
    """Shape (rows + 1,)."""
    terms: Codes

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of terms of each row."""
        return np.diff(self.starts)

    def take(self, keep: NDArray[np.bool_]) -> TermLists:
        """Return the lists of the rows in the mask *keep*."""
        lengths = self.lengths
        terms = self.terms[np.repeat(keep, lengths)]
        return TermLists(_starts(lengths[keep]), terms)

    def joined(self, other: TermLists) -> TermLists:
        """Return these lists followed by the *other* ones."""
        lengths = np.concatenate((self.lengths, other.lengths))
        return TermLists(_starts(lengths), np.concatenate((self.terms, other.terms)))


@dataclass(frozen=True, slots=True)
class Columns:
    """One array for each property of the headlines, all of one length."""

    url: NDArray[np.object_]
    title: NDArray[np.object_]
    copy_of: NDArray[np.object_]
    site: Codes
    author: Codes
    source: Codes
    kind: Codes
    language: Codes
    story: Codes
    """Story, or the page itself where it is in none."""
    published: Times
    """As stated by the page; ``NO_TIME`` where it states none or an impossible one."""
    first_seen: Times
    changed: Times
    gone: Times
    probability: NDArray[np.float32]
    """NaN where the page was not judged."""
    relevance: NDArray[np.float32]
    terms: TermLists

    def take(self, keep: NDArray[np.bool_]) -> Columns:
        """Return the rows in the mask *keep*."""
        return self._each(lambda name: _take(getattr(self, name), keep))

    def joined(self, other: Columns) -> Columns:
        """Return these rows followed by the *other* ones."""
        return self._each(lambda name: _joined(getattr(self, name), getattr(other, name)))

    def _each(self, value: Callable[[str], object]) -> Columns:
        return Columns(**{it.name: value(it.name) for it in fields(self)})  # type: ignore[arg-type]


def columns_of(headlines: Sequence[PageHeadline], books: Books) -> Columns:
    """Return the columns of *headlines*; new texts are added to *books*."""
    fetched = _times(it.fetched_at for it in headlines)
    first_seen = _times(it.first_seen for it in headlines)
    first_seen = np.where(first_seen == NO_TIME, fetched, first_seen)
    lengths = np.fromiter((len(it.keywords) for it in headlines), dtype=np.int64)
    words = chain.from_iterable(it.keywords for it in headlines)
    return Columns(
        url=_objects(it.url for it in headlines),
        title=_objects(it.title for it in headlines),
        copy_of=_objects(it.copy_of for it in headlines),
        site=books.site.encode(it.site for it in headlines),
        author=books.author.encode(it.author for it in headlines),
        source=books.source.encode(it.source for it in headlines),
        kind=books.kind.encode(it.kind for it in headlines),
        language=books.language.encode(it.language for it in headlines),
        story=books.story.encode(it.story or it.url for it in headlines),
        published=_plausible(_times(it.published_at for it in headlines), fetched),
        first_seen=first_seen,
        changed=_times(it.changed_at for it in headlines),
        gone=_times(it.gone_at for it in headlines),
        probability=_floats(it.probability for it in headlines),
        relevance=_floats(it.relevance for it in headlines),
        terms=TermLists(_starts(lengths), books.term.encode(words)),
    )


def _plausible(published: Times, fetched: Times) -> Times:
    """Return the publish times, ``NO_TIME`` where they are impossible."""
    possible = (published >= _FIRST_MS) & (published <= fetched + _AHEAD_MS)
    return np.where(possible, published, NO_TIME)


def _objects(texts: Iterable[str]) -> NDArray[np.object_]:
    values = list(texts)
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _times(moments: Iterable[datetime | None]) -> Times:
    return np.fromiter(
        (NO_TIME if it is None else to_milliseconds(it) for it in moments), dtype=np.int64
    )


def _floats(values: Iterable[float | None]) -> NDArray[np.float32]:
    return np.fromiter((np.nan if it is None else it for it in values), dtype=np.float32)


def _starts(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def _take(column: object, keep: NDArray[np.bool_]) -> object:
    if isinstance(column, TermLists):
        return column.take(keep)
    assert isinstance(column, np.ndarray)
    return column[keep]


def _joined(first: object, second: object) -> object:
    if isinstance(first, TermLists) and isinstance(second, TermLists):
        return first.joined(second)
    assert isinstance(first, np.ndarray)
    assert isinstance(second, np.ndarray)
    return np.concatenate((first, second))

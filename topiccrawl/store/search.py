"""Search in what was collected: queries, results, and the pieces of text that are shown.

A page is found if the folded query (see :mod:`topiccrawl.text.folding`) is a piece of its folded title
or body, whatever its length.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, Self, get_args

from topiccrawl.store.values import in_zone
from topiccrawl.text.folding import BREAK, fold, fold_with_offsets, marks, with_zeros
from topiccrawl.text.searching import ZONE, FieldFilter, SearchTerm, parse_query
from topiccrawl.urls.hosts import is_below

if TYPE_CHECKING:
    from topiccrawl.store.headlines import PageHeadline

#: Orders of hits.
SearchOrder = Literal["relevance", "newest", "oldest"]
SEARCH_ORDERS: Final[tuple[SearchOrder, ...]] = get_args(SearchOrder)

#: Fields whose values are counted over all hits.  ``year`` is that of publication in China, as in the
#: dates of a query.
FACETS: Final = ("topic", "site", "source", "author", "kind", "language", "year")

#: Fields of a filter that must be equal, after folding; the others must contain the value.
EXACT: Final = ("topic", "story", "kind", "language")

#: Values of one facet that are returned, the most frequent first.  A guess: what a page can show.
MOST_VALUES: Final = 20

#: Characters of a snippet.  A guess: two lines.
SNIPPET_CHARACTERS: Final = 120

#: Occurrences of one phrase in a text that are marked, and compared for the snippet.  A guess.
_MOST_OCCURRENCES: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """What to find, and which part of it to return.

    All terms and filters must hold.  Of several filters of one field that are not negated, one must.
    """

    terms: Sequence[SearchTerm] = ()
    filters: Sequence[FieldFilter] = ()
    since: datetime | None = None
    """Pages published (or, undated, first seen) at this time or later."""
    until: datetime | None = None
    """Pages published before this time."""
    seen_since: datetime | None = None
    """Pages first seen after this time."""
    seen_until: datetime | None = None
    """Pages first seen before this time."""
    copies: bool = False
    """Whether copies of other pages are found, too."""
    order: SearchOrder = "relevance"
    offset: int = 0
    limit: int = 20
    facets: bool = True
    """Whether to count the values of the facets."""
    texts: bool = True
    """Whether to return pieces of the bodies, for which the pages are read."""

    def __post_init__(self) -> None:
        """Check the values that only a program gives."""
        if self.order not in SEARCH_ORDERS:
            raise ValueError(f"order must be one of {', '.join(SEARCH_ORDERS)}; got {self.order!r}")
        if self.offset < 0 or self.limit < 0:
            raise ValueError(f"offset and limit must be >= 0, got {self.offset}, {self.limit}")

    @classmethod
    def from_text(cls, text: str, **options: Any) -> Self:
        """Return the query that a user typed as *text*; *options* are other fields.

        Nothing that is typed raises.  Filters among the *options* add to those of the text, and a page
        must be published within the times of both.
        """
        parsed = parse_query(text)
        filters = (*parsed.filters, *options.pop("filters", ()))
        begins = [parsed.since, options.pop("since", None)]
        ends = [parsed.until, options.pop("until", None)]
        return cls(
            terms=parsed.terms,
            filters=filters,
            since=max((_aware(it) for it in begins if it is not None), default=None),
            until=min((_aware(it) for it in ends if it is not None), default=None),
            **options,
        )

    @property
    def is_empty(self) -> bool:
        """Whether it asks for nothing in particular: such a query finds every page."""
        times = (self.since, self.until, self.seen_since, self.seen_until)
        return not (self.terms or self.filters or any(times))


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of text with marks, one printable line."""

    text: str
    marks: Sequence[tuple[int, int]] = ()
    """Begin and end of each marked piece of ``text``, in order, not overlapping."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was found."""

    headline: PageHeadline
    title: Snippet
    body: Snippet
    """The piece of the body with most of what was searched; its beginning if nothing of it is there."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a query found."""

    total: int
    """Pages that were found, of which ``hits`` are the part that was asked for."""
    hits: Sequence[Hit] = ()
    facets: Mapping[str, Sequence[tuple[str, int]]] = field(default_factory=dict)
    """Values of each field of :data:`FACETS` with their numbers of hits, the most frequent first."""
    unindexed: int = 0
    """Pages of an older store that are not in its index yet, and can therefore not be found."""


def phrases_of(term: SearchTerm) -> list[tuple[str, str]]:
    """Return the (folded phrase, punctuation) of each phrase of *term*.

    Punctuation is given only for a phrase that has nothing else, and matches a page that has all of it.  What
    ends a sentence counts within a phrase, not around it: a headline that is pasted with a mark may end without.
    """
    found = []
    for phrase in term.phrases:
        folded = fold(phrase.strip())
        if folded:
            found += [(it, "") for it in with_zeros(folded.strip(BREAK) or folded)]
        else:
            found.append(("", marks(phrase)))
    return found


def highlighted(query: SearchQuery) -> list[str]:
    """Return the folded phrases that a hit can show, longest first."""
    wanted = {
        folded
        for term in query.terms
        if not term.negated
        for folded, _ in phrases_of(term)
        if folded
    }
    return sorted(wanted, key=lambda it: (-len(it), it))


def marked(text: str, phrases: Sequence[str]) -> Snippet:
    """Return the whole *text* with the folded *phrases* marked."""
    return Snippet(_one_line(text), _merged(_occurrences(text, phrases)))


def snippet(text: str, phrases: Sequence[str]) -> Snippet:
    """Return the piece of *text* that has most of *phrases*, marked, of about 120 characters."""
    length = SNIPPET_CHARACTERS
    found = _occurrences(text, phrases)
    if not found:
        return Snippet(_one_line(text[:length]) + ("…" if len(text) > length else ""))
    start = _beginning(text, _best(found, length * 3 // 4), length)
    end = max(min(len(text), start + length), min(b for a, b, _ in found if a >= start))
    inside = [(a - start, b - start) for a, b in _merged(found) if a >= start and b <= end]
    head, tail = "…" if start else "", "…" if end < len(text) else ""
    piece = _one_line(text[start:end])
    return Snippet(f"{head}{piece}{tail}", tuple((a + len(head), b + len(head)) for a, b in inside))


def _best(found: Sequence[tuple[int, int, int]], width: int) -> int:
    """Return where the piece of *width* characters begins that has most of different phrases."""
    best, at = 0, found[0][0]
    inside: dict[int, int] = {}
    first = 0
    for start, _, length in found:
        inside[length] = inside.get(length, 0) + 1
        while start - found[first][0] > width:
            inside[found[first][2]] -= 1
            first += 1
        worth = sum(it for it, number in inside.items() if number)
        if worth > best:
            best, at = worth, found[first][0]
    return at


def _beginning(text: str, at: int, length: int) -> int:
    """Return where a snippet begins that shows *at*: at the first sentence that begins shortly before."""
    least = max(0, at - length // 4)
    if least == 0:
        return 0
    ends = (text.find(mark, least, at) + 1 for mark in "。！？\n")
    return min((end for end in ends if end), default=least)


def _one_line(text: str) -> str:
    """Return *text* of the same length as one printable line, so that marks stay in place.

    Line ends, terminal codes and signs that change the direction become spaces.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " for char in text)


def _occurrences(text: str, phrases: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return the occurrences of the folded *phrases* in *text*, in order.

    Each with its begin, its end, and a number that is greater for longer phrases and another one for each.
    """
    if not phrases or not text:
        return []
    folded = fold(text)
    if not any(phrase in folded for phrase in phrases):
        return []
    folded, offsets = fold_with_offsets(text)
    found = []
    for number, phrase in enumerate(reversed(phrases)):
        at = folded.find(phrase)
        for _ in range(_MOST_OCCURRENCES):
            if at < 0:
                break
            end = _end(text, offsets, at + len(phrase) - 1)
            found.append((offsets[at], end, len(phrase) * 100 + number))
            at = folded.find(phrase, at + len(phrase))
    return sorted(found)


def _end(text: str, offsets: Sequence[int], token: int) -> int:
    """Return the index after the character of *token*, with the accents that belong to it."""
    end = offsets[token] + 1
    following = offsets[token + 1] if token + 1 < len(offsets) else len(text)
    while end < following and "\u0300" <= text[end] <= "\u036f":
        end += 1
    return end


def _merged(occurrences: Iterable[tuple[int, int, int]]) -> tuple[tuple[int, int], ...]:
    """Return begin and end of *occurrences*; those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end, _ in occurrences:
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif end > start:
            found.append((start, end))
    return tuple(found)


def matches_fields(query: SearchQuery, headline: PageHeadline) -> bool:
    """Return whether *headline* fulfills the conditions of *query* on fields and time."""
    if headline.withdrawn_at is not None or (headline.copy_of and not query.copies):
        return False
    moment = headline.dated
    if query.since is not None and moment < _aware(query.since):
        return False
    if query.until is not None and moment >= _aware(query.until):
        return False
    if query.seen_since is not None and headline.first_seen <= _aware(query.seen_since):
        return False
    if query.seen_until is not None and headline.first_seen >= _aware(query.seen_until):
        return False
    wanted: dict[str, bool] = {}
    for it in query.filters:
        has = field_matches(it, str(getattr(headline, it.field)))
        if it.negated and has:
            return False
        if not it.negated:
            wanted[it.field] = wanted.get(it.field, False) or has
    return all(wanted.values())


def field_matches(condition: FieldFilter, value: str) -> bool:
    """Return whether *value* of a field is what *condition*, were it not negated, asks for."""
    if condition.field in ("site", "url"):
        wanted, found = condition.value.casefold(), value.casefold()
        if condition.field == "url":
            return wanted in found
        return is_below(found, (wanted,))
    wanted, found = fold(condition.value), fold(value)
    return wanted == found if condition.field in EXACT else wanted in found


def facet_value(name: str, headline: PageHeadline) -> str:
    """Return the value of the facet *name*."""
    if name == "year":
        return str(in_zone(headline.dated, ZONE).year)
    return str(getattr(headline, name))


def most_frequent(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return at most :data:`MOST_VALUES` values with their counts, without the empty one."""
    listed = [(value, number) for value, number in counts.items() if value and number]
    return sorted(listed, key=lambda it: (-it[1], it[0]))[:MOST_VALUES]


def _aware(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


class SearchStore(Protocol):
    """What a store does for searching what was collected."""

    async def search(self, topics: Sequence[str], query: SearchQuery) -> SearchResult:
        """Return the kept pages of *topics* that *query* finds; all topics if *topics* is empty.

        :func:`~topiccrawl.store.search.matches_fields` defines which pages fulfill its conditions on fields and
        time.  Ties are broken by the time of publication, newest first, then by id.
        """

    async def index(self, most: int = 500) -> int:
        """Enter at most *most* pages of an older format in the search index; return how many are left.

        Pages are entered when they are written; this is for those that an older version wrote.
        """

    async def unindexed(self) -> int:
        """Return how many pages of all topics :meth:`index` has still to enter."""

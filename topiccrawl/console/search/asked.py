"""What a request asks the search for: from its parameters to a query, and back to links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlencode

from topiccrawl.console.numbers import page_number
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.store.search import SEARCH_ORDERS, SearchOrder, SearchQuery
from topiccrawl.text.searching import ZONE, FieldFilter

if TYPE_CHECKING:
    from starlette.datastructures import QueryParams

#: Hits on one page.
PAGE_SIZE: Final = 20
#: The last page of hits that can be asked for: a search is refined before (a guess).
LAST_PAGE: Final = 500
#: Characters of a query and of a facet's value (a guess: longer than anything that is typed).
_MOST_TEXT: Final = 400
#: Years that can be asked for: others cannot be converted to every time zone.
_YEARS: Final = range(1000, 9000)
#: Facets that a link can choose, besides ``topic`` and ``year``.
FACET_PARAMETERS: Final = ("site", "source", "author", "kind", "language")
#: Names of all parameters, in the order of a permanent link.
_NAMES: Final = ("q", *FACET_PARAMETERS, "topic", "year", "since", "until", "by", "order", "copies")


@dataclass(frozen=True, slots=True)
class AskedSearch:
    """The parameters of a search view, checked."""

    values: Mapping[str, str]
    """Parameters that are not empty, by name."""
    number: int = 1
    """Page of the hits, from 1."""
    no_dates: Sequence[str] = ()
    """Days and years that are none, which were left out."""

    @classmethod
    def of(cls, parameters: QueryParams) -> AskedSearch:
        """Return what *parameters* ask for; values that make no sense are left out."""
        given = {name: parameters.get(name, "").strip()[:_MOST_TEXT] for name in _NAMES}
        if given["order"] not in SEARCH_ORDERS:
            given["order"] = ""
        if given["by"] != "seen":
            given["by"] = ""
        dates = {"since": _day, "until": _day, "year": _year}
        wrong = [name for name, read in dates.items() if given[name] and read(given[name]) is None]
        values = {name: it for name, it in given.items() if it and name not in wrong}
        no_dates = [f"{name}={given[name]}" for name in wrong]
        return cls(values, page_number(parameters, LAST_PAGE), no_dates)

    @property
    def text(self) -> str:
        """What was typed."""
        return self.values.get("q", "")

    @property
    def order(self) -> SearchOrder:
        """The order of hits: by relevance if there are words, else the newest first."""
        return cast(
            "SearchOrder", self.values.get("order") or ("relevance" if self.text else "newest")
        )

    def query(self) -> SearchQuery:
        """Return the query for the store."""
        filters = [
            FieldFilter(name, self.values[name])
            for name in (*FACET_PARAMETERS, "topic")
            if name in self.values
        ]
        since, until = _day(self.values.get("since", "")), _day(self.values.get("until", ""))
        if until is not None:
            until += timedelta(days=1)
        seen_since = seen_until = None
        if "by" in self.values:
            # The former is a time after which pages were seen; times are stored in milliseconds.
            seen_since = None if since is None else since - timedelta(milliseconds=1)
            since, seen_until, until = None, until, None
        if (year := _year(self.values.get("year", ""))) is not None:
            since = year[0] if since is None else max(since, year[0])
            until = year[1] if until is None else min(until, year[1])
        return SearchQuery.from_text(
            self.text,
            filters=filters,
            copies="copies" in self.values,
            order=self.order,
            offset=(self.number - 1) * PAGE_SIZE,
            limit=PAGE_SIZE,
            since=since,
            until=until,
            seen_since=seen_since,
            seen_until=seen_until,
        )

    def link(self, path: str, **changes: str) -> str:
        """Return the path of the search view with some parameters changed; empty ones are left out."""
        wanted = {**self.values, **changes}
        kept = {name: wanted[name] for name in (*_NAMES, "page") if wanted.get(name)}
        return f"{path}?{urlencode(kept)}" if kept else path

    def permanent(self) -> str:
        """Return the parameters as a query string, always in the same order."""
        return urlencode({name: self.values[name] for name in _NAMES if name in self.values})


def _day(text: str) -> datetime | None:
    """Return the beginning of a day in China, written as 2024-05-01."""
    try:
        found = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=CHINA_TIME)
    except ValueError:
        return None
    return found if found.year in _YEARS else None


def _year(text: str) -> tuple[datetime, datetime] | None:
    """Return beginning and end of a year in China, in which facets count."""
    if not (text.isascii() and text.isdecimal() and len(text) == 4 and int(text) in _YEARS):
        return None
    begin = datetime(int(text), 1, 1, tzinfo=ZONE)
    return begin, begin.replace(year=begin.year + 1)

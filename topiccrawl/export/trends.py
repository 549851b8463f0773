"""Trends as tables: volume, bursts, terms, hosts, and the comparison of two periods or topics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

from topiccrawl.export.fields import KINDS_IN_CHINESE, LANGUAGES_IN_CHINESE, Headings
from topiccrawl.insight.categories.counts import CategoryRow
from topiccrawl.insight.comparison import Comparison
from topiccrawl.insight.days import day_of
from topiccrawl.insight.hosts import HostRow
from topiccrawl.insight.sources import Sources
from topiccrawl.insight.trends import Trends
from topiccrawl.store.columns import Column, Value, table_columns

#: Tables that can be written.
TrendTable = Literal["volume", "bursts", "terms", "hosts", "comparison", "categories"]
Row: TypeAlias = Mapping[str, Value]

#: Columns for the domains that pages come from.
_SOURCES: Final = (
    ("domains", "域名数", "domains"),
    ("largest", "页面最多的域名", "domain with most pages"),
    ("share", "其占比", "its share"),
    ("one_sided", "单一来源", "one-sided"),
)

#: Names and headings of the columns of each table.
_HEADINGS: Final[dict[TrendTable, tuple[tuple[str, str, str], ...]]] = {
    "volume": (
        ("day", "日期", "day"),
        ("pages", "网页", "pages"),
        ("stories", "报道", "stories"),
        ("expected", "平常", "ordinary"),
    ),
    "bursts": (
        ("term", "词", "term"),
        ("first", "开始", "first day"),
        ("last", "结束", "last day"),
        ("pages", "网页", "pages"),
        ("expected", "平常", "ordinary"),
        ("weight", "权重", "weight"),
        ("terms", "突出的词", "terms"),
        *_SOURCES,
    ),
    "terms": (
        ("term", "词", "term"),
        ("pages", "网页", "pages"),
        ("before", "此前网页", "pages before"),
        ("ratio", "倍数", "ratio"),
        ("z", "z", "z"),
        *_SOURCES,
    ),
    "hosts": (
        ("host", "站点", "host"),
        ("pages", "网页", "pages"),
        ("originals", "非副本", "not copies"),
        ("reposted", "被转载", "reposted by others"),
        ("relevance", "平均相关度", "mean relevance"),
        ("first", "最早", "first day"),
        ("last", "最近", "last day"),
        ("new", "新站点", "new"),
        ("gone", "已消失", "gone"),
    ),
    "comparison": (
        ("what", "项目", "what"),
        ("name", "名称", "name"),
        ("first", "甲", "first"),
        ("second", "乙", "second"),
        ("change", "变化", "change"),
    ),
    "categories": (
        ("category", "类别", "category"),
        ("pages", "网页", "pages"),
        ("before", "此前网页", "pages before"),
        ("share", "占比", "share"),
    ),
}

#: Names in the table ``comparison`` that are no names of sites or terms, by what they are.
_NAMES_IN_CHINESE: Final[Mapping[str, Mapping[str, str]]] = {
    "total": {
        "pages": "网页", "stories": "报道", "copies": "副本", "sites": "站点", "authors": "作者",
    },
    "kind": KINDS_IN_CHINESE,
    "language": LANGUAGES_IN_CHINESE,
}  # fmt: skip


def columns_of(table: TrendTable) -> list[Column]:
    """Return the columns of a table, for the writers of :mod:`topiccrawl.export.writers`."""
    return table_columns(_HEADINGS[table])


def values(table: TrendTable, row: Row, headings: Headings = "fields") -> list[Value]:
    """Return the cells of *row*; below Chinese *headings*, what a comparison is about is in Chinese."""
    if table == "comparison" and headings == "zh":
        names = _NAMES_IN_CHINESE.get(str(row["what"]), {})
        row = {**row, "name": names.get(str(row["name"]), row["name"])}
    return [row[name] for name, _, _ in _HEADINGS[table]]


def trend_rows(found: Trends, table: TrendTable) -> Iterator[Row]:
    """Yield the rows of the tables ``volume``, ``bursts`` and ``terms``."""
    if table == "volume":
        for at, day in enumerate(found.pages.days):
            yield {
                "day": day_text(day),
                "pages": int(found.pages.counts[at]),
                "stories": int(found.stories.counts[at]),
                "expected": _rounded(float(found.expected[at])),
            }
    elif table == "bursts":
        for it in found.bursts:
            yield _burst_row("", it.first_day, it.last_day, it.burst.count, it.burst.expected) | {
                "weight": _rounded(it.burst.weight),
                "terms": [term.term for term in it.terms],
                **_sources(it.sources),
            }
        for one in found.term_bursts:
            burst = one.burst
            yield _burst_row(one.term, one.first_day, one.last_day, burst.count, burst.expected) | {
                "weight": _rounded(burst.weight),
                "terms": [],
                **_sources(one.sources),
            }
    elif table == "terms":
        for term in found.contrast:
            yield {
                "term": term.term,
                "pages": term.inside,
                "before": term.outside,
                "ratio": _rounded(term.ratio) if term.outside else None,
                "z": _rounded(term.z),
                **_sources(term.sources),
            }


def host_table(rows: list[HostRow]) -> Iterator[Row]:
    """Yield the rows of the table ``hosts``."""
    for row in rows:
        yield {
            "host": row.host,
            "pages": row.pages,
            "originals": row.originals,
            "reposted": row.reposted,
            "relevance": _rounded(row.relevance),
            "first": day_text(row.first_day),
            "last": day_text(row.last_day),
            "new": row.is_new,
            "gone": row.gone,
        }


def category_table(rows: list[CategoryRow]) -> Iterator[Row]:
    """Yield the rows of the table ``categories``; that of the pages of none has no name."""
    for row in rows:
        yield {
            "category": row.name,
            "pages": row.pages,
            "before": row.before,
            "share": _rounded(row.share),
        }


def comparison_rows(found: Comparison) -> Iterator[Row]:
    """Yield the rows of the table ``comparison``: totals, sites, kinds, languages, terms."""
    for what, pairs in (
        ("total", found.totals),
        ("site", found.sites),
        ("kind", found.kinds),
        ("language", found.languages),
    ):
        for pair in pairs:
            change = None if pair.change != pair.change else _rounded(pair.change)
            yield {
                "what": what,
                "name": pair.name,
                "first": pair.first,
                "second": pair.second,
                "change": change,
            }
    for term in found.terms_of_first:
        yield _term_row(term.term, term.inside, term.outside)
    for term in found.terms_of_second:
        yield _term_row(term.term, term.outside, term.inside)


def day_text(number: int) -> str:
    """Return a day's number as ``2026-03-02``."""
    return day_of(number).isoformat()


def _term_row(term: str, first: int, second: int) -> Row:
    return {"what": "term", "name": term, "first": first, "second": second, "change": None}


def _burst_row(term: str, first: int, last: int, count: float, expected: float) -> dict[str, Value]:
    return {
        "term": term,
        "first": day_text(first),
        "last": day_text(last),
        "pages": int(count),
        "expected": _rounded(expected),
    }


def _sources(found: Sources | None) -> dict[str, Value]:
    if found is None:
        return dict.fromkeys(name for name, _chinese, _english in _SOURCES)
    return {
        "domains": found.domains,
        "largest": found.largest,
        "share": _rounded(found.share),
        "one_sided": found.one_sided,
    }


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")

"""``scrapy trends``: volume, bursts, terms, hosts and categories of a topic, and comparisons."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, cast

from topiccrawl.commandline.console import make_console, progress
from topiccrawl.commandline.errors import CommandError
from topiccrawl.commandline.options import row_limit
from topiccrawl.commandline.store import choose_topic, one_argument, opened_store, store_uri
from topiccrawl.commandline.streams import print_json
from topiccrawl.commandline.tables import write_table
from topiccrawl.errors import OptionError
from topiccrawl.export.trends import (
    Row,
    TrendTable,
    category_table,
    columns_of,
    comparison_rows,
    host_table,
    trend_rows,
    values,
)
from topiccrawl.insight.categories.counts import CategoryRow, category_rows
from topiccrawl.insight.categories.division import categorize, sample_keywords
from topiccrawl.insight.comparison import Comparison, compare
from topiccrawl.insight.days import day_of, day_of_moment
from topiccrawl.insight.hosts import HostRow, host_rows
from topiccrawl.insight.reading import read_overview
from topiccrawl.insight.selection import Clock, Selection, select
from topiccrawl.insight.trends import Trends, period_of, trends
from topiccrawl.language import N_, _
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.text.trends import comparison_lines, default_step, host_lines, trend_lines
from topiccrawl.reporting.when import parse_when
from topiccrawl.text.normalize import normalize
from topiccrawl.text.searching import host_as_stored
from topiccrawl.topics.load import find_definition

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator, Iterable, Iterator, Sequence

    from scrapy.settings import Settings

    from topiccrawl.export.fields import Headings
    from topiccrawl.insight.counts import Step
    from topiccrawl.insight.overview import Overview
    from topiccrawl.store.columns import Value
    from topiccrawl.store.contract import Store


@dataclass(frozen=True)
class _Asked:
    """The pages that were asked for."""

    topic: str
    overview: Overview
    selection: Selection
    """With its period."""


async def show_trends(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Check the options, then print or write what they ask for."""
    limit = row_limit(opts)
    table = cast("TrendTable", opts.table or ("comparison" if opts.against else "volume"))
    if table == "comparison" and not opts.against:
        raise OptionError(_("--table comparison needs --against FROM..TO or --against TOPIC"))
    selection = selection_of(opts, datetime.now(UTC))
    named = one_argument(args, N_("topic"))
    uri = store_uri(opts, settings)
    async with opened_store(uri) as store:
        topic = await choose_topic(store, named)
        overview = await _read(store, topic)
        if not len(overview):
            if opts.json:
                print_json([])
                return 0
            if opts.out:
                # The file of an earlier day must not be taken for that of today.
                nothing = _cells(table, (), cast("Headings", opts.lang))
                return await write_table(uri, "trends", topic, columns_of(table), nothing, opts)
            print(_("{topic}: no page was kept yet").format(topic=clean(topic)))
            return 0
        first, last = period_of(overview, selection)
        asked = _Asked(topic, overview, replace(selection, first_day=first, last_day=last))
        other = await _other(store, asked, opts.against) if opts.against else None
    if opts.out or opts.json:
        rows = islice(_rows(asked, other, table), limit)
        if opts.json:
            print_json(list(rows))
            return 0
        cells = _cells(table, rows, cast("Headings", opts.lang))
        return await write_table(uri, "trends", topic, columns_of(table), cells, opts)
    console = make_console(plain=True)
    for line in _lines(asked, other, opts.step, limit):
        console.print(line, soft_wrap=True)
    return 0


def selection_of(opts: argparse.Namespace, now: datetime) -> Selection:
    """Return the selection that the options ask for."""
    first = parse_when("--since", opts.since, now) if opts.since else None
    last = parse_when("--until", opts.until, now, end=True) if opts.until else None
    if first and last and first > last:
        raise OptionError(_("--since must not be later than --until"))
    return Selection(
        first_day=day_of_moment(first) if first else None,
        last_day=day_of_moment(last) if last else None,
        clock=cast("Clock", opts.by),
        site=host_as_stored(opts.site) if opts.site else "",
        term=normalize(opts.term) if opts.term else "",
    )


async def _read(store: Store, topic: str) -> Overview:
    with progress(_("pages"), await store.count(topic)) as tick:
        return await read_overview(store, topic, tick)


async def _other(store: Store, asked: _Asked, against: str) -> _Asked:
    """Return the period or the topic to compare with."""
    if ".." in against:
        now = datetime.now(UTC)
        start, _dots, end = against.partition("..")
        first = day_of_moment(parse_when("--against", start, now))
        last = day_of_moment(parse_when("--against", end, now, end=True))
        if first > last:
            raise OptionError(_("--against FROM..TO: FROM must not be later than TO"))
        return replace(asked, selection=replace(asked.selection, first_day=first, last_day=last))
    topic = await choose_topic(store, against)
    return _Asked(topic, await _read(store, topic), asked.selection)


def compared(asked: _Asked, other: _Asked) -> Comparison:
    """Compare *other*, which comes first, with what was asked for."""
    return compare(
        other.overview,
        select(other.overview, other.selection),
        asked.overview,
        select(asked.overview, asked.selection),
    )


def _name(asked: _Asked, other: _Asked) -> str:
    """Return the name of *asked* beside *other*: the topic if they differ in it, else the period."""
    if asked.topic != other.topic:
        return asked.topic
    first, last = asked.selection.first_day, asked.selection.last_day
    assert first is not None
    assert last is not None
    return f"{day_of(first)} … {day_of(last)}"


def _lines(
    asked: _Asked, other: _Asked | None, step: Step | None, limit: int | None
) -> Iterator[str]:
    if other is not None:
        names = _name(other, asked), _name(asked, other)
        yield from comparison_lines(compared(asked, other), names, limit)
        return
    found = trends(asked.overview, asked.selection)
    step = step or default_step(len(found.pages.counts))
    yield clean(asked.topic, 80)
    yield from trend_lines(found, step, limit)
    yield from host_lines(_hosts(asked), limit)


def _hosts(asked: _Asked) -> list[HostRow]:
    mask = select(asked.overview, asked.selection)
    return host_rows(asked.overview, mask, clock=asked.selection.clock)


def _rows(asked: _Asked, other: _Asked | None, table: TrendTable) -> Iterable[Row]:
    """Return the rows of a table."""
    if table == "hosts":
        return host_table(_hosts(asked))
    if table == "categories":
        return category_table(_categories(asked))
    if table == "comparison":
        assert other is not None
        return comparison_rows(compared(asked, other))
    found: Trends = trends(asked.overview, asked.selection)
    return trend_rows(found, table)


def _categories(asked: _Asked) -> list[CategoryRow]:
    """Return the categories of the topic's folder with their pages."""
    declared = find_definition(asked.topic).categories
    if not declared:
        raise CommandError(
            _("topic {topic!r} has no [categories.NAME] in its topic.toml").format(
                topic=asked.topic
            )
        )
    found = categorize(asked.overview, declared, sample_keywords(declared))
    return category_rows(asked.overview, found, asked.selection)


async def _cells(
    table: TrendTable, rows: Iterable[Row], headings: Headings
) -> AsyncIterator[Sequence[Value]]:
    for row in rows:
        yield values(table, row, headings)

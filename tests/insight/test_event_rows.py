"""Rows of the table of events are stored, selected and counted."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta

import pytest

from topiccrawl.insight.stories.events import (
    EventFilter,
    EventRow,
    EventStoryRef,
    decode,
    encode,
    facets,
    in_order,
    select,
)

AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
ROWS = [
    EventRow(
        id="a", name="世界华商大会在吉隆坡开幕", when="2026-03-02", place="吉隆坡", region="马来西亚",
        persons=("林国明",), organizations=("马来西亚中华总商会",), first=AT, last=AT, count=3, copies=4,
        stories=(EventStoryRef(id="a", url="http://a.example/", title="开幕", at=AT, copies=4),),
        when_said=(("http://a.example/", "2日在吉隆坡开幕"),),
    ),
    EventRow(
        id="b", name="泉州侨批展", when="2026-03-05/2026-03-08", place="泉州市", region="福建", first=AT,
        last=AT + timedelta(days=3),
    ),
    EventRow(id="c", name="归侨座谈", first=AT - timedelta(days=40), last=AT, persons=("林国明", "王建华")),
]  # fmt: skip


@pytest.mark.parametrize("row", [*ROWS, EventRow(id="d", name="", first=AT, last=AT)])
def test_a_row_is_read_as_it_was_written(row: EventRow) -> None:
    assert decode(json.loads(json.dumps(encode(row)))) == row


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        (EventFilter(), "abc"),
        (EventFilter(words="華商 吉隆坡"), "a"),
        (EventFilter(place="泉州"), "b"),
        (EventFilter(place="福建省"), "b"),
        (EventFilter(name="林国明"), "ac"),
        (EventFilter(since=date(2026, 3, 3)), "b"),
        (EventFilter(until=date(2026, 2, 1)), "c"),
        # An event of several days is shown on each of them.
        (EventFilter(since=date(2026, 3, 6)), "b"),
        (EventFilter(since=date(2026, 3, 8), until=date(2026, 3, 8)), "b"),
        (EventFilter(since=date(2026, 3, 9)), ""),
        (EventFilter(least=2), "a"),
        (EventFilter(words="无"), ""),
    ],
)
def test_a_filter_leaves_what_is_wanted(wanted: EventFilter, ids: str) -> None:
    assert "".join(row.id for row in select(ROWS, wanted)) == ids


def test_rows_are_ordered_by_size_day_or_last_report() -> None:
    assert ["".join(it.id for it in in_order(ROWS, order)) for order in ("size", "day", "newest")] == [
        "abc", "bac", "bca",
    ]  # fmt: skip


def test_frequent_names_are_counted() -> None:
    assert facets(ROWS)["persons"] == [("林国明", 2), ("王建华", 1)]
    assert facets(ROWS)["places"] == [("吉隆坡", 1), ("泉州", 1)]


def test_an_event_without_a_time_has_the_day_in_china_of_its_first_report() -> None:
    row = EventRow(id="d", name="夜半", first=datetime(2026, 3, 1, 16, 30, tzinfo=UTC), last=AT)
    assert row.day == "2026-03-02"

"""Records as documents, as JSON lines and as MongoDB fields: nothing is lost on the way."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated

import bson
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.support.store_records as make
from topiccrawl.store.fields import RecordType, Stored
from topiccrawl.store.mongo.documents import field_name, from_mongo, plain_name, to_mongo
from topiccrawl.store.records import OUTCOMES, PAGES, RUNS, PageRecord, newest_outcomes, record_type
from topiccrawl.store.spool_format import DamagedFrame, frame, from_json, to_json, unframe
from topiccrawl.store.stories import merged
from topiccrawl.store.values import from_milliseconds, storable, to_milliseconds

#: No deadline (a loaded machine is slow), and fewer examples: each holds three whole records.
unhurried = settings(deadline=None, max_examples=50)

any_record = make.pages | make.outcomes | make.runs | make.near_misses


@unhurried
@given(make.any_text)
def test_storable_text_is_utf_8_and_only_surrogates_change(text: str) -> None:
    kept = storable(text)
    kept.encode()
    assert storable(kept) == kept
    assert len(kept) == len(text)
    assert [a for a, b in zip(text, kept, strict=True) if a != b] == [
        char for char in text if 0xD800 <= ord(char) <= 0xDFFF
    ]


@unhurried
@given(make.moments)
def test_times_survive_to_the_millisecond(moment: object) -> None:
    value = to_milliseconds(moment)  # type: ignore[arg-type]
    back = from_milliseconds(value)
    if 1 < back.year < 9999:
        assert to_milliseconds(back) == value


@unhurried
@given(make.pages, make.outcomes, make.runs)
def test_a_kept_record_does_not_change_when_it_is_kept_again(page, outcome, run) -> None:  # type: ignore[no-untyped-def]
    for record in (page, outcome, run):
        type_ = record_type(record)
        once = type_.record(type_.document(record))
        assert type_.record(type_.document(once)) == once
        assert type_.document(once)["_id"] == type_.document(record)["_id"]


@unhurried
@given(make.pages, make.outcomes, make.runs)
def test_a_document_goes_through_bson_unchanged(page, outcome, run) -> None:  # type: ignore[no-untyped-def]
    options = bson.CodecOptions(tz_aware=True)  # type: ignore[var-annotated]
    for record in (page, outcome, run):
        type_ = record_type(record)
        document = type_.document(record)
        found = from_mongo(bson.decode(bson.encode(to_mongo(document)), codec_options=options))
        assert type_.record(found) == type_.record(document)


@unhurried
@given(make.any_text)
def test_field_names_are_accepted_by_every_server_and_reversible(name: str) -> None:
    name = storable(name)
    field = field_name(name)
    assert field
    assert not set(field) & set(".$\x00")
    assert plain_name(field) == name


@unhurried
@given(any_record)
def test_a_frame_holds_its_record(record) -> None:  # type: ignore[no-untyped-def]
    line = frame(record)
    assert line.count(b"\n") == 1
    assert line.isascii()
    assert unframe(line) == from_json(to_json(record))
    assert frame(unframe(line)) == line


@unhurried
@given(any_record, st.data())
def test_a_torn_or_changed_frame_is_noticed(record, data) -> None:  # type: ignore[no-untyped-def]
    line = frame(record)
    cut = data.draw(st.integers(0, len(line) - 1))
    with pytest.raises(DamagedFrame):
        unframe(line[:cut])
    position = data.draw(st.integers(0, len(line) - 1))
    other = data.draw(st.integers(1, 255))
    changed = line[:position] + bytes([line[position] ^ other]) + line[position + 1 :]
    with pytest.raises(DamagedFrame):
        unframe(changed)


def test_numbers_of_numpy_are_kept_as_plain_ones() -> None:
    stats = {"whole": np.int64(3), "single": np.float32(0.5), "double": np.float64(0.25)}
    kept = RUNS.document(make.run(stats=stats))["stats"]
    assert kept == {"whole": 3, "single": 0.5, "double": 0.25}
    assert {name: type(value) for name, value in kept.items()} == {
        "whole": int,
        "single": float,
        "double": float,
    }
    page = PAGES.document(make.page(relevance=np.float64(0.5)))
    assert type(page["relevance"]) is float


def test_of_the_outcomes_of_one_url_the_last_that_is_not_queued_is_newest() -> None:
    verdicts = ["queued", "stored", "dropped", "queued"]
    records = [make.outcome(1, verdict=verdict) for verdict in verdicts]
    assert [it["verdict"] for it in newest_outcomes(records)] == ["dropped"]


def test_the_keys_of_documents_are_what_other_programs_read() -> None:
    """Renaming one breaks their queries and every stored document."""
    assert {
        *("_id", "topic", "url", "fetched_at", "published_at", "relevance", "title", "final_url"),
        *("site", "charset", "language", "content_hash", "run_id", "main_terms", "link", "author"),
        *("source", "editor", "kind", "summary", "keywords", "body", "html"),
    } <= set(PAGES.document(make.page()))
    assert set(PAGES.document(make.page())["link"]) == {
        *("score", "parts", "parent", "anchor", "depth"),
    }
    assert {
        *("_id", "topic", "url", "verdict", "reason", "detail", "at", "run_id", "sequence"),
        *("title", "site", "relevance", "threshold", "main_terms", "link"),
    } <= set(OUTCOMES.document(make.outcome()))
    assert {
        *("_id", "topic", "run_id", "started_at", "finished_at", "stop_reason", "strategy"),
        *("seed", "stats"),
    } <= set(RUNS.document(make.run()))


def test_a_page_item_is_stored_as_the_page_that_it_is() -> None:
    @dataclass(kw_only=True)
    class Item(PageRecord):
        attached: object

    page = make.page()
    item = Item(**{field.name: getattr(page, field.name) for field in fields(page)}, attached=1)
    assert PAGES.document(item) == PAGES.document(page)


def test_a_document_without_a_field_gives_its_default_and_an_unknown_field_is_refused() -> None:
    document = PAGES.document(make.page())
    del document["author"], document["keywords"]
    found = PAGES.record(document)
    assert (found.author, found.keywords) == ("", ())
    with pytest.raises(ValueError, match="pages have no field 'sentiment' in this version"):
        PAGES.record({**document, "sentiment": 0.5})


@dataclass
class WithoutDefault:
    added: Annotated[str, Stored(since=2)]


@dataclass
class WithoutCodec:
    strange: complex


def test_a_field_that_cannot_be_stored_is_refused_where_it_is_declared() -> None:
    with pytest.raises(TypeError, match="added was added in a later format and needs a default"):
        RecordType("things", WithoutDefault, key=str)
    with pytest.raises(TypeError, match=r"no codec for fields of type .*complex"):
        RecordType("things", WithoutCodec, key=str)


def test_a_page_that_leaves_the_collection_or_returns_is_compared_with_its_story_again() -> None:
    kept = PAGES.document(make.page(1, story="http://a.cn/first")) | {"compared": 3}
    gone = kept | {"withdrawn_at": 1}
    stays, leaves, returns, stays_away = (
        merged(now, before)
        for now, before in ((kept, kept), (gone, kept), (kept, gone), (gone, gone))
    )
    assert [it.left for it in (stays, leaves, returns, stays_away)] == ["", kept["story"], "", ""]
    compared = [it.document["compared"] for it in (stays, leaves, returns, stays_away)]
    assert compared == [3, 3, 0, 3]

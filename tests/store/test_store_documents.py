"""Records as documents, as JSON lines and as MongoDB fields: nothing is lost on the way."""

from __future__ import annotations

import bson
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.support.store_records as make
from topiccrawl.store.contract import storable
from topiccrawl.store.documents import (
    from_milliseconds,
    newest_outcomes,
    outcome_document,
    outcome_record,
    page_document,
    page_record,
    run_document,
    run_record,
    to_milliseconds,
)
from topiccrawl.store.mongo.documents import field_name, from_mongo, plain_name, to_mongo
from topiccrawl.store.spool_format import DamagedFrame, frame, from_json, to_json, unframe

#: No deadline (a loaded machine is slow), and fewer examples: each holds three whole records.
unhurried = settings(deadline=None, max_examples=50)

any_record = make.pages | make.outcomes | make.runs


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
    for record, document, back in (
        (page, page_document, page_record),
        (outcome, outcome_document, outcome_record),
        (run, run_document, run_record),
    ):
        once = back(document(record))
        assert back(document(once)) == once
        assert document(once)["_id"] == document(record)["_id"]


@unhurried
@given(make.pages, make.outcomes, make.runs)
def test_a_document_goes_through_bson_unchanged(page, outcome, run) -> None:  # type: ignore[no-untyped-def]
    options = bson.CodecOptions(tz_aware=True)  # type: ignore[var-annotated]
    for record, document, back in (
        (page, page_document, page_record),
        (outcome, outcome_document, outcome_record),
        (run, run_document, run_record),
    ):
        encoded = bson.encode(to_mongo(document(record)))
        found = from_mongo(bson.decode(encoded, codec_options=options))
        assert back(found) == back(document(record))


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
    kept = run_document(make.run(stats=stats))["stats"]
    assert kept == {"whole": 3, "single": 0.5, "double": 0.25}
    assert {name: type(value) for name, value in kept.items()} == {
        "whole": int,
        "single": float,
        "double": float,
    }
    page = page_document(make.page(relevance=np.float64(0.5)))
    assert type(page["relevance"]) is float


def test_of_the_outcomes_of_one_url_the_last_that_is_not_queued_is_newest() -> None:
    verdicts = ["queued", "stored", "dropped", "queued"]
    records = [make.outcome(1, verdict=verdict) for verdict in verdicts]
    assert [it["verdict"] for it in newest_outcomes(records)] == ["dropped"]

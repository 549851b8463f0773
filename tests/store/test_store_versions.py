"""Former versions of pages: packed texts, and which of many are kept."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

import tests.support.store_records as make
from tests.support.store_records import NOON
from topiccrawl.store.versions import former_version, surplus_versions, unpack_versions

BODY = "".join(f"第{number}句：归侨侨眷回国投资创业。" for number in range(300))


@given(st.lists(make.any_text, min_size=1, max_size=5))
def test_bodies_come_back_whatever_they_are(bodies: list[str]) -> None:
    first = None
    found = []
    for number, body in enumerate(bodies):
        page = make.page(1, body=body * 60)
        version = former_version(page, NOON + timedelta(days=number), first)
        first = first or version
        found.append(version)
    for unpacked, body in zip(unpack_versions(found), bodies, strict=True):
        assert not unpacked.damaged
        assert unpacked.body == re.sub("[\ud800-\udfff]", "\ufffd", body) * 60


def test_a_version_knows_since_when_the_page_had_this_text() -> None:
    page = make.page(1, fetched_at=NOON + timedelta(days=5))
    assert former_version(page, NOON + timedelta(days=9)).at == make.page(1).fetched_at
    changed = replace(page, changed_at=NOON + timedelta(days=5))
    assert former_version(changed, NOON + timedelta(days=9)).at == NOON + timedelta(days=5)


def test_a_small_change_of_a_long_text_takes_few_bytes() -> None:
    first = former_version(make.page(1, body=BODY), NOON)
    later = former_version(make.page(1, body=BODY.replace("第7句", "第七句")), NOON, first)
    assert len(later.text) < 100 < len(first.text) < len(BODY.encode()) / 5


def test_a_damaged_text_costs_only_itself_and_what_builds_on_it() -> None:
    first = former_version(make.page(1, body=BODY), NOON)
    second = former_version(make.page(1, body=BODY + "又一句。"), NOON + timedelta(days=1), first)
    whole = former_version(make.page(1, body="完全不同。"), NOON + timedelta(days=2))
    damaged = replace(first, text=b"?" + first.text[1:])
    found = unpack_versions([damaged, second, whole])
    assert [(it.damaged, it.body) for it in found] == [
        (True, ""),
        (True, ""),
        (False, "完全不同。"),
    ]
    # A difference without its base, of which nobody knows why it is missing.
    assert unpack_versions([second])[0].damaged


def test_a_body_that_would_expand_without_end_is_damaged_at_most_in_itself() -> None:
    bomb = replace(make.version(1), text=zlib.compress(b"\x00" * 50_000_000))
    (found,) = unpack_versions([bomb])
    assert len(found.body) <= 16 * 1024 * 1024


times = st.lists(st.floats(0, 1e6), max_size=40).map(sorted)


@given(times, st.integers(0, 45))
def test_the_first_the_last_and_the_newer_half_stay(found: list[float], most: int) -> None:
    surplus = surplus_versions(found, most)
    left = [index for index in range(len(found)) if index not in surplus]
    assert len(left) == min(len(found), max(most, 2))
    if found:
        assert left[0] == 0
        newest = max(most, 2) // 2
        assert left[-newest:] == list(range(len(found)))[-newest:]


def test_what_stays_is_spread_over_the_whole_history() -> None:
    daily: list[float] = []
    for day in range(1_000):
        daily.append(float(day))
        for index in reversed(surplus_versions(daily, 20)):
            del daily[index]
    gaps = [later - earlier for earlier, later in pairwise(daily)]
    assert daily[0] == 0
    assert max(gaps) < 300

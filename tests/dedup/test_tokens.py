"""Tokens find every title that is similar, and every text with a long run in common."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.dedup.compared import ComparedPage
from topiccrawl.dedup.shingles import SHINGLE, shingle_sequence, units
from topiccrawl.dedup.signing import Signer
from topiccrawl.dedup.title_vectors import TitleVector, TitleVectors, cosine, title_vector
from topiccrawl.dedup.titles import THRESHOLD
from topiccrawl.dedup.tokens import (
    TOKEN_BITS,
    UNDATED,
    WINDOW,
    WINDOW_DAYS,
    body_tokens,
    day_of,
    kind,
    salt,
    sample,
    title_tokens,
)

DAY = timedelta(days=1)

#: Tables of idf that make cosines hit the threshold: all equal; 3-4-5 triangles; one term above all.
TABLES: dict[str, Callable[[str], float]] = {
    "all equal": lambda term: 2.0,
    "3-4-5": lambda term: 3.0 if term in "aceg" else 4.0,
    "one rare": lambda term: 13.0 if term == "a" else 0.9,
    "spread": lambda term: 0.9 + (ord(term) - ord("a")) * 1.3,
}

titles = st.tuples(
    st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=7),
    # Around the edges of the window and of its buckets, before and after 1970.
    st.sampled_from([-62, -32, -31, -30, -1, 0, 1, 29, 30, 31, 32, 61, 62, UNDATED]),
)


def found(a: tuple[TitleVector, int], b: tuple[TitleVector, int]) -> bool:
    """Whether a lookup of one title finds the other."""
    return not set(title_tokens(*a)[1]).isdisjoint(title_tokens(*b)[0])


@pytest.mark.parametrize("table", TABLES)
@given(st.lists(titles, max_size=25))
def test_lookups_find_all_pairs_of_similar_titles_in_the_window(
    table: str, drawn: list[tuple[list[str], int]]
) -> None:
    vectors = [(title_vector(terms, TABLES[table]), day) for terms, day in drawn]
    for a in vectors:
        for b in vectors:
            if cosine(a[0], b[0]) >= THRESHOLD and abs(a[1] - b[1]) <= WINDOW_DAYS:
                assert found(a, b)


@given(
    st.lists(st.floats(0.5, 14.0), min_size=2, max_size=9),
    st.lists(st.integers(1, 3), min_size=2, max_size=9),
    st.integers(1, 8),
)
def test_titles_exactly_at_the_threshold_are_found(
    idfs: list[float], repeated: list[int], shared: int
) -> None:
    # The other title has the first terms of this one and a last term of its own, whose idf makes the
    # cosine .8 up to rounding.
    idf = {chr(ord("a") + i): value for i, value in enumerate(idfs)}
    terms = [t for t, n in zip(idf, repeated, strict=False) for _ in range(n)]
    common = [t for t in terms if t in list(idf)[:shared]]
    overlap = math.fsum((common.count(t) * idf[t]) ** 2 for t in set(common))
    whole = math.fsum((terms.count(t) * idf[t]) ** 2 for t in set(terms))
    rest = overlap**2 / (THRESHOLD**2 * whole) - overlap
    if rest <= 0.0:
        return
    table = {**idf, "z": math.sqrt(rest)}
    a, b = title_vector(terms, table.__getitem__), title_vector([*common, "z"], table.__getitem__)
    assert cosine(a, b) == pytest.approx(THRESHOLD, abs=1e-12)
    assert found((a, 0), (b, WINDOW_DAYS))


@given(titles, titles)
def test_the_cosine_is_the_same_in_both_directions(
    a: tuple[list[str], int], b: tuple[list[str], int]
) -> None:
    first, second = (title_vector(terms, TABLES["spread"]) for terms, _ in (a, b))
    assert cosine(first, second) == cosine(second, first)


def test_titles_are_looked_up_in_three_buckets_of_days_and_no_more() -> None:
    title = TitleVectors().vector("国务院侨办主任会见海外华侨华人代表团")
    assert found((title, 0), (title, WINDOW_DAYS))
    assert not found((title, 0), (title, 3 * WINDOW_DAYS))


@pytest.mark.parametrize(
    "title", ["", "2020年1月1日", "12:30 3/5", "第三期", "通知", "首页 >> 新闻"]
)
def test_titles_of_dates_numbers_or_two_words_have_no_tokens(title: str) -> None:
    assert title_tokens(TitleVectors().vector(title), 0) == ((), ())


han = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), max_size=400)
#: Texts of few different shingles, with many repetitions.
dull = st.text("一二三", max_size=400)


@given(st.integers(0, 2**32 - 1), han | dull, han | dull, han | dull, han | dull)
def test_texts_with_a_window_in_common_share_a_token(
    seed: int, before: str, after: str, other_before: str, other_after: str
) -> None:
    size = WINDOW + SHINGLE - 1
    run = "".join(map(chr, np.random.default_rng(seed).integers(0x4E00, 0x9FA0, size)))
    # Normalization joins no two Han characters, but the simplified form of one can depend on its neighbors.
    a, b = (
        shingle_sequence(text) for text in (before + run + after, other_before + run + other_after)
    )
    if np.array_equal(np.intersect1d(a, shingle_sequence(run)), np.unique(shingle_sequence(run))):
        assert set(body_tokens(a)) & set(body_tokens(b))


@given(st.lists(st.integers(0, 2**64 - 1), max_size=300), st.integers(1, 60), st.integers(1, 60))
def test_the_sample_of_a_longer_window_is_part_of_that_of_a_shorter_one(
    hashes: list[int], first: int, second: int
) -> None:
    body = np.array(hashes, np.uint64)
    short, long = sorted((first, second))
    windows = range(max(1, len(body) - short + 1))
    expected = {min(hashes[at : at + short]) for at in windows if hashes}
    assert set(sample(body, short).tolist()) == expected
    assert set(sample(body, long).tolist()) <= expected or len(body) < long


def test_white_space_punctuation_and_traditional_characters_make_no_difference() -> None:
    signer = Signer()
    plain, other = (
        signer.sign(ComparedPage(url="", title="", body=body))
        for body in (
            "中国侨网消息：华侨华人齐聚北京ＡＢＣ",
            "中國僑網消息 華僑華人，\n齊聚北京 abc。",
        )
    )
    assert plain.tokens == other.tokens
    assert kind(plain.tokens[0]) == "body"


def test_texts_of_the_same_shingles_in_another_order_differ_as_a_whole() -> None:
    there, back = (shingle_sequence(text) for text in ("一二三四五六", "二三四五六 一二三四五"))
    assert body_tokens(there)[0] != body_tokens(back)[0]


def test_tokens_are_six_bytes_and_those_of_a_huge_text_are_few() -> None:
    numbers = np.random.default_rng(1).integers(0x4E00, 0x9FA0, 150_000)
    body = shingle_sequence("".join(map(chr, numbers)))
    tokens = (
        *body_tokens(body),
        *title_tokens(TitleVectors().vector("华侨华人齐聚北京迎春"), 0)[0],
    )
    assert len(tokens) < 700
    assert all(0 <= token < 2**TOKEN_BITS for token in tokens)
    assert all(kind(token ^ salt("侨情")) == kind(token) for token in tokens)
    assert {kind(token) for token in tokens} == {"body", "shingle", "title"}


def test_tokens_are_the_same_in_every_process() -> None:
    # Stored with pages: whoever changes them must change METHOD.
    page = ComparedPage(url="", title="华侨华人齐聚北京迎春", body="一二三四五六")
    assert Signer().sign(page).tokens == (
        115293001174688,
        116856699426129,
        61640700890557,
        70051078554154,
        70068650953154,
        69973762854222,
    )


def test_a_title_is_compared_on_the_day_of_its_publication_but_not_in_the_future() -> None:
    fetched = datetime(2020, 1, 31, 12, tzinfo=UTC)
    assert day_of(fetched - 10 * DAY, fetched) == day_of(None, fetched) - 10
    assert day_of(fetched + 10 * DAY, fetched) == day_of(None, fetched)
    assert day_of(fetched, None) == day_of(None, fetched)
    assert day_of(None, None) == UNDATED


@given(st.text(st.sampled_from("一鬱アｱa1 ab，_한𠀀é"), max_size=60))
def test_shingles_are_runs_of_units(text: str) -> None:
    found = units(text)
    assert len(shingle_sequence(text)) == (max(1, len(found) - SHINGLE + 1) if found else 0)
    assert np.array_equal(shingle_sequence(text), shingle_sequence(" ".join(found)))

"""What holds of the relation of any two pages, and what a comparison costs."""

from __future__ import annotations

import math
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.related_pages import LINES, OTHER_LINES, TITLE, kind, other, page
from topiccrawl.dedup.compared import ComparedPage, RelationKind
from topiccrawl.dedup.odds import LONG, SHORT, most_log_odds
from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.relation import LITTLE, SAMPLED, may_share_text, relate
from topiccrawl.details import translated

TEXTS = st.lists(st.sampled_from(LINES + OTHER_LINES), max_size=9).map("\n".join)
TITLES = st.sampled_from(
    [TITLE, "侨务通讯第1期", "侨务通讯第2期", "新增80例", "新增6例", "通知", ""]
)
PAGES = st.builds(
    ComparedPage,
    url=st.sampled_from(["http://a.cn/1", "http://b.cn/1", "http://a.cn/2"]),
    title=TITLES,
    body=TEXTS,
    site=st.sampled_from(["a.cn", "b.cn", ""]),
)
EXCHANGED: dict[RelationKind, RelationKind] = {"excerpt": "gathers", "gathers": "excerpt"}


@given(PAGES, PAGES)
def test_exchanging_the_pages_exchanges_part_and_whole_only(
    first: ComparedPage, second: ComparedPage
) -> None:
    forth, back = relate(first, second), relate(second, first)
    assert back.kind == EXCHANGED.get(forth.kind, forth.kind)
    assert back.confidence == pytest.approx(forth.confidence)
    assert len(back.reasons) == len(forth.reasons)


@given(PAGES)
def test_each_page_is_the_same_page_as_itself(one: ComparedPage) -> None:
    assert kind(one, one) == "same-page"


@given(PAGES, PAGES)
def test_a_prepared_page_gives_the_same_result(first: ComparedPage, second: ComparedPage) -> None:
    assert relate(PreparedPage(first), PreparedPage(second)) == relate(first, second)


@given(PAGES, PAGES)
def test_a_look_at_shingles_and_titles_rules_out_no_copy_and_no_part(
    first: ComparedPage, second: ComparedPage
) -> None:
    if not may_share_text(PreparedPage(first), PreparedPage(second)):
        assert kind(first, second) in ("different", "template")


def test_a_look_at_shingles_and_titles_rules_out_pages_that_share_half_of_their_sentences() -> None:
    one = PreparedPage(page(body="\n".join(LINES[:4] + OTHER_LINES[:4])))
    two = PreparedPage(other("气象台发布预报", "\n".join(LINES[:4] + OTHER_LINES[4:])))
    assert not may_share_text(one, two)


@given(PAGES, PAGES)
def test_confidence_is_a_probability_of_at_least_a_half_and_reasons_are_translated(
    first: ComparedPage, second: ComparedPage
) -> None:
    relation = relate(first, second)
    assert 0.5 <= relation.confidence <= 1
    assert relation.reasons
    assert all(translated(reason, "zh") != reason for reason in relation.reasons)


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=300), st.text(max_size=300))
def test_no_text_makes_the_comparison_fail(t1: str, t2: str, b1: str, b2: str) -> None:
    assert relate(page(t1, b1), other(t2, b2)).confidence >= 0.5


def test_comparisons_of_prepared_pages_are_cheap() -> None:
    rng = random.Random(3)
    lines = (LINES + OTHER_LINES) * 4
    pages = [
        PreparedPage(page(body="\n".join(rng.sample(lines, 40)), url=str(n))) for n in range(40)
    ]
    begin = time.process_time()
    for one in pages[:20]:
        for two in pages:
            relate(one, two)
    assert time.process_time() - begin < 4  # 800 comparisons take .2 seconds


def test_of_copies_at_most_one_in_a_hundred_million_is_taken_for_another_text_by_its_sample() -> (
    None
):
    for size in range(SHORT + 20, LONG + 100, 60):
        least = next(
            n for n in range(size + 1) if most_log_odds(0.99, n / size, n / size, size) > 0
        )
        wrong = sum(
            _binomial(size, sampled, 1 / 8)
            * sum(
                _binomial(sampled, shared, least / size)
                for shared in range(math.floor(LITTLE * sampled) + 1)
            )
            for sampled in range(SAMPLED, min(size, 400))
        )
        assert wrong < 1e-8, size


def _binomial(n: int, k: int, p: float) -> float:
    if p == 1.0:
        return float(k == n)
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(ways + k * math.log(p) + (n - k) * math.log(1 - p))


def test_texts_that_share_some_sentences_are_told_apart_and_copies_are_not() -> None:
    draw = random.Random(7)
    sentences = [
        "".join(chr(draw.randrange(0x4E00, 0x9F00)) for _ in range(30)) + "。" for _ in range(80)
    ]
    first = PreparedPage(page("某市举行春季招聘会", "".join(sentences[:40])))
    unlike = PreparedPage(other("博物馆新馆下月开放", "".join(sentences[33:73])))
    edited = PreparedPage(other("招聘会在体育馆举行", "".join(sentences[4:40])))
    assert not may_share_text(first, unlike)
    assert relate(first, unlike).kind == "different"
    assert may_share_text(first, edited)
    assert relate(first, edited).is_copy

"""Folding of texts for search, and what is typed into a search box."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.text.folding import fold, fold_with_offsets, marks
from topiccrawl.text.searching import MOST_TERMS, ZONE, FieldFilter, SearchTerm, parse_query

TEXTS = st.text(st.one_of(st.characters(), st.sampled_from("侨僑务，。、\n“”aＡé\u0301㈱ß…𠮷")))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("華僑", "华侨"),
        ("沿著", "沿着"),
        ("乾隆", "干隆"),
        ("ＡＢＣ１２", "abc12"),
        ("Café", "cafe\u0301"),
        ("侨\u200b务", "侨务"),
        ("“侨”、务", "侨务"),
        ("完！？\n次", "完。次"),
        ("㈱", "株"),
        ("Straße", "STRASSE"),
    ],
)
def test_what_a_reader_takes_as_the_same_is_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_no_phrase_crosses_the_end_of_a_sentence() -> None:
    assert "国人" not in fold("中国。人民")
    assert "国人" in fold("中国，人民")


@given(TEXTS, st.integers(0, 40), st.integers(0, 40))
def test_every_piece_of_a_text_folds_to_a_piece_of_the_folded_text(
    text: str, start: int, length: int
) -> None:
    piece = text[start : start + length]
    assert fold(piece) in fold(text)
    assert set(marks(piece)) <= set(marks(text))


@given(TEXTS)
def test_offsets_lead_from_each_token_to_its_character(text: str) -> None:
    folded, offsets = fold_with_offsets(text)
    assert folded == fold(text)
    assert offsets == sorted(offsets)
    assert all(token in fold(text[at]) for token, at in zip(folded, offsets, strict=True))


def test_a_query_is_read_as_terms_and_filters() -> None:
    found = parse_query(
        '侨务 "回国 投资" -天气 标题：侨联 | 侨办 site:a.cn -kind:list since:2025-06'
    )
    assert list(found.terms) == [
        SearchTerm(("侨务",)),
        SearchTerm(("回国 投资",)),
        SearchTerm(("天气",), negated=True),
        SearchTerm(("侨联", "侨办"), within="title"),
    ]
    assert list(found.filters) == [FieldFilter("site", "a.cn"), FieldFilter("kind", "list", True)]
    assert (found.since, found.until) == (datetime(2025, 5, 31, 16, tzinfo=UTC), None)


@pytest.mark.parametrize(
    ("typed", "host"),
    [
        ("https://www.a.cn/", "www.a.cn"),
        ("www.a.cn:8080/news/1.html", "www.a.cn"),
        ("侨网.中国", "xn--8sqv57i.xn--fiqs8s"),
        ("侨网。中国", "xn--8sqv57i.xn--fiqs8s"),
        (".gov.cn", "gov.cn"),
        ("*.gov.cn", "gov.cn"),
        ("[2001:db8::1]", "[2001:db8::1]"),
    ],
)
def test_a_site_is_the_host_of_the_address_that_is_typed(typed: str, host: str) -> None:
    assert parse_query(f"site:{typed}").filters == (FieldFilter("site", host),)


@pytest.mark.parametrize("text", ["標題：侨联", "intitle:侨联", "ｔｉｔｌｅ：侨联", "標題： 侨联"])
def test_the_name_of_a_field_may_be_written_in_any_form(text: str) -> None:
    assert parse_query(text).terms == (SearchTerm(("侨联",), within="title"),)


@pytest.mark.parametrize(
    ("text", "first"),
    [("自：2010年", (2010, 1)), ("since:2010年10月", (2010, 10)), ("自:２０１０", (2010, 1))],
)
def test_a_date_may_be_written_in_chinese(text: str, first: tuple[int, int]) -> None:
    assert parse_query(text).since == datetime(*first, 1, tzinfo=ZONE)


@pytest.mark.parametrize("text", ["since:2025-13", "until:9999", "since:0000", "until:2025-02-30"])
def test_a_date_that_is_none_is_searched_as_a_word(text: str) -> None:
    found = parse_query(text)
    assert [it.phrases for it in found.terms] == [(text,)]
    assert found.no_dates == (text,)


@pytest.mark.parametrize(
    "text", ["kind:article", "kind:Article", "类型:文章", "-kind:帖子", "kind"]
)
def test_kinds_of_pages_may_be_written_in_any_form(text: str) -> None:
    assert parse_query(text).no_kinds == []


@pytest.mark.parametrize("text", ["侨 kind:foo", "-类型：foo"])
def test_a_kind_that_is_none_is_named(text: str) -> None:
    assert parse_query(text).no_kinds == ["foo"]


@pytest.mark.parametrize("text", ["since:2025", "-since:2025", "site:7d", "7d"])
def test_other_words_are_not_taken_for_wrong_dates(text: str) -> None:
    assert parse_query(text).no_dates == ()


@given(st.text(), st.text('侨-|"“ :site至since20()*', max_size=40))
def test_nothing_that_is_typed_raises(text: str, likely: str) -> None:
    parse_query(text)
    parse_query(likely)


@pytest.mark.parametrize("text", ["侨务｜侨联", "侨务 ｜ 侨联", "侨务|侨联", "侨务 OR 侨联"])
def test_either_is_written_with_bars_of_any_width(text: str) -> None:
    assert parse_query(text).terms == (SearchTerm(("侨务", "侨联")),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("侨批、会议", [("侨批",), ("会议",)]),
        ("华人、华侨 OR 侨眷", [("华人",), ("华侨", "侨眷")]),
        ("侨眷 OR 华人、华侨", [("侨眷", "华人、华侨")]),
        ("NOT 侨批、会议", [("侨批、会议",)]),
        ("标题：侨批、会议", [("侨批、会议",)]),
        ("、", [("、",)]),
        ("华侨，华人", [("华侨",), ("华人",)]),
        ("华侨, 华人;侨眷；", [("华侨",), ("华人",), ("侨眷",)]),
        ("华侨+华人 ＋侨眷", [("华侨",), ("华人",), ("侨眷",)]),
        ("1,000人，1，200元", [("1,000人",), ("1，200元",)]),
    ],
)
def test_an_enumeration_is_several_words(text: str, words: list[tuple[str, ...]]) -> None:
    assert [it.phrases for it in parse_query(text).terms] == words


def test_no_more_words_are_searched_than_the_limit_whatever_joins_them() -> None:
    words = [chr(0x4E00 + number) for number in range(200)]
    for text in ("|".join(words), " ".join(words), " ".join(f"{it}|侨" for it in words)):
        assert sum(len(it.phrases) for it in parse_query(text).terms) == MOST_TERMS
    assert parse_query("侨|侨|务").terms == (SearchTerm(("侨", "务")),)
    assert parse_query("a b|a").terms == (SearchTerm(("a",)), SearchTerm(("b", "a")))


def test_the_operators_of_library_catalogs_mean_what_they_say() -> None:
    wanted = (SearchTerm(("侨务",)), SearchTerm(("投资",)), SearchTerm(("天气",), negated=True))
    assert parse_query("侨务 AND 投资 NOT 天气").terms == wanted
    assert parse_query('侨务 AND 投资 NOT "天气"').terms == wanted
    assert parse_query("NOT 类型：列表 AND 侨务").filters == (
        FieldFilter("kind", "list", negated=True),
    )
    assert parse_query('and "AND" -NOT').terms == (
        SearchTerm(("and",)),
        SearchTerm(("AND",)),
        SearchTerm(("NOT",), negated=True),
    )


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("类型：文章", "kind", "article"),
        ("kind:帖子", "kind", "thread"),
        ("语言：繁体", "language", "zh-Hant"),
        ("语言:简体中文", "language", "zh-Hans"),
        ("类型:article", "kind", "article"),
        ("站点：https://www.a.cn/", "site", "www.a.cn"),
        ("站點: www.a.cn", "site", "www.a.cn"),
        ("類型：列表頁", "kind", "list"),
        ("ｋｉｎｄ：文章", "kind", "article"),
        ("語言：繁體中文", "language", "zh-Hant"),
        ("inurl:/news/", "url", "/news/"),
    ],
)
def test_values_of_fields_may_be_written_as_they_are_shown(
    text: str, field: str, value: str
) -> None:
    assert parse_query(text).filters == (FieldFilter(field, value),)

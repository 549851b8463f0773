"""The contract of stores: search."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.support.store_records as make
from tests.support.store_records import NOON, TOPIC, MakeStore, in_loop, opened
from topiccrawl.store.contract import PageRecord, SearchQuery, Store
from topiccrawl.store.search import SearchResult
from topiccrawl.text.searching import SearchTerm


def page(number: int, title: str, body: str = "", **changes: object) -> PageRecord:
    return make.page(number, title=title, body=body, html=None, **changes)


async def numbers(store: Store, text: str, **options: object) -> list[int]:
    """The numbers of the pages that *text* finds, sorted."""
    found = await store.search([TOPIC], SearchQuery.from_text(text, **options))
    assert found.total == len(found.hits)
    return sorted(number_of(found))


def number_of(result: SearchResult) -> list[int]:
    return [int(it.headline.url.rpartition("/")[2].partition(".")[0]) for it in result.hits]


PAGES = [
    page(1, "海外華僑回國", "據報道，侨胞返乡。投资创业，COVID-19 之後。"),
    page(2, "天气预报", "𠮷野家今天晴；Café № 5 开张，著名景点，沿着海边。"),
    page(3, "ＡＩ技术", "2023年3月，OpenAI发布：“模型”…（完）\n侨务工作 https://a.example/x?y=1"),
    page(4, "国人", "中国人民银行。侨\u200b务会议"),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("侨", [1, 3, 4]),
        ("僑", [1, 3, 4]),
        ("侨务", [3, 4]),
        ("華僑", [1]),
        ("乡投", []),
        ("道侨", [1]),
        ("道，侨", [1]),
        ("covid", [1]),
        ("VID-1", [1]),
        ("之后", [1]),
        ("𠮷", [2]),
        ("cafe", [2]),
        ("CAFÉ no 5", [2]),
        ("着名", [2]),
        ("沿著", [2]),
        ("AI", [3]),
        ("ｏｐｅｎ", [3]),
        ("23年3", [3]),
        ("2023年3月", [3]),
        ("“", [1, 2, 3, 4]),
        ("；", [2]),
        ("模型完", []),
        ("国人", [4]),
        ("侨 -银行", [1, 3]),
        ("-侨", [2]),
        ('"回国" | 天气', [1, 2]),
        ("国 OR 晴 OR 模型", [1, 2, 3, 4]),
        ("title:侨", [1]),
        ("标题：侨 -title:国", []),
        ("-title:ai 侨", [1, 4]),
        ("nothing:侨", []),
        ('"', [1, 2, 3, 4]),
        ("   ", [1, 2, 3, 4]),
        ("侨务 -", [3, 4]),
        ("https://a.example/x?y=1", [3]),
    ],
)  # fmt: skip
@in_loop
async def test_a_query_finds_the_pages_that_contain_it(
    make_store: MakeStore, text: str, expected: list[int]
) -> None:
    async with opened(make_store()) as store:
        await store.write(PAGES)
        assert await numbers(store, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("什么是谱牒？", [5]),
        ("“海外华侨回国！”", [1]),
        ("……侨务工作。", [3]),
        ("二〇一六年", [5]),
        ("二零一六年家书", [5]),
        ("谱牒 & 家书", [5]),
        ("谱牒 ？", [5]),
        ("家书、谱牒", [5]),
        ("“家书、谱牒”", []),
        ('谱牒 "&"', []),
        ("标题： 谱牒", [5]),
    ],
)
@in_loop
async def test_signs_around_and_between_words_and_other_forms_of_zero_hide_no_page(
    make_store: MakeStore, text: str, expected: list[int]
) -> None:
    async with opened(make_store()) as store:
        await store.write([*PAGES, page(5, "什么是谱牒", "二○一六年家书")])
        assert await numbers(store, text) == expected


@in_loop
async def test_filters_and_times_restrict_what_is_found(make_store: MakeStore) -> None:
    def at(year: int) -> datetime:
        return datetime(year, 5, 31, 16, 30, tzinfo=UTC)

    pages = [
        page(
            1, "侨务", site="news.a.cn", author="张三 李四", published_at=at(2023), kind="article"
        ),
        page(2, "侨务", site="b.cn", author="王五", published_at=at(2024), source="新華社"),
        page(3, "侨务", site="a.cn", author="", published_at=None, story="s1", language="zh-Hant"),
    ]
    async with opened(make_store()) as store:
        await store.write(pages)
        for text, expected in [
            ("侨务 site:a.cn", [1, 3]),
            ("侨务 site:a.cn site:b.cn", [1, 2, 3]),
            ("侨务 -site:a.cn", [2]),
            ("author:张三", [1]),
            ("作者:王", [2]),
            ("source:新华", [2]),
            ("story:s1", [3]),
            ("language:zh-hant", [3]),
            ("since:2024", [2, 3]),
            ("since:2024 until:2024", [2]),
            ("until:2023-06-01", [1]),
            ("until:2023-05-31", []),
            ("since:2023-06 until:2023-06", [1]),
            ("since:2024-13", []),
            ("topic:侨情 侨", [1, 2, 3]),
            ("topic:侨", []),
            ("url:/news/2", [2]),
        ]:
            assert await numbers(store, text) == expected, text


@in_loop
async def test_only_pages_of_the_collection_are_found(make_store: MakeStore) -> None:
    pages = [
        page(1, "侨务"),
        page(2, "侨务", withdrawn_at=NOON),
        page(3, "侨务", copy_of=make.page(1).url, story="s", relation="copy"),
        page(4, "侨务", topic="另一个"),
    ]
    async with opened(make_store()) as store:
        await store.write(pages, near_misses=[make.near_miss(5, title="侨务")])
        assert await numbers(store, "侨务") == [1]
        assert await numbers(store, "侨务", copies=True) == [1, 3]
        everywhere = await store.search([], SearchQuery.from_text("侨务"))
        assert sorted(number_of(everywhere)) == [1, 4]
        assert everywhere.facets["topic"] == [("侨情", 1), ("另一个", 1)]
        await store.write([replace(pages[1], withdrawn_at=None)])
        assert await numbers(store, "侨务") == [1, 2]


@in_loop
async def test_a_page_with_another_text_is_found_by_that_alone(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        for body in ("旧的内容", "新的内容", "旧的内容", "新的内容"):
            await store.write([page(1, "标题", body)])
        await store.write([page(1, "标题", "新的内容")])
        assert await numbers(store, "旧的") == []
        assert await numbers(store, "新的") == [1]


@in_loop
async def test_hits_have_marked_titles_and_pieces_of_their_texts(make_store: MakeStore) -> None:
    body = "开头。" + "无关的句子，很长很长。" * 40 + "这里有歸國華僑代表。" + "后文。" * 60
    async with opened(make_store()) as store:
        await store.write([page(1, "归国 ＡＢ", body)])
        found = await store.search([TOPIC], SearchQuery.from_text("归国 华侨 ab"))
    (hit,) = found.hits
    assert [hit.title.text[a:b] for a, b in hit.title.marks] == ["归国", "ＡＢ"]
    assert [hit.body.text[a:b] for a, b in hit.body.marks] == ["歸國", "華僑"] or [
        hit.body.text[a:b] for a, b in hit.body.marks
    ] == ["歸國華僑"]
    assert hit.body.text.startswith("…")
    assert hit.body.text.endswith("…")
    assert len(hit.body.text) < 140


@in_loop
async def test_results_are_sorted_and_come_in_parts(make_store: MakeStore) -> None:
    pages = [
        page(
            number,
            "侨务",
            published_at=datetime(2020 + number, 1, 2, tzinfo=UTC),
            source=f"s{number % 2}",
        )
        for number in range(1, 6)
    ]
    async with opened(make_store()) as store:
        await store.write(pages)
        query = SearchQuery.from_text("侨务", order="newest", limit=2)
        parts = [
            await store.search([TOPIC], replace(query, offset=number * query.limit))
            for number in range(4)
        ]
        assert [number_of(it) for it in parts] == [[5, 4], [3, 2], [1], []]
        assert {it.total for it in parts} == {5}
        oldest = await store.search([TOPIC], SearchQuery.from_text("侨务", order="oldest"))
        assert number_of(oldest) == [1, 2, 3, 4, 5]
        assert oldest.facets["source"] == [("s1", 3), ("s0", 2)]
        assert oldest.facets["year"] == [(str(2020 + number), 1) for number in range(1, 6)]
        with pytest.raises(ValueError, match="order"):
            SearchQuery.from_text("侨务", order="best")


@in_loop
async def test_a_year_is_that_of_china_and_choosing_it_finds_as_many(make_store: MakeStore) -> None:
    moments = [
        datetime(2023, 12, 31, 15, 59, 59, tzinfo=UTC),  # 2023-12-31 23:59 in China
        datetime(2023, 12, 31, 16, tzinfo=UTC),  # 2024-01-01 00:00
        datetime(2024, 12, 31, 15, tzinfo=UTC),
    ]
    pages = [page(n, "侨务", published_at=at) for n, at in enumerate(moments, 1)]
    async with opened(make_store()) as store:
        await store.write(pages)
        found = await store.search([TOPIC], SearchQuery.from_text("侨务"))
        assert found.facets["year"] == [("2024", 2), ("2023", 1)]
        for year, number in found.facets["year"]:
            assert len(await numbers(store, f"since:{year} until:{year}")) == number


def test_times_of_a_text_and_of_the_options_both_restrict() -> None:
    def at(month: int) -> datetime:
        return datetime(2024, month, 1, tzinfo=UTC)

    wide = SearchQuery.from_text("since:2023 until:2025", since=at(3), until=at(5))
    assert (wide.since, wide.until) == (at(3), at(5))
    narrow = SearchQuery.from_text("since:2024-06-02 until:2024-06", since=at(3), until=at(12))
    assert narrow.since is not None
    assert narrow.until is not None
    assert at(6) < narrow.since < narrow.until < at(7)


ALPHABET = "侨僑务務国國，。、“” \naA１1é-:|\"'()*^{}+NEAR𠮷\u0301\u200b\x00"


@settings(max_examples=200)
@given(st.text(ALPHABET, max_size=30))
def test_nothing_that_is_typed_raises(text: str) -> None:
    SearchQuery.from_text(text)


@in_loop
async def test_every_piece_of_a_text_finds_its_page(make_store: MakeStore) -> None:
    body = (
        "据中新社报道，“僑胞”返鄉：COVID-19（新冠）…２０２３年 Café！《侨情》第1期\n"
        "\n𠮷野家 'AI' \"C++\"？  NEAR(a b) * 完。"
    )
    async with opened(make_store()) as store:
        await store.write([page(1, "标题", body), page(2, "别的", "别的")])
        for length in range(1, 7):
            for start in range(0, len(body) - length, 3):
                piece = body[start : start + length]
                if piece.strip():
                    quoted = SearchQuery(terms=[SearchTerm((piece,))])
                    found = await store.search([TOPIC], quoted)
                    assert 1 in number_of(found), piece
                    # As it is typed, with operators: it may find nothing, but must not raise.
                    await store.search([TOPIC], SearchQuery.from_text(piece))


@in_loop
async def test_pages_are_found_by_when_they_were_first_seen(make_store: MakeStore) -> None:
    pages = [
        page(1, "侨务旧闻", first_seen=NOON, published_at=None),
        page(2, "侨务新闻", first_seen=NOON + timedelta(hours=2)),
        page(3, "侨务新闻", first_seen=None, fetched_at=NOON + timedelta(hours=3)),
    ]
    async with opened(make_store()) as store:
        await store.write(pages)
        assert await numbers(store, "侨务", seen_since=NOON) == [2, 3]
        assert await numbers(store, "", seen_since=NOON + timedelta(hours=2)) == [3]
        assert await numbers(store, "侨务", seen_until=NOON + timedelta(hours=2)) == [1]
        seen = {"seen_since": NOON, "seen_until": NOON + timedelta(hours=3)}
        assert await numbers(store, "", **seen) == [2]

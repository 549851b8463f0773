"""The contract, for every backend: the tokens by which pages with shared text are found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.store_records import NOON, TOPIC, MakeStore, in_loop, opened
from tests.support.store_stories import head, open_pages, urls
from topiccrawl.store.contract import TopicSize

BIG, SMALL = -(2**63), 2**63 - 1


@in_loop
async def test_pages_are_found_by_their_tokens_in_their_topic(make_store: MakeStore) -> None:
    first, second = head(1, tokens=(BIG, SMALL, 7, 7)), head(2, tokens=(SMALL, -1))
    async with opened(make_store()) as store:
        await store.write([first, second, head(1, topic="另一个", tokens=(SMALL,))])
        found = await store.sharing(TOPIC, [BIG, SMALL, 7, 8, -1, SMALL], most=5)
        assert {token: sorted(them) for token, them in found.items()} == {
            BIG: [first.url],
            SMALL: urls([first, second]),
            7: [first.url],
            -1: [second.url],
        }
        assert await store.sharing(TOPIC, [], most=5) == {}
        assert await store.sharing("没有", [SMALL], most=5) == {}


@in_loop
async def test_of_a_frequent_token_one_page_more_than_wanted_is_returned(
    make_store: MakeStore,
) -> None:
    pages = [head(number, tokens=(1, 1000 + number)) for number in range(30)]
    async with opened(make_store()) as store:
        await store.write(pages)
        found = await store.sharing(TOPIC, [1, 1003], most=2)
        assert len(set(found[1])) == len(found[1]) == 3
        assert found[1003] == [pages[3].url]


@in_loop
async def test_withdrawn_pages_share_nothing_and_return_with_their_tokens(
    make_store: MakeStore,
) -> None:
    page = head(1, tokens=(5,))
    async with opened(make_store()) as store:
        await store.write([page])
        stored = await store.page(TOPIC, page.url)
        assert stored is not None
        await store.write([replace(stored, withdrawn_at=NOON)])
        assert await store.sharing(TOPIC, [5], most=5) == {}
        assert await open_pages(store) == []
        await store.write([stored])
        assert await store.sharing(TOPIC, [5], most=5) == {5: [page.url]}
        assert await open_pages(store) == [page.url]


@in_loop
async def test_a_rewritten_page_has_the_tokens_of_its_new_text_only(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write([head(1, tokens=(5, 6))])
        await store.write([head(1, tokens=(6, 7), body="新")])
        assert list(await store.sharing(TOPIC, [5, 6, 7], most=5)) == [6, 7]
        # As another process writes it back that has read it long ago.
        await store.write([head(1, tokens=(), body="更新")])
        assert await store.sharing(TOPIC, [5, 6, 7], most=5) == {}
        assert await open_pages(store) == [head(1).url]


@in_loop
async def test_forgetting_a_topic_forgets_its_tokens_only(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        for topic in (TOPIC, "另一个"):
            await store.write([head(1, topic=topic, tokens=(5,))])
        await store.forget(TOPIC)
        assert await store.sharing(TOPIC, [5], most=5) == {}
        assert list(await store.sharing("另一个", [5], most=5)) == [5]
        await store.write([head(1, tokens=(6,))])
        assert list(await store.sharing(TOPIC, [5, 6], most=5)) == [6]
        assert await store.size("另一个") == TopicSize(1, 0, 0, 0)


@in_loop
async def test_a_token_of_more_than_64_bits_is_refused(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        with pytest.raises(ValueError, match="tokens must have at most 64 bits"):
            await store.write([head(1, tokens=(2**63,))])

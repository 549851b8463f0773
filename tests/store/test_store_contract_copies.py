"""The contract, for every backend: copies, stories, and what must be compared."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

import tests.support.store_records as make
from tests.support.store_records import NOON, TOPIC, MakeStore, in_loop, listed, opened
from tests.support.store_stories import METHOD, copy, head, open_pages, urls
from topiccrawl.store.contract import Membership, PageRecord, StoredStory, TopicSize

FIRST = make.page(1, html=None)
BIG = -(2**63)


def member(page: PageRecord, **changes: Any) -> Membership:
    """The membership that a page has."""
    found = Membership(
        story=page.story,
        relation=page.relation,
        copy_of=page.copy_of,
        detail=page.relation_detail,
        compared=page.compared,
    )
    return replace(found, **changes)


def read(page: PageRecord) -> PageRecord:
    """The page as it is read back."""
    return replace(page, tokens=())


@in_loop
async def test_lists_and_counts_leave_copies_out_unless_asked(make_store: MakeStore) -> None:
    first = head(1)
    again, other = copy(2, first), head(3)
    async with opened(make_store()) as store:
        await store.write([first, again, other], runs=[make.run(1, topic="空")])
        for order in ("fetched", "relevance", "published"):
            assert again.url not in urls(await listed(store.pages(TOPIC, order=order)))  # type: ignore[arg-type]
            pages = await listed(store.pages(TOPIC, order=order, copies=True))  # type: ignore[arg-type]
            assert sorted(urls(pages)) == sorted(urls([first, again, other]))
        assert await listed(store.pages(TOPIC, copies=True)) == [
            read(first),
            read(again),
            read(other),
        ]
        assert await store.page(TOPIC, again.url) == read(again)
        assert await store.count(TOPIC) == 2
        assert await store.topics() == {TOPIC: 2, "空": 0}
        assert [url async for url, _ in store.titles(TOPIC)] == urls([first, other])
        assert await store.size(TOPIC) == TopicSize(2, 0, 0, 0, copies=1)
        assert await store.copies(TOPIC) == {first.story: 1}


@in_loop
async def test_kept_pages_are_found_by_their_urls(make_store: MakeStore) -> None:
    first = head(1)
    again, gone = copy(2, first, body=first.body), head(3, withdrawn_at=NOON)
    async with opened(make_store()) as store:
        await store.write([first, again, gone, head(4), head(1, topic="另一个")])
        found = await store.pages_at(TOPIC, [again.url, first.url, gone.url, make.page(9).url])
        assert {page.url: page for page in found} == {
            first.url: read(first),
            again.url: read(again),
        }
        assert list(await store.pages_at(TOPIC, [])) == []


@in_loop
async def test_of_the_withdrawn_pages_none_is_left_out(make_store: MakeStore) -> None:
    gone = copy(2, head(1), withdrawn_at=NOON)
    async with opened(make_store()) as store:
        await store.write([head(1), gone])
        assert await listed(store.pages(TOPIC, withdrawn=True)) == [read(gone)]
        assert await store.copies(TOPIC) == {}


@in_loop
async def test_what_was_read_is_written_back_without_undoing_a_comparison(
    make_store: MakeStore,
) -> None:
    first, again = head(1), copy(2, head(1))
    async with opened(make_store()) as store:
        await store.write([first, head(2)])
        stored = await store.page(TOPIC, again.url)
        assert stored is not None
        await store.set_relations(TOPIC, {again.url: member(again)})
        await store.write([replace(stored, probability=0.5)])
        assert await store.page(TOPIC, again.url) == replace(
            read(again), probability=0.5, body="正文2"
        )
        assert await store.sharing(TOPIC, [2], most=5) == {2: [again.url]}


@in_loop
async def test_relations_are_set_and_unknown_pages_skipped(make_store: MakeStore) -> None:
    first, other, again = head(1), head(2), copy(2, head(1), relation="edited")
    async with opened(make_store()) as store:
        await store.write([first, other])
        relations = {
            again.url: member(again, tokens=(9, BIG)),
            first.url: member(first),
            "http://nowhere.example/": member(first),
        }
        for _ in range(2):
            await store.set_relations(TOPIC, relations)
            assert await listed(store.pages(TOPIC, copies=True)) == [read(first), read(again)]
            assert await store.members(TOPIC, first.story) == [read(first), read(again)]
            assert await store.sharing(TOPIC, [1, 2, 9, BIG], most=5) == {
                1: [first.url],
                9: [again.url],
                BIG: [again.url],
            }
        await store.set_relations(TOPIC, {})
        assert await store.members(TOPIC, other.story) == []
        assert await store.members(TOPIC, "") == []


@in_loop
async def test_a_page_that_was_rewritten_meanwhile_is_left_to_the_next_comparison(
    make_store: MakeStore,
) -> None:
    first, now = head(1), head(2, content_hash="new", compared=0)
    async with opened(make_store()) as store:
        await store.write([first, now])
        await store.set_relations(TOPIC, {now.url: member(copy(2, first), content_hash="old")})
        assert await store.page(TOPIC, now.url) == read(now)
        await store.set_relations(TOPIC, {now.url: member(copy(2, first), content_hash="new")})
        assert await store.copies(TOPIC) == {first.story: 1}


LEAVING = {
    "withdrawn": {"withdrawn_at": NOON},
    "rewritten": {"body": "另一篇文章", "tokens": (99,)},
    "with another title": {"title": "另一个标题", "tokens": (99,)},
    "now in another story": {"story": "elsewhere"},
    "now a copy": {"copy_of": make.page(9).url},
}


@pytest.mark.parametrize("changes", LEAVING.values(), ids=LEAVING.keys())
@in_loop
async def test_members_are_compared_again_when_their_representative_leaves_or_changes(
    make_store: MakeStore, changes: dict[str, Any]
) -> None:
    first = head(1)
    copies = [copy(2, first), copy(3, first)]
    async with opened(make_store()) as store:
        await store.write([first, *copies, head(9)])
        assert await open_pages(store) == []
        await store.write([replace(first, **changes)])
        assert set(urls(copies)) <= set(await open_pages(store)) <= set(urls([first, *copies]))


@in_loop
async def test_a_page_written_again_as_it_was_changes_nothing(make_store: MakeStore) -> None:
    first = head(1)
    async with opened(make_store()) as store:
        await store.write([first, copy(2, first)])
        await store.write([first])
        await store.write([copy(2, first)])
        assert await open_pages(store) == []
        assert await store.copies(TOPIC) == {first.story: 1}


@in_loop
async def test_a_copy_of_a_page_that_is_not_there_must_be_compared(make_store: MakeStore) -> None:
    first, second = head(1), head(2)
    chained = copy(4, first, copy_of=copy(3, first).url)
    async with opened(make_store()) as store:
        await store.write([copy(3, first), chained])
        assert await open_pages(store) == urls([copy(3, first), chained])
        await store.write([first, copy(3, first), second])
        assert await open_pages(store) == [chained.url]
        # The other page takes the lead, and who still names the first one must follow.
        taken = member(copy(1, first, copy_of=second.url))
        await store.set_relations(
            TOPIC, {first.url: taken, second.url: member(second, story=first.story)}
        )
        assert await open_pages(store) == urls([copy(3, first), chained])


@in_loop
async def test_what_must_be_compared_comes_by_method_then_age(make_store: MakeStore) -> None:
    methods = {1: METHOD, 2: 0, 3: METHOD + 1, 4: METHOD - 1, 5: 0}
    pages = [head(number, compared=method) for number, method in methods.items()]
    gone = head(6, compared=0, withdrawn_at=NOON)
    async with opened(make_store()) as store:
        await store.write([*reversed(pages), gone])
        expected = [read(pages[it - 1]) for it in (2, 5, 4, 3)]
        assert await listed(store.uncompared(TOPIC, METHOD)) == expected
        for limit in range(6):
            found = await listed(store.uncompared(TOPIC, METHOD, limit=limit))
            assert found == expected[:limit]
        assert await store.count_uncompared(TOPIC, METHOD) == 4
        assert await store.count_uncompared("没有", METHOD) == 0


@in_loop
async def test_stories_are_listed_by_size_or_by_their_newest_member(make_store: MakeStore) -> None:
    big, late, alone = head(1), head(10), head(20)
    orphan = copy(30, head(29))
    pages = [big, copy(2, big), copy(3, big), late, copy(15, late), alone, orphan]
    async with opened(make_store()) as store:
        await store.write([*pages, copy(40, late, withdrawn_at=NOON)])
        found = {
            page.url: StoredStory(
                page.story,
                members,
                page.url,
                page.title,
                page.fetched_at,
                NOON + timedelta(seconds=last),
            )
            for page, members, last in ((big, 3, 3), (late, 2, 15), (alone, 1, 20))
        }
        assert await listed(store.stories(TOPIC)) == [found[big.url], found[late.url]]
        newest = [found[late.url], found[big.url]]
        assert await listed(store.stories(TOPIC, order="newest")) == newest
        assert await listed(store.stories(TOPIC, limit=1)) == [found[big.url]]
        assert await listed(store.stories(TOPIC, limit=0)) == []
        every = await listed(store.stories(TOPIC, least=1))
        assert every[:3] == [found[big.url], found[late.url], found[alone.url]]
        assert every[3] == StoredStory(
            orphan.story, 1, "", "", orphan.fetched_at, orphan.fetched_at
        )
        with pytest.raises(ValueError, match="order must be one of size, newest; got 'odd'"):
            await listed(store.stories(TOPIC, order="odd"))  # type: ignore[arg-type]


@in_loop
async def test_a_reader_lists_stories_and_sets_nothing(make_store: MakeStore) -> None:
    first = head(1)
    async with opened(make_store()) as store:
        await store.write([first, copy(2, first)])
    async with opened(make_store(read_only=True)) as store:
        assert [it.members async for it in store.stories(TOPIC)] == [2]
        assert list(await store.sharing(TOPIC, [1, 2], most=5)) == [1, 2]
        with pytest.raises(RuntimeError, match="reading only"):
            await store.set_relations(TOPIC, {first.url: member(first)})


@in_loop
async def test_one_owner_at_a_time_may_change_the_stories_of_a_topic(
    make_store: MakeStore,
) -> None:
    async with opened(make_store()) as store, opened(make_store()) as other:
        assert await store.lease_settling(TOPIC, "a", 60)
        assert not await other.lease_settling(TOPIC, "b", 60)
        assert await other.lease_settling("another topic", "b", 60)
        assert await store.lease_settling(TOPIC, "a", 60)
        assert await store.lease_settling(TOPIC, "a", 0)
        assert await other.lease_settling(TOPIC, "b", 0), "what was given up is free"
        assert await store.lease_settling(TOPIC, "a", 0), "what has ended is free"


@pytest.mark.parametrize("hours", [1, 24])
@in_loop
async def test_a_right_to_change_stories_ends_although_the_clock_is_set_back(
    make_store: MakeStore, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    real = time.time
    async with opened(make_store()) as store, opened(make_store()) as other:
        with monkeypatch.context() as ahead:
            ahead.setattr(time, "time", lambda: real() + 3600 * hours)
            assert await store.lease_settling(TOPIC, "killed", 60)
        assert await other.lease_settling(TOPIC, "b", 60)
        assert not await store.lease_settling(TOPIC, "killed", 60)


@pytest.mark.parametrize("packs", [True, False])
@pytest.mark.parametrize("changed", [True, False])
@pytest.mark.parametrize("reverse", [True, False])
@in_loop
async def test_a_page_that_becomes_a_copy_and_an_original_at_once_keeps_its_text(
    make_store: MakeStore, *, reverse: bool, changed: bool, packs: bool
) -> None:
    """Two workers that meet copies at the same moment name different originals."""
    text = "侨联举行座谈会，归侨侨眷代表出席并发言。" * 20
    first = head(1, body=text)
    other = head(2, body=text if packs else "另一篇报道。" * 40)
    again = copy(1, of=other, body=f"{text}更正。" if changed else text)
    third = copy(3, of=first, body=text)
    pages = [third, again]
    async with opened(make_store()) as store:
        await store.write([first, other])
        await store.write(pages[::-1] if reverse else pages)
        relation = Membership(
            story=other.story, relation="copy", copy_of=other.url, compared=METHOD
        )
        await store.set_relations(TOPIC, {page.url: relation for page in pages})
        for page in (other, *pages):
            stored = await store.page(TOPIC, page.url)
            assert stored is not None
            assert stored.body == page.body


@in_loop
async def test_kept_documents_are_found_by_their_page(make_store: MakeStore) -> None:
    url = head(9).url
    second, first = head(2, attached_to=url), head(1, attached_to=url)
    again = copy(3, first, attached_to=url)
    gone = head(4, attached_to=url, withdrawn_at=NOON)
    others = [head(5, attached_to="http://other.example/"), head(6)]
    async with opened(make_store()) as store:
        await store.write([second, first, again, gone, *others])
        assert await store.attachments(TOPIC, url) == [read(it) for it in (first, second, again)]
        assert await store.attachments("other", url) == []
        assert await store.attachments(TOPIC, "") == []

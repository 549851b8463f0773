"""Settling: the same stories, whatever the order of the pages, and however often it was interrupted."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import tests.support.store_records as make
from tests.support.planted_copies import planted, planted_parts, record, sentences
from tests.support.store_memory import URI_OF_TESTS
from tests.support.store_records import NOON, TOPIC, in_loop, opened
from topiccrawl.crawl.settling import settling
from topiccrawl.crawl.settling.memberships import memberships
from topiccrawl.crawl.settling.settling import Settled, StoringCrawl, settle
from topiccrawl.dedup.compared import ComparedPage
from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.signing import SignedPage, Signer
from topiccrawl.dedup.tokens import METHOD
from topiccrawl.store.compared import compared_page
from topiccrawl.store.contract import Membership, OutcomeRecord, PageRecord, Store
from topiccrawl.store.factory import open_store
from topiccrawl.store.sqlite.store import SQLiteStore

SIGNER = Signer()
FOUND = planted_parts(planted())
PAGES = [page for pages in FOUND.values() for page in pages]

State = dict[str, tuple[str, str, str, int]]


async def state(store: Store) -> State:
    """Story, relation, original and method of each kept page."""
    return {
        page.url: (page.story, page.relation, page.copy_of, page.compared)
        async for page in store.pages(TOPIC, copies=True)
    }


def stories(found: State) -> set[frozenset[str]]:
    members = defaultdict(set)
    for url, (story, *_) in found.items():
        members[story].add(url)
    return {frozenset(urls) for urls in members.values()}


def expected(pages: Sequence[PageRecord]) -> set[frozenset[str]]:
    given_urls = {page.url for page in pages}
    found = (frozenset(page.url for page in story) & given_urls for story in FOUND.values())
    return {urls for urls in found if urls}


async def settled(store: Store) -> Settled:
    return await settle(store, TOPIC, signer=SIGNER)


def outcome_of(page: PageRecord, **changes: object) -> OutcomeRecord:
    return make.outcome(**({"url": page.url, "verdict": "stored", "reason": "relevant"} | changes))


@pytest.mark.parametrize("scheme", [URI_OF_TESTS, "sqlite:///"])
@in_loop
async def test_the_stories_are_those_that_were_planted(tmp_path: Path, scheme: str) -> None:
    async with opened(open_store(f"{scheme}{tmp_path}/pages")) as store:
        await store.write(PAGES, [outcome_of(page) for page in PAGES])
        done = await settled(store)
        assert done.compared == len(PAGES)
        found = await state(store)
        assert stories(found) == expected(PAGES)
        first = FOUND["story-0"][0]
        assert found[first.url] == (first.id, "", "", METHOD)
        assert found[FOUND["story-0"][1].url][:3] == (first.id, "copy", first.url)
        assert found[FOUND["story-0"][2].url][:3] == (first.id, "edited", first.url)
        outcome = await store.outcome(TOPIC, FOUND["story-0"][1].url)
        assert outcome is not None
        assert (outcome.verdict, outcome.reason) == ("duplicate", "copy")
        assert outcome.detail == f"copy of {first.url}"
        assert await store.count(TOPIC) == len(FOUND)
        assert await settled(store) == Settled()


@pytest.mark.parametrize("seed", range(20))
@in_loop
async def test_neither_order_nor_pieces_nor_repetition_make_a_difference(
    tmp_path: Path, seed: int
) -> None:
    """Pages come in any order, in any pieces, are withdrawn and return meanwhile."""
    draw = random.Random(seed)
    pages = list(PAGES)
    draw.shuffle(pages)
    gone: list[PageRecord] = []
    async with opened(open_store(f"{URI_OF_TESTS}{tmp_path}")) as store:
        while pages:
            await store.write([pages.pop() for _ in range(min(len(pages), draw.randrange(1, 6)))])
            if draw.random() < 0.5:
                await settle(store, TOPIC, limit=draw.randrange(1, 4), signer=SIGNER)
            if draw.random() < 0.3:
                known = [page async for page in store.pages(TOPIC, copies=True)]
                gone.append(replace(draw.choice(known), withdrawn_at=NOON))
                await store.write(gone[-1:])
            if gone and draw.random() < 0.5:
                await store.write([replace(gone.pop(), withdrawn_at=None)])
        await settled(store)
        found = await state(store)
    left = [page for page in PAGES if page.url not in {it.url for it in gone}]
    async with opened(open_store(f"{URI_OF_TESTS}{tmp_path}/fresh")) as fresh:
        await fresh.write(left)
        await settled(fresh)
        assert await state(fresh) == found
    assert stories(found) == expected(left)


@in_loop
async def test_another_member_takes_the_place_of_a_withdrawn_representative(tmp_path: Path) -> None:
    async with opened(open_store(f"{URI_OF_TESTS}{tmp_path}")) as store:
        story = FOUND["story-0"]
        await store.write(story, [outcome_of(page) for page in story])
        await settled(store)
        first = await store.page(TOPIC, story[0].url)
        assert first is not None
        await store.write([replace(first, withdrawn_at=NOON)])
        await settled(store)
        found = await state(store)
        assert found[story[1].url] == (story[1].id, "", "", METHOD)
        assert {it[0] for it in found.values()} == {story[1].id}
        outcome = await store.outcome(TOPIC, story[1].url)
        assert outcome is not None
        assert (outcome.verdict, outcome.reason) == ("stored", "representative")


@in_loop
async def test_a_story_splits_when_the_page_that_joined_it_is_withdrawn(tmp_path: Path) -> None:
    a, b, c = (sentences(number, 10) for number in (1, 2, 3))
    first = record("a", "甲乙丙丁戊己庚辛", "\n".join(a), 1)
    bridge = record("b", "子丑寅卯辰巳午未", "\n".join([*a[:7], *b[:7]]), 2)
    last = record("c", "天地玄黄宇宙洪荒", "\n".join([*b[:7], *c[:1]]), 3)
    linked = {bridge.url: {first.url, last.url}}

    def relation(x: PreparedPage, y: PreparedPage) -> object:
        return True if y.page.url in linked.get(x.page.url, ()) else None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settling, "same_story", lambda x, y: relation(x, y) or relation(y, x))
        async with opened(open_store(f"{URI_OF_TESTS}{tmp_path}")) as store:
            await store.write([first, bridge, last])
            await settled(store)
            assert stories(await state(store)) == {frozenset({first.url, bridge.url, last.url})}
            await store.write([replace(bridge, withdrawn_at=NOON)])
            await settled(store)
            assert stories(await state(store)) == {frozenset({first.url}), frozenset({last.url})}


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)])
@in_loop
async def test_a_member_that_surely_is_another_text_is_listed_and_its_copies_are_copies_of_it(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    a, b = sentences(1, 10), sentences(2, 10)
    first = record("a", "甲乙丙丁戊己庚辛", "\n".join(a), 1)
    bridge = record("b", "子丑寅卯辰巳午未", "\n".join([*a[:7], *b[:4]]), 2)
    last = record("c", "天地玄黄宇宙洪荒", "\n".join(b), 3)
    again = record("d", "天地玄黄宇宙洪荒", "\n".join(b), 4)
    links = [{first.url, bridge.url}, {bridge.url, last.url}, {last.url, again.url}]
    pages = [first, bridge, last, again]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            settling, "same_story", lambda x, y: {x.page.url, y.page.url} in links or None
        )
        async with opened(open_store(f"{URI_OF_TESTS}{tmp_path}")) as store:
            for number in order:
                await store.write([pages[number]])
                await settled(store)
            found = await state(store)
    assert stories(found) == {frozenset(page.url for page in pages)}
    assert {url: it[2] for url, it in found.items()} == {
        first.url: "",
        bridge.url: first.url,
        last.url: "",
        again.url: last.url,
    }


@pytest.mark.parametrize(
    "titles", [("甲乙丙丁戊己庚辛", "子丑寅卯辰巳午未"), ("子丑寅卯辰巳午未",) * 2]
)
def test_pages_that_join_the_texts_of_others_hide_none_of_them(titles: tuple[str, str]) -> None:
    a, b = sentences(1, 12), sentences(2, 12)
    joints = [
        record(f"evil{n}", title, "\n".join([*a, *b]), n) for n, title in enumerate(titles, 1)
    ]
    first = record("a", "甲乙丙丁戊己庚辛", "\n".join(a), 8)
    last = record("b", "子丑寅卯辰巳午未", "\n".join(b), 9)
    found = memberships([*joints, first, last])
    assert found[first.url].copy_of == found[last.url].copy_of == ""
    assert all(found[page.url].copy_of in {first.url, last.url} for page in joints)


@in_loop
async def test_a_page_that_cannot_be_compared_is_listed_and_the_others_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    story = FOUND["story-0"]

    class Failing(Signer):
        def sign(self, page: ComparedPage | PreparedPage) -> SignedPage:
            if isinstance(page, PreparedPage) and page.page.url == story[2].url:
                raise RuntimeError("damaged")
            return super().sign(page)

    async with opened(open_store(f"{URI_OF_TESTS}{tmp_path}")) as store:
        await store.write(story)
        done = await settle(store, TOPIC, signer=Failing())
        assert (done.compared, done.failed) == (len(story), 1)
        found = await state(store)
        assert found[story[2].url][2:] == ("", METHOD)
        assert len({it[0] for it in found.values()}) == 2
    assert "damaged" in caplog.text


@in_loop
async def test_a_story_that_cannot_be_decided_is_listed_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, *others = FOUND.values()

    def failing(
        pages: Sequence[PageRecord], prepared: Callable[[PageRecord], PreparedPage]
    ) -> dict[str, Membership]:
        if pages[0] in bad:
            raise RuntimeError("damaged")
        return memberships(pages, prepared)

    monkeypatch.setattr(settling, "memberships", failing)
    async with opened(open_store(f"{URI_OF_TESTS}{tmp_path}")) as store:
        await store.write(PAGES)
        done = await settled(store)
        assert (done.compared, done.failed) == (len(PAGES), len(bad))
        assert stories(await state(store)) == {frozenset([page.url]) for page in bad} | {
            frozenset(page.url for page in story) for story in others
        }


@in_loop
async def test_pages_on_their_way_postpone_those_that_share_their_tokens(tmp_path: Path) -> None:
    story = FOUND["story-0"]
    on_the_way = set(SIGNER.sign(compared_page(story[1])).tokens)
    async with opened(open_store(f"{URI_OF_TESTS}{tmp_path}")) as store:
        pages = [story[0], FOUND["alone-0"][0]]
        await store.write(pages, [outcome_of(page) for page in pages])
        crawl = StoringCrawl(
            lambda tokens: bool(on_the_way & set(tokens)), lambda url: None, asyncio.Lock()
        )
        done = await settle(store, TOPIC, signer=SIGNER, crawl=crawl)
        assert (done.compared, done.postponed) == (1, 1)
        assert (await settled(store)).compared == 1


@in_loop
async def test_a_page_that_the_user_judged_relevant_is_never_a_copy(tmp_path: Path) -> None:
    story = FOUND["story-0"]
    async with opened(open_store(f"{URI_OF_TESTS}{tmp_path}")) as store:
        outcomes = [outcome_of(page) for page in story]
        outcomes[1] = outcome_of(story[1], reason="judged")
        await store.write(story, outcomes)
        await settled(store)
        found = await state(store)
        assert found[story[1].url] == (story[0].id, "", "", METHOD)
        assert found[story[2].url][2] == story[0].url


@in_loop
async def test_a_pass_that_may_not_go_on_writes_nothing_more(tmp_path: Path) -> None:
    async with opened(open_store(f"{URI_OF_TESTS}{tmp_path}")) as store:
        await store.write(PAGES)
        asked = iter([True, False])
        assert await settle(store, TOPIC, signer=SIGNER, may_go_on=lambda: next(asked, False)) == (
            Settled()
        )
        assert await store.count_uncompared(TOPIC, METHOD) == len(PAGES)


@pytest.mark.parametrize("scheme", [URI_OF_TESTS, "sqlite:///"])
@in_loop
async def test_of_two_passes_at_once_one_writes(scheme: str, tmp_path: Path) -> None:
    """A crawl and ``scrapy stories --update`` may settle one topic at the same time."""
    async with opened(open_store(f"{scheme}{tmp_path}/pages")) as store:
        await store.write(PAGES)
        assert await store.lease_settling(TOPIC, "another process", 60)
        done = await settled(store)
        assert (done.busy, done.compared) == (True, 0)
        assert await store.count_uncompared(TOPIC, METHOD) == len(PAGES)
        await store.lease_settling(TOPIC, "another process", 0)
        both = await asyncio.gather(
            settled(store), settle(store, TOPIC, signer=SIGNER, patience=60)
        )
        assert [done.busy for done in both] == [False, False]
        assert sum(done.compared for done in both) == len(PAGES)
        assert stories(await state(store)) == expected(PAGES)


@in_loop
async def test_a_pass_that_has_lost_its_right_while_it_compared_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took longer than the right lasts, and another process has begun."""
    async with opened(open_store(f"{URI_OF_TESTS}{tmp_path}")) as store:
        await store.write(PAGES)
        lease, asked = store.lease_settling, []

        async def slow(topic: str, owner: str, seconds: float) -> bool:
            asked.append(seconds)
            if len(asked) == 2:
                await lease(topic, owner, 0)
                await lease(topic, "another process", 60)
            return await lease(topic, owner, seconds)

        monkeypatch.setattr(store, "lease_settling", slow)
        done = await settled(store)
        assert (done.busy, done.compared) == (True, 0)
        assert await store.count_uncompared(TOPIC, METHOD) == len(PAGES)


class _Counting(SQLiteStore):
    """Counts the stories whose members are read."""

    read: list[str]

    async def members(self, topic: str, story: str) -> Sequence[PageRecord]:
        self.read.append(story)
        return await super().members(topic, story)


@in_loop
async def test_stories_that_a_page_only_shares_sentences_with_are_not_read(tmp_path: Path) -> None:
    store = _Counting(tmp_path / "pages.sqlite")
    store.read = []
    common = "".join(sentences(1, 6))
    unlike = [
        record(f"site{n}", title, common + "".join(sentences(n, 40)), n)
        for n, title in enumerate(("新馆下月开放", "城区道路积水", "夏令营开营"), 2)
    ]
    async with opened(store):
        await store.write(unlike[:2], [outcome_of(page) for page in unlike[:2]])
        await settled(store)
        await store.write(unlike[2:], [outcome_of(unlike[2])])
        await settled(store)
        assert store.read == []
        assert len(stories(await state(store))) == 3

"""A judgment "off topic" holds for the same text on other pages."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

import tests.support.store_records as make
from tests.support.journal_in_memory import OneJournal
from tests.support.page_items import item_of, run_of
from tests.support.planted_copies import planted, record
from tests.support.store_memory import URI_OF_TESTS
from tests.support.store_records import TOPIC, in_loop
from topiccrawl import details
from topiccrawl.crawl.copies.rejected import RejectedTexts
from topiccrawl.crawl.copies.rule import NoRule
from topiccrawl.crawl.copies.signing import PageSigner
from topiccrawl.crawl.copies.stories import StoryRule
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.judgments.deciding import Decision
from topiccrawl.crawl.judgments.given import Judgments
from topiccrawl.crawl.judgments.rejudged import Rejudged
from topiccrawl.crawl.judgments.rejudging import Rejudging
from topiccrawl.crawl.settling.settling import settle
from topiccrawl.dedup.compared import ComparedPage
from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.signing import SignedPage, Signer
from topiccrawl.pipelines.deduplication import DeduplicationPipeline
from topiccrawl.pipelines.drops import RejectedText
from topiccrawl.store.contract import PageJudgment, PageRecord
from topiccrawl.store.factory import open_store
from topiccrawl.store.near_misses import pack_near_miss
from topiccrawl.store.spool import Spool
from topiccrawl.store.writer import StoreWriter
from topiccrawl.topics.definition import Judgment

SIGNER = Signer()
PAGES = planted(1)
FIRST, REPRINT, EDITED = PAGES["story-0"][:3]
ALONE = PAGES["alone-0"][0]
#: As the reprint, on other hosts.
MORE = [record(f"more-{n}", FIRST.title, FIRST.body, 100 + n) for n in range(30)]


class CountingSigner(Signer):
    """Counts the pages that it signs, by URL."""

    def __init__(self) -> None:
        super().__init__()
        self.signed: Counter[str] = Counter()

    def sign(self, given: ComparedPage | PreparedPage) -> SignedPage:
        signed = super().sign(given)
        self.signed[signed.prepared.page.url] += 1
        return signed


@dataclass
class Collection:
    """An open store, the user's judgments, and what applies them."""

    writer: StoreWriter
    judgments: Judgments
    rejected: RejectedTexts
    rule: StoryRule
    rejudging: Rejudging

    async def write(self, *pages: PageRecord) -> None:
        """Store *pages* as a crawl does, with what settling finds of them."""
        outcomes = [make.outcome(url=it.url, verdict="stored", reason="relevant") for it in pages]
        await self.writer.store.write([replace(it) for it in pages], outcomes)
        await settle(self.writer.store, TOPIC, signer=SIGNER)

    async def judge(self, page: PageRecord, relevant: bool) -> None:
        self.judgments.receive(Judgment(page.url, relevant, datetime.now(UTC)))
        await self.rejudging.apply()

    async def kept(self) -> set[str]:
        return {it.url async for it in self.writer.store.pages(TOPIC, copies=True)}

    async def outcome(self, page: PageRecord) -> tuple[str, str, str]:
        found = await self.writer.store.outcome(TOPIC, page.url)
        assert found is not None
        return found.verdict, found.reason, found.detail


@asynccontextmanager
async def collection(folder: Path, counted: Signer = SIGNER) -> AsyncIterator[Collection]:
    store, judgments = open_store(f"{URI_OF_TESTS}{folder}"), Judgments()
    async with StoreWriter(store, Spool(folder / "spool", TOPIC), flush_seconds=0) as writer:
        signer = PageSigner(counted)
        rejected = RejectedTexts(writer, judgments, signer)
        rule = StoryRule(writer, alone=True, signer=signer)
        journal = CrawlJournal(OneJournal())
        rejudging = Rejudging(writer, journal, judgments, rule, rejected=rejected)
        yield Collection(writer, judgments, rejected, rule, rejudging)


def urls(*pages: PageRecord) -> set[str]:
    return {page.url for page in pages}


@in_loop
async def test_the_same_text_leaves_with_the_page_and_edited_copies_stay(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(FIRST, REPRINT, EDITED, ALONE)
        await it.judge(FIRST, False)
        assert await it.kept() == urls(EDITED, ALONE)
        detail = details.COPY_OF_REJECTED(url=FIRST.url)
        assert await it.outcome(REPRINT) == ("dropped", "rejected-text", detail)
        assert await it.outcome(FIRST) == ("dropped", "judged", details.JUDGED_OFF_TOPIC())


@in_loop
async def test_the_page_that_represents_a_story_leaves_with_its_copy(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(FIRST, REPRINT)
        await it.judge(REPRINT, False)
        assert await it.kept() == set()


@in_loop
async def test_a_story_of_many_copies_leaves_at_once(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(FIRST, *MORE, EDITED)
        await it.judge(FIRST, False)
        assert await it.kept() == urls(EDITED)


@in_loop
async def test_a_copy_that_is_stored_later_leaves_with_the_next_round(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(FIRST)
        await it.judge(FIRST, False)
        await it.write(REPRINT, EDITED)
        await it.rejudging.apply()
        assert await it.kept() == urls(EDITED)


@in_loop
async def test_the_crawlers_own_judgment_does_not_bring_a_rejected_text_back(
    tmp_path: Path,
) -> None:
    def keep(url: str) -> Rejudged:
        return Rejudged(url, PageJudgment(0.9, 0.5), True, "0.9 is enough")

    async with collection(tmp_path) as it:
        await it.write(FIRST, REPRINT)
        near = pack_near_miss(replace(MORE[0]), 0.4)
        await it.writer.store.write(near_misses=[near])
        await it.judge(FIRST, False)
        await it.rejudging.apply(judge=keep)
        assert await it.kept() == set()
        it.judgments.forget(FIRST.url)
        await it.rejudging.apply(judge=keep)
        assert await it.kept() == urls(FIRST, REPRINT, MORE[0])


@in_loop
async def test_of_two_judgments_of_one_text_each_holds_for_its_page(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(FIRST, REPRINT, MORE[0])
        await it.judge(REPRINT, True)
        await it.judge(FIRST, False)
        assert await it.kept() == urls(REPRINT, MORE[0])


@in_loop
async def test_the_copies_return_with_the_page(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(FIRST, REPRINT, ALONE)
        await it.judge(ALONE, False)
        await it.judge(FIRST, False)
        await it.judge(FIRST, True)
        assert await it.kept() == urls(FIRST, REPRINT)


@in_loop
async def test_the_copies_return_when_the_judgment_is_taken_back(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(FIRST, REPRINT, ALONE)
        await it.judge(FIRST, False)
        await it.judge(ALONE, False)
        it.judgments.forget(FIRST.url)
        result = await it.rejudging.apply(taken_back=[FIRST.url])
        assert (result.readmitted, result.copies) == (1, 0)
        assert await it.kept() == urls(REPRINT)
        detail = details.NO_LONGER_REJECTED(url=FIRST.url)
        assert await it.outcome(REPRINT) == ("stored", "readmitted", detail)
        page = await it.writer.store.page(TOPIC, REPRINT.url)
        assert page is not None
        assert page.probability == REPRINT.probability


@in_loop
async def test_a_copy_that_another_rejected_page_keeps_out_stays_out(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(FIRST, REPRINT, MORE[0])
        await it.judge(FIRST, False)
        await it.judge(REPRINT, False)
        it.judgments.forget(FIRST.url)
        await it.rejudging.apply(taken_back=[FIRST.url])
        assert await it.kept() == set()


@in_loop
async def test_the_copies_of_an_older_store_return_too(tmp_path: Path) -> None:
    """Stores of before the reason ``rejected-text`` have ``judged`` for these pages."""
    async with collection(tmp_path) as it:
        await it.write(FIRST, REPRINT)
        await it.judge(FIRST, False)
        store = it.writer.store
        outcome = await store.outcome(TOPIC, REPRINT.url)
        assert outcome is not None
        await store.write(outcomes=[replace(outcome, reason="judged")])
        await it.judge(FIRST, True)
        assert await it.kept() == urls(FIRST, REPRINT)


@pytest.mark.parametrize("keep_near_misses", [True, False])
def test_a_page_with_a_rejected_text_does_not_enter(
    tmp_path: Path, *, keep_near_misses: bool
) -> None:
    session = run_of()[0]

    def fetched(page: PageRecord) -> object:
        item = item_of(session, url=page.url, title=page.title, text=page.body)
        item.decision = Decision(PageJudgment(0.8), kept=True, near_miss=False, detail="")
        return item

    async def passed(pipeline: DeduplicationPipeline, page: PageRecord) -> Decision | None:
        item = await pipeline.process_item(fetched(page))
        decision: Decision | None = item.decision
        return decision

    async def check() -> None:
        async with collection(tmp_path) as it:
            await it.write(FIRST)
            await it.judge(FIRST, False)
            pipeline = DeduplicationPipeline(
                NoRule(), session.journal, it.rejected, keep_near_misses=keep_near_misses
            )
            for page in (EDITED, ALONE):
                decision = await passed(pipeline, page)
                assert decision is not None
                assert decision.kept
            if not keep_near_misses:
                with pytest.raises(RejectedText):
                    await passed(pipeline, REPRINT)
                return
            decision = await passed(pipeline, REPRINT)
            assert decision is not None
            assert (decision.kept, decision.near_miss, decision.same_as) == (False, True, FIRST.url)
            assert decision.detail == details.COPY_OF_REJECTED(url=FIRST.url)
            it.judgments.forget(FIRST.url)
            decision = await passed(pipeline, REPRINT)
            assert decision is not None
            assert decision.kept

    asyncio.run(check())


@in_loop
async def test_a_page_is_signed_once_for_rejected_texts_and_for_stories(tmp_path: Path) -> None:
    signer = CountingSigner()
    session = run_of()[0]
    async with collection(tmp_path, signer) as it:
        await it.write(FIRST)
        await it.judge(FIRST, False)
        pipeline = DeduplicationPipeline(it.rule, session.journal, it.rejected)
        item = item_of(session, url=ALONE.url, title=ALONE.title, text=ALONE.body)
        assert (await pipeline.process_item(item)).tokens
        assert signer.signed[ALONE.url] == 1
        changed = item_of(session, url=ALONE.url, title=ALONE.title, text=EDITED.body)
        tokens = item.tokens
        assert (await pipeline.process_item(changed)).tokens != tokens
        assert signer.signed[ALONE.url] == 2

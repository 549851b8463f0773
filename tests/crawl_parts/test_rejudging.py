"""Judging pages again: the store is brought to the new judgment, whatever it was before."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.support.store_records as make
from tests.support import classifier_pages
from tests.support.journal_in_memory import OneJournal
from tests.support.store_memory import URI_OF_TESTS
from tests.support.store_records import TOPIC, in_loop, listed
from topiccrawl.crawl.copies.titles import TitleRule
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.journal.kinds import JUDGMENT, KEPT, WITHDRAWN
from topiccrawl.crawl.judgments.given import Judgments
from topiccrawl.crawl.judgments.judging import PageJudging
from topiccrawl.crawl.judgments.rejudged import Rejudged, RejudgingResult
from topiccrawl.crawl.judgments.rejudging import JUDGED_AT_ONCE, Rejudging
from topiccrawl.crawl.progress import CrawlProgress
from topiccrawl.dedup.titles import content_hash
from topiccrawl.scoring.classifier import PageClassifier
from topiccrawl.store.contract import PageJudgment, PageRecord, StoreUnavailable
from topiccrawl.store.factory import open_store
from topiccrawl.store.near_misses import pack_near_miss
from topiccrawl.store.spool import Spool
from topiccrawl.store.writer import StoreWriter
from topiccrawl.topics.definition import Judgment
from topiccrawl.topics.load import bare_definition
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.identity import link_id

WORDS = [
    "国画山水",
    "书法篆刻",
    "青瓷窑址",
    "昆曲传承",
    "古琴减字",
    "漆器修复",
    "缂丝织造",
    "年画木版",
]


def page(number: int, **changes: Any) -> PageRecord:
    """A page with a title of its own."""
    title = changes.pop("title", f"{WORDS[number % len(WORDS)]}展览研讨会 {number}")
    body = changes.pop("body", f"{title}正文")
    return make.page(number, title=title, body=body, content_hash=content_hash(body), **changes)


@dataclass
class Collection:
    """An open store with what a worker has beside it."""

    writer: StoreWriter
    kept: TitleRule
    judgments: Judgments
    journal: OneJournal
    rejudging: Rejudging
    counted: Counter[str] = field(default_factory=Counter)

    async def write(self, *pages: PageRecord, near: PageRecord | None = None) -> None:
        outcomes = [
            make.outcome(url=it.url, verdict="stored", reason="relevant", sequence=number)
            for number, it in enumerate(pages, 1)
        ]
        near_misses = [] if near is None else [pack_near_miss(near, 0.4)]
        await self.writer.store.write(list(pages), outcomes, near_misses=near_misses)

    async def standing(self) -> dict[str, str]:
        return {it.url: it.standing async for it in self.writer.store.standings(TOPIC)}

    async def outcome(self, number: int) -> tuple[str, str, str]:
        found = await self.writer.store.outcome(TOPIC, page(number).url)
        assert found is not None
        return found.verdict, found.reason, found.detail


@asynccontextmanager
async def collection(folder: Path, uri: str = "") -> AsyncIterator[Collection]:
    topic = Topic.learn(bare_definition(TOPIC))
    store = open_store(uri or f"{URI_OF_TESTS}{folder}")
    journal, counted = OneJournal(), Counter[str]()
    async with StoreWriter(store, Spool(folder / "spool", TOPIC), flush_seconds=0) as writer:
        kept, judgments = TitleRule(topic, 0.8, store), Judgments()
        end = CrawlJournal(journal)
        end.subscribe(JUDGMENT, judgments.receive, own=True)
        end.subscribe(WITHDRAWN, kept.remove, own=True)
        rejudging = Rejudging(
            writer, end, judgments, kept, lambda name, n: counted.update({name: n})
        )
        yield Collection(writer, kept, judgments, journal, rejudging, counted)


async def is_known(rule: TitleRule, title: str) -> bool:
    """Whether a page with this title would be a copy."""
    probe = page(99, title=title, body="x")
    await rule.mark(probe)
    if not probe.copy_of:
        rule.remove(probe.url)
    return bool(probe.copy_of)


def off(number: int, probability: float = 0.1) -> Rejudged:
    return Rejudged(
        page(number).url, PageJudgment(probability, 0.5), False, f"{probability} is too little"
    )


def on(number: int, probability: float = 0.9) -> Rejudged:
    return Rejudged(
        page(number).url, PageJudgment(probability, 0.5), True, f"{probability} is enough"
    )


@in_loop
async def test_a_kept_page_leaves_marked_and_with_its_reason(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(page(1), page(2))
        assert await it.rejudging.apply([off(1)]) == RejudgingResult(withdrawn=1)
        store = it.writer.store
        assert [found.url async for found in store.pages(TOPIC)] == [page(2).url]
        gone = await store.page(TOPIC, page(1).url)
        assert gone is not None
        assert gone.withdrawn_at is not None
        assert replace(gone, withdrawn_at=None) == page(1, probability=0.1)
        assert await it.outcome(1) == ("dropped", "withdrawn", "0.1 is too little")
        outcome = await store.outcome(TOPIC, page(1).url)
        assert outcome is not None
        assert (outcome.sequence, outcome.at, outcome.probability) == (1, make.outcome().at, 0.1)
        assert not await is_known(it.kept, page(1).title)
        assert await is_known(it.kept, page(2).title)
        assert dict(it.counted) == {"pages/withdrawn": 1}


@in_loop
async def test_a_withdrawn_page_returns_as_it_was(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(page(1))
        await it.rejudging.apply([off(1)])
        assert await it.rejudging.apply([on(1)]) == RejudgingResult(readmitted=1)
        found = await listed(it.writer.store.pages(TOPIC, with_html=True))
        assert found == [page(1, probability=0.9)]
        assert await it.outcome(1) == ("stored", "readmitted", "0.9 is enough")
        assert await is_known(it.kept, page(1).title)


@in_loop
async def test_a_near_miss_enters_whole(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(near=page(1))
        assert await it.rejudging.apply([on(1)]) == RejudgingResult(admitted=1)
        found = await listed(it.writer.store.pages(TOPIC, with_html=True))
        assert found == [page(1, html=None, probability=0.9, story=page(1).id)]
        assert await it.standing() == {page(1).url: "kept"}
        assert await it.outcome(1) == ("stored", "admitted", "0.9 is enough")


@in_loop
async def test_a_near_miss_with_the_title_or_the_text_of_a_kept_page_enters_as_its_copy(
    tmp_path: Path,
) -> None:
    async with collection(tmp_path) as it:
        await it.write(page(1), near=page(2, title=page(1).title))
        await it.write(page(3), near=page(4, body=page(3).body))
        twins = [page(5, title="景德镇陶瓷窑变釉彩"), page(6, title="景德镇陶瓷窑变釉彩")]
        for twin in twins:
            await it.write(near=twin)
        result = await it.rejudging.apply([on(2), on(4), on(5), on(6)])
        # Bodies are compared with pages of this run only, as in a crawl.
        assert (result.copies, result.admitted) == (2, 2)
        assert set((await it.standing()).values()) == {"kept"}
        store = it.writer.store
        entered = [await store.page(TOPIC, page(n).url) for n in (2, 4, 5, 6)]
        copies = [found.copy_of for found in entered if found is not None]
        assert copies == [page(1).url, "", "", page(5).url]
        assert await it.outcome(2) == ("duplicate", "edited", f"edited of {page(1).url}")
        assert await it.rejudging.apply([on(6)]) == RejudgingResult()


@in_loop
async def test_a_copy_that_the_user_judges_relevant_is_listed_beside_its_original(
    tmp_path: Path,
) -> None:
    async with collection(tmp_path) as it:
        await it.write(page(1), near=page(2, title=page(1).title))
        assert (await it.rejudging.apply([on(2)])).copies == 1
        assert await it.writer.store.count(TOPIC) == 1
        it.judgments.receive(Judgment(page(2).url, True))
        assert await it.rejudging.apply() == RejudgingResult(listed=1)
        assert await it.outcome(2) == ("stored", "judged", "judged relevant by the user")
        assert await it.writer.store.count(TOPIC) == 2


@in_loop
async def test_a_copy_that_leaves_counts_apart(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(page(1), near=page(2, title=page(1).title))
        await it.rejudging.apply([on(2)])
        assert await it.rejudging.apply([off(2)]) == RejudgingResult(copies_withdrawn=1)
        assert await it.writer.store.count(TOPIC) == 1


@in_loop
async def test_a_duplicate_takes_the_place_of_a_page_that_leaves_with_the_same_round(
    tmp_path: Path,
) -> None:
    async with collection(tmp_path) as it:
        # Near misses are read before pages: the order must not depend on that.
        await it.write(page(1), near=page(2, title=page(1).title))
        result = await it.rejudging.apply([on(2), off(1)])
        assert result == RejudgingResult(withdrawn=1, admitted=1)
        assert await it.standing() == {page(1).url: "withdrawn", page(2).url: "kept"}


@in_loop
async def test_unknown_urls_are_skipped_and_the_last_judgment_of_a_url_counts(
    tmp_path: Path,
) -> None:
    async with collection(tmp_path) as it:
        await it.write(page(1))
        judgments = [off(1), on(7), off(8), on(1, 0.75)]
        assert await it.rejudging.apply(judgments) == RejudgingResult()
        assert await it.standing() == {page(1).url: "kept"}


@in_loop
async def test_a_new_probability_is_written_when_it_differs_enough(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(page(1), page(2), near=page(3))
        await it.rejudging.apply([on(1, 0.74), on(2, 0.95), off(3, 0.3)])
        found = {s.url: s.probability async for s in it.writer.store.standings(TOPIC)}
        assert [found[page(n).url] for n in (1, 2, 3)] == [0.75, 0.95, 0.3]
        assert it.writer.counts.accepted == 0, "no page was written again"
        outcome = await it.writer.store.outcome(TOPIC, page(2).url)
        assert outcome is not None
        assert (outcome.verdict, outcome.probability, outcome.probability_threshold) == (
            "stored",
            0.95,
            0.5,
        )


@in_loop
async def test_at_the_end_every_probability_is_written(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(page(1), near=page(3))
        await it.rejudging.apply([on(1, 0.74), off(3, 0.41)], everything=True)
        found = {s.url: s.probability async for s in it.writer.store.standings(TOPIC)}
        assert [found[page(n).url] for n in (1, 3)] == [0.74, 0.41]
        assert it.writer.counts.accepted == 0, "no page was written again"


@in_loop
async def test_the_event_loop_goes_on_while_many_pages_are_judged_again(tmp_path: Path) -> None:
    turn, judged = 0, Counter[int]()

    def judge(url: str) -> None:
        judged[turn] += 1

    async def other_work() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    number = 2 * JUDGED_AT_ONCE + 1
    async with collection(tmp_path) as it:
        await it.write(*map(page, range(number)))
        work = asyncio.create_task(other_work())
        await it.rejudging.apply(judge=judge)
        work.cancel()
    assert judged.total() == number
    assert max(judged.values()) <= JUDGED_AT_ONCE


@in_loop
async def test_the_users_judgment_outweighs_a_new_one_and_duplicates(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(page(1), page(2), near=page(3, title=page(2).title))
        for number, relevant in ((1, False), (3, True)):
            it.judgments.receive(Judgment(page(number).url, relevant))
        it.judgments.receive(Judgment("http://x.example/unknown", True))
        result = await it.rejudging.apply([on(1), off(3)])
        assert result == RejudgingResult(withdrawn=1, admitted=1)
        assert await it.outcome(1) == ("dropped", "judged", "judged off topic by the user")
        assert await it.outcome(3) == ("stored", "judged", "judged relevant by the user")
        assert await it.rejudging.apply([on(1), off(3)]) == RejudgingResult()
        assert await it.rejudging.missing() == ["http://x.example/unknown"]


@in_loop
async def test_other_workers_learn_what_left_and_what_came(tmp_path: Path) -> None:
    async with collection(tmp_path) as it:
        await it.write(page(1), near=page(2))
        other = TitleRule(Topic.learn(bare_definition(TOPIC)), 0.8, it.writer.store)
        await other.load()
        end = CrawlJournal(it.journal.other_end())
        end.subscribe(KEPT, other.receive)
        end.subscribe(WITHDRAWN, other.remove)
        await it.rejudging.apply([off(1), on(2)])
        end.replay()
        assert not await is_known(other, page(1).title)
        assert await is_known(other, page(2).title)


@in_loop
async def test_while_the_store_is_away_nothing_happens_and_the_next_call_does_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with collection(tmp_path) as it:
        await it.write(page(1))

        async def away(topic: str) -> AsyncIterator[Any]:
            raise StoreUnavailable("gone")
            yield

        with monkeypatch.context() as patched:
            patched.setattr(it.writer.store, "standings", away)
            assert await it.rejudging.apply([off(1)]) == RejudgingResult()
            assert await it.rejudging.missing() == []
        assert (await it.rejudging.apply([off(1)])).withdrawn == 1


@in_loop
async def test_hundreds_of_pages_are_judged_again_in_a_file(tmp_path: Path) -> None:
    async with collection(tmp_path, f"sqlite:///{tmp_path}/pages.sqlite") as it:
        await it.write(*(page(n, title=f"{n}") for n in range(250)))
        for number in range(250, 300):
            await it.write(near=page(number, title=f"{number}"))
        judgments = [off(n) for n in range(0, 250, 2)] + [on(n) for n in range(250, 300)]
        first, second = await asyncio.gather(
            it.rejudging.apply(judgments), it.rejudging.apply(judgments)
        )
        assert first == RejudgingResult(withdrawn=125, admitted=50)
        assert second == RejudgingResult()
        assert await it.writer.store.count(TOPIC) == 125 + 50


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.lists(st.tuples(st.integers(0, 7), st.booleans()), max_size=6), max_size=5),
    st.sets(st.integers(0, 7)),
)
@in_loop
async def test_after_any_judgments_the_store_is_as_the_last_ones_demand(
    tmp_path_factory: pytest.TempPathFactory,
    rounds: list[list[tuple[int, bool]]],
    near: set[int],
) -> None:
    """And applying the same again changes nothing; no page is ever lost."""
    async with collection(tmp_path_factory.mktemp("any")) as it:
        for number in range(8):
            if number in near:
                await it.write(near=page(number))
            else:
                await it.write(page(number))
        expected = {page(n).url: n not in near for n in range(8)}
        for judgments in rounds:
            rejudged = [on(n) if kept else off(n) for n, kept in judgments]
            await it.rejudging.apply(rejudged)
            assert await it.rejudging.apply(rejudged) == RejudgingResult()
            expected |= {page(n).url: kept for n, kept in judgments}
            standing = await it.standing()
            assert {url: it == "kept" for url, it in standing.items()} == expected


@in_loop
async def test_pages_leave_when_the_judgments_that_taught_them_are_taken_back(
    tmp_path: Path,
) -> None:
    # Nothing has a keyword: all that can be learned is the user's.
    pages = [replace(it, relevance=0.0, title_hit=False) for it in classifier_pages.web(200)]
    urls = {it.id: page(it.id).url for it in pages}
    classifier = PageClassifier(classifier_pages.THRESHOLD)
    for number in range(10):
        classifier.set_relevant(link_id(urls[number]), True)
    classifier_pages.train(classifier, [replace(it, id=link_id(urls[it.id])) for it in pages])
    async with collection(tmp_path) as it:
        judging = PageJudging(
            classifier, it.judgments, None, it.rejudging, it.writer, CrawlProgress()
        )
        await it.write(page(20), page(21))
        await judging.judge_again()
        assert set((await it.standing()).values()) == {"kept"}
        for number in range(10):
            classifier.set_relevant(link_id(urls[number]), None)
        await judging.learn()
        await judging.judge_again()
        assert set((await it.standing()).values()) == {"withdrawn"}

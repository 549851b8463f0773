"""Entries of the journal arrive in order, once, and in any state of the journal."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TypeVar

import numpy as np
import pytest

from tests.support.journal_in_memory import OneJournal
from topiccrawl.crawl.copies.rule import KeptPage
from topiccrawl.crawl.journal import kinds
from topiccrawl.crawl.journal.journal import CrawlJournal, packed_pages
from topiccrawl.crawl.journal.kinds import Kind
from topiccrawl.scoring.strategy import LinkBatch, PageView
from topiccrawl.topics.definition import Judgment
from topiccrawl.urls.lessons import Lesson

T = TypeVar("T")


def a_page(id: int) -> PageView:
    one, no = np.ones(1), np.zeros(1, dtype=np.bool_)
    batch = LinkBatch(np.array([id + 1]), one, no, no, no, one, one)
    return PageView(id, 0.5, 0.0, True, 0, id, 0.0, batch)


@pytest.fixture
def journal() -> OneJournal:
    return OneJournal()


def received(end: CrawlJournal, kind: Kind[T], *, own: bool = False) -> list[T]:
    """What *end* receives of a kind."""
    found: list[T] = []
    end.subscribe(kind, found.append, own=own)
    return found


def ids(pages: list[PageView]) -> list[int]:
    return [page.id for page in pages]


def replay_all(journal: CrawlJournal) -> None:
    while journal.replay():
        pass


def test_pages_of_other_workers_arrive_in_order_and_own_pages_do_not(journal: OneJournal) -> None:
    here = CrawlJournal(journal)
    pages = received(here, kinds.PAGE)
    there = CrawlJournal(journal.other_end())
    for i in range(0, 240, 2):
        here.publish_page(a_page(i))
        there.publish_page(a_page(i + 1))
    replay_all(here)
    assert ids(pages) == list(range(1, 240, 2))
    assert here.pages == 240


def test_a_worker_that_joins_late_receives_everything(journal: OneJournal) -> None:
    CrawlJournal(journal).publish_page(a_page(1))
    kept = KeptPage("http://a.cn/", "侨务政策", "00ff")
    CrawlJournal(journal).publish(kinds.KEPT, kept)
    late = CrawlJournal(journal.other_end())
    pages, titles = received(late, kinds.PAGE), received(late, kinds.KEPT)
    assert not late.replay()
    assert (ids(pages), titles) == ([1], [kept])


def test_every_kept_page_is_received_once_from_any_worker(journal: OneJournal) -> None:
    here, there = CrawlJournal(journal), CrawlJournal(journal.other_end())
    others, every = received(here, kinds.KEPT), received(here, kinds.KEPT, own=True)
    first, second = KeptPage("http://a.cn/", "侨务政策"), KeptPage("http://b.cn/", "侨乡")
    here.publish(kinds.KEPT, first)
    there.publish(kinds.KEPT, second)
    here.replay()
    assert (others, every) == ([second], [first, second])


def test_the_end_of_a_crawl_is_known_until_a_page_follows(journal: OneJournal) -> None:
    first = CrawlJournal(journal)
    first.publish_page(a_page(1))
    first.publish_finished()
    first.publish_finished()
    assert len(journal.entries) == 2
    second = CrawlJournal(journal.other_end())
    replay_all(second)
    assert second.finished
    second.publish_page(a_page(2))
    assert not second.finished
    replay_all(first)
    assert not first.finished


@pytest.mark.parametrize(
    "entry", [b"", b"Pnot a page", b"T[1", b'T["too few"]', b"Zof a later version"]
)
def test_an_unreadable_entry_is_skipped_with_one_warning(
    journal: OneJournal, entry: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    journal.append([entry, entry])
    CrawlJournal(journal).publish_page(a_page(3))
    late = CrawlJournal(journal.other_end())
    pages = received(late, kinds.PAGE)
    replay_all(late)
    assert ids(pages) == [3]
    assert len(caplog.records) == 1


def test_judgments_reach_every_worker_and_the_one_that_publishes(journal: OneJournal) -> None:
    first, second = CrawlJournal(journal), CrawlJournal(journal.other_end())
    here, there = (received(it, kinds.JUDGMENT, own=True) for it in (first, second))
    moment = datetime(2026, 5, 1, 8, 30, tzinfo=UTC)
    judgments = [Judgment("http://a.cn/侨", True, moment), Judgment("http://a.cn/", False)]
    for judgment in judgments:
        first.publish(kinds.JUDGMENT, judgment)
    replay_all(second)
    assert here == there == judgments


def test_withdrawn_pages_reach_every_worker(journal: OneJournal) -> None:
    first, second = CrawlJournal(journal), CrawlJournal(journal.other_end())
    here, there = (received(it, kinds.WITHDRAWN, own=True) for it in (first, second))
    first.publish(kinds.WITHDRAWN, "http://a.cn/侨")
    replay_all(second)
    assert here == there == ["http://a.cn/侨"]


def test_the_newest_pages_of_an_erased_journal_reach_all_workers_and_do_not_count(
    journal: OneJournal,
) -> None:
    old = OneJournal()
    before = CrawlJournal(old)
    for number in range(60):
        before.publish_page(a_page(number))
        before.publish(kinds.WITHDRAWN, f"http://a.cn/{number}")
    packed = packed_pages(old.other_end(), 20)
    here, late = CrawlJournal(journal), CrawlJournal(journal.other_end())
    mine, others = (received(it, kinds.EARLIER, own=True) for it in (here, late))
    here.publish_earlier([*packed, b"damaged"])
    assert ids(mine) == list(range(40, 60))
    replay_all(late)
    assert ids(others) == ids(mine)
    assert here.pages == late.pages == 0


def test_a_crawl_that_starts_over_twice_still_knows_the_first(journal: OneJournal) -> None:
    CrawlJournal(journal).publish_page(a_page(1))
    second = OneJournal()
    CrawlJournal(second).publish_earlier(packed_pages(journal.other_end(), 10))
    CrawlJournal(second).publish_page(a_page(2))
    assert len(packed_pages(second.other_end(), 10)) == 2


def test_what_the_url_filter_learned_reaches_other_workers_with_the_page() -> None:
    journal = OneJournal()
    there = CrawlJournal(journal.other_end())
    lessons, hosts = received(there, kinds.LESSON), received(there, kinds.CONTACT)
    lesson = Lesson("http://a.cn/", "hash", new=True, counted=True, lines=(1, 2**64 - 1))
    here = CrawlJournal(journal)
    here.publish(kinds.CONTACT, "a.cn")
    here.publish_page(a_page(1), lesson)
    here.publish_page(a_page(2))
    there.replay()
    assert (there.pages, lessons, hosts) == (2, [lesson], ["a.cn"])


def test_lists_of_whole_sites_are_received_also_from_entries_of_older_versions(
    journal: OneJournal,
) -> None:
    CrawlJournal(journal).publish(kinds.LIST, "http://a.cn/xw/")
    journal.append([b'L["http://a.cn/old/", "2026-11-01T00:00:00+00:00", [1, 2]]'])
    there = CrawlJournal(journal.other_end())
    lists = received(there, kinds.LIST)
    there.replay()
    assert lists == ["http://a.cn/xw/", "http://a.cn/old/"]


def test_two_kinds_of_entries_cannot_begin_alike() -> None:
    with pytest.raises(ValueError, match="P"):
        Kind(kinds.PAGE.byte, str.encode, bytes.decode)

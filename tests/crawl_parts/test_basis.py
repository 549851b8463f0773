"""What workers and runs of one queue tell each other about words and settings."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest
from scrapy.settings import Settings

from tests.support.journal_in_memory import OneJournal
from topiccrawl.crawl.journal.basis import BasisCheck, CrawlBasis
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.journal.kinds import BASIS
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.topics.definition import Keyword, Sample, Thresholds, TopicDefinition
from topiccrawl.urls.scope import Scope


def basis(words: Mapping[str, float], deny: tuple[str, ...] = (), **settings: object) -> CrawlBasis:
    named = {
        name if isinstance(value, int | float) else f"TOPICCRAWL_{name}": value
        for name, value in settings.items()
    }
    keywords = tuple(Keyword(word, value, "synonym") for word, value in words.items())
    return CrawlBasis.of(
        TopicDefinition("t", keywords=keywords, negatives=(Keyword("楼盘", 0.5, "related"),)),
        CrawlSettings.from_settings(Settings(named)),
        Scope((), deny),
    )


def start(journal: OneJournal, own: CrawlBasis, others: int) -> tuple[CrawlJournal, BasisCheck]:
    """Join as a worker beside *others*."""
    check = BasisCheck(own, lambda: others)
    here = CrawlJournal(journal)
    here.subscribe(BASIS, check.receive)
    here.replay()
    check.announce(partial(here.publish, BASIS))
    return here, check


def test_a_basis_survives_the_journal_and_is_written_only_when_it_is_new(
    caplog: pytest.LogCaptureFixture,
) -> None:
    journal, own = OneJournal(), basis({"侨务": 1.0})
    start(journal, own, 0)
    for _run in range(2):
        start(journal.other_end(), own, 1)
    assert [CrawlBasis.unpacked(entry[1:]) for _author, entry in journal.entries] == [own]
    assert not caplog.records


def test_a_run_says_what_has_changed_since_the_last_one(caplog: pytest.LogCaptureFixture) -> None:
    journal = OneJournal()
    start(journal, basis({"侨务": 1.0, "侨乡": 0.5}, BALANCE="recall"), 0)
    with caplog.at_level(logging.INFO):
        start(journal.other_end(), basis({"侨务": 0.8, "侨联": 1.0}, deny=("/video/",)), 0)
    (record,) = caplog.records
    assert record.levelno == logging.INFO
    assert (
        "new words: 侨联; missing words: 侨乡; words with another value: 侨务; "
        "TOPICCRAWL_BALANCE is 'balanced' instead of 'recall'; "
        "TOPICCRAWL_DENY is '/video/' instead of ''"
    ) in record.getMessage()
    assert len(journal.entries) == 2


def test_workers_that_differ_are_both_warned(caplog: pytest.LogCaptureFixture) -> None:
    journal = OneJournal()
    first, _check = start(journal, basis({"侨务": 1.0}), 0)
    start(journal.other_end(), basis({"侨务": 1.0}, STRATEGY="breadth-first"), 1)
    first.replay()
    joined, there = (it.getMessage() for it in caplog.records if it.levelno == logging.WARNING)
    assert "STRATEGY is 'breadth-first' instead of 'adaptive'" in joined
    assert "STRATEGY is 'adaptive' instead of 'breadth-first'" in there


def test_an_import_agrees_with_a_crawl_whatever_is_set_for_fetching(
    caplog: pytest.LogCaptureFixture,
) -> None:
    journal = OneJournal()
    crawl, _check = start(journal, basis({"侨务": 1.0}, DOWNLOAD_DELAY=2), 0)
    imported = basis({"侨务": 1.0}, DOWNLOAD_DELAY=0, deny=("/video/",))
    start(journal.other_end(), imported.without_fetching(), 1)
    crawl.replay()
    assert not caplog.records
    # The next crawl is compared with the last one.
    with caplog.at_level(logging.INFO):
        start(journal.other_end(), basis({"侨务": 1.0}, deny=("/news/",)), 0)
    (record,) = caplog.records
    assert "TOPICCRAWL_DENY is '/news/' instead of ''" in record.getMessage()


def test_what_workers_must_agree_on_at_the_same_time_may_change_from_run_to_run(
    caplog: pytest.LogCaptureFixture,
) -> None:
    journal = OneJournal()
    careful = basis(
        {"侨务": 1.0},
        FRONTIER_MAX_LINKS="100",
        FRONTIER_WORKER_SECONDS="9",
        DOWNLOAD_DELAY=2.0,
        CONCURRENT_REQUESTS_PER_DOMAIN=4,
    )
    start(journal, careful, 0)
    with caplog.at_level(logging.INFO):
        start(journal.other_end(), basis({"侨务": 1.0}), 0)
    assert not caplog.records
    start(journal.other_end(), careful, 1)
    (record,) = caplog.records
    for said in (
        "DOWNLOAD_DELAY is '2' instead of '0'",
        "CONCURRENT_REQUESTS_PER_DOMAIN is '4' instead of '8'",
        "TOPICCRAWL_FRONTIER_MAX_LINKS is '100' instead of '0'",
        "TOPICCRAWL_FRONTIER_WORKER_SECONDS is '9' instead of '60'",
    ):
        assert said in record.getMessage()


def test_many_words_are_counted_and_settings_of_another_version_are_no_difference() -> None:
    own = basis({f"词{n}": 1.0 for n in range(8)})
    other = CrawlBasis({"楼盘": -0.5}, {**own.settings, "TOPICCRAWL_FUTURE": "1"})
    assert own.differences(other) == "new words: 词0, 词1, 词2, 词3, 词4 and 3 others"
    assert other.differences(own) == "missing words: 词0, 词1, 词2, 词3, 词4 and 3 others"


@pytest.mark.parametrize("entry", [b"A", b"A[]", b"A[1,2]", b'A[{"a":"x"},{}]', b"A\xff"])
def test_a_damaged_entry_changes_nothing(entry: bytes) -> None:
    journal = OneJournal()
    journal.append([entry])
    start(journal.other_end(), own := basis({"侨务": 1.0}), 1)
    assert CrawlBasis.unpacked(journal.entries[-1][1][1:]) == own


def test_language_samples_and_thresholds_of_the_topic_are_compared() -> None:
    def of(**changes: Any) -> CrawlBasis:
        settings = CrawlSettings.from_settings(Settings({}))
        return CrawlBasis.of(TopicDefinition("t", **changes), settings, Scope((), ()))

    before = of()
    changed = of(
        language="en",
        samples=(Sample("a.txt", "侨乡"),),
        thresholds=Thresholds(relevance=0.25),
    )
    text = changed.differences(before)
    assert "language is 'en' instead of 'zh'" in text
    assert "samples is '1 (" in text
    assert "[thresholds] is 'relevance 0.25, link 0.5' instead of 'link 0.5'" in text
    other = of(samples=(Sample("a.txt", "侨务"),))
    assert "samples is" in of(samples=(Sample("a.txt", "侨乡"),)).differences(other)

"""Judgments in a crawl: the file, the journal, and which of two counts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from scrapy.settings import Settings

from tests.support.journal_in_memory import OneJournal
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.journal.kinds import JUDGMENT, JUDGMENT_FORGOTTEN
from topiccrawl.crawl.judgments.given import (
    Judgments,
    decided,
    decisions_file,
    given_judgments,
    judgments_file,
)
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.topics.decisions import Decision, save_decisions
from topiccrawl.topics.definition import Judgment, TopicDefinition
from topiccrawl.topics.judgments import save_judgments
from topiccrawl.topics.load import BARE_WORD

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
URL = "http://a.example/"


def joined(journal: OneJournal, judgments: Judgments) -> CrawlJournal:
    """A worker with *judgments* that has read the journal."""
    end = CrawlJournal(journal)
    end.subscribe(JUDGMENT, judgments.receive, own=True)
    end.subscribe(JUDGMENT_FORGOTTEN, judgments.forget, own=True)
    end.replay()
    return end


def test_judgments_of_the_file_that_the_journal_lacks_are_published_once() -> None:
    journal = OneJournal()
    for _ in range(2):
        judgments = Judgments([Judgment(URL, True, NOON), Judgment(URL + "2", False)])
        end = joined(journal.other_end(), judgments)
        for judgment in judgments.unpublished():
            end.publish(JUDGMENT, judgment)
        assert judgments.unpublished() == []
    assert len(journal.entries) == 2


def test_the_later_judgment_counts_whether_it_is_in_the_file_or_in_the_journal() -> None:
    judgments = Judgments([Judgment(URL, True, NOON)])
    judgments.receive(Judgment(URL, False, LATER))
    assert dict(judgments) == {URL: False}
    assert judgments.unpublished() == []
    judgments = Judgments([Judgment(URL, True, LATER)])
    judgments.receive(Judgment(URL, False, NOON))
    assert dict(judgments) == {URL: True}
    assert judgments.unpublished() == [Judgment(URL, True, LATER)]


def test_of_two_judgments_from_one_file_the_last_counts_though_the_clock_was_set_back() -> None:
    journal = OneJournal()
    line = Judgment(URL, True, NOON, file="a:/x")
    writer = joined(journal, Judgments())
    running = Judgments()
    worker = joined(journal.other_end(), running)
    for judgment in (Judgment(URL, False, LATER, file="a:/x"), line):
        writer.publish(JUDGMENT, judgment)
        worker.replay()
    assert dict(running) == {URL: True}
    next_run = Judgments([line])
    joined(journal.other_end(), next_run)
    assert dict(next_run) == {URL: True}
    assert next_run.unpublished() == []


def test_a_line_that_was_changed_by_hand_counts_whatever_its_time() -> None:
    journal, line = OneJournal(), Judgment(URL, True, NOON, file="a:/x")
    writer = joined(journal, Judgments())
    writer.publish(JUDGMENT, Judgment(URL, False, LATER, file="a:/x"))
    judgments = Judgments([line])
    joined(journal.other_end(), judgments)
    judgments.read_again([line])
    assert dict(judgments) == {URL: True}
    assert judgments.unpublished() == [line]


def test_a_line_without_a_time_counts_as_later_than_the_journal() -> None:
    judgments = Judgments([Judgment(URL, True)])
    judgments.receive(Judgment(URL, False, LATER))
    assert dict(judgments) == {URL: True}
    assert judgments.unpublished() == [Judgment(URL, True)]


def test_of_two_judgments_in_the_journal_the_last_counts() -> None:
    judgments = Judgments()
    for relevant in (True, False):
        judgments.receive(Judgment(URL, relevant))
    judgments.receive(Judgment(URL, True, NOON))
    assert dict(judgments) == {URL: True}


def test_listeners_receive_what_changes() -> None:
    judgments = Judgments([Judgment(URL, True, NOON)])
    received: list[tuple[str, bool | None]] = []
    judgments.subscribe(lambda url, relevant: received.append((url, relevant)))
    changes = [Judgment(URL, False, LATER), Judgment(URL + "2", True)]
    for judgment in (Judgment(URL, True, NOON), *changes, *changes):
        judgments.receive(judgment)
    for _ in range(2):
        judgments.forget(URL)
    assert received == [(URL, False), (URL + "2", True), (URL, None)]


def test_a_line_deleted_from_the_file_is_noticed_there_and_nowhere_else() -> None:
    journal = OneJournal()
    here, there = Judgments([Judgment(URL, False, file="a:/x")]), Judgments()
    end = joined(journal, here)
    for judgment in here.unpublished():
        end.publish(JUDGMENT, judgment)
    other = joined(journal.other_end(), there)
    assert here.deleted({"a:/x"}, [URL]) == []
    assert there.deleted({"b:/x"}, []) == [], "that file never had the line"
    assert there.deleted({"a:/x"}, []) == [URL]
    end.publish(JUDGMENT_FORGOTTEN, URL)
    other.replay()
    assert dict(here) == dict(there) == {}
    assert here.forgotten == there.forgotten == {URL}
    assert here.deleted({"a:/x"}, []) == []
    end.publish(JUDGMENT, Judgment(URL, True, file="a:/x"))
    other.replay()
    assert dict(there) == {URL: True}
    assert there.forgotten == set()


def test_judgments_of_an_older_journal_have_no_file() -> None:
    journal = OneJournal()
    journal.append([b'J["http://a.example/",true,null]'])
    judgments = Judgments()
    joined(journal.other_end(), judgments)
    assert dict(judgments) == {URL: True}
    assert judgments.deleted({"a:/x"}, []) == []


def test_the_file_is_in_the_topics_folder_or_beside_the_frontier(tmp_path: Path) -> None:
    settings = CrawlSettings.from_settings(
        Settings({"TOPICCRAWL_STORE_URI": f"sqlite:///{tmp_path}/data/pages.sqlite"})
    )
    own = TopicDefinition("侨情", source=str(tmp_path))
    assert judgments_file(own, settings) == tmp_path / "judgments.tsv"
    paths = {
        judgments_file(TopicDefinition(name, source=source), settings)
        for name, source in [
            ("侨情", BARE_WORD),
            ("侨联", BARE_WORD),
            ("侨务", "x.egg/_seeds/侨务"),
        ]
    }
    assert len(paths) == 3
    assert {path.parent for path in paths} == {tmp_path / "data"}
    assert all(path.name.endswith(".judgments.tsv") for path in paths)


@pytest.mark.parametrize("place", ["folder", "nowhere"])
def test_what_was_judged_while_the_folder_could_not_be_written_moves_into_it(
    tmp_path: Path, place: str
) -> None:
    settings = CrawlSettings.from_settings(
        Settings({"TOPICCRAWL_STORE_URI": f"sqlite:///{tmp_path}/data/pages.sqlite"})
    )
    source = tmp_path / "seeds"
    source.mkdir()
    if place == "folder":
        save_judgments(source / "judgments.tsv", [Judgment(URL, True), Judgment(f"{URL}2", True)])
        save_decisions(source / "vocabulary.tsv", [Decision("侨批", True)])
    word = TopicDefinition("侨情", source=BARE_WORD)
    save_judgments(judgments_file(word, settings), [Judgment(URL, False)])
    save_decisions(decisions_file(word, settings), [Decision("侨批", False)])
    topic = TopicDefinition("侨情", source=str(source))
    for _ in range(2):
        given = {it.url: it.relevant for it in given_judgments(topic, settings)}
        assert given == {URL: False} | ({f"{URL}2": True} if place == "folder" else {})
        assert decided(topic, settings).refused == ("侨批",)
    assert [it.name for it in (tmp_path / "data").glob("*.tsv")] == []

"""The report's part on queue and hosts: sums, the newest sizes, words for all, nothing that is zero."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from pathlib import Path

import pytest
from lxml import html

from tests.support.html_trees import html_tree
from tests.support.reporting_store import START, ReportingStore, make_run
from topiccrawl.reporting.aggregates.collect import collect
from topiccrawl.reporting.html.document import render
from topiccrawl.reporting.words.labels import LABELS, Language
from topiccrawl.reporting.words.stats import TABLES
from topiccrawl.store.contract import RunRecord
from topiccrawl.urls.filter import PATTERN
from topiccrawl.urls.traps import REASONS

SIZE = "frontier/size/"
WORDS = {name: words for table in TABLES for name, words in table.rows.items()}
REFERENCE = (Path(__file__).parents[2] / "docs" / "stats.md").read_text("utf-8")


def run(id_: str, ends: float, stats: dict[str, object]) -> RunRecord:
    """A run that ended so many minutes after the first began."""
    ours = {f"topiccrawl/{name}": value for name, value in stats.items()}
    return make_run(id_, finished_at=START + timedelta(minutes=ends), stats=ours)


def part(
    *runs: RunRecord, language: Language = "en", run_id: str | None = None
) -> html.HtmlElement:
    async def work() -> str:
        store = ReportingStore()
        await store.write(runs=runs)
        return render(await collect(store, "侨情", generated_at=START, run_id=run_id), language)

    document = html_tree(asyncio.run(work()))
    (section,) = document.xpath("//section[@id='queue']")
    return section


def table(section: html.HtmlElement, label: str) -> dict[str, str]:
    rows = section.xpath(f".//div[@id='queue-{label}']//tr")
    return {row[0].text_content(): row[1].text_content() for row in rows}


def test_counters_are_summed_over_the_runs() -> None:
    first = run("one", 5, {"frontier/enqueued": 1_000, "politeness/held/429": 2})
    second = run("two", 9, {"frontier/enqueued": 234, "politeness/held/503": 1})
    section = part(first, second)
    assert table(section, "queue-traffic") == {"new links queued": "1,234"}
    assert list(table(section, "politeness").values()) == ["2", "1"]


def test_sizes_are_those_of_the_run_that_ended_last() -> None:
    """Of two workers of one queue, the one that began first may end last."""
    early = run("early", 30, {SIZE + "queued": 7, "run/resumed_pages": 3})
    late = run("late", 20, {SIZE + "queued": 500, SIZE + "given_up": 9})
    late = make_run("late", started_at=START + timedelta(minutes=1), **_rest(late))
    section = part(early, late)
    state = table(section, "queue-state")
    assert state["links waiting to be fetched"] == "7"
    assert "links given up" not in state
    assert "early" in section.xpath(".//div[@id='queue-queue-state']/h4")[0].text_content()


def _rest(record: RunRecord) -> dict[str, object]:
    return {"finished_at": record.finished_at, "stats": record.stats}


def test_a_killed_run_is_shown_and_hides_nothing_of_the_others() -> None:
    whole = run("whole", 5, {SIZE + "queued": 7, "frontier/reaped": 2})
    killed = make_run("killed", started_at=START + timedelta(hours=1), finished_at=None, stats={})
    section = part(whole, killed)
    assert table(section, "queue-state") == {"links waiting to be fetched": "7"}
    assert LABELS["note-cut-off"][1] in section.text_content()
    assert LABELS["note-cut-off"][1] not in part(whole).text_content()


def test_one_run_alone_shows_its_own_figures() -> None:
    runs = [run("one", 5, {"frontier/enqueued": 10}), run("two", 9, {"frontier/enqueued": 4})]
    assert table(part(*runs, run_id="one"), "queue-traffic") == {"new links queued": "10"}


def test_what_is_zero_or_no_count_is_not_shown() -> None:
    odd = {
        "frontier/merged": 0,
        "frontier/seen": float("nan"),
        "frontier/refused": "many",
        "frontier/popped": 12_345.0,
        SIZE + "queued": 0,
        SIZE + "hosts": 0,
    }
    section = part(run("one", 5, odd))
    assert [e.get("id") for e in section.xpath(".//div[h4]")] == ["queue-queue-traffic"]
    assert table(section, "queue-traffic") == {"handed out to be fetched": "12,345"}


def test_without_any_statistics_the_part_is_one_sentence() -> None:
    section = part(make_run(stats={"topiccrawl/pages/analyzed": 3}))
    assert section.xpath(".//table") == []
    assert section.find_class("empty")[0].text_content() == LABELS["empty-stats"][1]


def test_traps_are_shown_by_reason_with_their_sum() -> None:
    trapped = {f"links/trapped/{reason}": 10 for reason in (*REASONS, PATTERN)}
    section = part(run("one", 5, {**trapped, "links/cleaned": 3}))
    assert len(table(section, "traps")) == len(REASONS) + 1
    assert section.xpath(".//div[@id='queue-traps']/h4/small")[0].text == str(10 * len(trapped))
    assert table(section, "parameters") == {"links without the useless parameters they had": "3"}


def test_every_reason_of_a_trap_has_words() -> None:
    assert {f"links/trapped/{reason}" for reason in (*REASONS, PATTERN)} <= set(WORDS)


def test_a_reason_without_words_is_shown_by_its_name_as_text() -> None:
    section = part(run("one", 5, {"links/trapped/<b>new": 4, "politeness/held/418": 2}))
    assert table(section, "traps") == {"<b>new": "4"}
    assert table(section, "politeness") == {"held/418": "2"}


@pytest.mark.parametrize(("language", "place"), [("zh", 0), ("en", 1)])
def test_every_row_has_words_in_either_language(language: Language, place: int) -> None:
    section = part(run("one", 5, dict.fromkeys(WORDS, 1)), language=language)
    rows = [row[0].text_content() for row in section.xpath(".//tr")]
    assert rows == [words[place] for words in WORDS.values()]
    assert len(set(rows)) == len(rows)


def test_each_stat_of_queue_and_hosts_in_the_reference_has_words() -> None:
    names = re.findall(r"^\| `topiccrawl/([^`<]+)` \|", REFERENCE, re.M)
    groups = ("frontier/", "politeness/", "parameters/", "run/", "links/cleaned")
    assert {name for name in names if name.startswith(groups)} <= set(WORDS)
    for name in WORDS:
        if not name.startswith(("links/trapped/", "pages/kind/")):
            assert name in names, name

"""What is new, changed and gone since a moment, by day, in every form of the report."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.support.command_line import run_command, sqlite_store
from tests.support.html_trees import html_tree
from tests.support.reporting_store import START, ReportingStore, make_outcome, make_page, make_run
from topiccrawl.actions.report import write_report
from topiccrawl.commands.report import Command
from topiccrawl.reporting.aggregates.activity import MAX_ROWS, ActivityTally, DayCount
from topiccrawl.reporting.aggregates.collect import collect
from topiccrawl.reporting.aggregates.report_data import ReportData
from topiccrawl.reporting.html.document import render
from topiccrawl.reporting.scale import china_day
from topiccrawl.reporting.text.activity import report_json, report_text
from topiccrawl.store.contract import PageRecord, VersionRecord
from topiccrawl.store.versions import former_version

DAY = timedelta(days=1)
#: 10:00 on May 1 in China.
NOW = START + 10 * DAY


def day(number: int) -> str:
    return str(china_day(START + number * DAY))


def pages() -> list[PageRecord]:
    """One page of each day; page 1 changed on days 3, 5 and 6, page 2 on day 2; page 3 is gone."""
    found = [
        make_page(f"http://a.cn/{n}", title=f"第{n}页", fetched_at=START + n * DAY)
        for n in range(7)
    ]
    found[1] = replace(found[1], fetched_at=START + 6 * DAY, changed_at=START + 6 * DAY)
    found[2] = replace(found[2], fetched_at=START + 2 * DAY, changed_at=START + 2 * DAY)
    found[3] = replace(found[3], gone_at=START + 6 * DAY, title="消失\x1b[31m的页")
    return found


def versions() -> list[VersionRecord]:
    found = pages()
    changes = [(1, 3), (1, 5), (1, 5.2), (1, 6), (2, 2)]
    gone = [former_version(make_page("http://a.cn/withdrawn"), START + 6 * DAY)]
    return gone + [former_version(found[n], START + at * DAY) for n, at in changes]


def report(since: datetime | None = None, run_id: str | None = None) -> ReportData:
    store = ReportingStore()
    outcomes = [
        make_outcome(f"http://a.cn/{n}", at=START + n * DAY, run_id=f"run-{n}") for n in range(7)
    ]
    waiting = make_outcome("http://a.cn/w", verdict="queued", at=START)
    runs = [
        make_run(f"run-{n}", started_at=START + n * DAY, finished_at=START + n * DAY)
        for n in range(7)
    ]
    return asyncio.run(_report(store, [*outcomes, waiting], runs, since, run_id))


async def _report(store, outcomes, runs, since, run_id):  # type: ignore[no-untyped-def]
    await store.write(pages(), outcomes, runs, versions=versions())
    return await collect(store, "侨情", generated_at=NOW, since=since, run_id=run_id)


def test_pages_are_counted_by_day_a_changed_one_once_a_day() -> None:
    activity = report(START + 3 * DAY).activity
    assert activity is not None
    assert activity.days == [
        DayCount(china_day(START + 3 * DAY), new=1, changed=1),
        DayCount(china_day(START + 4 * DAY), new=1),
        DayCount(china_day(START + 5 * DAY), new=1, changed=1),
        DayCount(china_day(START + 6 * DAY), new=1, changed=1, gone=1),
    ]
    assert (activity.new, activity.changed, activity.gone) == (4, 1, 1)
    assert [it.title for it in activity.new_pages] == ["第6页", "第5页", "第4页", "消失[31m的页"]
    assert [it.url for it in activity.changed_pages] == ["http://a.cn/1"]
    assert [it.at for it in activity.gone_pages] == [START + 6 * DAY]


def test_the_moment_itself_counts_and_what_was_before_does_not() -> None:
    exact, later = report(START + 6 * DAY).activity, report(START + 6.001 * DAY).activity
    assert exact is not None
    assert later is not None
    assert (exact.new, exact.changed, exact.gone) == (1, 1, 1)
    assert (later.new, later.changed, later.gone, later.any) == (0, 0, 0, False)


def test_a_report_since_a_moment_shows_only_what_was_fetched_since() -> None:
    data = report(START + 5 * DAY)
    assert data.counts.stored == 2
    assert data.counts.queued == 1
    assert [run.id for run in data.runs] == ["run-5", "run-6"]
    assert [row.url for row in data.pages.listed] == ["http://a.cn/6", "http://a.cn/5"]
    assert data.collection == 7


def test_without_a_moment_the_last_two_weeks_are_counted_and_everything_is_shown() -> None:
    data = report()
    assert data.activity is not None
    assert data.activity.new == 7
    assert data.pages.count == 7
    assert report(run_id="run-3").activity is None


def test_lists_are_bounded_and_have_the_latest_pages() -> None:
    tally = ActivityTally(START)
    for n in range(MAX_ROWS + 50):
        tally.add(make_page(f"http://a.cn/{n}", fetched_at=START + n * timedelta(minutes=1)))
    found = tally.result()
    assert found.new == MAX_ROWS + 50
    assert len(found.new_pages) == MAX_ROWS
    assert found.new_pages[0].url == f"http://a.cn/{MAX_ROWS + 49}"


def test_the_html_report_has_the_days_and_marks_what_is_gone() -> None:
    tree = html_tree(render(report(START + 3 * DAY), "en"))
    section = tree.get_element_by_id("activity")
    rows = [[cell.text_content().split()[-1] for cell in row] for row in section.iter("tr")]
    assert [row[-3:] for row in rows[1:3]] == [["4", "1", "1"], ["1", "1", "1"]]
    assert rows[2][0] == day(6)
    assert "消失[31m的页" in tree.get_element_by_id("activity-gone").text_content()
    (mark,) = tree.xpath("//ol[@id='list']//*[contains(@class, 'gone')]")
    assert mark.text_content() == f"gone {day(6)}"
    assert "Since 2024-05-04 10:00" in tree.find(".//header").text_content()


def test_a_run_that_is_going_on_is_shown_with_its_record() -> None:
    async def made() -> ReportData:
        store = ReportingStore()
        runs = [
            make_run("going-on", started_at=START, finished_at=None, strategy="adaptive"),
            make_run("killed", started_at=START - DAY, finished_at=None),
        ]
        outcomes = [
            make_outcome("http://a.cn/1", at=NOW - DAY / 2, run_id="going-on"),
            make_outcome("http://a.cn/2", at=START - DAY, run_id="killed"),
        ]
        await store.write(outcomes=outcomes, runs=runs)
        return await collect(store, "侨情", generated_at=NOW, since=NOW - DAY)

    data = asyncio.run(made())
    (run,) = data.runs
    assert (run.id, run.started_at, run.strategy) == ("going-on", START, "adaptive")
    assert run.counts.stored == 1
    assert data.duration == DAY / 2


@pytest.mark.parametrize("since", [None, START + 9 * DAY])
def test_where_nothing_happened_only_a_report_about_it_says_so(since: datetime | None) -> None:
    async def made() -> ReportData:
        store = ReportingStore()
        await store.write([make_page(fetched_at=START - 100 * DAY)])
        return await collect(store, "侨情", generated_at=NOW, since=since)

    text = render(asyncio.run(made()), "en")
    assert ("No page is new, changed or gone." in text) is (since is not None)


def test_the_text_has_the_figures_and_titles_without_escapes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    text = report_text(report(START + 3 * DAY))
    assert "Since 2024-05-04 10:00: 4 new pages, 1 changed, 1 gone" in text
    assert f"  {day(6)}  new 1  changed 1  gone 1" in text
    assert "    http://a.cn/6" in text
    assert "\x1b" not in text


def test_the_json_has_the_same_figures() -> None:
    found = json.loads(report_json(report(START + 3 * DAY)))
    assert found["since"] == "2024-05-04T02:00:00+00:00"
    assert found["pages"] == 7
    activity = found["activity"]
    assert [activity[it] for it in ("new", "changed", "gone")] == [4, 1, 1]
    assert activity["days"][-1] == {"day": day(6), "new": 1, "changed": 1, "gone": 1}
    assert activity["changed_pages"][0]["url"] == "http://a.cn/1"
    assert found["runs"][-1]["id"] == "run-6"
    whole = json.loads(report_json(report(None)))
    assert whole["activity"]["since"].endswith("16:00:00+00:00"), "midnight in China, in UTC"


@pytest.fixture(name="store")
def store_uri(tmp_path: Path) -> str:
    return sqlite_store(tmp_path, pages(), [make_outcome()], [make_run()], versions=versions())


@pytest.mark.parametrize(
    ("argv", "begin"),
    [
        (["--out", "r.json"], '{\n  "topic": "侨情"'),
        (["--out", "r.txt"], "侨情"),
        (["--out", "r.html"], "<!DOCTYPE html>"),
        (["--out", "r.unknown", "--format", "html"], "<!DOCTYPE html>"),
        (["--out", "r.html", "--format", "json"], "{"),
    ],
)
def test_the_extension_names_the_format_unless_it_is_given(
    store: str, tmp_path: Path, argv: list[str], begin: str
) -> None:
    out = tmp_path / argv[1]
    argv = ["--out", str(out), *argv[2:], "--since", "2024-05-04"]
    assert run_command(Command(), argv, store) == 0
    assert out.read_text("utf-8").startswith(begin)


def test_text_and_json_go_to_standard_output(
    store: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run_command(Command(), ["--format", "json", "--since", "2024年5月4日"], store) == 0
    assert json.loads(capfdbinary.readouterr().out)["activity"]["new"] == 4


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--since", "gestern"], "--since must be a date such as 2024-05-01"),
        (["--since", "7d", "--run", "last"], "--since and --run exclude each other"),
        (["--out", "-"], "--out - needs --format html, text or json"),
        (["--format", "pdf"], "--format must be one of html, text, json, got 'pdf'"),
    ],
)
def test_wrong_options_are_one_clear_line(
    store: str, capsys: pytest.CaptureFixture[str], argv: list[str], message: str
) -> None:
    assert run_command(Command(), argv, store) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_another_command_can_write_the_report_of_its_night(tmp_path: Path) -> None:
    out = tmp_path / "night-{date}.json"

    async def night() -> ReportData:
        store = ReportingStore()
        await store.write(pages(), versions=versions())
        return await write_report(store, "侨情", str(out), since=START + 3 * DAY, now=NOW)  # type: ignore[arg-type]

    data = asyncio.run(night())
    assert data.activity is not None
    (written,) = tmp_path.iterdir()
    assert written.name == f"night-{day(10)}.json"
    assert json.loads(written.read_text())["activity"]["new"] == data.activity.new == 4

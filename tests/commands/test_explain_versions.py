"""``scrapy explain URL --versions``: the versions of a page, and what changed, for people."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from rich.text import Text

from tests.support.command_line import run_command, sqlite_store
from tests.support.reporting_store import START, make_outcome, make_page, make_run
from topiccrawl.commands.explain import Command
from topiccrawl.reporting.text.versions import version_lines
from topiccrawl.store.contract import VisitRecord
from topiccrawl.store.versions import former_version

URL = "http://qw.example.cn/n/1.html"
DAY = timedelta(days=1)
BODIES = [
    "第一段不变。第二段也不变。\n共有123名侨胞参加。会议在北京举行。\n最后一句。",
    "第一段不变。第二段也不变。\n共有1,240名侨胞参加。会议在北京举行。\n最后一句。",
    "第一段不变。第二段也不变。\n共有1,240名侨胞参加。\n最后一句。\x1b[31m新增一句\u202e。",
]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "en")


def store_of(folder: Path, bodies: list[str], **changes: object) -> str:
    """A store in which the page had each of *bodies* for a day."""
    versions = []
    page = make_page(URL, body=bodies[0])
    for number, body in enumerate(bodies[1:], 1):
        at = START + number * DAY
        versions.append(former_version(page, at, versions[0] if versions else None))
        page = replace(page, body=body, changed_at=at)
    visit = VisitRecord(
        topic="侨情",
        url=URL,
        visited_at=START + 9 * DAY,
        changed_at=page.changed_at,
        **changes,  # type: ignore[arg-type]
    )
    outcomes = [make_outcome(URL, title=page.title)]
    return sqlite_store(folder, [page], outcomes, [make_run()], [], [visit], versions)


def test_each_change_is_shown_with_marks_and_its_surroundings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(Command(), [URL, "--versions"], store_of(tmp_path, BODIES)) == 0
    out = capsys.readouterr().out
    lines = [line.rstrip() for line in out.splitlines()]
    assert "Versions: 3" in lines
    first = lines.index("1 → 2, 2024-05-02 10:00 (UTC+8)")
    assert lines[first + 1 : first + 6] == [
        "  … 1 unchanged",
        "  第二段也不变。",
        "~ 共有[-123-]{+1,240+}名侨胞参加。",
        "  会议在北京举行。",
        "  … 1 unchanged",
    ]
    second = lines.index("2 → 3, 2024-05-03 10:00 (UTC+8)")
    assert lines[second + 1 :] == [
        "  … 2 unchanged",
        "  共有1,240名侨胞参加。",
        "- 会议在北京举行。",
        "  最后一句。",
        "+ [31m新增一句。",
    ]


def test_what_a_terminal_would_obey_is_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = store_of(tmp_path, [*BODIES, "\x1b]0;title\x07\u202e\x9b31m[red]全新[/red]。"])
    assert run_command(Command(), [URL, "--versions"], store) == 0
    out = capsys.readouterr().out
    assert not set(out) & {"\x1b", "\x07", "\x9b", "\u202e"}
    assert "+ ]0;title31m[red]全新[/red]。" in out


def test_a_page_that_never_changed_has_one_version(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(Command(), [URL, "--versions"], store_of(tmp_path, BODIES[:1])) == 0
    out = capsys.readouterr().out
    assert "topic: 侨情\n" in out  # of several topics, each has its own versions
    assert "Versions: 1" in out
    assert "No former version is stored." in out


def test_a_changed_title_and_differences_that_nobody_sees_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = make_page(URL, title="旧题目一则", body="正文。")
    middle = replace(old, title="新题目一则", changed_at=START + DAY)
    new = replace(middle, body="正文。\n\u200b", changed_at=START + 2 * DAY)
    versions = [former_version(old, START + DAY), former_version(middle, START + 2 * DAY)]
    store = sqlite_store(tmp_path, [new], [make_outcome(URL)], [make_run()], [], versions=versions)
    assert run_command(Command(), [URL, "--versions"], store) == 0
    out = capsys.readouterr().out
    assert "title: [-旧-]{+新+}题目一则" in out
    assert "Only spaces, line ends or invisible characters differ." in out


def test_versions_that_were_thinned_out_or_damaged_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = make_page(URL, changed_at=START + 5 * DAY)
    first = replace(former_version(make_page(URL), START + DAY), text=b"?")
    store = sqlite_store(tmp_path, [page], [make_outcome(URL)], [make_run()], [], versions=[first])
    assert run_command(Command(), [URL, "--versions"], store) == 0
    out = capsys.readouterr().out
    assert "Versions between these two are not stored." in out
    assert "The text of a version cannot be read." in out


def test_a_url_without_a_stored_page_has_no_versions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = make_outcome(URL, verdict="dropped", reason="off-topic")
    store = sqlite_store(tmp_path, [], [outcome], [make_run()])
    assert run_command(Command(), [URL, "--versions"], store) == 0
    assert "No page is stored, hence no versions." in capsys.readouterr().out


@pytest.mark.parametrize("options", [[], ["--versions"]])
def test_a_page_that_is_gone_is_shown_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    store = store_of(tmp_path, BODIES, gone_at=START + 8 * DAY)
    assert run_command(Command(), [URL, *options], store) == 0
    out = capsys.readouterr().out
    gone = "The page has been gone from its site since 2024-05-09 10:00 (UTC+8); it stays stored."
    assert gone in out
    if not options:
        assert "last visit: 2024-05-10 10:00 (UTC+8)" in out


def test_on_a_terminal_what_went_is_red_and_what_came_is_green() -> None:
    old = make_page(URL, body=BODIES[0])
    new = replace(old, body=BODIES[2], changed_at=START + DAY)
    lines = version_lines(new, [former_version(old, START + DAY)])
    texts = [line for line in lines if isinstance(line, Text)]
    styles = {
        (span.style, text.plain[span.start : span.end]) for text in texts for span in text.spans
    }
    assert {("red", "[-123-]"), ("green", "{+1,240+}"), ("red", "会议在北京举行。")} <= styles

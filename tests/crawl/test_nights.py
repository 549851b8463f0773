"""A collection over some nights: what reports, exports and explanations say of what really happened."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.support.changing_web import DAY, SITE, ChangingSite, Runs, sentences
from tests.support.command_line import run_command
from tests.support.stored import from_store
from topiccrawl.actions.report import write_report
from topiccrawl.commands.explain import Command as Explain
from topiccrawl.store.contract import Store


def report(runs: Runs, since: float) -> dict[str, Any]:
    """The JSON report of what happened since a time of the simulated clock."""
    out = runs.folder / "report.json"

    async def write(store: Store) -> None:
        (topic,) = await store.topics()
        await write_report(
            store,
            topic,
            str(out),
            since=datetime.fromtimestamp(since, UTC),
            now=datetime.fromtimestamp(runs.now, UTC),
        )

    from_store(runs.uri, write)
    found: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return found


def figures(found: dict[str, Any]) -> list[int]:
    return [found["activity"][name] for name in ("new", "changed", "gone")]


def test_each_night_reports_what_happened_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    site = ChangingSite()
    for number in range(1, 5):
        site.publish(number)
    runs = Runs(tmp_path, site)
    runs.crawl()
    runs.later(2 * DAY)
    changed, gone = f"{SITE}news/3.html", f"{SITE}news/4.html"
    site.articles[changed].body = sentences(3, 2) + "更正：会议改在下月举行，地点不变。"
    site.articles[gone].status = 404
    first = runs.now
    runs.refresh()
    assert [it["url"] for it in report(runs, first)["activity"]["changed_pages"]] == [changed]
    # Missing once may be an accident.
    assert figures(report(runs, first))[1:] == [1, 0]
    runs.later(2 * DAY)
    second = runs.now
    runs.refresh()
    assert figures(report(runs, second))[1:] == [0, 1]
    assert report(runs, second)["pages"] == 4
    assert [it["url"] for it in report(runs, second)["activity"]["gone_pages"]] == [gone]
    assert run_command(Explain(), [changed, "--versions"], runs.uri) == 0
    out = capsys.readouterr().out
    assert "Versions: 2" in out
    assert "+ 更正：会议改在下月举行，地点不变。" in out

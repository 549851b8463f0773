"""The view of warnings, and their feed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from scrapy.settings import Settings

from tests.support.chromium import needs_chromium
from tests.support.console_server import RunningConsole, console, fill
from tests.support.console_walk import chromium, walk, window
from tests.support.receivers import TOKEN, Receiver, receiving
from tests.support.store_records import TOPIC
from tests.support.watched import NOW, Clock, Outgoing, alert_settings, found, run, service
from topiccrawl.alerts.rules import HostRule, WordRule, Words
from topiccrawl.store.contract import Store

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)> \u202eX\x1b[31m ]]> &amp; 领事保护"
ATOM = "{http://www.w3.org/2005/Atom}"
RULES = """
[[channels]]
name = "desk"
kind = "webhook"
url_env = "DESK_URL"
[[rules]]
name = "领事<b>"
kind = "words"
words = ["领事保护"]
"""


async def _fill(store: Store) -> None:
    evil = found(1, NOW, title=EVIL, site="<b>.example", url="javascript:alert(1)")
    good = [found(i, NOW, title=f"领事保护第{i}号") for i in range(2, 70)]
    await store.write(pages=[evil, *good], runs=[run(1, NOW, None, "")])
    words = WordRule(name="领事<b>", words=Words(any=("领事保护",)))
    out = Outgoing()
    out.failures = 1
    settings = alert_settings(words, HostRule(name="hosts"))
    await service(store, settings, out, Clock()).round()


@pytest.fixture(scope="module")
def hook() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, hook: Receiver) -> Iterator[RunningConsole]:
    folder = tmp_path_factory.mktemp("desk")
    uri = fill(folder / "pages.sqlite", _fill)
    file = folder / "alerts.toml"
    file.write_text(RULES, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DESK_URL", f"{hook.url}/{TOKEN}")
        settings = Settings({"TOPICCRAWL_ALERTS": str(file)})
        with console(uri, write=True, settings=settings) as running:
            yield running


def test_warnings_are_listed_with_their_pages_and_channels(desk: RunningConsole) -> None:
    answer = desk.get(f"/t/{TOPIC}/alerts", accept_language="en")
    assert answer.status == 200
    for part in ("领事保护第2号", "desk", "sent", "waits", "1 of 2", "one of: 领事保护"):
        assert part in answer.text
    assert TOKEN not in answer.text
    second = desk.get(f"/t/{TOPIC}/alerts?page=2", accept_language="zh").text
    assert "预警" in second
    assert desk.get(f"/t/{TOPIC}/alerts?page=999&kind=nonsense").status == 200


def test_text_of_pages_and_rules_is_no_markup(desk: RunningConsole) -> None:
    shown = "".join(desk.get(f"/t/{TOPIC}/alerts?page={n}").text for n in (1, 2))
    assert "<script>alert" not in shown
    assert "<img src=x" not in shown
    assert "领事<b>" not in shown
    assert 'href="javascript' not in shown
    assert "\u202e" not in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("path", ["/t/{topic}/alerts.atom", "/feeds/{topic}.atom"])
def test_the_feed_is_atom_with_one_entry_for_each_warning(desk: RunningConsole, path: str) -> None:
    answer = desk.get(path.format(topic=TOPIC), accept_language="en")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.text)
    entries = feed.findall(f"{ATOM}entry")
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert len(ids) == len(set(ids)) == 69
    for entry in entries:
        for name in ("title", "id", "updated", "content"):
            assert entry.findtext(f"{ATOM}{name}")
        assert all(it.get("href", "").startswith("http") for it in entry.findall(f"{ATOM}link"))


def test_a_test_message_is_sent_by_a_form(desk: RunningConsole, hook: Receiver) -> None:
    before = len(hook.posted)
    page = f"/t/{TOPIC}/alerts"
    answer = desk.submit(page, f"{page}/test", {"channel": "desk"})
    assert answer.status == 303
    assert "sent=desk" in answer.headers["location"]
    assert hook.posted[before].value["alerts"][0]["kind"] == "test"
    assert desk.post(f"{page}/test", {"channel": "desk"}).status == 403
    assert len(hook.posted) == before + 1


def test_without_rules_the_view_says_how_to_set_them(tmp_path: Path) -> None:
    uri = fill(tmp_path / "pages.sqlite", _fill)
    with console(uri, settings=Settings()) as running:
        shown = running.get(f"/t/{TOPIC}/alerts", accept_language="en").text
    assert "TOPICCRAWL_ALERTS" in shown


def test_a_wrong_file_is_named_in_the_view(tmp_path: Path) -> None:
    uri = fill(tmp_path / "pages.sqlite", _fill)
    file = tmp_path / "alerts.toml"
    file.write_text('[[rules]]\nname = "a"\nkind = "wrds"\n')
    with console(uri, settings=Settings({"TOPICCRAWL_ALERTS": str(file)})) as running:
        shown = running.get(f"/t/{TOPIC}/alerts", accept_language="en").text
    assert f"TOPICCRAWL_ALERTS: {file}: rules[0].kind" in shown


@needs_chromium
@pytest.mark.parametrize(
    ("width", "language", "theme"), [(1280, "zh", "light"), (360, "en", "dark")]
)
def test_a_full_list_is_accessible_fits_and_runs_nothing(
    desk: RunningConsole, width: int, language: str, theme: str
) -> None:
    with chromium() as browser, window(browser, width, language, theme) as page:
        for path in (f"/t/{TOPIC}/alerts", f"/t/{TOPIC}/alerts?page=2&failed=<b>x"):
            assert walk(page, desk.url, path).problems(width) == []

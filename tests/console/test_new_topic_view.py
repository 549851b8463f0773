"""Making a topic in the console: from the form to a folder, and each mistake at its field."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.chromium import needs_chromium
from tests.support.console_server import RunningConsole, console, fill
from tests.support.console_walk import chromium, window
from tests.support.html_trees import html_tree
from topiccrawl.topics.definition import Keyword
from topiccrawl.topics.folder import load_definition

GOOD = {
    "name": "茶文化",
    "words": "茶艺，茶道=0.8\n采茶",
    "seeds": "茶网 www.tea.example.cn\nhttp：//b.example/新",
    "language": "zh",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project as working directory."""
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = topiccrawl.settings\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def desk(project: Path) -> Iterator[RunningConsole]:
    uri = fill(project / "a.sqlite", lambda store: store.write([], [], []))
    with console(uri, write=True, folder=project) as running:
        yield running


def problems(text: str) -> dict[str, str]:
    """Return the messages of a page by the fields that they describe."""
    page = html_tree(text)
    fields = page.xpath("//*[@aria-invalid='true']")
    return {
        it.get("name"): page.get_element_by_id(it.get("aria-describedby")).text_content()
        for it in fields
    }


def test_a_topic_is_made_of_a_name_words_and_sites(desk: RunningConsole, project: Path) -> None:
    answer = desk.submit("/definitions", "/definitions", GOOD)
    assert answer.status == 303
    assert 'href="/crawls?topic=' in desk.get(answer.headers["location"]).text
    found = load_definition(project / "seeds" / "茶文化")
    assert found.keywords == tuple(
        Keyword(word, value, "core") for word, value in (("茶艺", 1), ("茶道", 0.8), ("采茶", 1))
    )
    urls = [it.url for it in found.seeds]
    assert urls[0] == "http://www.tea.example.cn"
    assert len(urls) == 2
    start = html_tree(desk.get("/crawls?topic=茶文化").text)
    assert start.xpath("//select[@id='start-topic']/option[@selected]/@value") == ["茶文化"]


def test_an_empty_console_leads_to_the_form(desk: RunningConsole) -> None:
    (link,) = html_tree(desk.get("/").text).xpath("//main//a[contains(@href, '#')]/@href")
    page, __, place = link.partition("#")
    assert html_tree(desk.get(page).text).get_element_by_id(place).text == "New topic"


def test_the_name_alone_makes_a_topic(desk: RunningConsole, project: Path) -> None:
    fields = {"name": "tea", "words": " ", "seeds": "", "language": "en"}
    assert desk.submit("/definitions", "/definitions", fields).status == 303
    found = load_definition(project / "seeds" / "tea")
    assert found.keywords == (Keyword("tea", 1.0, "core"),)
    assert (found.language, found.seeds) == ("en", ())


def test_every_mistake_stands_at_its_field_and_nothing_typed_is_lost(
    desk: RunningConsole, project: Path
) -> None:
    fields = {
        "name": "../茶",
        "words": "茶=7",
        "seeds": "http://a.cn/\nftp://b.cn/",
        "language": "",
    }
    answer = desk.submit("/definitions", "/definitions", fields)
    assert answer.status == 422
    found = problems(answer.text)
    assert {name: fields[name] in text for name, text in found.items()} == {
        "name": True,
        "words": True,
        "seeds": False,
    }
    assert "Keywords must be words" in found["words"]
    assert "Seeds: line 2 must be an http or https URL" in found["seeds"]
    assert "ftp://b.cn/" in found["seeds"]
    page = html_tree(answer.text)
    assert page.get_element_by_id("new-name").get("value") == fields["name"]
    assert page.get_element_by_id("new-words").text.strip() == fields["words"]
    assert page.get_element_by_id("new-seeds").text.strip() == fields["seeds"]
    assert not (project / "seeds").exists()


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("name", "", "must not be empty"),
        ("name", "<b>/x", "none of"),
        ("words", "！", "Keywords must be words"),
        ("words", "，,、", ""),
        ("seeds", "没有网址", "must be an http or https URL"),
        # The name of a file is no address: a browser does not choose what is read of the machine.
        ("seeds", "/etc/passwd", "must be an http or https URL"),
        ("seeds", "sites.txt", "must be an http or https URL"),
    ],
)
def test_a_wrong_value_is_refused_with_the_rule(
    desk: RunningConsole, project: Path, field: str, value: str, reason: str
) -> None:
    (project / "sites.txt").write_text("http://a.cn/\n")
    answer = desk.submit("/definitions", "/definitions", {**GOOD, field: value})
    if not reason:  # nothing but separators: as if the field were empty
        assert answer.status == 303
        return
    assert answer.status == 422
    assert reason in problems(answer.text)[field]
    assert not (project / "seeds").exists()


def test_a_topic_that_there_is_stays_as_it_is(desk: RunningConsole, project: Path) -> None:
    assert desk.submit("/definitions", "/definitions", GOOD).status == 303
    file = project / "seeds" / "茶文化" / "topic.toml"
    before = file.read_bytes()
    answer = desk.submit("/definitions", "/definitions", {**GOOD, "words": "绿茶"})
    assert answer.status == 422
    assert "there is a topic of this name already" in problems(answer.text)["name"]
    assert file.read_bytes() == before


def test_a_folder_that_cannot_be_made_is_named(desk: RunningConsole, project: Path) -> None:
    (project / "seeds").write_text("a file in place of the folder")
    answer = desk.submit("/definitions", "/definitions", GOOD)
    assert answer.status == 422
    assert str(project / "seeds" / "茶文化") in answer.text
    assert "cannot be written" in answer.text


def test_a_read_only_console_makes_no_topic(project: Path) -> None:
    uri = fill(project / "a.sqlite", lambda store: store.write([], [], []))
    with console(uri, folder=project) as desk:
        assert "<form method" not in desk.get("/definitions").text
        assert desk.post("/definitions", GOOD).status == 403
    assert not (project / "seeds").exists()


@needs_chromium
@pytest.mark.parametrize(("width", "scripts"), [(1280, True), (360, True), (360, False)], ids=str)
def test_a_topic_is_made_in_a_browser_after_a_mistake(
    desk: RunningConsole, project: Path, width: int, scripts: bool
) -> None:
    with chromium() as browser, window(browser, width, "zh", "light", scripts=scripts) as page:
        page.goto(f"{desk.url}/definitions")
        page.get_by_label("名称").fill("茶文化")
        page.get_by_label("关键词").fill("茶艺，茶道=8")
        page.get_by_label("种子").fill("http://a.example/")
        page.get_by_role("button", name="建立主题").click()
        assert "现为 '茶道=8'" in page.get_by_role("alert").inner_text()
        assert page.get_by_label("种子").input_value().strip() == "http://a.example/"
        if scripts:
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.get_by_label("关键词").fill("茶艺，茶道=0.8")
        page.get_by_role("button", name="建立主题").click()
        page.wait_for_url("**made=1")
        page.get_by_role("link", name="启动抓取").click()
        assert page.locator("#start-topic").input_value() == "茶文化"
    assert (project / "seeds" / "茶文化" / "samples").is_dir()

"""The views of topic files: what is edited in them, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.support.console_project import STORE, enter_project
from tests.support.console_server import RunningConsole, console
from tests.support.html_trees import html_tree


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one topic and a store, as working directory."""
    return enter_project(tmp_path, monkeypatch)


@pytest.fixture
def desk(project: Path) -> Iterator[RunningConsole]:
    with console(STORE, write=True, folder=project) as running:
        yield running


def test_seeds_words_limits_and_the_text_of_a_topic_are_edited(
    desk: RunningConsole, project: Path
) -> None:
    file = project / "seeds" / "绿化" / "topic.toml"
    page = f"/definitions/{quote('绿化')}"

    def change(form: str, **fields: str) -> int:
        digest = re.search(r'name="digest" value="(\w+)"', desk.get(page).text)
        assert digest is not None
        return desk.submit(page, f"{page}/{form}", {"digest": digest[1], **fields}).status

    assert change("seed", do="add", url="http://b.example/新", seed_name="乙") == 303
    assert change("word", do="add", term="植树", kind="core", value="0.9") == 303
    assert change("word", do="add", term="造林，封山、护林", kind="near", value="0.6") == 303
    assert change("seed", do="add", url="www.c.example/") == 303
    assert change("limit", key="max_pages", value="500") == 303
    assert change("seed", do="add", url="ftp://b.example/") == 422
    assert change("word", do="add", term="植树", kind="core", value="7") == 422
    assert change("word", do="remove", term="没有", kind="core") == 422
    assert change("seed", do="remove", url="http://a.example/") == 303
    text = file.read_text("utf-8")
    assert "# words" in text
    assert "http://a.example/" not in text
    assert '"植树" = 0.9' in text
    assert all(f'"{word}" = 0.6' in text for word in ("造林", "封山", "护林"))
    assert "http://www.c.example/" in text
    assert "max_pages = 500" in text
    assert change("save", text=text + "\nunknown = 1\n") == 422
    assert change("save", text=text + "\n# end\n") == 303
    assert file.read_text("utf-8").endswith("# end\n")
    assert len(list(file.parent.glob("topic.toml.bak-*"))) == 7


def test_a_text_that_was_loaded_before_another_change_is_not_saved(
    desk: RunningConsole, project: Path
) -> None:
    file = project / "seeds" / "绿化" / "topic.toml"
    page = f"/definitions/{quote('绿化')}"
    digest = re.search(r'name="digest" value="(\w+)"', desk.get(page).text)
    assert digest is not None
    mine = file.read_text("utf-8") + "\n# mine\n"
    file.write_text(mine, "utf-8")
    fields = {"digest": digest[1], "text": 'name = "绿化"\n[keywords.core]\na = 1.0\n'}
    answer = desk.submit(page, f"{page}/save", fields)
    assert answer.status == 422
    assert "changed meanwhile" in answer.text
    assert "a = 1.0" in answer.text
    assert file.read_text("utf-8") == mine


@pytest.mark.parametrize("first", ["check", "save"])
@pytest.mark.parametrize("text", ['name = "绿化"\n[keywords.core]\na = 1.0\n', "[broken\n"])
def test_a_text_that_was_shown_again_does_not_overwrite_what_another_has_changed(
    desk: RunningConsole, project: Path, first: str, text: str
) -> None:
    file = project / "seeds" / "绿化" / "topic.toml"
    page = f"/definitions/{quote('绿化')}"
    loaded = desk.get(page).text
    theirs = file.read_text("utf-8") + "\n# theirs\n"
    file.write_text(theirs, "utf-8")
    shown = desk.submit(page, f"{page}/{first}", {"digest": _digest_of_text(loaded), "text": text})
    assert text in unescape(shown.text)
    good = 'name = "绿化"\n[keywords.core]\na = 1.0\n'
    again = {"digest": _digest_of_text(shown.text), "text": good}
    answer = desk.submit(page, f"{page}/save", again)
    assert answer.status == 422
    assert "changed meanwhile" in answer.text
    assert file.read_text("utf-8") == theirs


def _digest_of_text(page: str) -> str:
    """Return the digest in the form of the whole file."""
    found = re.search(r'action="[^"]+/save">.*?name="digest" value="(\w+)"', page, re.DOTALL)
    assert found is not None
    return found[1]


def test_what_was_typed_is_shown_again_with_the_mistake(desk: RunningConsole) -> None:
    page = f"/definitions/{quote('绿化')}"
    digest = _digest_of_text(desk.get(page).text)

    def values(form: str, **fields: str) -> list[str]:
        answer = desk.submit(page, f"{page}/{form}", {"digest": digest, **fields})
        assert answer.status == 422
        tree = html_tree(answer.text)
        return tree.xpath(
            f"//form[contains(@action, '/{form}')]//input[not(@type='hidden')][@value!='1']/@value"
            f" | //form[contains(@action, '/{form}')]//option[@selected]/@value"
        )

    words = "植树，造林、封山"
    assert values("word", do="add", term=words, kind="near", value="7") == [words, "near", "7"]
    assert values("seed", do="add", url="ftp://甲.example/", seed_name="甲站")[:2] == [
        "ftp://甲.example/",
        "甲站",
    ]
    assert "1.5" in values("limit", key="max_pages", value="1.5")


def test_a_wrong_value_of_a_word_is_named_as_the_form_names_it(desk: RunningConsole) -> None:
    page = f"/definitions/{quote('绿化')}"
    fields = {"do": "add", "term": "植树", "kind": "near", "value": "high"}
    digest = _digest_of_text(desk.get(page).text)
    answer = desk.submit(page, f"{page}/word", {"digest": digest, **fields})
    assert "Value must be a number, got &#39;high&#39;" in answer.text


def test_a_broken_topic_file_can_be_mended(desk: RunningConsole, project: Path) -> None:
    file = project / "seeds" / "绿化" / "topic.toml"
    good = file.read_text("utf-8")
    file.write_text(good + "\n[broken\n", "utf-8")
    page = f"/definitions/{quote('绿化')}"
    shown = desk.get(page).text
    assert "not valid TOML" in shown
    digest = re.search(r'name="digest" value="(\w+)"', shown)
    assert digest is not None
    fields = {"digest": digest[1], "text": good}
    assert desk.submit(page, f"{page}/save", fields).status == 303


@pytest.mark.parametrize("broken", ["[broken\n", "seeds = 3\n", "keywords = 3\n", "seeds = [3]\n"])
def test_a_form_for_one_entry_of_a_broken_file_is_refused_with_the_reason(
    desk: RunningConsole, project: Path, broken: str
) -> None:
    file = project / "seeds" / "绿化" / "topic.toml"
    file.write_text(f'name = "绿化"\n{broken}', "utf-8")
    page = f"/definitions/{quote('绿化')}"
    for form, fields in (
        ("seed", {"do": "add", "url": "http://b.example/"}),
        ("seed", {"do": "remove", "url": "http://b.example/"}),
        ("word", {"do": "add", "term": "植树", "kind": "core", "value": "0.9"}),
        ("limit", {"key": "max_pages", "value": "500"}),
    ):
        answer = desk.submit(page, f"{page}/{form}", fields)
        assert answer.status == 422
        assert 'role="alert"' in answer.text
    assert file.read_text("utf-8").endswith(broken)


@pytest.mark.parametrize("path", ["/definitions/..", "/definitions/%2e%2e%2fx", "/definitions/no"])
def test_only_topics_of_the_project_can_be_opened(desk: RunningConsole, path: str) -> None:
    assert desk.get(path).status in (307, 404)


def test_of_a_topic_of_the_store_without_a_file_the_link_leads_to_what_there_is(
    desk: RunningConsole,
) -> None:
    (link,) = html_tree(desk.get("/t/侨情/crawls").text).xpath(
        "//form//a[starts-with(@href, '/definitions/')]/@href"
    )
    answer = desk.get(link)
    assert answer.status == 303
    assert "without a file: 侨情" in desk.get(answer.headers["location"]).text

"""Folders with web.sqlite and topics.json: what is read, and what is said of broken ones."""

from __future__ import annotations

import json
import logging
import sqlite3
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.chinese_web import GBK, HOME, MANY, OLD, small_pages, small_topics
from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.web import StoredPage
from topiccrawl.evaluation.webs.writer import WebWriter, write_web


def shared_form(folder: Path, rows: list[tuple[str, object]]) -> Path:
    """A web as others make it: url and body are all that a table must have."""
    folder.mkdir(exist_ok=True)
    with sqlite3.connect(folder / "web.sqlite") as database:
        database.execute("CREATE TABLE pages(url TEXT, body BLOB)")
        database.executemany("INSERT INTO pages VALUES (?, ?)", rows)
    return folder


def test_what_was_written_is_read_with_its_topics(tmp_path: Path) -> None:
    write_web(tmp_path / "drawn", small_pages(), small_topics())
    web = open_web(str(tmp_path / "drawn"))
    assert (web.name, web.language, len(web)) == ("drawn", "zh", 5)
    assert {url: web.get(url) for url in web.urls()} == {page.url: page for page in small_pages()}
    assert tuple(web.topics) == small_topics().topics
    assert web.get("http://a.example/other") is None
    web.close()


def test_a_web_copied_from_another_is_the_same(tmp_path: Path) -> None:
    first = open_web(str(write_web(tmp_path / "one", small_pages(), small_topics())))
    second = open_web(str(write_web(tmp_path / "two", first)))
    assert list(second.topics) == list(first.topics)
    assert [second.get(url) for url in second.urls()] == [first.get(url) for url in first.urls()]


def test_columns_may_be_missing_and_bodies_compressed_or_not(tmp_path: Path) -> None:
    rows: list[tuple[str, object]] = [
        ("http://a.example/raw", b"<p>raw"),
        ("http://a.example/zip", zlib.compress(b"<p>zip")),
        ("http://a.example/text", "<p>侨"),
        ("http://a.example/none", None),
    ]
    web = open_web(str(shared_form(tmp_path, rows)))
    bodies = [page.body for url in web.urls() if (page := web.get(url))]
    assert bodies == [b"<p>raw", b"<p>zip", "<p>侨".encode(), b""]
    page = web.get("http://a.example/raw")
    assert page == StoredPage("http://a.example/raw", b"<p>raw", "text/html", 200, "")
    assert not web.topics


def test_pages_stored_under_other_spellings_are_found_by_their_key(tmp_path: Path) -> None:
    rows: list[tuple[str, object]] = [
        ("https://A.example:443/侨#x", b"1"),
        ("http://b.example", b"2"),
        ("http://b.example/", b"3"),
        ("about:blank", b"4"),
    ]
    web = open_web(str(shared_form(tmp_path, rows)))
    assert list(web.urls()) == ["http://a.example/%E4%BE%A8", "http://b.example/"]
    page, other = web.get("http://a.example/%E4%BE%A8"), web.get("http://b.example/")
    assert page is not None
    assert page.body == b"1"
    assert other is not None
    assert other.body == b"3", "the exact spelling wins"


def test_a_folder_that_cannot_be_written_can_be_read(tmp_path: Path) -> None:
    write_web(tmp_path, small_pages(), small_topics())
    (tmp_path / "web.sqlite").chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        before = sorted(path.name for path in tmp_path.iterdir())
        web = open_web(str(tmp_path / "web.sqlite"))
        assert web.get(HOME) is not None
        assert sorted(path.name for path in tmp_path.iterdir()) == before
    finally:
        tmp_path.chmod(0o755)


def test_urls_that_are_not_stored_are_skipped_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_web(tmp_path, small_pages(), small_topics())
    relevant = tmp_path / "relevant" / "侨情.txt"
    relevant.write_text(f"{GBK}\r\n\nhttps://a.example:443/\nhttp://lost.example/\n", "utf-8")
    with caplog.at_level(logging.WARNING):
        (topic,) = open_web(str(tmp_path)).topics
    assert topic.relevant == {GBK, HOME}
    assert "relevant/侨情.txt: 1 URLs are not stored" in caplog.text
    assert "http://lost.example/" in caplog.text


def break_topics(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        data["topics"][0][key] = value
        if value is None:
            del data["topics"][0][key]

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data.pop("topics"), '"topics" must be a list of objects'),
        (lambda data: data["topics"].append(data["topics"][0]), "a name of its own: '侨情'"),
        (lambda data: data.update(lang=7), '"lang" must be a text'),
        (break_topics("name", ""), '"name" must be a text'),
        (break_topics("keywords", "华侨"), "keywords must be a list of texts, got '华侨'"),
        (break_topics("keywords", [1]), "keywords must be a list of texts, got [1]"),
        (break_topics("seeds_near", []), "seeds_near must hold a stored URL, got []"),
        (break_topics("seeds_far", ["http://lost.example/"]), "seeds_far must hold a stored"),
        (break_topics("relevant_file", "relevant/no.txt"), "relevant_file must be a readable"),
        (break_topics("relevant_file", 3), "relevant_file must be the name of a file, got 3"),
        (break_topics("bare_word", ["华侨"]), "bare_word must be a text, got ['华侨']"),
        (break_topics("samples", "x"), "samples must be a list of texts, got 'x'"),
        (break_topics("unsure", 7), "unsure must be a list of texts, got 7"),
        (break_topics("group", 7), "group must be a text, got 7"),
    ],
)
def test_errors_in_topics_json_name_file_key_and_value(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], said: str
) -> None:
    write_web(tmp_path, small_pages(), small_topics())
    file = tmp_path / "topics.json"
    data = json.loads(file.read_text("utf-8"))
    change(data)
    file.write_text(json.dumps(data), "utf-8")
    with pytest.raises(ConfigurationError) as raised:
        open_web(str(tmp_path))
    assert str(file) in str(raised.value)
    assert said in str(raised.value)


def test_samples_unsure_pages_bare_word_and_group_are_read_and_written(tmp_path: Path) -> None:
    topics = small_topics()
    topic = replace(
        topics.topics[0], bare_word="华侨", samples=(MANY,), unsure=frozenset({OLD}), group="侨"
    )
    write_web(tmp_path, small_pages(), replace(topics, topics=(topic,)))
    (read,) = open_web(str(tmp_path)).topics
    assert read == topic
    assert read.not_judged == {MANY, OLD, GBK, HOME}, "with the examples and all seeds"
    (old,) = topics.topics
    assert (old.bare_word, old.samples, old.unsure, old.group) == ("", (), frozenset(), "")


def test_a_topic_without_any_seed_set_is_refused(tmp_path: Path) -> None:
    write_web(tmp_path, small_pages(), small_topics())
    file = tmp_path / "topics.json"
    data = json.loads(file.read_text("utf-8"))
    data["topics"][0] = {k: v for k, v in data["topics"][0].items() if "seeds" not in k}
    file.write_text(json.dumps(data), "utf-8")
    with pytest.raises(ConfigurationError, match="seeds_near must be there"):
        open_web(str(tmp_path))


def test_any_key_that_begins_with_seeds_is_a_seed_set(tmp_path: Path) -> None:
    write_web(tmp_path, small_pages(), small_topics())
    file = tmp_path / "topics.json"
    data = json.loads(file.read_text("utf-8"))
    data["topics"][0]["seeds_noisy"] = [MANY, OLD]
    file.write_text(json.dumps(data), "utf-8")
    (topic,) = open_web(str(tmp_path)).topics
    assert topic.seeds == {"near": (GBK,), "far": (HOME,), "noisy": (MANY, OLD)}


def test_a_file_that_is_no_web_is_refused_by_name_rule_and_value(tmp_path: Path) -> None:
    (tmp_path / "text.sqlite").write_text("no database" * 100)
    sqlite3.connect(tmp_path / "empty.sqlite").execute("CREATE TABLE other(x)").connection.commit()
    with sqlite3.connect(tmp_path / "bodiless.sqlite") as database:
        database.execute("CREATE TABLE pages(url, html)")
    shared_form(tmp_path / "void", [])
    for name, said in [
        ("text.sqlite", "must be a SQLite file"),
        ("empty.sqlite", "there must be a table pages"),
        ("bodiless.sqlite", "must have a column body, it has html, url"),
        ("void", "must hold pages, it is empty"),
        ("nothing", "no such file or folder"),
    ]:
        with pytest.raises(ConfigurationError, match=said) as raised:
            open_web(str(tmp_path / name))
        assert name in str(raised.value)


def test_a_page_is_replaced_by_a_newer_page_but_by_no_failure(tmp_path: Path) -> None:
    with WebWriter(tmp_path / "web.sqlite") as writer:
        writer.add(StoredPage(HOME, b"1", status=503))
        writer.add(StoredPage(HOME, b"2"))
        writer.add(StoredPage(HOME, b"3", status=404))
        writer.add(StoredPage(HOME, b"", "", 301, "https://a.example/"))
        writer.add(StoredPage(OLD, b"", "", 301, "https://a.example/old"))
    with WebWriter(tmp_path / "web.sqlite") as writer:
        writer.add(StoredPage(HOME, b"4"))
        with pytest.raises(ValueError, match="canonical"):
            writer.add(StoredPage("https://a.example/", b""))
    web = open_web(str(tmp_path))
    page = web.get(HOME)
    assert page is not None
    assert (page.body, page.status) == (b"4", 200)
    assert web.get(OLD) is None, "http to https is no redirect in a stored web"

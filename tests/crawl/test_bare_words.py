"""A collection that was made with the topic's folder is not judged again by its name alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.changing_web import sentences
from tests.support.small_web import OFF_TOPIC, SmallWeb, crawl_small, link, page
from tests.support.store_records import listed
from tests.support.stored import in_store

HOME = "http://www.qiao.example/"


def site(articles: int = 12) -> SmallWeb:
    news = [f"{HOME}news/{n}" for n in range(articles)]
    links = "".join(link(url, "侨务新闻") for url in news)
    pages = {
        url: page(f"新闻{n}", (sentences(n) if n % 2 else OFF_TOPIC) + f"第{n}号。")
        for n, url in enumerate(news)
    }
    return SmallWeb({HOME: page("首页", OFF_TOPIC, links), **pages})


def stored(uri: str) -> set[str]:
    return {it.url for it in in_store(uri, lambda store: listed(store.pages("侨情")))}


@pytest.mark.parametrize("frontier", ["memory", "sqlite"])
def test_a_bare_word_does_not_judge_a_collection_of_the_topics_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, frontier: str
) -> None:
    uri = f"sqlite:///{tmp_path / 'pages.sqlite'}"
    places: dict[str, Any] = {
        "TOPICCRAWL_STORE_URI": uri,
        "TOPICCRAWL_STORE_SPOOL_DIR": str(tmp_path),
        "TOPICCRAWL_FRONTIER_BACKEND": frontier,
        "TOPICCRAWL_FRONTIER_DIR": str(tmp_path / "queue"),
    }
    crawl_small(site(), [HOME], **places)
    kept = stored(uri)
    assert len(kept) >= 5
    monkeypatch.chdir(tmp_path)
    web = site()
    again = crawl_small(web, [HOME], **places)
    error = str(again.run.control.start_error)
    assert "侨情" in error
    assert "no folder of this name is found" in error
    assert str(tmp_path) in error
    assert not web.asked
    assert stored(uri) == kept


def test_a_run_that_could_not_start_judges_nothing_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uri = f"sqlite:///{tmp_path / 'pages.sqlite'}"
    places: dict[str, Any] = {
        "TOPICCRAWL_STORE_URI": uri,
        "TOPICCRAWL_STORE_SPOOL_DIR": str(tmp_path),
        "TOPICCRAWL_FRONTIER_BACKEND": "sqlite",
        "TOPICCRAWL_FRONTIER_DIR": str(tmp_path / "queue"),
    }
    crawl_small(site(120), [HOME], **places)
    kept = stored(uri)
    assert len(kept) > 20
    monkeypatch.chdir(tmp_path)
    again = crawl_small(site(120), [HOME], **places)
    assert again.run.control.start_error is not None
    assert again.run.judging.classifier.learned_from == 0
    assert stored(uri) == kept


def test_a_bare_word_goes_on_with_its_own_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uri = f"sqlite:///{tmp_path / 'pages.sqlite'}"
    monkeypatch.chdir(tmp_path)
    for _run in range(2):
        web = site()
        crawl = crawl_small(
            web, [HOME], TOPICCRAWL_STORE_URI=uri, TOPICCRAWL_STORE_SPOOL_DIR=str(tmp_path)
        )
        assert crawl.run.control.start_error is None
        assert HOME in web.asked


def test_a_bare_word_in_other_characters_begins_no_second_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: dict[str, Any] = {
        "TOPICCRAWL_STORE_URI": f"sqlite:///{tmp_path / 'pages.sqlite'}",
        "TOPICCRAWL_STORE_SPOOL_DIR": str(tmp_path),
    }
    monkeypatch.chdir(tmp_path)
    crawl_small(site(), [HOME], topic="侨务", **places)
    web = site()
    twin = crawl_small(web, [HOME], topic="僑務", **places)
    assert "'侨务'" in str(twin.run.control.start_error)
    assert "'僑務'" in str(twin.run.control.start_error)
    assert not web.asked
    other = crawl_small(web, [HOME], topic="侨乡", **places)
    assert other.run.control.start_error is None
    assert HOME in web.asked

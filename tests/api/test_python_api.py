"""``from topiccrawl import extract, open_store, crawl``: in programs and inside a running event loop."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pandas as pd
import pytest

import topiccrawl
from tests.support.crawl_runs import ONE_AT_A_TIME, ROOT
from tests.support.store_records import page
from tests.support.stored import in_store
from topiccrawl import crawl, extract, open_store
from topiccrawl.api.crawling import CrawlError
from topiccrawl.api.extracting import ExtractionError
from topiccrawl.commandline.url_lists import read_seeds
from topiccrawl.demo.web import DemoWeb
from topiccrawl.errors import ConfigurationError
from topiccrawl.store.contract import Store
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

HTML = """<html><head><title>侨务工作会议召开 - 某网</title></head><body><h1>侨务工作会议召开</h1>
<p>2026年3月5日　来源：新华网</p>
<p>全省侨务工作会议昨日在广州召开，会议总结了去年的侨务工作，部署了今年的主要任务。</p>
<p>会议要求各级侨务部门凝聚侨心、汇集侨智，为海外侨胞回国创业提供更多便利和服务。</p></body></html>"""


def test_importing_the_package_loads_nothing_heavy() -> None:
    script = "import json, sys, topiccrawl; dir(topiccrawl); print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout)}
    assert not loaded & {"scrapy", "twisted", "numpy", "lxml", "sqlite3", "asyncio", "pandas"}


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'export_all'"):
        topiccrawl.export_all  # noqa: B018
    assert {"crawl", "extract", "open_store"} <= set(dir(topiccrawl))


def test_the_crawl_function_stays_callable_after_modules_of_the_package_were_imported() -> None:
    script = (
        "from topiccrawl import crawl; import topiccrawl.crawl.settings;"
        "from topiccrawl import crawl as again; import topiccrawl;"
        "assert callable(crawl) and crawl is again is topiccrawl.crawl"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize(
    "given", [HTML, HTML.encode("gb18030"), "file"], ids=["text", "gbk", "file"]
)
def test_a_page_is_extracted_from_text_bytes_and_files(given: str | bytes, tmp_path: Path) -> None:
    source: str | bytes | Path = given
    if given == "file":
        source = tmp_path / "会议.html"
        source.write_text(HTML, "utf-8")
    found = extract(source, url="http://a.example/1.html")
    assert found.title == "侨务工作会议召开"
    assert found.time == "2026-03-05"
    assert found.url == "http://a.example/1.html"
    assert "凝聚侨心" in found.body
    assert found.as_dict()["keywords"] == list(found.keywords)


def test_the_structure_of_a_page_is_returned_if_it_is_wanted() -> None:
    picture = "<p><img src=/1.jpg alt=会场 width=600 height=400></p><h2>任务</h2><p>"
    html = HTML.replace("<p>会议要求", f"{picture}会议要求", 1)
    plain = extract(html, url="http://news.example/1.html")
    assert plain.markdown is None
    assert "markdown" not in plain.as_dict()
    page = extract(html, url="http://news.example/1.html", structure=True)
    assert page.body == plain.body
    assert page.markdown is not None
    assert "## 任务" in page.markdown
    assert page.images == ("http://news.example/1.jpg",)
    assert page.main_image == "http://news.example/1.jpg"
    assert page.comments == ()
    assert list(page.as_dict()) == [
        *plain.as_dict(),
        "markdown",
        "main_image",
        "images",
        "comments",
    ]


def test_a_missing_file_and_a_page_that_is_not_there_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ExtractionError, match="the text is empty"):
        extract(" ")
    with pytest.raises(FileNotFoundError):
        extract(tmp_path / "none.html")
    with pytest.raises(ExtractionError, match=r"http://127\.0\.0\.1:9/"):
        extract("http://127.0.0.1:9/", settings={"RETRY_ENABLED": 0})


def stored(path: Path, *numbers: int) -> Path:
    async def write(store: Store) -> None:
        await store.write([page(number) for number in numbers])

    in_store(f"sqlite:///{path}", write)
    return path


def test_a_collection_is_read_as_records_and_as_a_data_frame(tmp_path: Path) -> None:
    with open_store(stored(tmp_path / "a.sqlite", *range(250))) as store:
        (topic,) = store.topics()
        pages = list(store.pages())
        assert len(pages) == store.topics()[topic] == 250
        assert next(store.pages(topic, order="relevance")).topic == topic
        assert store.page(pages[3].url) == store.page(pages[3].url, topic)
        frame = store.frame(columns=["url", "title", "fetched_at"], limit=20)
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["url", "title", "fetched_at"]
    assert list(frame["url"]) == [it.url for it in pages[:20]]
    assert str(frame["fetched_at"].dtype).startswith("datetime64")


def test_pages_since_a_moment_a_day_or_a_time_ago(tmp_path: Path) -> None:
    with open_store(stored(tmp_path / "a.sqlite", 1, 2, 3)) as store:
        first = min(it.fetched_at for it in store.pages())
        for since in (first, first.date(), first.replace(tzinfo=None), "2000-01-01"):
            assert len(list(store.pages(since=since))) == 3
        assert list(store.pages(since=date.max)) == []
        with pytest.raises(ConfigurationError, match=r"since must be a date .*got 'soon'"):
            store.pages(since="soon")


def test_a_closed_collection_is_an_error_that_says_so(tmp_path: Path) -> None:
    with open_store(stored(tmp_path / "a.sqlite", *range(150))) as store:
        pages = store.pages()
        next(pages)
    with pytest.raises(ValueError, match="the store is closed"):
        store.topics()
    with pytest.raises(ValueError, match="the store is closed"):
        list(pages)
    store.close()


def test_a_collection_works_inside_a_running_event_loop(tmp_path: Path) -> None:
    path = stored(tmp_path / "a.sqlite", 1, 2)

    async def cell() -> int:
        with open_store(path) as store:
            return len(list(store.pages()))

    assert asyncio.run(cell()) == 2


def test_wrong_names_are_errors_that_list_the_right_ones(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="there is no such store"):
        open_store(tmp_path / "none.sqlite")
    with open_store(stored(tmp_path / "a.sqlite", 1)) as store:
        (topic,) = store.topics()
        with pytest.raises(ConfigurationError, match=topic):
            store.pages("其他")
        with pytest.raises(ConfigurationError, match="'titel'; there are: topic, url"):
            next(store.records(columns=["titel"]))


def test_a_crawl_in_a_running_event_loop_returns_what_it_has_stored(tmp_path: Path) -> None:
    settings = dict(it.split("=") for it in ONE_AT_A_TIME) | {"DOWNLOAD_DELAY": 0}

    with WebServer(DemoWeb(3, 150)) as server:

        async def cell() -> topiccrawl.CrawlResult:
            return crawl(
                "侨情",
                seeds=server.web.seeds,
                pages=40,
                store=tmp_path / "a.sqlite",
                settings=settings,
                environment=environment(server.url),
            )

        result = asyncio.run(cell())
    assert result.pages >= 40
    assert result.stop_reason == "max_pages"
    with result.open() as store:
        assert store.topics()["侨情"] == result.stored > 0
        assert [run.id for run in store.runs()] == [result.run]


def test_seeds_may_be_one_text(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []

    def run(words: Sequence[str], **_options: object) -> subprocess.CompletedProcess[str]:
        given.extend(words)
        return subprocess.CompletedProcess(list(words), 1, "", "topiccrawl: no")

    monkeypatch.setattr("topiccrawl.api.crawling.run_command", run)
    for seeds in ("http://a.example/", "seeds.txt"):
        with pytest.raises(CrawlError, match="no"):
            crawl("侨情", seeds=seeds)
        assert f"seeds={seeds}" in given


def test_an_address_with_a_comma_is_one_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []

    def run(words: Sequence[str], **_options: object) -> subprocess.CompletedProcess[str]:
        given.extend(words)
        return subprocess.CompletedProcess(list(words), 1, "", "topiccrawl: no")

    monkeypatch.setattr("topiccrawl.api.crawling.run_command", run)
    with pytest.raises(CrawlError, match="no"):
        crawl("侨情", seeds=["http://a.example/0,12,3.html", " http://b.example/ "])
    [seeds] = [it for it in given if it.startswith("seeds=")]
    written = read_seeds(seeds.removeprefix("seeds="))
    assert [canonical_url(it) for it in written] == [
        "http://a.example/0,12,3.html",
        "http://b.example/",
    ]


def test_a_crawl_that_cannot_run_raises_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(CrawlError, match="TOPICCRAWL_STRATEGY"):
        crawl(
            str(ROOT / "seeds" / "侨情"),
            store=tmp_path / "a.sqlite",
            settings={"TOPICCRAWL_STRATEGY": "none"},
        )

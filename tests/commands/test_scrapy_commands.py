"""Scrapy's own commands in the project, and the add-on in another project."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.support.project import QUICK, make_project, scrapy, site
from tests.support.small_web import OFF_TOPIC, ON_TOPIC, link, page
from topiccrawl.crawl.requests.meta import PRIORITY_SCALE
from topiccrawl.export.fields import heading
from topiccrawl.store.columns import COLUMNS

ROOT = Path(__file__).parents[2]
#: By its path: the folders of these tests have no seeds/ of their own.
TOPIC = ROOT / "seeds" / "侨情"
PAGES = {
    "/": page("归侨侨眷座谈会", ON_TOPIC * 3, f"<p>{link('/w', '天气')}<p>{link('/q', '侨乡')}"),
    "/q": page("侨乡博物馆展览", ON_TOPIC * 2),
    "/w": page("天气预报", OFF_TOPIC * 3),
}


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    """The address of PAGES on a loopback port that is free."""

    with site(PAGES) as address:
        yield f"{address}/"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working directory with the project's scrapy.cfg and nothing else."""
    return make_project(tmp_path)


def files_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_list_names_the_spider_and_leaves_nothing_behind(folder: Path) -> None:
    assert scrapy(folder, "list")[:2] == (0, "topic\n")
    assert files_of(folder) == ["scrapy.cfg"]


def test_check_runs_no_crawl_and_opens_no_store(folder: Path) -> None:
    code, _, log = scrapy(folder, "check")
    assert code == 0, log
    assert files_of(folder) == ["scrapy.cfg"]


def test_the_shell_is_plain_scrapy(folder: Path) -> None:
    code, output, log = scrapy(folder, "shell", "-c", "1+1", "--nolog")
    assert (code, output.strip()) == (0, "2"), log
    assert files_of(folder) == ["scrapy.cfg"]


def test_the_shell_fetches_a_page_although_no_topic_is_given(folder: Path, web: str) -> None:
    code, output, log = scrapy(
        folder, "shell", web, "-c", "response.css('title::text').get()", "--nolog", settings=QUICK
    )
    assert (code, output.strip()) == (0, "归侨侨眷座谈会"), log
    assert files_of(folder) == ["scrapy.cfg"]


def test_parse_tries_a_page_and_stores_nothing(folder: Path, web: str) -> None:
    store = folder / "tried.sqlite"
    code, output, log = scrapy(
        folder,
        *("parse", "--spider", "topic", "-a", f"topic={TOPIC}", "--noc", web),
        settings=(*QUICK, f"TOPICCRAWL_STORE_URI=sqlite:///{store}"),
    )
    assert code == 0, log
    assert web in output
    assert f"{web}q" in output  # the page's links are shown
    assert "Traceback" not in log
    assert files_of(folder) == ["scrapy.cfg"]


def test_a_workbook_that_would_have_to_be_continued_stops_the_crawl_at_once(
    folder: Path, web: str
) -> None:
    (folder / "pages.xlsx").write_bytes(b"an earlier crawl")
    argv = ("crawl", "topic", "-a", f"topic={TOPIC}", "-a", f"seeds={web}", "-o", "pages.xlsx")
    code, _, log = scrapy(folder, *argv, settings=QUICK)
    assert code == 1
    assert "pages.xlsx exists, and an .xlsx file cannot be continued" in log
    assert files_of(folder) == ["pages.xlsx", "scrapy.cfg"]


def test_a_feed_holds_the_items_fields_in_readable_chinese(
    folder: Path, web: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    code, _, log = scrapy(
        folder,
        *("crawl", "topic", "-a", f"topic={TOPIC}", "-a", f"seeds={web}", "-O", "pages.jsonl"),
        *("-O", "pages.xlsx"),
        settings=(*QUICK, "TOPICCRAWL_STORE_URI=", "CONCURRENT_REQUESTS=1"),
    )
    assert code == 0, log
    text = (folder / "pages.jsonl").read_text(encoding="utf-8")
    assert "归侨侨眷座谈会" in text
    rows = [json.loads(line) for line in text.splitlines()]
    assert [row["url"] for row in rows] == [web, f"{web}q"]
    assert list(rows[0]) == list(COLUMNS)
    child = rows[1]
    assert (child["parent"], child["anchor"], child["depth"]) == (web, "侨乡", 1)
    assert child["link_parts"]["words"] == pytest.approx(0.9)
    assert 0 < child["relevance"] <= 1
    assert child["main_terms"][0][1] > 0
    assert not (folder / "data" / "topiccrawl.sqlite").exists()
    sheet = load_workbook(folder / "pages.xlsx").active
    assert [cell.value for cell in sheet[1]] == [heading(it, "en") for it in COLUMNS.values()]
    assert sheet["A2"].value == rows[0]["title"]


FOREIGN_SETTINGS = """
    BOT_NAME = "foreign"
    SPIDER_MODULES = ["foreign.spiders"]
    ADDONS = {{"topiccrawl.addon.TopicCrawlAddon": 100}}
    TOPICCRAWL_TOPIC = {topic!r}
    TOPICCRAWL_STORE_URI = ""
    TELNETCONSOLE_ENABLED = False
    CONCURRENT_REQUESTS = 1
"""
FOREIGN_SPIDER = """
    import scrapy

    class Walker(scrapy.Spider):
        name = "walker"

        async def start(self):
            yield scrapy.Request(self.home)

        def parse(self, response):
            yield {"url": response.url, "priority": response.request.priority,
                   "score": response.meta.get("topic_score")}
            for href in response.css("a::attr(href)").getall():
                yield response.follow(href)
"""


def test_the_add_on_orders_the_requests_of_a_foreign_projects_own_spider(
    tmp_path: Path, web: str
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = foreign.settings\n")
    spiders = tmp_path / "foreign" / "spiders"
    spiders.mkdir(parents=True)
    (tmp_path / "foreign" / "__init__.py").touch()
    (spiders / "__init__.py").touch()
    settings = textwrap.dedent(FOREIGN_SETTINGS).format(topic=str(TOPIC))
    (tmp_path / "foreign" / "settings.py").write_text(settings, encoding="utf-8")
    (spiders / "walker.py").write_text(textwrap.dedent(FOREIGN_SPIDER), encoding="utf-8")
    code, _, log = scrapy(tmp_path, "crawl", "walker", "-a", f"home={web}", "-O", "out.jsonl")
    assert code == 0, log
    assert "Traceback" not in log, log
    assert "'topiccrawl/frontier/size/leased': 0" in log, "fetched pages are done, not on loan"
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    # /w stands first in the page: the score puts /q before it.
    assert [row["url"] for row in rows] == [web, f"{web}q", f"{web}w"]
    for row in rows:
        assert row["score"] is not None
        assert row["priority"] == round(PRIORITY_SCALE * row["score"]), row
    assert rows[1]["score"] > rows[2]["score"]

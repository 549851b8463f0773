"""The HTML report is complete, bilingual, self-contained and safe."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest
from lxml import html

from tests.support.html_trees import html_tree
from tests.support.reporting_store import START, ReportingStore, make_run
from tests.support.sample_crawl import HOSTILE_TITLE, sample_crawl
from topiccrawl.endings import STOP_REASONS
from topiccrawl.reporting.aggregates.collect import collect
from topiccrawl.reporting.html.document import render
from topiccrawl.reporting.words.labels import LABELS, Language, Words
from topiccrawl.reporting.words.reasons import REASONS, reason_text

SECTIONS = [
    "activity",
    "pages",
    "events",
    "days",
    "keywords",
    "curve",
    "probability",
    "histogram",
    "reasons",
    "hosts",
    "queue",
    "waiting",
    "runs",
]

#: Path step to the cards of the list, without the headings of days.
CARD = "li[not(@class='day')]"


@lru_cache
def report(language: Language = "both", empty: bool = False) -> str:
    async def work() -> str:
        store = ReportingStore()
        if not empty:
            await store.write(*sample_crawl())
        return render(await collect(store, "侨情", generated_at=START), language)

    return asyncio.run(work())


def tree(language: Language = "both", empty: bool = False) -> html.HtmlElement:
    return html_tree(report(language, empty))


def test_every_part_is_there() -> None:
    assert [s.get("id") for s in tree().iter("section")] == SECTIONS
    assert len(tree().xpath("//svg")) == 4
    assert len(tree().xpath("//section[@id='probability']//tbody/tr")) == 10
    assert len(tree().xpath(f"//ol[@id='list']/{CARD}")) == 20
    assert len(tree().xpath("//section[@id='hosts']//tbody/tr")) == 31  # 30 and the others
    assert len(tree().xpath("//section[@id='runs']//table[1]/tbody/tr")) >= 2


def test_figures_agree_with_the_records() -> None:
    pages, outcomes, _ = sample_crawl()
    figures = {
        div.get("id"): div.find("dd").text_content() for div in tree("en").find_class("card")
    }
    failed = sum(o.verdict == "failed" for o in outcomes)
    dropped = sum(o.verdict == "dropped" for o in outcomes)
    stored = str(len({page.url for page in pages}))
    assert figures["figure-stored"].split() == [stored, "new", "today", stored]
    assert figures["figure-failed"] == str(failed)
    assert figures["figure-fetched"] == str(len(pages) + dropped)
    assert figures["figure-stop"] == "not finished"


def test_a_run_that_was_killed_is_shown_as_such() -> None:
    async def work() -> str:
        store = ReportingStore()
        await store.write([], [], [make_run(stop_reason="killed", finished_at=None)])
        return render(await collect(store, "侨情", generated_at=START), "en")

    document = html_tree(asyncio.run(work()))
    shown = document.get_element_by_id("figure-stop").text_content()
    assert "killed, or the machine went down" in shown
    assert shown.removeprefix("Stop reason") in document.get_element_by_id("runs").text_content()


def test_nothing_is_loaded_from_anywhere() -> None:
    for element in tree().iter():
        assert element.tag not in ("img", "iframe", "object", "embed", "base", "form")
        assert element.get("src") is None
        if element.tag == "link":
            assert element.get("href") == "data:,"
        assert not [name for name in element.attrib if name.startswith("on")]
    assert not re.search(r"url\(|@import", report())


def test_all_links_go_to_web_pages() -> None:
    links = tree().xpath("//a/@href")
    assert links
    assert all(link.startswith(("http://", "https://")) for link in links)


def test_only_the_reports_own_script_may_run() -> None:
    data, script = tree().iter("script")
    assert data.get("type") == "application/json"  # not a script for the browser
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    (policy,) = tree().xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


def test_a_hostile_title_is_shown_as_text() -> None:
    titles = [e.text_content() for e in tree().xpath("//ol[@id='list']//*[@class='title']")]
    assert HOSTILE_TITLE in titles


def test_a_listed_page_shows_its_source_kind_and_summary() -> None:
    (_, first, *_) = tree("en").xpath(f"//ol[@id='list']/{CARD}")
    facts = [span.text_content() for span in first.xpath(".//div[@class='facts']/span")]
    assert {"侨乡日报", "article"} <= set(facts)
    assert first.xpath("string(.//p[@class='digest'])") == "海外华侨捐资建学校。"
    (_, chinese, *_) = tree("zh").xpath(f"//ol[@id='list']/{CARD}")
    assert "文章" in chinese.text_content()


def test_a_page_without_details_is_listed_all_the_same() -> None:
    bare = replace(sample_crawl()[0][0], source="", kind="", summary="", probability=None)

    async def work() -> str:
        store = ReportingStore()
        await store.write([bare])
        return render(await collect(store, "侨情", generated_at=START), "en")

    (entry,) = html_tree(asyncio.run(work())).xpath(f"//ol[@id='list']/{CARD}")
    assert entry.find_class("digest") == []
    assert len(entry.xpath(".//div[@class='facts']/span")) == 2


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_report_in_one_language_has_no_switch_and_no_other_label(
    language: Language,
) -> None:
    text = report(language)
    other = LABELS["harvest"][0 if language == "en" else 1]
    assert LABELS["harvest"][1 if language == "en" else 0] in text
    assert f">{other}<" not in text
    assert tree(language).xpath("//input[@name='lang']") == []
    assert tree(language).get("lang") == ("en" if language == "en" else "zh-CN")


def test_with_both_languages_every_label_stands_twice() -> None:
    document = tree()
    assert len(document.find_class("zh")) == len(document.find_class("en"))


def test_the_report_of_an_empty_store_states_that_it_is_empty() -> None:
    document = tree(empty=True)
    absent = ("activity", "events", "days", "keywords", "probability")
    shown = [name for name in SECTIONS if name not in absent]
    assert [s.get("id") for s in document.iter("section")] == shown
    assert len(document.find_class("empty")) == len(shown)
    assert document.xpath("//svg") == []


def test_the_same_data_gives_the_same_bytes() -> None:
    first = report()
    report.cache_clear()
    assert report() == first


@pytest.mark.parametrize("texts", [*LABELS.values(), *REASONS.values()])
def test_labels_exist_in_both_languages_with_the_same_places(texts: tuple[str, str]) -> None:
    zh, en = texts
    assert zh
    assert en
    assert sorted(re.findall(r"\{\w+\}", zh)) == sorted(re.findall(r"\{\w+\}", en))


@pytest.mark.parametrize(
    ("reason", "texts"),
    [
        ("off-topic", ("与主题无关", "off topic")),
        ("http-503", ("HTTP 503", "HTTP 503")),
        ("新原因", ("新原因", "新原因")),
    ],
    ids=["known", "status code", "unknown"],
)
def test_reasons_are_shown_in_both_languages(reason: str, texts: tuple[str, str]) -> None:
    assert reason_text(reason) == texts


def test_every_reason_why_a_run_ends_has_words_in_the_report() -> None:
    assert set(STOP_REASONS) <= set(REASONS)


def test_every_reason_of_drops_and_failures_in_the_reference_has_words() -> None:
    text = (Path(__file__).parents[2] / "docs" / "stats.md").read_text("utf-8")
    for family in ("dropped", "failed"):
        paragraph = text.split(f"Reasons of `{family}`:")[1].split("\n\n")[0]
        reasons = re.findall(r"`([a-z-]+)`", paragraph)
        assert len(reasons) >= 5
        assert set(reasons) <= set(REASONS), family


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="language must be one of zh, en, both, got 'fr'"):
        Words("fr")  # type: ignore[arg-type]

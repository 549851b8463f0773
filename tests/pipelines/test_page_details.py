"""What a kept page is given: by-line, kind, language, summary and keywords."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.page_items import item_of, run_of
from tests.support.small_web import ON_TOPIC, page
from topiccrawl.crawl.session.current import session_of
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.items import PageItem
from topiccrawl.page.comments import Comment
from topiccrawl.page.page import Page
from topiccrawl.pipelines.details import PageDetailsPipeline
from topiccrawl.store.columns import COLUMNS
from topiccrawl.text.sentences import split_sentences

TITLE = "江门侨批档案馆开放"
SENTENCES = [
    "江门侨批档案馆昨日正式开放，首批展出侨批三千余封。",
    "侨批档案馆位于老城区，由一座百年骑楼改建。",
    "馆长介绍，侨批是海外华侨寄回家乡的书信和汇款凭证。",
    "不少归侨带着孙辈前来参观，在展柜前辨认祖辈的笔迹。",
    "侨批档案馆今后每周开放六天，免费参观，欢迎各地侨胞。",
]
BYLINE = "<div>2024-05-10 09:30 来源：侨乡日报 作者：方敏 责任编辑：李小明</div>"


@pytest.fixture(scope="module")
def run() -> CrawlSession:
    return run_of()[0]


def filled(run: CrawlSession, html: bytes, **limits: Any) -> PageItem:
    item = item_of(run, html)
    item.title, item.body = item.analysis.page.title, item.analysis.page.body
    settings = {"sentences": 3, "keywords": 10, **limits}
    passed = PageDetailsPipeline(**settings).process_item(item)
    assert passed is item
    return item


def article(head: str = "") -> bytes:
    text = "\n".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    return page(TITLE, "", f"{BYLINE}\n{text}", head=head)


def test_a_kept_page_gets_all_results_of_the_analysis(run: CrawlSession) -> None:
    item = filled(run, article())
    assert (item.author, item.source, item.editor) == ("方敏", "侨乡日报", "李小明")
    assert (item.language, COLUMNS["script"].read(item)) == ("zh-Hans", "simplified")
    assert any("侨批" in word for word in item.keywords)
    assert len(item.keywords) <= 10
    chosen = split_sentences(item.summary)
    assert len(chosen) == 3
    assert all(sentence in item.body for sentence in chosen)


def test_readers_comments_are_kept_apart_from_the_text(
    run: CrawlSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Page, "comments", "写得真好。")
    item = filled(run, article())
    assert item.comments == "写得真好。"
    assert "写得真好" not in item.body


def test_the_kind_is_the_pages_own(run: CrawlSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Page, "kind", "thread")
    assert filled(run, article()).kind == "thread"


def test_what_a_page_does_not_state_is_empty(run: CrawlSession) -> None:
    item = filled(run, page(TITLE, ON_TOPIC * 2))
    assert (item.author, item.source, item.editor) == ("", "", "")


def test_traditional_pages_are_distinguished_from_simplified_ones(run: CrawlSession) -> None:
    text = "僑務委員會訪問海外僑胞，瞭解華僑華人社團的需要，與僑聯座談。" * 3
    item = filled(run, page("僑務委員會訪問海外僑胞", text))
    assert (item.language, COLUMNS["script"].read(item)) == ("zh-Hant", "traditional")


@pytest.mark.parametrize(("sentences", "keywords"), [(0, 10), (3, 0), (0, 0), (1, 2)])
def test_summary_and_keywords_have_limits_and_can_be_switched_off(
    run: CrawlSession, sentences: int, keywords: int
) -> None:
    item = filled(run, article(), sentences=sentences, keywords=keywords)
    assert len(split_sentences(item.summary)) == sentences
    assert bool(item.summary) is bool(sentences)
    assert len(item.keywords) == keywords


def test_without_either_no_text_is_segmented_again(
    run: CrawlSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("the text is analyzed without need")

    monkeypatch.setattr(type(run.topic.analyzer), "lines", never)
    filled(run, article(), sentences=0, keywords=0)
    with pytest.raises(AssertionError):
        filled(run, article(), sentences=1, keywords=0)


def test_the_limits_are_the_settings() -> None:
    _, crawler = run_of(TOPICCRAWL_SUMMARY_SENTENCES="1", TOPICCRAWL_KEYWORDS="0")
    pipeline = PageDetailsPipeline.from_crawler(crawler)
    item = item_of(session_of(crawler), article())
    item.title, item.body = item.analysis.page.title, item.analysis.page.body
    pipeline.process_item(item)
    assert item.summary in SENTENCES
    assert item.keywords == []


def test_words_of_the_topic_stay_whole_among_the_keywords() -> None:
    run, _ = run_of()
    text = "侨联召开座谈会。侨联主席到会。侨联工作人员到会。" * 2
    assert "侨联" in "".join(filled(run, page("侨联召开座谈会", text)).keywords)


def test_other_items_pass_untouched(run: CrawlSession) -> None:
    other = object()
    assert PageDetailsPipeline(3, 10).process_item(other) is other


def test_comments_are_kept_one_by_one(run: CrawlSession, monkeypatch: pytest.MonkeyPatch) -> None:
    comment = Comment("方敏", "2023-04-01", "写得真好。")
    monkeypatch.setattr(Page, "comment_records", [comment])
    item = filled(run, article())
    assert item.comment_records == (comment,)
    assert COLUMNS["comment_records"].read(item) == [
        {"author": "方敏", "time": "2023-04-01", "text": "写得真好。"}
    ]


def test_markdown_is_written_only_when_it_is_wanted(
    run: CrawlSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    composed = []
    compose = Page._compose
    monkeypatch.setattr(
        Page, "_compose", lambda page, **options: composed.append(1) or compose(page, **options)
    )
    assert filled(run, article()).markdown == ""
    assert not composed
    item = filled(run, article(), markdown=True)
    assert item.markdown.startswith(f"{SENTENCES[0]}\n\n")
    assert composed == [1]

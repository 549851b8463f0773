"""A page of little text gets words of its metadata and of the link that led to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from topiccrawl.analysis.borrowed import BORROWED, LinkWords
from topiccrawl.analysis.features import feature_id
from topiccrawl.analysis.page import PageAnalysis
from topiccrawl.analysis.reader import make_reader
from topiccrawl.crawl.queue.ordering import page_view
from topiccrawl.page.page import Page
from topiccrawl.scoring.classifier.rows import TERMS
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.scoring.strategy import PageView
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.canonical import canonical_url

URL = "http://a.example/pic/1.html"
HEAD = "<meta name=keywords content=归侨,粉彩><meta name=description content=乾隆年间的花瓶>"
CRUMBS = "<div class=crumbs><a href=/>首页</a> &gt; <a href=/c/>收藏</a> &gt; 正文</div>"
LONG = " ".join(f"word{i}" for i in range(2 * TERMS))
LINK = LinkEvidence(parent="http://a.example/", anchor="华侨捐赠的瓷器", context="博物馆的展品")


def view(topic: Topic, main: str, *, strategy: str = "rw") -> PageView:
    source = Page(
        URL,
        f"<html><head><meta charset=utf-8><title>组图</title>{HEAD}</head>"
        f"<body>{CRUMBS}{main}</body></html>".encode(),
    )
    reader = make_reader(topic, [make_strategy(strategy)])
    return page_view(URL, PageAnalysis(source, topic, reader, canonical_url))


def borrowed(found: PageView) -> dict[int, float]:
    return dict(zip(found.borrowed_ids.tolist(), found.borrowed_weights.tolist(), strict=True))


def ids(*terms: str) -> set[int]:
    return {feature_id("anchor", term) for term in terms}


def test_a_page_of_little_text_gets_keywords_description_and_channels(topic: Topic) -> None:
    found = view(topic, "<img src=1.jpg><p>展厅一角</p>")
    assert ids("归侨", "粉彩", "花瓶") <= set(found.borrowed_ids.tolist())
    assert found.channels.tolist() == [feature_id("channel", "收藏")]


def test_no_term_is_borrowed_that_the_page_has(topic: Topic) -> None:
    found = view(topic, "<p>归侨</p>")
    assert ids("归侨") <= set(found.term_ids.tolist())
    found = LinkWords(topic)(found, replace(LINK, anchor="归侨 粉彩 粉彩 华侨"))
    both = [*found.term_ids.tolist(), *found.borrowed_ids.tolist()]
    assert len(both) == len(set(both))
    assert ids("华侨") <= set(found.borrowed_ids.tolist())


@pytest.mark.parametrize("strategy", ["rw", "infospiders"])
def test_a_page_of_enough_text_borrows_nothing(topic: Topic, strategy: str) -> None:
    found = view(topic, f"<p>{LONG}</p>", strategy=strategy)
    assert not found.little_text
    assert not len(found.borrowed_ids)
    assert LinkWords(topic)(found, LINK) is found
    assert len(found.channels) == 1, "names of channels count for all pages"


def test_the_anchor_and_the_words_around_it_are_borrowed(topic: Topic) -> None:
    before = view(topic, "<p>展厅一角</p>")
    after = LinkWords(topic)(before, LINK)
    assert ids("华侨", "瓷器", "博物馆") <= set(after.borrowed_ids.tolist())
    assert set(before.borrowed_ids.tolist()) <= set(after.borrowed_ids.tolist())


def test_a_seed_has_no_link_to_borrow_from(topic: Topic) -> None:
    found = view(topic, "<p>展厅一角</p>")
    assert LinkWords(topic)(found, replace(LINK, parent=None)) is found


def test_borrowed_weights_have_the_units_of_the_own(topic: Topic) -> None:
    """A word weighs as much in the keywords as in the text."""
    found = view(topic, "<p>展厅一角</p>")
    (own,) = ids("展厅")
    raw = found.term_weights[found.term_ids == own][0] * found.term_norm
    assert raw == pytest.approx(topic.weigh(["展厅"])["展厅"])
    (foreign,) = ids("粉彩")
    expected = topic.weigh(["粉彩"])["粉彩"] / found.term_norm
    assert borrowed(found)[foreign] == pytest.approx(expected)


def test_the_words_of_a_page_without_any_text_are_finite(topic: Topic) -> None:
    source = Page(URL, b"<html><body><img src=1.jpg></body></html>")
    reader = make_reader(topic, [make_strategy("rw")])
    empty = page_view(URL, PageAnalysis(source, topic, reader, canonical_url))
    found = LinkWords(topic)(empty, LINK)
    assert len(found.borrowed_ids)
    assert np.isfinite(found.borrowed_weights).all()


def test_the_number_of_borrowed_words_is_bounded(topic: Topic) -> None:
    found = LinkWords(topic)(view(topic, ""), replace(LINK, context=LONG))
    assert len(found.borrowed_ids) <= 2 * BORROWED

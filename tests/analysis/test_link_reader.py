"""Relevance of links to the topic 侨情 of this project, and the merging of links to one target."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from topiccrawl.analysis import links as links_module
from topiccrawl.analysis.features import word_feature_ids
from topiccrawl.analysis.links import CONTEXT_DISCOUNT, LinkReader, MergedLink, batch_of, merge
from topiccrawl.analysis.places import front_of
from topiccrawl.page.links import Link
from topiccrawl.scoring.metadata import THRESHOLD
from topiccrawl.scoring.strategy import IN_CHANNEL, NAMED_FRONT, OTHER_FRONT
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.identity import link_id

PLAIN = "http://news.example/2024/0511/c1a2.html"


@pytest.fixture(scope="module")
def reader(topic: Topic) -> LinkReader:
    return LinkReader(topic)


def drawn(
    url: str = PLAIN, anchor: str = "", context: str = "", title: str = "", hover: str = ""
) -> MergedLink:
    return MergedLink(url, url, anchor, context, title, hover, nofollow=False)


@pytest.mark.parametrize(
    ("link", "relevance", "hits", "why"),
    [
        (drawn(), 0.0, "", "no evidence"),
        (drawn(anchor="归侨座谈会"), 1.0, "text", "a core term in the anchor"),
        (drawn(anchor="歸僑座談會"), 1.0, "text", "the same in traditional characters"),
        (drawn(anchor="侨乡新貌"), 0.9, "text", "a near term is worth its own value"),
        (drawn(title="侨务政策问答"), 0.9, "title", "title attribute, the longest term counts"),
        (drawn(url="http://news.example/华侨/1.html"), 1.0, "url", "a word in the path"),
        (
            drawn(url="http://news.example/%E5%8D%8E%E4%BE%A8/1.html"),
            1.0,
            "url",
            "the same word escaped",
        ),
        (drawn(url="http://news.example/s?q=华侨"), 1.0, "url", "a word in the query"),
        (drawn(hover="showTip('海外侨胞')"), 1.0, "url", "onmouseover belongs to UH (4.1)"),
        (drawn(context="华侨"), CONTEXT_DISCOUNT, "text", "the surroundings count half"),
        (drawn(anchor="侨乡", context="华侨"), 0.9, "text", "the anchor before half a context"),
        (drawn(anchor="天气预报", context="菜谱"), 0.0, "", "another subject"),
        (drawn(url="http://[broken/华侨"), 0.0, "", "a URL that cannot be split raises nothing"),
    ],
)
def test_relevance_and_hits_of_a_link(
    reader: LinkReader, link: MergedLink, relevance: float, hits: str, why: str
) -> None:
    batch = reader.read([link]).batch
    found = {
        name: bool(array[0])
        for name, array in (
            ("url", batch.url_hit),
            ("text", batch.text_hit),
            ("title", batch.title_hit),
        )
    }
    assert batch.rw_relevance[0] == pytest.approx(relevance), why
    assert [name for name, hit in found.items() if hit] == hits.split(), why


def test_a_core_term_around_a_link_just_reaches_the_threshold_of_rw(reader: LinkReader) -> None:
    """What the discount was chosen for."""
    batch = reader.read([drawn(context="华侨"), drawn(context="侨乡")]).batch
    assert batch.rw_relevance[0] >= THRESHOLD > batch.rw_relevance[1]


def test_every_url_token_of_the_topic_is_found_with_its_value(
    reader: LinkReader, topic: Topic
) -> None:
    assert topic.definition.url_tokens
    for token, value in topic.definition.url_tokens.items():
        url = f"http://news.example/{token.strip('/')}/index.html"
        assert reader.url_value(url) >= value, token


@pytest.mark.parametrize(
    ("anchor", "core"), [("华侨城一日游", "华侨一日游"), ("華僑城門票", "華僑門票")]
)
def test_a_negative_term_replaces_the_term_inside_it(
    reader: LinkReader, anchor: str, core: str
) -> None:
    batch = reader.read([drawn(anchor=anchor), drawn(anchor=core)]).batch
    assert batch.rw_relevance[0] <= 0.2
    assert batch.rw_relevance[1] == 1.0
    assert batch.anchor_similarity[0] == 0.0
    assert batch.anchor_similarity[1] > 0.0


def test_similarities_are_those_of_anchor_with_title_and_of_the_surroundings(
    reader: LinkReader,
) -> None:
    batch = reader.read(
        [drawn(anchor="归侨", title="侨眷"), drawn(context="归侨侨眷"), drawn(title="归侨")]
    ).batch
    assert (batch.anchor_similarity > 0).tolist() == [True, False, True]
    assert (batch.context_similarity > 0).tolist() == [False, True, False]
    # Two of the topic's terms are nearer to it than one.
    assert batch.anchor_similarity[0] > batch.anchor_similarity[2]


def test_front_pages_of_channels_that_a_keyword_names_are_told(
    reader: LinkReader, topic: Topic
) -> None:
    links = [
        drawn("http://qw.a.example/", anchor="侨务频道"),
        drawn("http://www.a.example/", anchor="侨务频道"),
        drawn("http://a.example/1.html", anchor="侨务"),
        drawn("http://a.example/ty/", anchor="体育"),
        drawn("http://a.example/qb/", anchor="侨务部门走访侨眷"),
    ]
    batch = reader.read(links).batch
    assert batch.fronts.ravel().tolist() == [front_of("http://qw.a.example/"), 0, 0, 0, 0]
    assert batch.menus[:, 0].tolist() == [
        *(front_of("http://qw.a.example/"), 0, 0, front_of("http://a.example/ty/")),
        front_of("http://a.example/qb/"),
    ]
    assert batch.menus[3, 1] == word_feature_ids("channel", ["体育"], 1)[0]
    assert reader.read(links[1:]).batch.fronts.shape == (4, 0)
    assert reader.read(links[1:3]).batch.menus.shape == (2, 0)
    assert LinkReader(topic, classified=False).read(links).batch.fronts.shape == (5, 0)


def test_links_in_channels_that_a_keyword_names_and_fronts_of_others_are_told(topic: Topic) -> None:
    links = [
        drawn("http://a.example/qw/", anchor="侨务频道"),
        drawn("http://www.a.example/qw/2024/1.html", anchor="市长会见客人"),
        drawn("http://a.example/ty/", anchor="体育"),
        drawn("http://ty.a.example/", anchor="体育"),
        drawn("http://a.example/ty/1.html", anchor="足球"),
        # An article whose address has no ending, and one whose address ends like a folder.
        drawn("http://a.example/ty/81726", anchor="足球"),
        drawn("http://a.example/81726/", anchor="国足昨晚在主场战胜客队"),
        drawn("http://a.example/", anchor="首页"),
        drawn("http://b.example/qw/1.html", anchor="市长会见客人"),
    ]
    hashed = LinkReader(topic, features=True)
    others = [OTHER_FRONT, OTHER_FRONT, 0, 0, 0, 0, 0]
    found = hashed.read(links).batch.channels
    assert found.ravel().tolist() == [NAMED_FRONT, IN_CHANNEL, *others]
    assert hashed.read(links[1:]).batch.channels.ravel().tolist() == [0, *others]
    assert hashed.read(links[4:]).batch.channels.shape == (5, 0)
    assert LinkReader(topic).read(links).batch.channels.shape == (9, 0)


def test_arrays_follow_the_order_of_the_links(reader: LinkReader) -> None:
    links = [
        drawn(f"http://a.example/{i}", anchor=a) for i, a in enumerate(("侨乡", "天气", "归侨"))
    ]
    read = reader.read(links)
    assert read.links == links
    assert read.batch.targets.tolist() == [link_id(f"http://a.example/{i}") for i in range(3)]
    assert read.batch.rw_relevance.tolist() == pytest.approx([0.9, 0.0, 1.0])


def test_features_from_the_cache_equal_those_of_a_new_reader(
    topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links_module, "KEPT", 8)
    reader = LinkReader(topic, features=True)
    page = [drawn(f"http://a.example/{i}", anchor="侨乡") for i in range(3)]
    elsewhere = [dataclasses.replace(link, region="nav") for link in page]
    for links in (page, elsewhere, page, page[:1], elsewhere):
        found, alone = reader.read(links).batch, LinkReader(topic, features=True).read(links).batch
        assert np.array_equal(found.features, alone.features)
        assert np.array_equal(found.rw_relevance, alone.rw_relevance)
        assert 0 < len(reader._known) <= 8


def test_no_links_are_empty_arrays_of_the_right_types() -> None:
    batch = batch_of((), ())
    assert len(batch) == 0
    assert batch.targets.dtype == np.int64
    assert batch.rw_relevance.dtype == np.float64
    assert batch.url_hit.dtype == np.bool_


def test_links_to_one_target_are_merged_in_order_of_first_appearance() -> None:
    merged = merge(
        [
            ("http://a.example/1", Link("http://a.example/1?utm_source=x", alt="侨乡照片")),
            ("http://a.example/2", Link("http://a.example/2", anchor="天气")),
            ("http://a.example/1", Link("http://a.example/1", anchor="侨乡巨变", context="短")),
            ("http://a.example/1", Link("http://a.example/1", context="更长的上下文", title="甲")),
            (
                "http://a.example/1",
                Link("http://a.example/1", anchor="巨变", title="乙", name="丙"),
            ),
        ]
    )
    assert [link.canonical for link in merged] == ["http://a.example/1", "http://a.example/2"]
    first = merged[0]
    assert first.url == "http://a.example/1?utm_source=x"
    assert first.anchor == "侨乡照片 侨乡巨变"  # a text is not repeated
    assert first.title == "甲 乙 丙"
    assert first.context == "更长的上下文"


@pytest.mark.parametrize(
    ("marks", "nofollow"),
    [((True,), True), ((True, True), True), ((True, False), False), ((False, True), False)],
)
def test_a_target_is_nofollow_only_if_every_link_to_it_is(
    marks: tuple[bool, ...], nofollow: bool
) -> None:
    (link,) = merge([(PLAIN, Link(PLAIN, nofollow=mark)) for mark in marks])
    assert link.nofollow is nofollow

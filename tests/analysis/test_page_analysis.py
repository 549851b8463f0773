"""Analysis of pages for the topic 侨情: text, relevance, background, links."""

from __future__ import annotations

import pytest

from tests.support.small_web import OFF_TOPIC, ON_TOPIC, link, page
from topiccrawl.analysis.links import LinkReader
from topiccrawl.analysis.page import MIN_BODY_CHARS, PageAnalysis
from topiccrawl.page.page import Page
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.canonical import canonical_url

HOME = "http://a.example/news/"

#: ON_TOPIC in traditional characters.
TRADITIONAL = (
    "僑務部門走訪歸僑僑眷，瞭解華僑華人社團的需要。海外僑胞回到僑鄉尋根謁祖，"
    "參觀華文學校，與僑聯座談，商討引進僑資和保護華僑權益的辦法。"
)


def analyze(
    topic: Topic, body: bytes, charset: str | None = "utf-8", *, follow_nofollow: bool = False
) -> PageAnalysis:
    return PageAnalysis(
        Page(HOME, body, declared_charset=charset),
        topic,
        LinkReader(topic),
        canonical_url,
        follow_nofollow=follow_nofollow,
    )


def test_a_page_on_topic_is_relevant_and_names_its_main_terms(topic: Topic) -> None:
    analysis = analyze(topic, page("侨务要闻", ON_TOPIC * 3))
    assert analysis.relevant
    assert "侨务" in dict(analysis.relevance.main_terms)
    assert not analyze(topic, page("体育要闻", OFF_TOPIC * 3)).relevant


def test_the_threshold_itself_is_relevant(topic: Topic, monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = analyze(topic, page("侨务要闻", ON_TOPIC * 3))
    monkeypatch.setattr(topic, "threshold", analysis.relevance.score)
    assert analysis.relevant
    monkeypatch.setattr(topic, "threshold", analysis.relevance.score + 1e-9)
    assert not analysis.relevant


def test_a_list_has_no_body_of_its_own_and_a_video_needs_none(topic: Topic) -> None:
    stated = "<meta property=og:type content=video.other>"
    teasers = "".join(link(f"/{number}.html", f"侨乡要闻之{number}") for number in range(30))
    for head, text, expected in (
        ("", teasers, True),
        (stated, "", False),
        ("", ON_TOPIC * 3, False),
    ):
        body = f"<title>侨乡侨批影像</title>{head}<h1>侨乡侨批影像</h1><p>{text}</p>".encode()
        assert analyze(topic, body).view.no_body is expected


@pytest.mark.parametrize("charset", ["gb18030", "utf-8"])
def test_traditional_and_simplified_pages_are_equally_relevant(topic: Topic, charset: str) -> None:
    simplified = analyze(topic, page("侨务要闻", ON_TOPIC * 3, charset=charset), charset)
    traditional = analyze(topic, page("僑務要聞", TRADITIONAL * 3, charset="big5"), "big5")
    assert traditional.page.encoding.lower().startswith("big5")
    assert traditional.relevance.score == pytest.approx(simplified.relevance.score, abs=1e-9)
    assert traditional.background == simplified.background


def test_the_navigation_of_a_page_with_a_body_does_not_count(topic: Topic) -> None:
    navigation = "".join(link(f"/{i}", "华侨") for i in range(20))
    body = OFF_TOPIC * 6
    analysis = analyze(topic, page("体育要闻", body, navigation))
    assert len(analysis.page.body) >= MIN_BODY_CHARS
    assert analysis.relevance.score == 0.0


def test_all_visible_text_of_a_page_without_a_body_counts(topic: Topic) -> None:
    navigation = "".join(link(f"/{i}", f"华侨侨乡归侨{i}") for i in range(20))
    analysis = analyze(topic, page("频道", "", navigation))
    assert len(analysis.page.body) < MIN_BODY_CHARS
    assert analysis.relevant


def test_the_title_counts_as_text(topic: Topic) -> None:
    with_title = analyze(topic, page("归侨侨眷座谈", OFF_TOPIC * 3))
    assert with_title.relevance.score > analyze(topic, page("座谈", OFF_TOPIC * 3)).relevance.score


@pytest.mark.parametrize(
    ("trail", "title", "expected"),
    [
        ("<div class=crumb>首页 &gt; 新闻 &gt; 侨务</div>", "春节联欢会举行_某某网", True),
        ("<div class=crumb>首页 &gt; 新闻 &gt; 要闻</div>", "春节联欢会举行_某某网", False),
        ("", "春节联欢会举行_侨务频道_某某网", True),
        ("", "春节联欢会举行_中国侨务网", False),
    ],
)
def test_a_channel_named_by_a_keyword_is_a_hit(
    topic: Topic, trail: str, title: str, expected: bool
) -> None:
    body = f"<title>{title}</title>{trail}<h1>春节联欢会举行</h1><p>{OFF_TOPIC * 3}</p>"
    assert analyze(topic, body.encode()).view.channel_hit is expected


def test_background_grows_with_the_terms_of_the_page_and_stays_within_one(topic: Topic) -> None:
    values = [
        analyze(topic, page("甲", text)).background
        for text in (OFF_TOPIC * 3, f"{OFF_TOPIC * 3}华侨。", ON_TOPIC * 5)
    ]
    assert values == [0.0, pytest.approx(0.1), pytest.approx(1.0)]


def test_links_are_unique_targets_without_the_page_itself_in_page_order(topic: Topic) -> None:
    links = (
        link("/b", "乙") + link(HOME, "首页") + link("/c#top", "丙") + link("/b?utm_source=x", "二")
    )
    found = analyze(topic, page("甲", ON_TOPIC, links)).links
    assert [it.canonical for it in found.links] == ["http://a.example/b", "http://a.example/c"]
    assert found.links[0].anchor == "乙 二"
    assert len(found.batch) == 2


NOFOLLOW_PAGE = '<meta name="robots" content="nofollow">'


@pytest.mark.parametrize(
    ("head", "attributes", "follow", "count", "why"),
    [
        ("", "", False, 1, "an ordinary link"),
        ("", "rel=nofollow", False, 0, "neither fetched nor a vote"),
        ("", "rel=nofollow", True, 1, "the user wants them"),
        (NOFOLLOW_PAGE, "", False, 0, "the page asks for it"),
        (NOFOLLOW_PAGE, "", True, 1, "the user wants them"),
    ],
)
def test_nofollow_links_are_left_out(
    topic: Topic, head: str, attributes: str, follow: bool, count: int, why: str
) -> None:
    body = page("甲", ON_TOPIC, link("/b", attributes=attributes), head=head)
    links = analyze(topic, body, follow_nofollow=follow).links
    assert (len(links.links), len(links.batch)) == (count, count), why


def test_everything_is_computed_once(topic: Topic) -> None:
    analysis = analyze(topic, page("侨务要闻", ON_TOPIC, link("/b")))
    first = (analysis.terms, analysis.vector, analysis.relevance, analysis.links)
    assert all(
        again is before
        for again, before in zip(
            (analysis.terms, analysis.vector, analysis.relevance, analysis.links),
            first,
            strict=True,
        )
    )


@pytest.mark.parametrize("body", [b"", b"\x89PNG\r\n\x1a\n\x00\x00", b"<<<>>>", b"\xff\xfe\x00"])
def test_a_body_that_is_not_a_page_is_irrelevant_and_has_no_links(
    topic: Topic, body: bytes
) -> None:
    analysis = analyze(topic, body, None)
    assert not analysis.relevant
    assert len(analysis.links.batch) == 0

"""Which pages pass the body and the relevance pipeline, and what they carry then."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from tests.support.page_items import item_of, run_of, topicless
from tests.support.small_web import OFF_TOPIC, ON_TOPIC, link, page
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.pipelines.body import BodyExtractionPipeline
from topiccrawl.pipelines.deduplication import DeduplicationPipeline
from topiccrawl.pipelines.details import PageDetailsPipeline
from topiccrawl.pipelines.drops import (
    JudgedOffTopic,
    NoBody,
    NoIndex,
    NotHtml,
    OffTopic,
    PageDropped,
)
from topiccrawl.pipelines.relevance import RelevanceFilterPipeline
from topiccrawl.pipelines.store import StorePipeline


@pytest.fixture(scope="module")
def run() -> CrawlSession:
    return run_of()[0]


@pytest.mark.parametrize(
    "pipeline",
    [
        BodyExtractionPipeline,
        RelevanceFilterPipeline,
        DeduplicationPipeline,
        PageDetailsPipeline,
        StorePipeline,
    ],
)
def test_without_a_topic_a_pipeline_is_off(pipeline: type[BodyExtractionPipeline]) -> None:
    with pytest.raises(NotConfigured):
        pipeline.from_crawler(topicless())


# -- body ------------------------------------------------------------------------------------------


def test_a_page_gets_title_body_and_hash(run: CrawlSession) -> None:
    item = item_of(run, page("归侨座谈会在广州举行", ON_TOPIC * 2))
    passed = BodyExtractionPipeline(50).process_item(item)
    assert passed is item
    assert item.title == "归侨座谈会在广州举行"
    assert item.body.count("侨务部门走访归侨侨眷") == 2
    assert len(item.content_hash) == 32


@pytest.mark.parametrize(
    ("body", "reason", "title", "why"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(100), NotHtml, "", "an image whose header says HTML"),
        (b"%PDF-1.4\n\xe2\xe3\xcf\xd3\n1 0 obj", NotHtml, "", "a document"),
        (page("频道", "", link("/1", "侨乡")), NoBody, "频道", "a list of links"),
        (page("空"), NoBody, "空", "nothing on it"),
        (
            page("侨务", ON_TOPIC * 2, head='<meta name="robots" content="noindex">'),
            NoIndex,
            "侨务",
            "the page asks not to be kept",
        ),
        (
            page("空", head='<meta name="robots" content="noindex">'),
            NoIndex,
            "空",
            "what the page asks for comes before what it holds",
        ),
    ],
)
def test_pages_without_anything_to_keep_are_dropped(
    run: CrawlSession, body: bytes, reason: type[PageDropped], title: str, why: str
) -> None:
    item = item_of(run, body)
    with pytest.raises(PageDropped) as dropped:
        BodyExtractionPipeline(50).process_item(item)
    assert type(dropped.value) is reason, why
    assert item.title == title  # `scrapy explain` names dropped pages


def test_the_least_length_of_a_body_is_enough(run: CrawlSession) -> None:
    length = len(item_of(run, page("侨务", ON_TOPIC)).analysis.page.body)
    assert BodyExtractionPipeline(length).process_item(item_of(run, page("侨务", ON_TOPIC)))
    with pytest.raises(NoBody, match=f"{length} characters of body, at least {length + 1} needed"):
        BodyExtractionPipeline(length + 1).process_item(item_of(run, page("侨务", ON_TOPIC)))


PICTURES = page(
    "百年侨宅古村落组图",
    head='<meta property="og:type" content="article"><meta name="description" content="侨宅的门楼。">',
)


def test_a_short_page_about_one_thing_passes_with_its_summary(run: CrawlSession) -> None:
    pipeline = BodyExtractionPipeline.from_session(run)
    first = pipeline.process_item(item_of(run, PICTURES))
    assert (first.title, first.body) == ("百年侨宅古村落组图", "侨宅的门楼。")
    other = pipeline.process_item(item_of(run, PICTURES.replace("百年".encode(), "千年".encode())))
    assert first.content_hash != other.content_hash, "equal summaries do not make equal pages"
    with pytest.raises(NoBody):
        BodyExtractionPipeline(50).process_item(item_of(run, PICTURES))


def test_a_page_that_the_user_judged_relevant_needs_no_body(run: CrawlSession) -> None:
    judged = {"http://a.example/list": True, "http://a.example/off": False}
    pipeline = BodyExtractionPipeline(50, judgments=judged)
    a_list = page("频道", "", link("/1", "侨乡"))
    assert pipeline.process_item(item_of(run, a_list, "http://a.example/list")).title == "频道"
    with pytest.raises(NoBody):
        pipeline.process_item(item_of(run, a_list, "http://a.example/off"))
    hidden = page("频道", head='<meta name="robots" content="noindex">')
    with pytest.raises(NoIndex):
        pipeline.process_item(item_of(run, hidden, "http://a.example/list"))


def test_reasons_are_distinct_words_logged_for_those_who_debug_only() -> None:
    reasons = PageDropped.__subclasses__()
    assert len({kind.reason for kind in reasons}) == len(reasons) == 12
    for kind in reasons:
        dropped = kind("why")
        assert str(dropped) == f"{kind.reason}: why"
        assert (dropped.detail, dropped.log_level) == ("why", "DEBUG")


# -- relevance -------------------------------------------------------------------------------------


def at_threshold(threshold: float, **overrides: str) -> tuple[CrawlSession, Crawler]:
    """A run whose threshold the user has set."""
    return run_of(TOPICCRAWL_RELEVANCE_THRESHOLD=repr(threshold), **overrides)


def test_the_threshold_itself_passes_and_just_below_is_dropped(run: CrawlSession) -> None:
    relevance = item_of(run, page("侨务", ON_TOPIC)).analysis.relevance
    same, crawler = at_threshold(relevance.score)
    kept = RelevanceFilterPipeline.from_crawler(crawler).process_item(
        item_of(same, page("侨务", ON_TOPIC))
    )
    assert kept.relevance == relevance.score
    assert kept.probability == 0.5
    assert kept.main_terms == list(relevance.main_terms)
    higher, crawler = at_threshold(relevance.score + 1e-9)
    below = item_of(higher, page("侨务", ON_TOPIC))
    with pytest.raises(OffTopic):
        RelevanceFilterPipeline.from_crawler(crawler).process_item(below)
    assert below.relevance == relevance.score  # the outcome's record tells it
    assert below.probability == pytest.approx(0.5)


def test_the_reason_names_both_numbers() -> None:
    strict, crawler = at_threshold(0.1282)
    with pytest.raises(OffTopic, match=r"relevance 0\.000 < threshold 0\.128"):
        RelevanceFilterPipeline.from_crawler(crawler).process_item(
            item_of(strict, page("体育", OFF_TOPIC * 3))
        )


def test_the_threshold_is_the_topics_own_or_the_users() -> None:
    run, crawler = run_of()
    text = page("侨乡", f"{ON_TOPIC}{OFF_TOPIC * 2}")
    marginal = item_of(run, text)
    assert run.topic.threshold < marginal.analysis.relevance.score < 0.9
    assert RelevanceFilterPipeline.from_crawler(crawler).process_item(marginal) is marginal
    strict, crawler = at_threshold(0.9)
    with pytest.raises(OffTopic, match=r"threshold 0\.900"):
        RelevanceFilterPipeline.from_crawler(crawler).process_item(item_of(strict, text))


@pytest.mark.parametrize(("share", "near"), [(0.99, True), (0.34, True), (0.33, False)])
def test_a_page_with_half_of_the_probability_that_is_needed_is_a_near_miss(
    run: CrawlSession, tmp_path: Path, share: float, near: bool
) -> None:
    text = page("侨乡", f"{ON_TOPIC}{OFF_TOPIC * 2}")
    score = item_of(run, text).analysis.relevance.score
    strict, crawler = at_threshold(
        score / share, TOPICCRAWL_STORE_URI=f"sqlite:///{tmp_path}/store.sqlite"
    )
    item = item_of(strict, text)
    pipeline = RelevanceFilterPipeline.from_crawler(crawler)
    if near:
        assert pipeline.process_item(item).near_miss
        assert item.probability == pytest.approx(share / (1 + share))
    else:
        with pytest.raises(OffTopic):
            pipeline.process_item(item)


@pytest.mark.parametrize("overrides", [{}, {"TOPICCRAWL_NEAR_MISSES": "0"}])
def test_without_a_place_for_near_misses_they_are_dropped_at_once(
    run: CrawlSession, tmp_path: Path, overrides: dict[str, str]
) -> None:
    text = page("侨乡", f"{ON_TOPIC}{OFF_TOPIC * 2}")
    score = item_of(run, text).analysis.relevance.score
    uri = f"sqlite:///{tmp_path}/store.sqlite" if overrides else ""
    strict, crawler = at_threshold(1.1 * score, TOPICCRAWL_STORE_URI=uri, **overrides)
    with pytest.raises(OffTopic):
        RelevanceFilterPipeline.from_crawler(crawler).process_item(item_of(strict, text))


def test_a_page_on_topic_gets_its_date(run: CrawlSession) -> None:
    head = '<meta property="article:published_time" content="2024-05-10T09:30:00+08:00">'
    dated = [
        item_of(run, page(title, text, head=head))
        for title, text in (("侨务", ON_TOPIC), ("体育", OFF_TOPIC * 3))
    ]
    pipeline = RelevanceFilterPipeline({}, run.judging.classifier)
    kept = pipeline.process_item(dated[0])
    assert kept.published_at is not None
    assert kept.published_at.date() == date(2024, 5, 10)
    with pytest.raises(OffTopic):
        pipeline.process_item(dated[1])
    assert dated[1].published_at is None


def test_the_users_judgment_outweighs_the_relevance(run: CrawlSession) -> None:
    on, off = page("侨务", ON_TOPIC), page("体育", OFF_TOPIC * 3)
    judged = {"http://a.example/on": False, "http://a.example/off": True}
    pipeline = RelevanceFilterPipeline(judged, run.judging.classifier)
    kept = pipeline.process_item(item_of(run, off, "http://a.example/off"))
    assert (kept.probability, kept.decision.judged) == (1.0, True)
    with pytest.raises(JudgedOffTopic, match="judged: judged off topic by the user"):
        pipeline.process_item(item_of(run, on, "http://a.example/on"))
    # Judgments may come while the crawl runs.
    judged.clear()
    assert pipeline.process_item(item_of(run, on, "http://a.example/on")).probability > 0.5

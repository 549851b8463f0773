"""The generated web as a web to evaluate on."""

from __future__ import annotations

import re

import pytest

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.webs.demo import DemoStoredWeb
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.prune import pruner


@pytest.fixture(scope="module")
def web() -> DemoStoredWeb:
    return DemoStoredWeb(300)


def test_the_same_numbers_make_the_same_web_and_other_seeds_other_pages(web: DemoStoredWeb) -> None:
    again, other = open_web("demo:300:7"), open_web("demo:300:8")
    urls = list(web.urls())
    assert list(again.urls()) == urls
    assert len(web) == len(urls) == len(set(urls))
    assert [again.get(url) for url in urls] == [web.get(url) for url in urls]
    assert list(again.topics) == list(web.topics)
    assert any(other.get(url) != web.get(url) for url in urls)
    assert len(open_web("demo:1000")) > 800


def test_every_page_is_a_page_and_nothing_else_is_stored(web: DemoStoredWeb) -> None:
    for url in web.urls():
        page = web.get(url)
        assert page is not None
        assert (page.url, page.status) == (url, 200)
        assert page.body
    assert web.get("http://www.qiaowang.example/no.html") is None


def test_topics_have_truth_examples_and_seeds_that_keep_their_distance(web: DemoStoredWeb) -> None:
    stored = set(web.urls())
    assert next(topic.name for topic in web.topics) == "qiaoqing"
    for topic in web.topics:
        near, far = topic.seeds["near"], topic.seeds["far"]
        assert len(near) == len(far) == 5
        assert topic.keywords
        assert topic.relevant < stored
        assert set(near) == set(topic.examples) <= topic.relevant
        assert set(far) <= stored - topic.relevant
        assert len(topic.samples) == 5
        assert set(topic.samples) <= topic.relevant - set(near)
        assert topic.bare_word == topic.keywords[0]
        linked = {target for url in far for target in web._targets(url)}
        assert linked, "far seeds lead on"
        assert not linked & topic.relevant, topic.name


def test_links_with_tracking_marks_lead_to_the_page_itself(web: DemoStoredWeb) -> None:
    serve = pruner(web)
    marked = 0
    for url in web.urls():
        page = web.get(url)
        assert page is not None
        marked += page.body.count(b"utm_source")
        assert b"utm_source" not in re.sub(rb"data-dead-href=\S+", b"", serve(page))
    assert marked
    for topic in web.topics:
        reached, waiting = set(topic.seeds["far"]), list(topic.seeds["far"])
        while waiting:
            new = set(web._targets(waiting.pop())) - reached
            reached |= new
            waiting += new
        assert topic.relevant <= reached, "all is found from far seeds"


@pytest.mark.parametrize("spec", ["demo:99", "demo:x", "demo:300:7:1", "demo:", "portals:499"])
def test_a_generated_web_that_cannot_be_made_is_refused(spec: str) -> None:
    with pytest.raises(ConfigurationError, match=f"generated web .*{spec.partition(':')[0]}"):
        open_web(spec)

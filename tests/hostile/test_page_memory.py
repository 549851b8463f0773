"""No cache keeps what a hostile page wrote: caches are bounded in bytes, not only in entries."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator

import pytest

from tests.support.page_items import run_of
from tests.support.whole_analysis import WholeAnalysis

#: Pages of each kind, and the characters of the long string on each.
PAGES, LONG = 4, 200_000
#: Bytes that all caches may grow by: a fifth of the long strings at one byte for each character.
MOST = PAGES * LONG // 5
#: Frames kept of each allocation, for the message of a failure.
FRAMES = 6

KINDS = {
    "class": "<div class='{x}'>侨</div>",
    "class-of-title": "<div class='title {x}'>侨</div>",
    "id": "<p id='{x}'>侨</p>",
    "tag": "<{x} class=content>侨</{x}>",
    "tag-around-links": "<{x}><a href=/a>侨乡</a></{x}>",
    "tag-of-region": "<{x} class=nav><a href=/a>侨乡</a></{x}>",
    "word": "<p>{x}</p>",
    "anchor": "<a href=/a>{x}</a>",
    "anchors": "{many_links}",
    "title-of-link": "<a href=/a title='{x}'>侨</a>",
    "name-of-link": "<a href=/a name='{x}' onmouseover='{x}'>侨</a>",
    "alt": "<a href=/a><img alt='{x}'></a>",
    "url": "<a href='/{x}'>侨</a>",
    "query": "<a href='/?{x}'>侨</a>",
    "host": "<a href='http://{x}.example/'>侨</a>",
    "base": "<base href='http://a.example/{x}/'><a href=b>侨</a>",
    "canonical": "<link rel=canonical href='/{x}'>",
    "title": "<title>{x}</title>",
    "og-title": "<meta property=og:title content='{x}'>",
    "keywords": "<meta name=keywords content='{x}'>",
    "meta-name": "<meta name='{x}' content=1>",
    "charset": "<meta charset='{x}'>",
    "date": "<meta name=pubdate content='{x}'>",
    "crumb": "<div class='crumb {x}'>首页 &gt; 侨乡</div>",
    "crumb-text": "<div class=crumb>首页 &gt; {x} &gt; 侨</div>",
    "json": '<script type=application/ld+json>{{"author": "{x}"}}</script>',
}


@pytest.fixture(scope="module")
def analysis() -> WholeAnalysis:
    session, _ = run_of("侨情")
    analysis = WholeAnalysis(session)
    for kind in KINDS:
        analysis(page(kind, "0"))
    return analysis


@pytest.fixture
def traced() -> Iterator[None]:
    tracemalloc.start(FRAMES)
    yield
    tracemalloc.stop()


def page(kind: str, mark: str) -> bytes:
    """A page with a string that no other page has."""
    text = KINDS[kind].format(
        x=mark * LONG,
        many_links="".join(f"<a href=/a>{mark}{i}{mark * 250}</a>" for i in range(LONG // 250)),
    )
    return f"<html><body><h1>侨批</h1>{text}<p>侨乡的来信。</p></body></html>".encode()


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_page_says_is_forgotten_with_it(
    analysis: WholeAnalysis, traced: None, kind: str
) -> None:
    gc.collect()
    before = tracemalloc.take_snapshot()
    for number in range(PAGES):
        analysis(page(kind, "abcdefgh"[number]), url=f"http://a.example/{kind}/{number}")
    gc.collect()
    grown = tracemalloc.take_snapshot().compare_to(before, "traceback")
    assert sum(each.size_diff for each in grown) < MOST, "\n".join(
        "\n".join([str(each), *each.traceback.format()]) for each in grown[:3]
    )


def test_the_anchors_of_one_target_are_merged_up_to_a_length(analysis: WholeAnalysis) -> None:
    (link,) = analysis(page("anchors", "a")).analysis.links.links
    assert 600 <= len(link.anchor) <= 1_000


def test_the_cache_of_links_is_bounded_in_characters(
    analysis: WholeAnalysis, traced: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links of 2,000 characters: 16,384 entries of them would be 100 MB."""
    for module in ("links", "linktext"):
        monkeypatch.setattr(f"topiccrawl.analysis.{module}.KEPT_CHARACTERS", MOST // 5)
    analysis = WholeAnalysis(run_of("侨情")[0])
    analysis(page("class", "0"))
    before, _ = tracemalloc.get_traced_memory()
    for number in range(PAGES):
        links = "".join(f"<a href=/{'abcdefgh'[number] * 1_900}{i}>侨</a>" for i in range(400))
        analysis(f"<h1>侨批</h1>{links}".encode(), url=f"http://a.example/links/{number}")
        del links
    analysis(page("class", "0"))
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    # Of 3 MB; urllib keeps the last 128 URLs.
    assert after - before < 1_000_000

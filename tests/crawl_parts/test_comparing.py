"""Which two pages share a story, and which are shown as a part and its whole."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.planted_copies import record, sentences
from tests.support.store_memory import URI_OF_TESTS
from tests.support.store_records import TOPIC, in_loop, opened
from topiccrawl.crawl.copies.comparing import same_story
from topiccrawl.crawl.copies.parts import Parts, parts
from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.signing import Signer
from topiccrawl.store.compared import compared_page
from topiccrawl.store.contract import PageRecord
from topiccrawl.store.factory import open_store
from topiccrawl.stories.representative import representative

TEXTS = [sentences(number, 12) for number in range(3)]
TITLES = ["恳亲大会在广州开幕", "侨商企业家座谈会举行", "归侨口述历史出版"]
ITEM = record("item", TITLES[0], "\n".join(TEXTS[0]), 2)
PART = record("part", "大会今日有哪些看点", "\n".join(TEXTS[0][2:7]), 3)
DIGEST = record("digest", "今日要闻", "\n".join(line for text in TEXTS for line in text), 4)


def relation(first: PageRecord, second: PageRecord) -> str | None:
    """What the first is to the second in a story; the other direction must agree."""
    a, b = (PreparedPage(compared_page(page)) for page in (first, second))
    found, back = same_story(a, b), same_story(b, a)
    assert (found is None) == (back is None)
    return None if found is None else found.kind


def test_a_part_under_another_title_is_no_copy_of_its_whole() -> None:
    assert relation(PART, ITEM) is None
    assert relation(DIGEST, ITEM) is None
    assert relation(PART, DIGEST) is None


@pytest.mark.parametrize("title", [TITLES[0], f"快讯：{TITLES[0]}"])
def test_a_part_under_the_title_of_its_whole_is_an_excerpt(title: str) -> None:
    assert relation(replace(PART, title=title), ITEM) == "excerpt"


def test_a_title_of_one_word_says_nothing() -> None:
    assert relation(replace(PART, title="索引"), replace(ITEM, title="索引")) is None


def test_a_digest_under_two_headlines_joins_neither_story() -> None:
    titled = replace(DIGEST, title=f"{TITLES[0]}；{TITLES[1]}")
    other = record("other", TITLES[1], "\n".join(TEXTS[1]), 1)
    assert relation(ITEM, titled) is None
    assert relation(other, titled) is None


@pytest.mark.parametrize(
    "named",
    [
        {"source": "人民网"},
        {"source_url": "http://politics.people.com.cn/"},
        {"body": f"{PART.body}\n（摘自《人民日报》）"},
    ],
    ids=["source line", "link", "credit"],
)
def test_a_part_that_names_the_site_of_its_whole_as_its_source_is_an_excerpt(
    named: dict[str, str],
) -> None:
    whole = replace(ITEM, site="politics.people.com.cn")
    assert relation(replace(PART, **named), whole) == "excerpt"  # type: ignore[arg-type]
    assert relation(replace(PART, **named), ITEM) is None  # type: ignore[arg-type]


def test_a_part_that_links_to_its_whole_is_an_excerpt_on_the_same_site_too() -> None:
    own = replace(PART, site=ITEM.site, source="item.example")
    assert relation(own, ITEM) is None
    assert relation(replace(own, source_url=ITEM.url), ITEM) == "excerpt"


def test_nothing_is_an_excerpt_of_a_later_page() -> None:
    assert ITEM.published_at is not None
    later = replace(ITEM, published_at=ITEM.published_at + timedelta(days=1))
    assert relation(replace(PART, title=ITEM.title), later) is None


def test_the_whole_represents_the_story_of_an_excerpt() -> None:
    excerpt = replace(PART, title=ITEM.title)
    assert representative([compared_page(it) for it in (excerpt, ITEM)]) == ITEM.url


@in_loop
async def test_parts_and_wholes_are_found_among_the_pages_of_the_store(tmp_path: Path) -> None:
    signer = Signer()
    pages = [
        replace(page, tokens=signer.sign(compared_page(page)).tokens)
        for page in (ITEM, PART, DIGEST, record("alone", "无关", "\n".join(sentences(9)), 9))
    ]
    async with opened(open_store(f"{URI_OF_TESTS}{tmp_path}")) as store:
        await store.write(pages)
        found = [await parts(store, page, signer) for page in pages]
        assert found == [
            Parts((PART.url,), (DIGEST.url,)),
            Parts((), tuple(sorted([DIGEST.url, ITEM.url]))),
            Parts(tuple(sorted([ITEM.url, PART.url])), ()),
            Parts(),
        ]
        gone = await store.page(TOPIC, DIGEST.url)
        assert gone is not None
        await store.write([replace(gone, withdrawn_at=gone.fetched_at)])
        assert (await parts(store, ITEM, signer)).excerpt_of == ()

"""What pages the web has, that they are the same everywhere, and that its ground truth holds."""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topiccrawl.demo import DemoWeb

DIGEST = """
import hashlib
from topiccrawl.demo import DemoWeb
web = DemoWeb(seed=11, size=150)
whole = hashlib.sha256()
for url in web.pages():
    whole.update(url.encode() + web.answer(url, 2).body)
print(whole.hexdigest())
"""


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return DemoWeb()


def digest_of(web: DemoWeb) -> str:
    whole = hashlib.sha256()
    for url in web.pages():
        answer = web.answer(url, 2)
        assert answer is not None
        whole.update(url.encode() + answer.body)
    return whole.hexdigest()


def test_every_process_makes_the_same_bytes_whatever_its_hash_seed() -> None:
    def run(hash_seed: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", DIGEST],
            env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path.cwd())},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    assert run("1") == run("77") == digest_of(DemoWeb(seed=11, size=150))


def test_order_of_requests_does_not_change_a_page() -> None:
    first, second = DemoWeb(size=150), DemoWeb(size=150)
    urls = list(first.pages())
    forward = {url: first.answer(url) for url in urls}
    backward = {url: second.answer(url) for url in reversed(urls)}
    assert forward == backward


def test_another_seed_makes_other_pages_at_the_same_addresses() -> None:
    one, other = DemoWeb(seed=1, size=150), DemoWeb(seed=2, size=150)
    assert list(one.pages()) == list(other.pages())
    changed = [url for url in one.pages(("article",)) if one.html(url) != other.html(url)]
    assert len(changed) == len(list(one.pages(("article",))))


@pytest.mark.parametrize("size", [300, 800, 3000, 20_000])
def test_size_is_about_the_number_of_ordinary_pages(size: int) -> None:
    pages = sum(1 for _ in DemoWeb(size=size).pages())
    assert 0.85 * size <= pages <= 1.2 * size


def test_hosts_grow_slower_than_pages_and_all_have_different_names() -> None:
    hosts = [DemoWeb(size=size).hosts for size in (800, 20_000, 100_000)]
    assert [len(names) for names in hosts] == [18, 90, 180]
    assert all(len(set(names)) == len(names) for names in hosts)
    assert all(name.endswith(".example") for names in hosts for name in names)


def test_a_large_web_makes_any_single_page_without_making_the_others() -> None:
    web = DemoWeb(size=1_000_000)
    last = web.atlas.sites[-1]
    url = web.atlas.article_url(last, 0, last.channels[0].articles - 1)
    answer = web.answer(url, 2)
    assert answer is not None
    assert answer.status == 200


def test_a_size_below_a_hundred_is_refused_by_name_and_value() -> None:
    with pytest.raises(ValueError, match=r"size .* must be >= 100 pages, got 99"):
        DemoWeb(size=99)


def test_every_ordinary_page_answers_200_and_is_its_own_canonical_url(web: DemoWeb) -> None:
    for url in web.pages():
        answer = web.answer(url, 2)
        assert answer is not None
        assert (answer.status, web.canonical(url)) == (200, url)


def test_between_15_and_25_percent_of_the_web_is_on_the_topic(web: DemoWeb) -> None:
    pages = list(web.pages())
    assert 0.15 <= len(web.relevant(kinds=("article", "list", "home"))) / len(pages) <= 0.25


def test_articles_cover_every_topic_family(web: DemoWeb) -> None:
    topics = Counter(topic for url in web.pages(("article",)) for topic in web.topics_of(url))
    assert set(topics) == {
        "qiaoqing", "sport", "finance", "food", "technology", "local", "estate", "english",
    }  # fmt: skip
    assert min(topics.values()) >= 20


def test_reprints_share_story_and_title_but_stand_on_different_sites(web: DemoWeb) -> None:
    by_story: dict[str | None, list[str]] = {}
    for url in web.relevant():
        by_story.setdefault(web.story_of(url), []).append(url)
    copies = [urls for urls in by_story.values() if len(urls) > 1]
    assert len(copies) >= 5
    assert len(by_story) == len(web.stories())
    for urls in copies:
        truths = [web.truth(url) for url in urls]
        assert len({url.split("/")[2] for url in urls}) == len(urls)
        simplified = {t.title for t in truths if t is not None and t.charset != "big5"}
        assert len(simplified) <= 1
    printed = {web.html(url).partition("</title>")[0] for url in copies[0]}  # type: ignore[union-attr]
    assert len(printed) == len(copies[0])  # each site adds its own tail


def test_a_story_is_published_first_at_its_origin(web: DemoWeb) -> None:
    times: dict[str, list[tuple[datetime, str]]] = {}
    for url in web.pages(("article",)):
        truth = web.truth(url)
        assert truth is not None
        assert truth.story is not None
        assert truth.published is not None
        times.setdefault(truth.story, []).append((truth.published, url.split("/")[2]))
    copies = {story: sorted(found) for story, found in times.items() if len(found) > 1}
    assert len(copies) >= 20
    for story, ((first, host), *_middle, (last, _)) in copies.items():
        assert host == story.split("/")[0]
        assert last - first < timedelta(days=3)


def test_different_stories_are_no_near_duplicates(web: DemoWeb) -> None:
    shingles = {}
    for url in web.relevant():
        truth = web.truth(url)
        assert truth is not None
        if truth.charset != "big5":
            text = "".join(truth.paragraphs)
            shingles[truth.story] = {text[i : i + 5] for i in range(len(text) - 4)}
    worst = max(
        len(a & b) / len(a | b) for a, b in itertools.combinations(list(shingles.values())[:90], 2)
    )
    assert worst < 0.4


def test_article_bodies_have_the_length_of_news(web: DemoWeb) -> None:
    chinese = []
    for url in web.pages(("article",)):
        if "english" not in web.topics_of(url):
            truth = web.truth(url)
            assert truth is not None
            chinese.append(sum(map(len, truth.paragraphs)))
    assert min(chinese) >= 150
    assert max(chinese) <= 1600
    assert 350 <= sum(chinese) / len(chinese) <= 900


def test_truth_is_what_the_page_shows(web: DemoWeb) -> None:
    for url in web.pages(("article",)):
        truth, page = web.truth(url), web.html(url)
        assert truth is not None
        assert page is not None
        plain = page.replace("&#x27;", "'")
        assert truth.title in plain
        assert all(paragraph in plain for paragraph in truth.paragraphs)


def test_the_misleading_site_contains_huaqiao_names_but_never_overseas_chinese(
    web: DemoWeb,
) -> None:
    texts = []
    for url in web.relevant("estate"):
        truth = web.truth(url)
        assert truth is not None
        texts.append(truth.title + "".join(truth.paragraphs))
    assert sum("华侨" in text for text in texts) > len(texts) / 2
    assert not any(word in text for text in texts for word in ("侨胞", "侨联", "归侨", "侨务"))


def test_session_and_tracking_parameters_name_the_same_page(web: DemoWeb) -> None:
    thread = next(url for url in web.pages(("article",)) if "thread.php" in url)
    assert web.canonical(f"{thread}&sid=0f6b5749") == thread
    assert web.html(f"{thread}&sid=1") == web.html(thread)
    article = next(url for url in web.pages(("article",)) if "xinzhi" in url)
    assert web.canonical(f"{article}?utm_source=web&spm=a2.1.3") == article


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://www.qiaowang.example/hqhr/2024/06-27/1999999.shtml", "no such number"),
        ("http://www.qiaowang.example/hqhr/2023/01-01/1000000.shtml", "another day's article"),
        ("http://www.qiaowang.example/hqhr/index_99.html", "a list page past the end"),
        ("http://www.qiaowang.example/calendar?y=2024&m=1", "another site's feature"),
        ("http://www.haibin.example/zt/9999/1.html", "no such tunnel"),
        ("http://news.haibin.example/moved/5.html", "an old id that never was"),
        ("http://www.wangzhi-daquan.example/dir/99.html", "no such category"),
    ],
)
def test_what_does_not_exist_is_404(web: DemoWeb, url: str, why: str) -> None:
    answer = web.answer(url)
    assert answer is not None, why
    assert answer.status == 404, why


@pytest.mark.parametrize(
    "url",
    [
        "http://www.unknown.example/",
        "https://www.qiaowang.example/",
        "ftp://x",
        "http://[",
        "",
        "//",
    ],
)
def test_unknown_hosts_and_schemes_name_no_page(web: DemoWeb, url: str) -> None:
    assert web.kind_of(url) is None
    assert web.truth(url) is None
    assert web.topics_of(url) == frozenset()


@given(st.text(max_size=60), st.sampled_from(["", "http://", "http://bbs.linjiang.example/"]))
@settings(max_examples=200, deadline=None)
def test_no_url_raises(text: str, start: str) -> None:
    web = DemoWeb(size=100)
    answer = web.answer(start + text)
    assert answer is None or answer.status in (200, 301, 302, 404, 500, 503)

"""URL tokens that are derived from words: pinyin, initials, English."""

from __future__ import annotations

import pytest

from topiccrawl.text.pinyin import syllables
from topiccrawl.topics.derive import COMMON_FOLDERS, derive_url_tokens
from topiccrawl.topics.load import bare_definition
from topiccrawl.topics.subjects import english_names
from topiccrawl.topics.topic import Topic
from topiccrawl.topics.urltokens import UrlTokens


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("侨情", "qiao qing"),
        ("滤镜", "lv jing"),
        ("银行", "yin hang"),
        ("音乐", "yin yue"),
        ("重庆", "chong qing"),
        ("ai绘画", "ai hui hua"),
        ("5g手机", "5 g shou ji"),
        ("mp3", "mp 3"),
    ],
)
def test_words_are_spelled_as_a_whole_without_tones(word: str, parts: str) -> None:
    assert syllables(word) == parts.split()


@pytest.mark.parametrize(
    ("word", "tokens"),
    [
        ("滤镜", {"lvjing": 0.8}),
        ("僑情", {"qiaoqing": 0.8}),
        ("电子表格", {"dianzibiaoge": 0.8, "/dzbg/": 0.4}),
        ("图书馆", {"library": 0.8, "tushuguan": 0.8, "/tsg/": 0.3}),
        ("茶", {"tea": 0.8, "/cha/": 0.5}),
        ("法律", {"law": 0.8, "legal": 0.8, "/falv/": 0.5}),
        ("music", {"music": 0.9}),
        ("Birds", {"birds": 0.9, "bird": 0.9}),
        ("countries", {"countries": 0.9, "country": 0.9}),
        ("art", {"art": 0.9, "arts": 0.9}),
        ("physics", {"physics": 0.9}),
        (
            "tropical cyclone",
            {"tropicalcyclone": 0.9, "tropical-cyclone": 0.9, "tropical_cyclone": 0.9},
        ),
        ("news", {}),
        ("C++", {}),
        ("一", {"/yi/": 0.5}),
        ("侨办侨联侨务侨情侨乡", {}),
    ],
)
def test_tokens_of_a_word(word: str, tokens: dict[str, float]) -> None:
    assert derive_url_tokens([(word, 1.0)]) == tokens


def test_values_are_shares_of_the_words_values_and_the_largest_counts() -> None:
    tokens = derive_url_tokens([("图书馆", 0.5), ("library", 0.2), ("libraries", 1.0)])
    assert tokens == {
        "libraries": 0.9,
        "library": 0.9,
        "tushuguan": 0.4,
        "/tsg/": 0.15,
    }


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://a.cn/dianzibiaoge/1.html", ["dianzibiaoge"]),
        ("http://a.cn/dzbg/1.html", ["/dzbg/"]),
        ("http://a.cn/xdzbgx/1.html", []),
        ("http://tea.a.cn/", ["tea"]),
        ("http://a.cn/steam/chang/", []),
    ],
)
def test_short_tokens_match_whole_segments_only(url: str, found: list[str]) -> None:
    tokens = UrlTokens(derive_url_tokens([("电子表格", 1.0), ("茶", 1.0)]))
    assert [token for token, _ in tokens.match(url)] == found


def test_a_bare_word_has_the_tokens_of_the_word_and_with_less_value_of_its_parts() -> None:
    topic = Topic.learn(bare_definition("茶文化"))
    found = dict(topic.url_tokens.match("http://a.cn/chawenhua/cha/wenhua/tea/cwh/"))
    assert found["chawenhua"] == 0.8
    assert found["/cwh/"] == 0.3
    assert found["tea"] == found["wenhua"] == 0.32
    assert found["/cha/"] == 0.2


def test_english_names_are_no_names_of_common_folders() -> None:
    words = {word for names in english_names().values() for word in names}
    assert words & COMMON_FOLDERS == set()

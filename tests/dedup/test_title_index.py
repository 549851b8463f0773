"""Near-duplicate titles: document 001's method, and where we depart from it."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics.pairwise import cosine_similarity

from topiccrawl.dedup.titles import BodyIndex, TitleIndex, content_hash
from topiccrawl.text.analyzer import TextAnalyzer


def words(title: str) -> list[str]:
    return title.split()


def filled(*titles: str) -> TitleIndex:
    index = TitleIndex(words)
    for i, title in enumerate(titles):
        index.add(f"http://a.example/{i}", title)
    return index


def test_idf_without_background_is_the_documents_formula() -> None:
    index = filled("a b c", "a d e", "a f g", "h i j")
    assert index.idf("a") == pytest.approx(math.log(4 / 3))
    assert index.idf("h") == pytest.approx(math.log(4 / 1))
    assert index.idf("unknown") == 0.0


def test_a_title_that_is_compared_counts_as_one_more() -> None:
    index = filled("a b c", "a d e", "a f g")
    assert index.idf("x", Counter("x")) == pytest.approx(math.log(4 / 1))
    assert index.idf("b", Counter("bx")) == pytest.approx(math.log(4 / 2))
    assert index.idf("b", Counter("x")) == pytest.approx(math.log(4 / 1))


def test_without_titles_the_idf_is_that_of_the_language() -> None:
    index = TitleIndex(words, background_idf={"a": 1.5, "b": 6.0}.__getitem__)
    assert [index.idf("a"), index.idf("b")] == pytest.approx([1.5, 6.0])


def test_similarity_equals_an_independent_cosine() -> None:
    index = filled("a b c", "a b d", "e f g", "a e h")
    vocabulary = sorted("abcdefgh")
    vectors = [
        [title.split().count(t) * index.idf(t) for t in vocabulary] for title in ("a b c", "a b d")
    ]
    expected = cosine_similarity([vectors[0]], [vectors[1]])[0, 0]
    assert index.similarity("a b c", "a b d") == pytest.approx(expected, abs=1e-12)


def test_a_reprint_is_found_and_names_the_first_url() -> None:
    index = filled("侨联 举行 代表 大会", "足球 联赛 开幕 式", "股市 收盘 上涨 点")
    match = index.find("http://b.example/x", "侨联 举行 代表 大会")
    assert match is not None
    assert match.url == "http://a.example/0"
    assert match.similarity == pytest.approx(1.0)


def test_a_page_is_not_the_duplicate_of_itself() -> None:
    index = filled("侨联 举行 代表 大会")
    assert index.find("http://a.example/0", "侨联 举行 代表 大会") is None


def test_titles_whose_numbers_differ_are_different_issues() -> None:
    index = filled("侨情 简报 第1期 目录 摘要")
    assert index.find("http://b.example/", "侨情 简报 第2期 目录 摘要") is None
    chinese = filled("侨情 简报 第一期 目录 摘要")
    assert chinese.find("http://b.example/", "侨情 简报 第二期 目录 摘要") is None


@pytest.mark.parametrize("written", ["第一期 2024年3月5日", "第１期 2024-03-05", "第1期 20240305"])
def test_numbers_that_are_written_in_another_way_are_equal(written: str) -> None:
    index = TitleIndex(TextAnalyzer().terms, lambda term: 5.0)
    index.add("http://a.example/", "归侨侨眷座谈会在福州召开 第1期 2024年3月5日")
    assert index.find("http://b.example/", f"归侨侨眷座谈会在福州召开 {written}")


def test_titles_of_one_or_two_words_have_no_duplicates() -> None:
    assert filled("通知 公告").find("http://b.example/", "通知 公告") is None


def test_with_background_frequencies_the_second_title_can_already_be_a_duplicate() -> None:
    index = TitleIndex(words, background_idf=lambda term: 8.0)
    index.add("http://a.example/0", "a b c d e f g h")
    assert index.find("http://b.example/", "a b c d e f g i") is not None


def test_words_in_common_by_chance_do_not_merge() -> None:
    index = filled("a b c d", "a b e f", "g h i j", "k l m n")
    assert index.find("http://b.example/", "a x y z") is None


@pytest.mark.parametrize("threshold", [0, -0.1, 1.1])
def test_an_impossible_threshold_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match=r"threshold must be in \(0, 1\]"):
        TitleIndex(words, threshold=threshold)


titles = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6).map(" ".join)


@given(st.lists(titles, max_size=12), titles)
def test_an_indexed_title_of_three_terms_is_always_found_again(known: list[str], new: str) -> None:
    index = filled(*known, new)
    found = index.find("http://b.example/", new)
    assert (found is not None) == (len(set(new.split())) >= 3)


@given(st.lists(titles, min_size=2, max_size=12))
def test_similarity_is_symmetric_and_bounded(known: list[str]) -> None:
    index = filled(*known)
    forward, back = index.similarity(known[0], known[1]), index.similarity(known[1], known[0])
    assert forward == pytest.approx(back, abs=1e-12)
    assert 0.0 <= forward <= 1.0


def test_layout_does_not_change_the_content_hash() -> None:
    assert content_hash("侨 情\n 简报") == content_hash("侨情简报")
    assert content_hash("侨情简报") != content_hash("侨情简讯")


def test_the_first_url_with_a_body_keeps_it() -> None:
    index = BodyIndex()
    assert index.first("http://a.example/", "x") is None
    assert index.first("http://a.example/", "x") is None
    assert index.first("http://b.example/", "x") == "http://a.example/"


def test_an_index_from_which_titles_were_removed_is_as_if_they_had_never_been_added() -> None:
    titles = ["侨联 举行 代表 大会", "足球 联赛 开幕 式", "侨联 举行 茶话会 迎春"]
    index = filled(*titles)
    index.remove("http://a.example/0")
    index.remove("http://a.example/unknown")
    index.remove("http://a.example/0")
    rest = TitleIndex(words)
    for number, title in enumerate(titles[1:], 1):
        rest.add(f"http://a.example/{number}", title)
    assert index.find("http://b.example/", titles[0]) is None
    assert len(index) == len(rest) == 2
    assert [index.idf(term) for term in ("侨联", "代表", "足球")] == [
        rest.idf(term) for term in ("侨联", "代表", "足球")
    ]
    index.add("http://b.example/", titles[0])
    match = index.find("http://a.example/0", titles[0])
    assert match is not None
    assert match.url == "http://b.example/"


def test_a_removed_body_is_no_original_any_longer() -> None:
    index = BodyIndex()
    assert index.first("http://a.example/1", "00ff") is None
    index.remove("http://a.example/2")
    assert index.first("http://a.example/2", "00ff") == "http://a.example/1"
    index.remove("http://a.example/2")
    index.remove("http://a.example/1")
    assert index.first("http://a.example/2", "00ff") is None
    assert index.first("http://a.example/1", "00ff") == "http://a.example/2"

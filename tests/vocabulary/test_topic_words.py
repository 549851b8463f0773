"""Words proposed for a topic, and what decisions change."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from topiccrawl.topics.definition import Keyword, TopicDefinition
from topiccrawl.topics.topic import Topic
from topiccrawl.vocabulary import contrast
from topiccrawl.vocabulary.candidates import (
    FEATURES,
    Candidates,
    find_candidates,
    text_vectors,
    together,
)
from topiccrawl.vocabulary.contrast import TermCounts, log_odds
from topiccrawl.vocabulary.ranking import PRIOR, rank
from topiccrawl.vocabulary.vectors import WordVectors, learn_vectors

TEA = [
    "茶叶在山上采摘，制茶的师傅把茶叶炒干。",
    "泡茶的水温很重要，紫砂壶适合泡乌龙茶，茶叶要新。",
    "乌龙茶产于福建，采摘以后要炒青，再用紫砂壶冲泡。",
    "师傅说，炒青的火候决定茶叶的香气。时间很重要。",
]
OTHER = ["比赛的时间很重要，球队的师傅修理汽车。", "工厂的火候，时间，水温。", "时间很重要。"]


@pytest.fixture(scope="module")
def topic() -> Topic:
    return Topic.learn(TopicDefinition("茶叶", keywords=(Keyword("茶叶", 1.0, "core"),)))


@pytest.fixture(scope="module")
def tea(topic: Topic) -> Candidates:
    return find_candidates(topic, TEA, OTHER)


def words(found: Candidates, decided: dict[str, bool] | None = None) -> list[str]:
    return [it.word for it in rank(found, decided or {})]


def test_words_of_the_topic_come_before_those_that_are_everywhere(tea: Candidates) -> None:
    found = words(tea)
    assert found.index("紫砂壶") < found.index("重要")
    assert "茶叶" not in found


def test_decided_words_are_not_proposed_again(tea: Candidates) -> None:
    assert {"采摘", "紫砂壶"} <= set(words(tea))
    assert not {"采摘", "紫砂壶"} & set(words(tea, {"采摘": True, "紫砂壶": False}))


def test_values_are_grades_of_a_topic(tea: Candidates) -> None:
    ranked = rank(tea, {})
    assert all(0.0 < it.value <= 0.9 for it in ranked)
    assert [it.value for it in ranked] == sorted((it.value for it in ranked), reverse=True)


def candidates(kinds: dict[str, tuple[float, float]]) -> Candidates:
    """Return words that differ in their vectors only."""
    vectors = {word: np.array(vector) / math.hypot(*vector) for word, vector in kinds.items()}
    features = np.full((len(kinds), len(FEATURES)), 0.3)
    return Candidates(
        list(kinds), list(kinds), np.full(len(kinds), 3.0), features, WordVectors(vectors),
        csr_matrix((len(kinds), 1)),
    )  # fmt: skip


def test_words_like_refused_ones_sink_and_words_like_accepted_ones_rise() -> None:
    found = candidates({"甲": (1, 0), "乙": (1, 0.1), "丙": (0.1, 1), "丁": (0, 1)})
    assert words(found, {"甲": True, "丁": False}) == ["乙", "丙"]
    assert words(found, {"甲": False, "丁": True}) == ["丙", "乙"]


def test_decisions_move_the_weights_of_what_words_have_in_common() -> None:
    columns = len(FEATURES)
    features = np.zeros((40, columns))
    features[::2, FEATURES.index("verb")] = 1.0
    names = [str(i) for i in range(40)]
    found = Candidates(names, names, np.ones(40), features, WordVectors(), csr_matrix((40, 1)))
    before = rank(found, {})
    assert PRIOR["verb"] < 0
    assert before[0].word == "1"
    after = rank(found, {name: int(name) % 2 == 0 for name in names[:36]})
    assert [int(it.word) % 2 for it in after] == [0, 0, 1, 1]


def test_nothing_is_proposed_from_nothing(topic: Topic) -> None:
    assert words(find_candidates(topic, [])) == []


def test_weighted_log_odds_are_those_of_the_formula() -> None:
    inside, outside = TermCounts(), TermCounts()
    for _ in range(4):
        inside.add(["茶", "茶"])
    outside.add(["茶"])
    outside.add([])
    delta, z = log_odds(["茶"], inside, outside, lambda term: math.log(10))
    prior, total = contrast.PRIOR_DOCUMENTS / 10, contrast.PRIOR_DOCUMENTS
    y, other = 4 + prior, 1 + prior
    expected = math.log(y / (4 + total - y)) - math.log(other / (2 + total - other))
    assert delta[0] == pytest.approx(expected)
    assert z[0] == pytest.approx(expected / math.sqrt(1 / y + 1 / other))


def test_words_beside_the_words_of_the_topic_are_nearer() -> None:
    lines = [["茶", "壶"], ["茶", "壶"], ["车", "路"], ["车", "壶", "茶"], ["路"]]
    near = together(["壶", "路"], lines, {"茶"})
    assert near[0] > near[1] == 0.0


def test_word_vectors_are_the_same_each_time() -> None:
    lines = [["茶", "壶", "水"], ["车", "路", "桥"]] * 1_000
    first, second = learn_vectors(lines), learn_vectors(lines)
    assert first.by_term.keys() == {"茶", "壶", "水", "车", "路", "桥"}
    assert all(np.array_equal(first.by_term[t], second.by_term[t]) for t in first.by_term)
    near, far = first.similarity(["壶", "路"], ["茶"]).tolist()
    assert near > far


def test_small_collections_have_no_vectors() -> None:
    assert learn_vectors([["茶", "壶"]]).similarity(["茶"], ["壶"]).tolist() == [0.0]


def test_words_of_the_texts_of_accepted_words_rise() -> None:
    names = ["甲", "乙", "丙", "丁"]
    texts = [{"甲", "乙"}] * 4 + [{"丙", "丁"}] * 4 + [set(names)]
    features = np.full((4, len(FEATURES)), 0.3)
    found = Candidates(
        names, names, np.full(4, 5.0), features, WordVectors(), text_vectors(names, texts)
    )
    assert words(found, {"甲": True, "丁": False}) == ["乙", "丙"]
    assert words(found, {"甲": False, "丁": True}) == ["丙", "乙"]


def test_text_vectors_are_those_of_the_formula() -> None:
    found = text_vectors(["甲", "乙", "戊"], [{"甲"}, {"甲", "乙", "己"}, {"乙"}]).toarray()
    assert found[0] == pytest.approx([1.0, 0.0, 0.0])
    assert found[1] == pytest.approx([0.0, 0.0, 1.0])
    assert not found[2].any()


def test_pages_of_a_crawl_show_which_words_are_those_of_its_sites(topic: Topic) -> None:
    pages = [(1, ["采摘", "公司"]), (2, ["采摘", "公司"]), *((n, ["公司"]) for n in range(3, 40))]

    def crawled(terms: Sequence[str]) -> tuple[TermCounts, TermCounts]:
        here, there = TermCounts(), TermCounts()
        for number, found in pages:
            (here if number < 3 else there).add(found)
        return here, there

    texts = [
        "公司，茶叶在山上采摘，制茶的师傅把茶叶炒干。",
        "公司，采摘以后要炒青，师傅说要看火候。",
    ]
    alone, with_pages = (
        find_candidates(topic, texts),
        find_candidates(topic, texts, crawled=crawled),
    )
    column = FEATURES.index("log_odds")

    def odds(found: Candidates, word: str) -> float:
        return float(found.features[found.words.index(word), column])

    assert odds(with_pages, "公司") < 0.0 < odds(alone, "公司")
    assert odds(with_pages, "采摘") > 0.0
    # The crawl has not seen it: what the texts say counts.
    assert odds(with_pages, "师傅") == odds(alone, "师傅")

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.pages_for_topics import (
    QIAO_OFF,
    QIAO_ON,
    QIAO_SAMPLES,
    STORM_OFF,
    STORM_ON,
    STORM_SAMPLES,
    TEA_OFF,
    TEA_ON,
)
from topiccrawl.errors import ConfigurationError
from topiccrawl.text.idf import IdfTable
from topiccrawl.topics.definition import Keyword, Sample, Seed, Thresholds, TopicDefinition
from topiccrawl.topics.learn import compare_keywords, word_parts
from topiccrawl.topics.load import bare_definition
from topiccrawl.topics.relevance import relevance_parts
from topiccrawl.topics.topic import Topic


def keywords(**relations: dict[str, float]) -> tuple[Keyword, ...]:
    return tuple(
        Keyword(term, value, relation)  # type: ignore[arg-type]
        for relation, terms in relations.items()
        for term, value in terms.items()
    )


def samples(texts: list[str]) -> tuple[Sample, ...]:
    return tuple(Sample(f"{i}.txt", text) for i, text in enumerate(texts))


QIAO = TopicDefinition(
    name="侨情",
    keywords=keywords(
        core={"侨情": 1.0, "侨务": 1.0, "华侨": 1.0, "归侨": 1.0, "侨胞": 1.0},
        near={"侨乡": 0.9, "侨团": 0.9, "侨领": 0.9, "华文教育": 0.8, "侨联": 0.9},
        related={"移民": 0.3},
    ),
    negatives=keywords(negative={"华侨城": 0.1}),
)
STORM = TopicDefinition(
    name="storms",
    language="en",
    keywords=keywords(
        core={"tropical cyclone": 1.0, "hurricane": 1.0, "typhoon": 1.0, "storm": 0.8},
        related={"landfall": 0.6, "rainfall": 0.4, "wind": 0.3},
    ),
    negatives=keywords(negative={"storm drain": 0.0}),
)

CASES = [
    ("侨情 by keywords", QIAO, QIAO_ON, QIAO_OFF),
    ("侨情 by samples", replace(QIAO, keywords=(), samples=samples(QIAO_SAMPLES)), QIAO_ON, QIAO_OFF),
    ("侨情 by both", replace(QIAO, samples=samples(QIAO_SAMPLES)), QIAO_ON, QIAO_OFF),
    ("茶文化 as a bare word", bare_definition("茶文化"), TEA_ON, TEA_OFF),
    ("storms by keywords", STORM, STORM_ON, STORM_OFF),
    ("storms by samples", replace(STORM, keywords=(), samples=samples(STORM_SAMPLES)), STORM_ON, STORM_OFF),
    ("storms by both", replace(STORM, samples=samples(STORM_SAMPLES)), STORM_ON, STORM_OFF),
    ("storms by two samples", replace(STORM, samples=samples(STORM_SAMPLES[:2])), STORM_ON, STORM_OFF),
]  # fmt: skip


@pytest.mark.parametrize(
    ("definition", "on", "off"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_pages_on_the_topic_pass_and_a_stray_mention_does_not(
    definition: TopicDefinition, on: list[str], off: list[str]
) -> None:  # fmt: skip
    topic = Topic.learn(definition)
    for page in on:
        assert topic.relevance(topic.analyzer.terms(page)).score >= topic.threshold, page[:20]
    for page in off:
        assert topic.relevance(topic.analyzer.terms(page)).score < topic.threshold, page[:20]


@pytest.mark.parametrize("mentions", [1, 2])
def test_one_mention_of_a_bare_word_on_a_short_page_is_not_enough(mentions: int) -> None:
    topic = Topic.learn(bare_definition("茶文化"))
    page = QIAO_OFF[0] + "片区里还有茶文化的展览。" + "茶文化讲座每月一次。" * (mentions - 1)
    passes = topic.relevance(topic.analyzer.terms(page)).score >= topic.threshold
    assert passes == (mentions > 1)


@pytest.fixture(scope="module")
def qiao() -> Topic:
    return Topic.learn(replace(QIAO, samples=samples(QIAO_SAMPLES)))


@pytest.fixture(scope="module")
def storm() -> Topic:
    return Topic.learn(replace(STORM, samples=samples(STORM_SAMPLES)))


def test_the_vector_is_a_unit_and_nowhere_negative(qiao: Topic) -> None:
    assert qiao.vector.norm == pytest.approx(1.0, abs=1e-12)
    assert min(qiao.vector.values()) > 0
    assert len(qiao.vector) <= 300


def test_with_samples_the_keywords_alone_count_too(storm: Topic) -> None:
    alone = Topic.learn(STORM)
    vector = Topic.learn(replace(STORM, keywords=(), samples=samples(STORM_SAMPLES)))
    texts = [vector.weigh(storm.analyzer.terms(text)) for text in STORM_SAMPLES]
    share = compare_keywords(alone.vector, texts, ()).share
    assert 0 < share <= 0.5
    page = storm.weigh(storm.analyzer.terms(STORM_ON[0]))
    by_vector = sum(relevance_parts(page, storm.vector).values())
    by_keywords = alone.relevance_of(page).score * storm.threshold / alone.threshold
    found = storm.relevance_of(page)
    assert found.score == pytest.approx((1 - share) * by_vector + share * by_keywords)
    assert found.main_terms == tuple(sorted(found.main_terms, key=lambda part: -part[1]))


def test_a_threshold_of_the_user_changes_no_relevance(storm: Topic) -> None:
    thresholds = replace(STORM.thresholds, relevance=0.4)
    strict = Topic.learn(replace(STORM, samples=samples(STORM_SAMPLES), thresholds=thresholds))
    page = storm.weigh(storm.analyzer.terms(STORM_ON[0]))
    assert strict.threshold == 0.4 != storm.threshold
    assert strict.relevance_of(page) == storm.relevance_of(page)


def test_keywords_that_no_sample_contains_do_not_count() -> None:
    stray = replace(STORM, keywords=keywords(core={"teapot": 1.0}), samples=samples(STORM_SAMPLES))
    topic = Topic.learn(stray)
    page = topic.weigh(topic.analyzer.terms(STORM_ON[0] + " teapot"))
    assert topic.relevance_of(page).score == pytest.approx(
        sum(relevance_parts(page, topic.vector).values())
    )


def test_where_samples_do_not_find_each_other_the_keywords_alone_decide() -> None:
    words = ["".join(letters) for letters in product("bdfgk", "aeiou", "lmnrt", "aeiou")]
    unlike = [f"华侨 {' '.join(words[first : first + 125])}" for first in range(0, 625, 125)]
    topic, alone = Topic.learn(replace(QIAO, samples=samples(unlike))), Topic.learn(QIAO)
    assert topic.in_samples.agreement == 0 < topic.in_samples.found
    for text in (*QIAO_ON, *QIAO_OFF):
        found, expected = (it.relevance(it.analyzer.terms(text)) for it in (topic, alone))
        assert found.score / topic.threshold == pytest.approx(expected.score / alone.threshold)
        assert [term for term, _ in found.main_terms] == [term for term, _ in expected.main_terms]


def test_negative_terms_get_no_weight_even_if_samples_contain_them() -> None:
    texts = ["华侨城的归侨 " + text for text in QIAO_SAMPLES]
    topic = Topic.learn(replace(QIAO, samples=samples(texts)))
    assert "华侨城" not in topic.vector
    assert "归侨" in topic.vector


def test_words_that_no_keyword_contains_are_learned_from_samples(qiao: Topic) -> None:
    assert qiao.vector.get("侨批", 0) > 0
    assert "侨批" not in Topic.learn(QIAO).vector


def test_traditional_and_simplified_pages_score_the_same(qiao: Topic) -> None:
    simplified = "侨务委员会访问侨团，华侨谈到归侨的养老"
    traditional = "僑務委員會訪問僑團，華僑談到歸僑的養老"
    one, two = (qiao.relevance(qiao.analyzer.terms(t)) for t in (simplified, traditional))
    assert one == two
    assert one.score > 0


def test_rel_returns_graded_words_longest_match_first(qiao: Topic, storm: Topic) -> None:
    assert qiao.rel(qiao.analyzer.terms("華僑城的华侨与侨乡")) == [
        ("华侨城", 0.1),
        ("华侨", 1.0),
        ("侨乡", 0.9),
    ]
    found = storm.rel(storm.analyzer.terms("Tropical cyclones, storm drains and storms"))
    assert found == [("tropical cyclone", 1.0), ("storm drain", 0.0), ("storm", 0.8)]


def test_terms_inside_a_negative_phrase_do_not_count(storm: Topic) -> None:
    assert storm.relevance(storm.analyzer.terms("storm drain")).score == 0
    assert "storm" not in storm.weigh(storm.analyzer.terms("a storm drain"))
    assert "storm" in storm.weigh(storm.analyzer.terms("drains in a storm"))


def test_main_terms_are_readable_and_sum_to_the_score(storm: Topic) -> None:
    found = storm.relevance(storm.analyzer.terms("Hurricanes and cyclones"))
    assert {name for name, _ in found.main_terms} == {"hurricane", "cyclone"}
    assert sum(part for _, part in found.main_terms) == pytest.approx(found.score)
    parts = [part for _, part in found.main_terms]
    assert parts == sorted(parts, reverse=True)


def test_few_keywords_are_supplemented_by_learned_terms_of_lower_value() -> None:
    few = replace(QIAO, keywords=QIAO.keywords[:1], samples=samples(QIAO_SAMPLES))
    found = dict(Topic.learn(few).rel(Topic.learn(few).analyzer.terms("侨胞 归侨 侨情 华侨城")))
    assert found["侨情"] == 1.0
    assert found["华侨城"] == 0.1
    assert 0 < found["侨胞"] <= 0.9
    many = Topic.learn(replace(QIAO, samples=samples(QIAO_SAMPLES)))
    assert many.rel(many.analyzer.terms("侨批")) == []


def test_a_bare_word_counts_its_parts_but_follows_no_link_for_them() -> None:
    topic = Topic.learn(bare_definition("茶文化", [Seed("http://a.cn/")]))
    found = dict(topic.rel(topic.analyzer.terms("茶文化；茶，文化")))
    assert found == {"茶文化": 1.0, "茶": 0.4, "文化": 0.4}
    assert found["茶"] < topic.definition.thresholds.link
    assert topic.vector["茶文化"] > 4 * topic.vector["文化"]


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("滤镜", []),
        ("安全", []),
        ("数据库", []),
        ("太极拳", ["太极"]),
        ("大熊猫", ["熊猫"]),
        ("不是药神", []),
        ("c语言", ["语言"]),
        ("宋代官窑瓷器", ["宋代", "官窑", "瓷器"]),
        ("us president", ["president"]),
        ("bank of england", ["bank", "england"]),
        ("music", []),
    ],
)
def test_parts_of_a_word_are_words_and_no_stop_words(word: str, parts: list[str]) -> None:
    assert word_parts(word, IdfTable()) == parts


def test_the_pronoun_us_is_not_the_us_in_us_president() -> None:
    topic = Topic.learn(bare_definition("US president"))
    terms = topic.analyzer.terms("They told us that the president of France came with us.")
    assert topic.rel(terms) == [("president", 0.4)]
    assert not topic.keyword_hits(terms).distinct
    assert topic.keyword_hits(topic.analyzer.terms("Two U.S. presidents")).distinct
    assert "us" not in topic.vector


@pytest.mark.parametrize("word", ["WHO", "IT"])
def test_an_acronym_alone_is_a_topic(word: str) -> None:
    topic = Topic.learn(bare_definition(word))
    terms = topic.analyzer.terms
    assert topic.relevance(terms(f"{word} 大会今天举行")).score > 0
    assert topic.relevance(terms("who said that it is so")).score == 0


def test_a_long_bare_word_is_found_written_apart() -> None:
    topic = Topic.learn(bare_definition("新能源汽车补贴"))
    page = (
        "新能源车企申请补贴，汽车购置补贴标准下调，新能源乘用车的汽车补贴由财政支付。"
        "今年起，购买新能源车的居民可以向商务局申领补贴，补贴资金直接打入账户；"
        "旧汽车报废换购的，补贴再加三千元。业内预计，补贴退坡以后汽车价格竞争会更激烈。"
    )
    assert topic.relevance(topic.analyzer.terms(page)).score >= topic.threshold


@pytest.mark.parametrize("word", ["楼盘新闻", "新能源汽车补贴"])
def test_the_words_of_a_phrase_count_as_far_as_it_does(word: str) -> None:
    alone = Topic.learn(bare_definition(word)).vector
    listed = replace(QIAO, keywords=keywords(near={word: 0.5}))
    assert Topic.learn(listed).vector == pytest.approx(alone)


def test_a_list_of_phrases_finds_pages_that_have_none_of_them() -> None:
    listed = replace(QIAO, keywords=keywords(core=dict.fromkeys(["楼盘新闻", "房贷政策"], 1.0)))
    topic = Topic.learn(listed)
    terms = topic.analyzer.terms
    page = terms(
        "这个楼盘本周开盘。开发商称，房贷利率下调以后，看房的人多了起来，房贷审批也加快了。"
    )
    other = terms("今天的新闻：农业部门说明新的政策，粮食收购价格上调，农民种粮的热情高了起来。")
    assert topic.relevance(page).score > topic.relevance(other).score > 0
    assert not topic.keyword_hits(page).distinct


def test_words_of_phrases_do_not_count_beside_other_keywords() -> None:
    usual = dict.fromkeys(["防火墙", "漏洞", "加密"], 1.0)
    topic = Topic.learn(replace(QIAO, keywords=keywords(core=usual | {"入侵检测": 1.0})))
    assert set(topic.vector) == {*usual, "入侵检测"}


def test_a_given_threshold_is_used() -> None:
    given = replace(QIAO, thresholds=Thresholds(relevance=0.33), samples=samples(QIAO_SAMPLES))
    assert Topic.learn(given).threshold == 0.33


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        (replace(QIAO, keywords=keywords(core={"the of": 1.0})), r"core.the of must contain more than"),
        (replace(QIAO, keywords=(), samples=samples(["的，了 1 2 3"])), r"nothing defines the topic"),
    ],
)  # fmt: skip
def test_a_topic_that_cannot_be_learned_is_an_error(
    definition: TopicDefinition, message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Topic.learn(definition)


def test_learning_twice_gives_the_same(qiao: Topic) -> None:
    again = Topic.learn(qiao.definition)
    assert dict(again.vector) == dict(qiao.vector)
    assert again.threshold == qiao.threshold


def test_both_engines_learn_the_same_topic(qiao: Topic) -> None:
    slow = Topic.learn(qiao.definition, engine="jieba")
    assert dict(slow.vector) == dict(qiao.vector)


@given(st.lists(st.sampled_from(["侨务", "华侨", "归侨", "天气", "足球", "华侨城"]), max_size=60))
def test_a_score_is_between_0_and_1_and_0_without_topic_words(terms: list[str]) -> None:
    topic = _learned()
    found = topic.relevance(terms)
    assert 0 <= found.score <= 1
    assert (found.score > 0) == bool(set(terms) & set(topic.vector))


_TOPICS: list[Topic] = []


def _learned() -> Topic:
    if not _TOPICS:
        _TOPICS.append(Topic.learn(QIAO))
    return _TOPICS[0]

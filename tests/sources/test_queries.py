"""Queries from the words, templates and sites of a topic, and from good results."""

from __future__ import annotations

from dataclasses import replace

from topiccrawl.sources.queries import learned_queries, site_queries, topic_queries
from topiccrawl.topics.definition import Category, Keyword, Seed, TopicDefinition
from topiccrawl.topics.load import bare_definition
from topiccrawl.topics.topic import Topic, idf_table


def test_queries_come_from_words_templates_and_sites() -> None:
    definition = TopicDefinition(
        "茶",
        keywords=(Keyword("茶文化", 1.0, "core"), Keyword("紫砂", 0.4, "related")),
        seeds=(Seed("http://tea.cn/x"),),
        queries=('"{keyword}" 政策', "{keyword} site:{site}"),
    )
    questions = [str(query.question) for query in topic_queries(definition)]
    assert questions[0] == "茶文化"
    assert {"茶文化 site:tea.cn", '"茶文化" 政策', "茶文化 紫砂"} <= set(questions)
    assert "紫砂" not in questions, "a remote term alone is ambiguous"


def test_a_template_with_a_category_makes_a_query_for_each() -> None:
    definition = TopicDefinition(
        "茶",
        keywords=(Keyword("茶文化", 1.0, "core"),),
        seeds=(Seed("http://tea.cn/x"),),
        queries=("{keyword} {category} site:{site}",),
    )
    assert not [it for it in topic_queries(definition) if it.family == "template"]
    divided = replace(definition, categories=(Category("会议"), Category("人物")))
    questions = [str(it.question) for it in topic_queries(divided) if it.family == "template"]
    assert questions == ["茶文化 会议 site:tea.cn", "茶文化 人物 site:tea.cn"]


def test_a_compound_is_asked_in_its_parts_too() -> None:
    assert "数学 公式" in [str(it.question) for it in topic_queries(bare_definition("数学公式"))]
    parts = [it for it in topic_queries(bare_definition("侨眷")) if it.family == "parts"]
    assert not parts, "one word"


def test_words_and_sites_of_good_results_make_queries() -> None:
    topic = Topic.learn(bare_definition("茶文化"))
    texts = ["普洱 的 历史", "普洱 与 茶文化", "云南 普洱", *["龙井 其他"] * 2, *["无关"] * 3]
    words = [str(q.question) for q in learned_queries(topic, texts, idf_table().idf, 5)]
    assert words[0] == "茶文化 普洱"
    urls = [f"http://a.cn/{i}" for i in range(4)] + [f"http://b{i}.cn/" for i in range(8)]
    assert [str(q.question) for q in site_queries("茶", urls)] == ["茶 site:a.cn"]
    assert not site_queries("茶", [f"http://a.cn/{i}" for i in range(9)]), "the only host"

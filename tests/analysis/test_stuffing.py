"""Pages that are stuffed with a topic's words are recognized; lists, tables, glossaries and articles are not."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest

from benchmarks.known_web import KnownWeb
from benchmarks.notcontent.stuffed import ASIDE, CHOSEN, Words, stuffed_page
from topiccrawl.analysis.stuffing import stuffing
from topiccrawl.page.notcontent import NotContent
from topiccrawl.page.page import Page
from topiccrawl.topics.load import find_definition
from topiccrawl.topics.topic import Topic

TOPICS = ("侨情", "图书馆学", "renewable-energy")
#: Keywords that the maker of a page has, and other words of the topic.
KEYWORDS, RELATED = 12, 30


@cache
def topic(name: str) -> Topic:
    return Topic.learn(find_definition(name))


def found(on: Topic, title: str, text: str) -> NotContent | None:
    terms = on.analyzer.terms(title) + on.analyzer.terms(text)
    return stuffing(on, text, terms, on.relevance(terms).score)


def recognized(name: str, maker: str, pages: int = 8) -> int:
    on = topic(name)
    words = [keyword.term for keyword in on.definition.keywords]
    texts = [sample.text for sample in on.definition.samples]
    known = Words(words[:KEYWORDS], words[KEYWORDS:][:RELATED], texts, name != "renewable-energy")
    make = (CHOSEN | ASIDE)[maker]
    count = 0
    for number in range(pages):
        page = Page("http://a.example/1", stuffed_page(Random(number), known, make), "utf-8")
        count += found(on, page.title, page.body) is not None
    return count


@pytest.mark.parametrize("name", TOPICS)
@pytest.mark.parametrize("maker", ["bag", "sentences", "filled", "tags"])
def test_soups_of_keywords_are_recognized(name: str, maker: str) -> None:
    assert recognized(name, maker) >= 7


@pytest.mark.parametrize("name", TOPICS)
def test_no_sample_of_a_topic_is_taken_for_a_soup(name: str) -> None:
    for sample in topic(name).definition.samples:
        for other in TOPICS:
            assert found(topic(other), "", sample.text) is None


@pytest.mark.parametrize("name", TOPICS)
def test_a_text_that_is_repeated_is_no_soup(name: str) -> None:
    for sample in topic(name).definition.samples:
        assert found(topic(name), "", f"{sample.text}\n" * 4) is None


COUNTRIES = tuple(
    re.findall(
        r"\S+",
        "泰国 马来西亚 新加坡 菲律宾 越南 缅甸 日本 韩国 美国 加拿大 巴西 秘鲁 英国 法国 德国 荷兰",
    )
)
LISTS = {
    "statistics": (
        "侨情", "海外华侨华人统计表",
        "\n".join(
            f"{it} 华侨华人 {n * 37 + 12}万人 华侨 {n * 3 + 1}万人 归侨 {n * 2 + 3}人"
            for n, it in enumerate(COUNTRIES * 2)
        ),
    ),
    "directory": (
        "侨情", "海外侨团名录",
        "\n".join(f"{it}中华总商会 {it}华侨华人联合会 {it}福建同乡会 {it}华侨华人妇女会" for it in COUNTRIES),
    ),
    "headlines": (
        "侨情", "侨务新闻",
        "国务院侨办召开侨务工作会议\n中国侨联举办侨界座谈会\n广东侨联走访归侨侨眷\n福建侨商投资家乡\n海外侨胞捐款助学\n"
        "华文教育基金会成立\n华裔青少年寻根夏令营开营\n马来西亚侨领访问侨乡\n侨批档案展览开幕\n泰国华侨华人欢度春节\n"
        "侨胞权益保护条例通过\n侨资企业座谈\n归侨安置工作会议\n华侨大学校庆\n海外华文媒体论坛\n侨界人才表彰大会",
    ),
    "song": ("侨情", "侨乡之歌", "侨乡，侨乡，我的家乡\n华侨，华侨，海外的亲人\n归来吧，归来吧，回到侨乡\n" * 8),
    "glossary": (
        "图书馆学", "图书馆学名词",
        "图书馆、藏书、馆藏、编目、分类法、主题词、叙词表、索引、文摘、"
        "目录学、版本学、校勘学、古籍、善本、采访、典藏、流通、阅览、"
        "参考咨询、情报检索、书目、联合目录、元数据、数字图书馆、公共图书馆、高校图书馆、国家图书馆、"
        "馆际互借、文献传递、资源共享、读者服务、阅读推广、信息素养、图书馆员、文献计量学、知识组织、"
        "知识管理、信息资源、开放获取、机构知识库、索书号、条形码、排架",
    ),
    "bibliography": (
        "图书馆学", "图书馆学论文索引",
        "\n".join(
            f"{kind}图书馆{what}研究[J]. 图书馆杂志, 20{10 + n}({n + 1}): {n}-{n + 5}"
            for kind in ("公共", "高校", "数字", "移动", "智慧", "少儿")
            for n, what in enumerate(("阅读推广", "读者服务", "资源建设", "评估", "管理"))
        ),
    ),
    "glossary in English": (
        "renewable-energy", "Glossary",
        "solar energy, wind energy, hydropower, geothermal energy, biomass, biofuel, biogas, tidal power, "
        "wave power, photovoltaics, solar cell, wind turbine, wind farm, feed-in tariff, net metering, "
        "smart grid, energy storage, pumped storage, battery, hydrogen, fuel cell, carbon footprint, "
        "greenhouse gas, emissions trading, energy efficiency, heat pump, passive house, concentrated "
        "solar power, offshore wind, anaerobic digestion, bioethanol, biodiesel, inverter, capacity "
        "factor, base load",
    ),
    "catalog": (
        "renewable-energy", "Inverters",
        "\n".join(
            f"{brand} solar inverter {kilowatts} kW grid-tie, for solar panel, wind turbine and battery"
            for brand in ("SMA", "Fronius", "Huawei", "Growatt")
            for kilowatts in range(3, 12)
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
def test_lists_tables_and_glossaries_are_no_soup(name: str) -> None:
    on, title, text = LISTS[name]
    assert found(topic(on), title, text) is None


def test_sentences_between_meaningless_characters_are_no_soup() -> None:
    web = KnownWeb(40, 4, copies=1)
    assert not any(found(topic("侨情"), "侨务", "\n".join(web.paragraphs(url))) for url in web.urls)


def test_a_short_list_is_not_judged() -> None:
    assert found(topic("侨情"), "侨情", "侨务 侨联 归侨 侨眷 " * 10) is None


def test_a_soup_is_one_whatever_threshold_the_user_sets() -> None:
    on = topic("侨情")
    words = [keyword.term for keyword in on.definition.keywords][:20]
    text = "，".join(Random(1).choices(words, k=300))
    terms = on.analyzer.terms(text)
    assert on.learned_threshold == on.threshold
    assert stuffing(on, text, terms, on.relevance(terms).score) is not None
    assert stuffing(on, text, terms, on.learned_threshold / 2) is None

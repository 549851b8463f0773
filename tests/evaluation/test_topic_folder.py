"""The topic folder that both ways of crawling a stored web read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.volcano_web import LIST, A, small_pages, write_web
from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.topic_folder import define_topic, write_topic_folder
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.web import Web
from topiccrawl.topics.load import find_definition, load_definition
from topiccrawl.topics.scaffold import new_topic
from topiccrawl.topics.topic import Topic


@pytest.fixture(name="web")
def small_web(tmp_path: Path) -> Web:
    return open_web(str(write_web(tmp_path / "small")))


def test_keywords_become_core_terms_and_the_seeds_are_there(web: Web, tmp_path: Path) -> None:
    folder = write_topic_folder(tmp_path, web, web.topics[0], [LIST], "keywords")
    definition = find_definition(str(folder))
    assert [k.term for k in definition.keywords] == ["volcano", "lava", "eruption", "crater"]
    assert {k.value for k in definition.keywords} == {1.0}
    assert [seed.url for seed in definition.seeds] == [LIST]
    assert definition.samples == ()
    assert definition.language == "en"


def test_url_tokens_are_derived_as_for_a_topic_that_a_user_makes(web: Web, tmp_path: Path) -> None:
    topic = replace(web.topics[0], keywords=("音乐", "Eruption"))
    folder = write_topic_folder(tmp_path / "evaluated", web, topic, [LIST], "keywords")
    made = new_topic(tmp_path / "made", "volcano", topic.keywords)
    tokens = load_definition(folder).url_tokens
    assert tokens == load_definition(made).url_tokens
    assert {"yinyue", "eruption"} <= tokens.keys()
    without = write_topic_folder(tmp_path / "examples", web, topic, [LIST], "examples")
    assert load_definition(without).url_tokens == {}, "derived from keywords only"


def test_examples_become_samples_without_a_word_of_the_keywords(web: Web, tmp_path: Path) -> None:
    folder = write_topic_folder(tmp_path, web, web.topics[0], [LIST], "examples")
    definition = find_definition(str(folder))
    assert definition.keywords == ()
    assert len(definition.samples) == 2
    assert definition.samples[0].text.startswith("Volcano 1")
    assert Topic.learn(definition).vector


def test_keywords_and_examples_can_be_combined(web: Web, tmp_path: Path) -> None:
    folder = write_topic_folder(tmp_path, web, web.topics[0], [LIST], "both")
    definition = find_definition(str(folder))
    assert definition.keywords
    assert definition.samples


def test_one_word_is_the_topic_that_a_user_gets_who_types_it(web: Web, tmp_path: Path) -> None:
    topic = replace(web.topics[0], bare_word="lava")
    defined = define_topic(tmp_path, web, topic, [LIST], "word")
    assert defined.argument == "lava"
    assert defined.definition == find_definition("lava", [LIST])
    assert defined.keywords == ("lava",)
    first = define_topic(tmp_path, web, web.topics[0], [LIST], "word")
    assert first.argument == "volcano", "the first keyword, if there is no bare word"


def test_a_word_that_is_the_name_of_a_topic_folder_is_not_a_bare_word(
    web: Web, tmp_path: Path
) -> None:
    topic = replace(web.topics[0], bare_word="侨情")
    with pytest.raises(ConfigurationError, match="--define word needs a bare_word without a topic"):
        define_topic(tmp_path, web, topic, [LIST], "word")
    nothing = replace(web.topics[0], bare_word="", keywords=("!!",))
    with pytest.raises(ConfigurationError, match="bare_word must hold a word"):
        define_topic(tmp_path, web, nothing, [LIST], "word")


def test_samples_join_the_keywords(web: Web, tmp_path: Path) -> None:
    topic = replace(web.topics[0], samples=(f"{A}/v3", f"{A}/v4", f"{A}/v5"))
    defined = define_topic(tmp_path, web, topic, [LIST], "samples")
    assert defined.argument == defined.definition.source
    assert [k.term for k in defined.definition.keywords] == list(web.topics[0].keywords)
    assert [s.text[:9] for s in defined.definition.samples] == [
        "Volcano 3",
        "Volcano 4",
        "Volcano 5",
    ]
    assert defined.keywords == web.topics[0].keywords


def test_hostile_words_and_names_make_a_valid_folder(web: Web, tmp_path: Path) -> None:
    topic = replace(
        web.topics[0],
        name='../a "b"\n',
        description='say "x"\\\n\x00',
        keywords=("Lava", "lava", "", "!!", 'vol"cano', "火山"),
    )
    folder = write_topic_folder(tmp_path, web, topic, [LIST, LIST], "keywords")
    assert folder.parent == tmp_path
    definition = find_definition(str(folder))
    assert [k.term for k in definition.keywords] == ["Lava", 'vol"cano', "火山"]
    Topic.learn(definition)


@pytest.mark.parametrize(
    ("change", "seeds", "define", "message"),
    [
        ({"keywords": ("!!", "")}, [LIST], "keywords", "keywords must hold"),
        ({"examples": ("http://nowhere.example/",)}, [LIST], "examples", "examples must hold"),
        ({}, [], "keywords", "seed set is empty"),
        ({}, [LIST], "samples", "samples must hold"),
    ],
)
def test_what_cannot_define_a_topic_is_an_error(
    web: Web, tmp_path: Path, change: dict[str, Any], seeds: list[str], define: Any, message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        write_topic_folder(tmp_path, web, replace(web.topics[0], **change), seeds, define)


def test_any_language_that_begins_with_zh_is_chinese(web: Web, tmp_path: Path) -> None:
    chinese: Any = SimpleNamespace(name="w", language="zh-CN", get=web.get)
    folder = write_topic_folder(tmp_path, chinese, web.topics[0], [LIST], "keywords")
    assert find_definition(str(folder)).language == "zh"
    assert len(small_pages()) == len(web)

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.text import segment
from topiccrawl.text.segment import make_segmenter

WORDS = ("华侨华人", "涉侨", "茶文化", "c919飞机")
SENTENCES = [
    "海外华侨华人在华侨城参加涉侨茶文化活动",
    "国务院侨务办公室负责人许又声会见了来访的印尼侨团代表",
    "南京市长江大桥研究生命起源的科学家来到北京大学",
    "他说的确实在理",
    "结婚的和尚未结婚的",
    "侨批是海外侨胞通过民间渠道寄回国内的书信与汇款的合称",
    "图书馆学研究文献的收集整理保存与利用以及图书馆事业的组织与管理",
    "受台风影响沿海地区将有大到暴雨渔船应当及时回港避风",
    "武夷岩茶制作技艺传承人讲解摇青做青与焙火的火候",
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_both_engines_cut_han_text_alike(sentence: str) -> None:
    fast = make_segmenter(WORDS, "rjieba").cut(sentence)
    assert fast == make_segmenter(WORDS, "jieba").cut(sentence)
    assert "".join(fast) == sentence


@given(st.text("侨务华人城市长江大桥研究生命起源的在了和茶文化海外", max_size=30))
def test_both_engines_lose_no_character(text: str) -> None:
    # Not: cut alike. In strings that no one writes (茶茶茶) ties are broken differently.
    for engine in ("rjieba", "jieba"):
        assert "".join(make_segmenter(WORDS, engine).cut(text)) == text


@pytest.mark.parametrize("engine", ["rjieba", "jieba"])
@pytest.mark.parametrize("word", ["侨批档案馆", "涉侨", "c919飞机"])
def test_added_words_stay_whole(engine: segment.Engine, word: str) -> None:
    assert make_segmenter([word], engine).cut(f"参观了{word}之后") == ["参观", "了", word, "之后"]


@pytest.mark.parametrize("engine", ["rjieba", "jieba"])
@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("茶文化", "茶文化节"),
        ("养老服务", "居家养老服务中心"),
        ("低空经济", "低空经济带"),
        ("职业教育", "职业教育法"),
        ("碳排放", "碳排放量"),
    ],
)
def test_an_added_compound_is_kept_where_a_longer_word_begins_in_it(
    engine: segment.Engine, word: str, text: str
) -> None:
    assert word in make_segmenter([word], engine).cut(text)


@pytest.mark.parametrize("engine", ["rjieba", "jieba"])
def test_an_added_word_of_two_characters_does_not_cut_others(engine: segment.Engine) -> None:
    assert make_segmenter(["和平"], engine).cut("账户和平台") == ["账户", "和", "平台"]


def test_words_of_one_topic_do_not_leak_into_another() -> None:
    assert make_segmenter(["参加活动"]).cut("他参加活动") == ["他", "参加活动"]
    assert make_segmenter([]).cut("他参加活动") == ["他", "参加", "活动"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("node.js c++ 3.14", ["node", "js", "c", "3", "14"]),
        ("café naïve", ["café", "naïve"]),
        ("t-shirt_x", ["t", "shirt", "x"]),
        ("，。！ \n", []),
        ("", []),
    ],
)
def test_runs_without_han_are_words_as_they_stand(text: str, words: list[str]) -> None:
    assert make_segmenter().cut(text) == words


def test_the_order_of_added_words_does_not_matter() -> None:
    words = ["华侨华人", "华侨", "侨华人会"]
    text = "海外华侨华人会馆"
    assert make_segmenter(words).cut(text) == make_segmenter(words[::-1]).cut(text)


def test_without_rjieba_jieba_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(words: tuple[str, ...]) -> segment._Engine:
        raise ImportError("no wheel")

    monkeypatch.setattr(segment, "_rjieba", missing)
    assert make_segmenter(["侨批馆"]).cut("看侨批馆") == ["看", "侨批馆"]
    with pytest.raises(ImportError):
        make_segmenter(["侨批馆二"], "rjieba")


def test_an_unknown_engine_is_named() -> None:
    with pytest.raises(ValueError, match="engine must be auto, rjieba or jieba, got 'pkuseg'"):
        make_segmenter(engine="pkuseg")  # type: ignore[arg-type]


def test_jieba_keeps_its_cache_in_a_folder_of_the_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    engine: Any = segment._jieba(())
    assert engine.tmp_dir == str(tmp_path / "topiccrawl")
    assert (tmp_path / "topiccrawl").stat().st_mode & 0o077 == 0

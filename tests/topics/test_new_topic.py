from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from topiccrawl.errors import ConfigurationError
from topiccrawl.topics.definition import Keyword, Seed
from topiccrawl.topics.folder import load_definition
from topiccrawl.topics.scaffold import new_topic


def test_a_new_folder_is_valid_and_contains_the_given_values(tmp_path: Path) -> None:
    folder = new_topic(tmp_path / "seeds", "茶文化", ["茶", '"茶艺"\\', "茶藝x"], ["http://a.cn/"])
    found = load_definition(folder)
    assert found.name == "茶文化"
    assert (found.description, found.classification) == ("", ())
    assert [k.term for k in found.keywords] == ["茶", '"茶艺"\\', "茶藝x"]
    assert found.seeds == (Seed("http://a.cn/"),)
    assert (folder / "samples").is_dir()


def test_every_commented_example_is_valid(tmp_path: Path) -> None:
    file = new_topic(tmp_path, "茶") / "topic.toml"
    text = file.read_text(encoding="utf-8")
    text = re.sub(r'^# (?=\[|[\w"…]+ = )', "", text, flags=re.MULTILINE)
    text = text.replace('"http://…"', '"http://a.cn/"').replace('"…"', '"茶几"')
    file.write_text(text, encoding="utf-8")
    found = load_definition(file.parent)
    assert found.negatives == (Keyword("茶几", 0.1, "negative"),)
    assert found.url_tokens == {"tea": 0.8, "/cha/": 0.5}
    assert found.thresholds.relevance == 0.25
    assert found.seeds == (Seed("http://a.cn/"),)


def test_the_space_of_a_chinese_keyboard_is_a_space_of_the_name(tmp_path: Path) -> None:
    folder = new_topic(tmp_path, "\u3000侨胞\u3000动态\u3000", ["侨胞"])
    assert folder.name == "侨胞 动态"
    assert load_definition(folder).name == "侨胞 动态"


def test_without_keywords_the_name_is_the_keyword(tmp_path: Path) -> None:
    folder = new_topic(tmp_path, "tea", language="en")
    assert load_definition(folder).keywords == (Keyword("tea", 1.0, "core"),)
    assert load_definition(folder).language == "en"


def test_url_tokens_are_derived_from_the_keywords_and_given_ones_replace_them(
    tmp_path: Path,
) -> None:
    folder = new_topic(
        tmp_path, "茶文化", ["茶艺", "茶"], url_tokens=["teahouse", "/TEA/", "cy=0.6"]
    )
    assert load_definition(folder).url_tokens == {
        "teahouse": 0.9,
        "/tea/": 0.9,
        "cy": 0.6,
        "/chayi/": 0.5,
        "tea": 0.8,
        "/cha/": 0.5,
    }


def test_keywords_equal_after_normalization_are_written_once(tmp_path: Path) -> None:
    folder = new_topic(tmp_path, "茶", ["茶藝", "茶艺", "ＴＥＡ", "tea"])
    assert len(load_definition(folder).keywords) == 2


@pytest.mark.parametrize("second", ["侨情", "僑情"])
def test_nothing_is_overwritten(tmp_path: Path, second: str) -> None:
    file = new_topic(tmp_path, "侨情") / "topic.toml"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="there is a topic of this name already"):
        new_topic(tmp_path, second)
    assert file.read_text(encoding="utf-8") == "mine"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "must not be empty"),
        ("  ", "must not be empty"),
        ("../x", "not a path"),
        ("a/b", "not a path"),
        ("a\\b", "not a path"),
        (".", "not a path"),
        (".hidden", "not a path"),
        ("-rf", "not a path"),
        ("c:", "not a path"),
        ("a\nb", "control characters"),
        ("a\x00b", "control characters"),
        ("a\u200bb", "control characters"),
        ("\ud800", "control characters"),
        ("…", "must contain a letter"),
        ("长" * 80, "at most 200 bytes"),
    ],
)
def test_a_name_that_cannot_be_a_folders_is_refused(
    tmp_path: Path, name: str, message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        new_topic(tmp_path, name)
    assert list(tmp_path.iterdir()) == []


def test_a_keyword_may_have_a_value(tmp_path: Path) -> None:
    new_topic(tmp_path, "茶文化", keywords=["茶文化", "茶具=0.8", "茶馆＝.6"])
    words = load_definition(tmp_path / "茶文化").keywords
    assert {it.term: it.value for it in words} == {"茶文化": 1.0, "茶具": 0.8, "茶馆": 0.6}


def test_a_name_that_is_no_keyword_is_refused_as_the_name(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=r"^the name, .* without --keywords: '茶 道' has stop words"
    ):
        new_topic(tmp_path, "茶 道")
    assert new_topic(tmp_path, "茶 道", ["茶道"]).is_dir()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"keywords": ["，"]}, r"--keywords must be words, got '，'"),
        ({"keywords": [" "]}, r"--keywords must contain at least one word"),
        ({"keywords": ["a\x07"]}, r"--keywords must be words"),
        (
            {"keywords": ["茶", "Q&A"]},
            r"--keywords: 'Q&A' has stop words, single letters and numbers",
        ),
        ({"keywords": ["茶道=2"]}, r"--keywords must be words, or word=value .*, got '茶道=2'"),
        ({"url_tokens": ["/"]}, r"--url-tokens must be words, or word=value"),
        ({"url_tokens": ["tea=2"]}, r"with a value in \(0, 1\], got 'tea=2'"),
        ({"url_tokens": ["tea=x"]}, r"got 'tea=x'"),
        ({"seeds": ["a.cn"]}, r"--seeds: URL 1 must be an http or https URL"),
        ({"language": "fr"}, r"--language must be zh or en, got 'fr'"),
    ],
)
def test_wrong_values_are_refused_before_anything_is_written(
    tmp_path: Path, given: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        new_topic(tmp_path, "茶", **given)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_root_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match=r"茶: cannot be written"):
        new_topic(tmp_path / "file", "茶")


def test_a_topic_that_could_not_be_written_whole_does_not_refuse_the_next_attempt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(ConfigurationError, match=r"茶: cannot be written: No space left"):
            new_topic(tmp_path, "茶")
    assert list(tmp_path.iterdir()) == []
    assert load_definition(new_topic(tmp_path, "茶")).name == "茶"

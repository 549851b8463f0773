"""Categories of a topic's folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from topiccrawl.errors import ConfigurationError
from topiccrawl.topics.definition import Category, Sample
from topiccrawl.topics.folder import load_definition


def folder(root: Path, tables: str) -> Path:
    made = root / "茶"
    made.mkdir()
    (made / "topic.toml").write_text(f'name = "茶"\n[keywords.core]\n"茶" = 1.0\n{tables}', "utf-8")
    return made


def test_a_category_has_words_samples_or_both(tmp_path: Path) -> None:
    made = folder(tmp_path, '[categories."经济"]\nwords = ["贸易", "投资"]\n[categories."茶艺"]\n')
    samples = made / "categories" / "茶艺"
    samples.mkdir(parents=True)
    (samples / "一.txt").write_text("冲泡的手法", "utf-8")
    assert load_definition(made).categories == (
        Category("经济", ("贸易", "投资")),
        Category("茶艺", (), (Sample("一.txt", "冲泡的手法"),)),
    )


@pytest.mark.parametrize(
    ("tables", "key"),
    [
        ('[categories."空"]\n', "categories.空"),
        ('[categories."a/b"]\nwords = ["c"]\n', "categories.a/b"),
        ('[categories."..".x]\n', "categories..."),
        ('[categories."经济"]\nwords = ["。"]\n', "categories.经济.words[0]"),
        ('[categories."经济"]\nword = ["贸易"]\n', "categories.经济.word"),
        ('[categories]\n"经济" = "贸易"\n', "categories.经济"),
        ("".join(f'[categories."{n}"]\nwords = ["茶"]\n' for n in range(51)), "categories"),
    ],
)
def test_a_wrong_category_is_named(tmp_path: Path, tables: str, key: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_definition(folder(tmp_path, tables))
    assert f"topic.toml: {key} " in str(caught.value)

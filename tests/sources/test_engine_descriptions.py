"""Descriptions of engines: what is read, what is refused, and the requests that follow."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from topiccrawl.errors import ConfigurationError
from topiccrawl.sources.descriptions import engine_names, load_engines, read_engine
from topiccrawl.sources.engine import Engine, Question

GOOD = """
[request]
url = "http://s.example/find?q={query}&from={offset}"
[answer]
format = "html"
results = "li.r"
url = "a"
"""


def engine(text: str = GOOD, **more: object) -> Engine:
    return read_engine("mine", tomllib.loads(text), where="mine.toml", **more)  # type: ignore[arg-type]


def test_all_packed_engines_are_valid_and_can_be_chosen() -> None:
    names = engine_names()
    assert {"baidu", "bing", "searxng", "so360", "sogou"} <= set(names)
    engines = load_engines(names, [], "http://127.0.0.1:8888")
    assert [it.name for it in engines] == names
    assert [it.own for it in engines] == [it.name == "searxng" for it in engines]
    examples = load_engines(["example-json", "example-rss"], [], "")
    assert [it.format for it in examples] == ["json", "rss"]


def test_searxng_without_an_address_is_left_out() -> None:
    assert load_engines(["searxng"], [], "") == ()


def test_queries_are_encoded_in_the_charset_of_the_engine() -> None:
    asked = Question("茶 & 道", "tea.cn")
    assert (
        engine().request(asked, 2).url.endswith("q=%E8%8C%B6+%26+%E9%81%93+site%3Atea.cn&from=20")
    )
    gbk = engine(GOOD.replace("[answer]", 'charset = "gbk"\n[answer]'))
    assert "%B2%E8" in gbk.request(asked, 0).url


def test_an_engine_with_a_site_parameter_gets_the_words_alone() -> None:
    own = engine(GOOD.replace("&from={offset}", "&host={site}"))
    assert own.request(Question("茶", "tea.cn"), 0).url.endswith("q=%E8%8C%B6&host=tea.cn")


def test_parameters_go_into_the_address_or_into_the_form() -> None:
    (searxng,) = load_engines(["searxng"], [], "http://127.0.0.1:8888/sx")
    get, post = (
        searxng.request(Question("茶"), 1, language="zh", method=m) for m in searxng.methods
    )
    assert get.url == (
        "http://127.0.0.1:8888/sx/search?q=%E8%8C%B6&format=json&pageno=2&language=zh"
    )
    assert post.url == "http://127.0.0.1:8888/sx/search"
    assert post.body == b"q=%E8%8C%B6&format=json&pageno=2&language=zh"


def test_a_value_with_braces_is_not_taken_for_a_placeholder() -> None:
    asked = engine(GOOD.replace("from={offset}", "l={language}"))
    assert asked.request(Question("{page}"), 0, language="{query}").url.endswith(
        "q=%7Bpage%7D&l=%7Bquery%7D"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{query}", "{words}", "request.url may contain the placeholders"),
        ("q={query}", "q=", "must have {query}"),
        ("http://s.example/", "ftp://s.example/", "request.url must be an http or https URL"),
        ('"html"', '"xml"', "answer.format must be one of json, html, rss"),
        ('"li.r"', '"li["', "answer.results must be a CSS selector"),
        ('url = "a"', "", "answer.url is missing"),
        ("[answer]", '[block]\ntext = "x"\n[answer]', "did you mean 'texts'"),
        ("[answer]", "[pages]\nmost = -1\n[answer]", "pages.most must be a whole number >= 0"),
        ("[answer]", 'charset = "klingon"\n[answer]', "must be an encoding"),
        ("[answer]", 'methods = ["PUT"]\n[answer]', "must be one of GET, POST"),
        ("[answer]", 'headers = {A = "a\\nB: c"}\n[answer]', "must be printable ASCII"),
    ],
)
def test_mistakes_are_reported_with_file_key_and_rule(old: str, new: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        engine(GOOD.replace(old, new, 1))
    assert str(error.value).startswith("mine.toml: ")
    assert said in str(error.value)


def test_wrong_json_paths_are_reported() -> None:
    with pytest.raises(ConfigurationError, match="must be JMESPath"):
        engine(GOOD.replace('"html"', '"json"').replace('"li.r"', '"a["'))


def test_files_of_the_user_come_before_ours(tmp_path: Path) -> None:
    (tmp_path / "baidu.toml").write_text(GOOD, "utf-8")
    (own,) = load_engines(["baidu"], [tmp_path], "")
    assert own.own
    assert own.url.startswith("http://s.example/")
    with pytest.raises(ConfigurationError, match=r"no search engine 'nosuch'; known: baidu, bing"):
        load_engines(["nosuch"], [tmp_path], "")
    (tmp_path / "broken.toml").write_text("[request", "utf-8")
    with pytest.raises(ConfigurationError, match=r"broken\.toml: is not valid TOML"):
        load_engines(["broken"], [tmp_path], "")

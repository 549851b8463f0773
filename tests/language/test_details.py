"""Details of outcomes: stored in English, shown in the user's language."""

from __future__ import annotations

import re
import time

import pytest

from topiccrawl import details
from topiccrawl.details import Detail, translated
from topiccrawl.urls.rules import UrlRules
from topiccrawl.urls.scope import compile_pattern

KINDS = {name: kind for name, kind in vars(details).items() if isinstance(kind, Detail)}
VALUES = {
    **{"score": "0.108", "threshold": "0.422", "probability": "0.108", "similarity": "0.92"},
    **{"sign": "<", "n": "12", "least": "50", "seconds": "3 s", "status": "500"},
    **{"first": "31%", "second": "97%", "share": "85%", "all": "140"},
    **{"url": "http://a.cn/x?a=1", "host": "a.cn", "address": "127.0.0.1", "trap": "calendar"},
    **{"query": "茶文化 site:a.cn", "engine": "searxng", "rank": "3"},
    **{"relation": "edited", "other": "http://b.cn/", "file": "file:///a.html"},
    **{"sort": "feed", "new": "7", "files": "3", "why": details.STOPPED["bytes"]},
    **{"error": "timed out: no answer", "pattern": "re:a b", "detail": "same text as http://a.cn/"},
    **{"login": "forum", "reason": "status 429"},
}


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_of_detail_is_shown_in_both_languages(name: str) -> None:
    stored = KINDS[name](**VALUES)
    english, chinese = translated(stored, "en"), translated(stored, "zh")
    assert english == stored.replace("calendar", "an endless calendar").replace(
        "edited", "edited copy"
    )
    assert re.search("[\u4e00-\u9fff]", chinese) or name == "ROBOTS_FAILED"
    assert chinese != stored
    # No value is lost or cut.
    for value in re.findall(r"\{(\w+)\}", KINDS[name].message):
        assert value in ("trap", "detail", "relation", "sort", "why") or VALUES[value] in chinese


def test_details_inside_details_are_translated_too() -> None:
    assert translated("probability 0.108 < threshold 0.422; stored as a near miss", "zh") == (
        "概率 0.108 < 阈值 0.422；另行保存备选"
    )
    assert translated("Trapped: http://a.cn/1: too-long", "zh") == "http://a.cn/1：网址过长"
    unknown = details.UNKNOWN_NAME(host="a.cn")
    assert translated(details.ROBOTS_FAILED(host="a.cn", error=unknown), "zh") == (
        "a.cn 的 robots.txt：域名 'a.cn' 没有已知的地址"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ResponseNeverReceived: [<twisted.python.failure.Failure>]",
        "http://a.cn/: unknown-word",
        "something of a newer version {url}",
    ],
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert translated(text, "zh") == translated(text, "en") == text


def test_a_hostile_detail_costs_little_time() -> None:
    begin = time.process_time()
    for text in ("certificate of " * 200, "http://a.cn/ is excluded by deny=" * 100, ": " * 2_000):
        translated(text, "zh")
    assert time.process_time() - begin < 1  # it takes some 5 ms


def test_mistakes_in_rule_files_and_patterns_are_named_in_chinese(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    with pytest.raises(ValueError, match=r"url_hosts\.toml：rule\[0\]\.hosts 应至少列出一个主机"):
        UrlRules("", '[[rule]]\nignore = ["a"]\nhosts = []\n')
    with pytest.raises(ValueError, match="不是可用的键"):
        UrlRules("color = 1\n", "")
    with pytest.raises(ValueError, match="'http://' 应包含主机或路径"):
        compile_pattern("http://")
